// What the end of a review does: looks at what would change in the bot, applies it, has Rasa check it.

review.apply = (() => {
  const { $ } = review.dom;
  const { drawValidation } = review.end;
  const { ask, model, post, takeApplied } = review.model;
  const { fail, go, leave, say, untilLifted } = review.show;
  const { draw } = review.view;

  const EVERY = 700; // milliseconds between two looks at a validation
  let asked = null; // what the preview that is shown, or on its way, was asked for
  let watching = false;

  const isHere = () => model.page === "end" && !model.query && !model.lasso;
  const wanted = () => ({ with_rules: model.ending.withRules, with_flows: model.ending.withFlows, nlu_file: model.ending.nluFile.trim() });

  async function redraw() {
    await untilLifted();
    if (isHere()) draw();
  }

  function openEnd() {
    leave();
    model.page = "end";
    model.ticked.clear();
    go();
    if (!model.end.applies) lookAtBot();
  }

  // Asks what would change, unless that is known; `anew` asks all the same.
  async function look(anew = false) {
    if (!model.end.applies || model.ending.applying) return;
    const question = JSON.stringify([model.revision, wanted()]);
    if (question === asked && !anew) return;
    asked = question;
    model.ending.busy = true;
    if (!anew) redraw();
    try {
      const { status, body } = await ask("api/preview", post(wanted()));
      if (question !== asked || model.ending.applying) return; // something else is wanted by now
      taken(status, body);
    } catch (error) {
      asked = null;
      model.ending.busy = false;
      fail(error);
    }
    await redraw();
  }

  // Which drafts an earlier desk, or `apply` in a terminal, has put into the bot. Where that cannot be told, the end of the review says why.
  async function lookAtBot() {
    const isAccepted = ({ decision }) => decision === "accepted";
    if (!model.end.reads || ![...model.drafts.values()].some(isAccepted)) return;
    const { status, body } = await ask("api/preview", post({})).catch(() => ({ status: 0 }));
    if (status !== 200 || !body.in_bot.length) return;
    await untilLifted();
    model.inBot = new Set(body.in_bot);
    draw();
  }

  function taken(status, { preview = null, error = null, in_bot: inBot }) {
    Object.assign(model.ending, { busy: false, preview, error: status === 200 ? null : error });
    if (inBot) model.inBot = new Set(inBot);
  }

  async function apply() {
    const { ending } = model;
    const { preview, applied: before } = ending;
    if (ending.busy || !preview?.files.length) return;
    if (preview.uncommitted.length && !ending.allTheSame) {
      say(`There are uncommitted changes in ${preview.uncommitted.join(", ")}: commit them first, or tick that they are changed all the same.`, false, true);
      document.querySelector("[data-option=allTheSame]")?.focus();
      return;
    }
    ending.busy = ending.applying = true;
    redraw();
    try {
      const { status, body } = await ask("api/apply", post({ ...wanted(), digest: preview.digest, all_the_same: ending.allTheSame }));
      if (status === 200) done(body);
      else {
        if (body.preview) Object.assign(ending, { preview: body.preview, allTheSame: false });
        say(body.error, false, true);
      }
    } catch (error) {
      asked = null; // whether it was done is seen when the desk answers again
      fail(error);
    } finally {
      ending.busy = ending.applying = false;
    }
    await redraw();
    reveal(before);
  }

  // Goes to what was applied, where that is another than before.
  function reveal(before) {
    if (model.ending.applied !== before && isHere()) $("change-title").scrollIntoView();
  }

  function done({ in_bot: inBot, ...applied }) {
    const { ending } = model;
    takeApplied(applied);
    Object.assign(ending, { preview: null, error: null, allTheSame: false, validation: null });
    model.inBot = new Set(inBot);
    say("Applied: your bot has what you accepted.");
    validate();
  }

  // Has Rasa check the bot, and tells what it is at.
  async function validate() {
    if (watching) return;
    watching = true;
    try {
      let { status, body } = await ask("api/validate", post({ start: true }));
      while (status === 200 && body.validation?.running) {
        told(body.validation);
        await new Promise((done) => { setTimeout(done, EVERY); });
        ({ status, body } = await ask("api/validate", post({})));
      }
      if (status === 200) told(body.validation);
      else say(body.error, false, true);
    } catch (error) {
      fail(error);
    } finally {
      watching = false;
    }
  }

  function told(validation) {
    model.ending.validation = validation;
    drawValidation();
  }

  async function copy(text, from) {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied: ${text}`);
    } catch {
      getSelection().selectAllChildren(from.closest(".copied").querySelector("code"));
      say("Your browser does not let this page copy: it is selected, copy it with Ctrl-C.", false, true);
    }
  }

  $("detail").addEventListener("click", ({ target }) => {
    const from = target.closest("button[data-copy]");
    if (from) copy(from.dataset.copy, from);
  });
  $("detail").addEventListener("input", ({ target }) => {
    if (target.dataset.option === "nluFile") model.ending.nluFile = target.value;
  });
  $("detail").addEventListener("change", ({ target }) => {
    const { option } = target.dataset;
    if (!option) return;
    model.ending[option] = target.type === "checkbox" ? target.checked : target.value;
    look();
  });
  $("detail").addEventListener("toggle", ({ target }) => {
    if (target.dataset.file) model.ending.unfolded.set(target.dataset.file, target.open);
  }, true);
  // The bot's files may have been changed, or committed, elsewhere.
  addEventListener("focus", () => { if (isHere() && !model.lost) look(true); });

  return { apply, look, lookAtBot, openEnd, validate };
})();
