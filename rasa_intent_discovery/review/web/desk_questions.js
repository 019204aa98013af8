// Questions whose answers make the drafts better: which messages want the same as another one?

review.questions = (() => {
  const { $, h, plural } = review.dom;
  const { NEXT, untold } = review.asking;
  const { model } = review.model;
  const { perform, say } = review.show;

  const MEANING = "Messages want the same where your bot would answer all of them alike.";
  const LEFT_OUT = "Nothing was chosen: it is noted that you cannot tell.";

  const dialog = $("ask");
  let isAgain = false; // whether those are asked that nobody could tell
  let asked = null; // the question that is shown
  let passed = []; // questions that were answered since the dialog was opened, or that nobody could tell, by `idOf`

  // What a question is known by: a message may be asked about twice, beside others.
  const idOf = ({ text, choices }) => JSON.stringify([text, ...choices.map((choice) => choice.text)]);
  const open = () => (isAgain ? model.cannotTell : model.questions).filter((one) => !passed.includes(idOf(one)));
  const boxes = () => [...dialog.querySelectorAll("input")];
  const ticked = () => boxes().filter((one) => one.checked).length;

  function openQuestions() {
    if (model.readOnly) return;
    begin(false);
    if (open().length || model.cannotTell.length || (model.unused && model.again)) ask();
    else say(model.unused ? `All is answered: ${NEXT}` : "No question is open.", false, true);
  }

  function begin(again) {
    passed = [];
    isAgain = again;
  }

  // Shows the next question, or that there is none any more.
  function ask() {
    asked = open()[0] ?? null;
    $("ask-title").textContent = asked ? titleOf(asked) : model.cannotTell.length ? "That was all" : "All questions are answered";
    $("ask-count").textContent = asked ? `${passed.length + 1} of ${passed.length + open().length}` : "";
    $("ask-text").replaceChildren(...(asked ? [quoted(asked), h("p", { class: "quiet" }, MEANING)] : [h("p", {}, done())]));
    $("ask-choices").replaceChildren(...(asked?.choices ?? []).map(choice));
    offer(Boolean(asked));
    name();
    if (!dialog.open) dialog.showModal();
    (boxes()[0] ?? $("ask-close")).focus({ preventScroll: true }); // not what starts a run: who answered by Enter has perhaps pressed it once more
    dialog.scrollTop = 0; // a long question is read from its beginning
  }

  // The buttons that serve, while something is asked and afterwards.
  function offer(isAsking) {
    for (const one of ["ask-ok", "ask-yes", "ask-none", "ask-skip"]) $(one).hidden = !isAsking;
    $("ask-again").hidden = isAsking || !model.cannotTell.length;
    $("ask-regroup").hidden = isAsking || !model.unused || !model.again;
    $("ask-back").disabled = !model.undo?.startsWith("answered: ");
  }

  const titleOf = ({ choices }) => (choices.length > 1 ? "Which of the others want the same as this message?" : "Does the other message want the same as this one?");

  const done = () => (model.unused
    ? `${plural(model.answers, "answer")} so far: ${NEXT} It then asks what is still unsure.`
    : model.cannotTell.length ? untold() : "Nothing was answered.");

  const place = ({ intent }) => h("span", { class: "quiet" }, intent ? ["now in ", h("bdi", {}, intent)] : "left over now");
  const quoted = (one) => h("blockquote", {}, h("bdi", { dir: "auto" }, one.shown), place(one));

  function choice(one, at) {
    return h("li", {}, h("label", {}, h("input", { type: "checkbox", data: { at: String(at) } }), h("span", {}, h("bdi", { dir: "auto" }, one.shown), place(one)), h("kbd", { "aria-hidden": "true" }, String(at + 1))));
  }

  // The button says what Enter does: where nothing is ticked it answers nothing, as in `review --terminal`.
  function name() {
    if (!asked) return;
    const [none, one] = boxes().length > 1 ? ["None of these", "This one"] : ["No", "Yes"];
    const words = ["I cannot tell", one][ticked()] ?? `These ${ticked()}`;
    $("ask-ok").firstChild.textContent = `${words} `;
    $("ask-ok").classList.toggle("primary", ticked() > 0);
    $("ask-none").firstChild.textContent = `${none} `;
    $("ask-none").hidden = ticked() > 0;
    $("ask-yes").hidden = boxes().length > 1 || ticked() > 0;
    $("ask-skip").hidden = !ticked();
  }

  function enter() {
    if (!asked) return;
    if (ticked()) answer();
    else skip(LEFT_OUT);
  }

  function answer() {
    if (!asked) return;
    const chosen = new Set(boxes().filter((one) => one.checked).map((one) => Number(one.dataset.at)));
    const texts = (wanted) => asked.choices.filter((_, at) => chosen.has(at) === wanted).map(({ text }) => text);
    const args = { text: asked.text, together: texts(true), apart: texts(false) };
    pass("answer", args);
  }

  // It is written, so that the same is not asked whenever the questions are opened.
  function skip(why = "") {
    if (asked) pass("cannot_tell", { text: asked.text, others: asked.choices.map(({ text }) => text) }, why);
  }

  // On to the next question; the same one where it could not be written, which is said.
  async function pass(verb, args, why = "") {
    const id = idOf(asked);
    let told = "";
    asked = null; // a second Enter is not meant for the next one
    await perform(verb, args, () => {
      passed.push(id);
      told = why;
    });
    if (dialog.open) ask();
    if (told) $("ask-said").textContent = told;
  }

  // With something ticked it would contradict what is shown.
  function answerNone() {
    if (!ticked()) answer();
  }

  async function back() {
    if ($("ask-back").disabled) return;
    asked = null;
    await perform("undo", {}, () => passed.pop());
    if (dialog.open) ask();
  }

  // Takes back what was answered of messages, to this run or an earlier one: see `desk_asking.js`.
  async function takeBack(texts) {
    for (const text of texts) await perform("retract", { text });
    if (texts.length > 1) say(`Taken back: what was answered about ${texts.length} messages`);
  }

  function toggle(at) {
    const box = boxes()[at];
    if (!box) return;
    box.checked = !box.checked;
    box.focus();
    name();
  }

  // A key that is held down answers once.
  document.addEventListener("keydown", (event) => {
    if (!dialog.open || !event.repeat || event.key === "Tab") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  dialog.addEventListener("change", name);
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  $("ask-regroup").addEventListener("click", () => {
    dialog.close();
    review.regroup.open();
  });
  $("ask-again").addEventListener("click", () => {
    begin(true);
    ask();
  });
  $("ask-yes").addEventListener("click", () => {
    toggle(0);
    answer();
  });
  $("ask-none").addEventListener("click", answerNone);
  $("ask-skip").addEventListener("click", () => skip());
  $("ask-back").addEventListener("click", back);
  $("questions-open").addEventListener("click", openQuestions);
  $("detail").addEventListener("click", (event) => {
    const texts = event.target.closest("button")?.dataset.takeBack;
    if (texts) takeBack(JSON.parse(texts));
  });
  // Of the page: after a click on what is no control, nothing of the dialog has the focus.
  document.addEventListener("keydown", (event) => {
    if (!dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    const nowhere = event.key === "Enter" && !event.target.closest("button, input");
    const does = { 0: answerNone, s: () => skip(), u: back }[event.key] ?? (nowhere ? enter : null) ?? (/^[1-9]$/.test(event.key) ? () => toggle(Number(event.key) - 1) : null);
    if (!does) return;
    event.preventDefault();
    does();
  });

  return { openQuestions };
})();
