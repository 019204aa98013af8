// The verbs: each asks for what it needs, tells the server, and shows what has become of it.

review.verbs = (() => {
  const { choose, tell } = review.dialogs;
  const { partsHere } = review.parts;
  const { nearTargets } = review.search;
  const { masked } = review.masks;
  const { dropAll } = review.selection;
  const { $, plural } = review.dom;
  const { keptOnes, withKept } = review.end;
  const { inField, mergeInto, named } = review.naming;
  const { whatToAccept } = review.known;
  const { isTyped } = review.view;
  const { act, isPutOff, model, name, splitOf, textOf, waits } = review.model;
  const { need } = review.windows;
  const { familyOf, inOrder, listed, next } = review.order;
  const { enqueue, fail, goTo, hearTicked, leave, perform, say, settled, show, untilLifted } = review.show;

  // Whether a draft is shown, and not what was found or drawn around.
  const atDraft = () => !model.query && !model.lasso && !model.page && model.tab !== "left";

  // Whether something is ticked, for a key that then asks for a text.
  function someTicked(key) {
    if (!model.ticked.size) tell("Nothing is ticked", `Tick messages first (key E goes to them, Space ticks one), then press ${key}.`);
    return model.ticked.size > 0;
  }

  function whatFollows(path) {
    if (path) return `, next: ${name(path)}`;
    const rest = [...model.drafts.values()].some(waits);
    const [one, all] = !rest ? ["draft", "drafts"] : model.tab === "known" ? ["known intent", "known intents"] : ["proposal", "proposals"];
    return [...model.drafts.values()].some(isPutOff) ? `, no ${one} is open any more` : `, all ${all} are decided`;
  }

  // What the server is told of a decision; null where the name of what is to be accepted, or the person, says no.
  async function told(path, decision, written) {
    const decide = ["decide", { draft: path, decision }];
    if (decision !== "accepted") return decide;
    if (!(await named(path, written))) return null;
    const what = await whatToAccept(path);
    return what === "brought" ? ["accept_brought", { draft: path }] : what && decide;
  }

  async function decideNow(decision, written) {
    const path = model.draft;
    const before = model.drafts.get(path)?.decision;
    if (!before || before === decision || !atDraft()) return;
    const asked = await told(path, decision, written);
    if (!asked) return;
    const [kept, order] = [keptOnes(), listed()];
    const done = await act(...asked);
    await untilLifted();
    const following = decision === "open" ? null : next(path, order);
    const naming = isTyped($("name"));
    if (model.draft === path && !naming) goOn(following, before === "open");
    model.ticked.clear();
    show();
    say(`${withKept(done.says, kept)}${decision === "open" || naming ? "" : whatFollows(following)}`, true);
  }

  // To the next draft that is open, or, where no proposal is open any more, to the end of the review. Whoever has gone elsewhere in the
  // meantime, or has begun to give the draft another name, stays there.
  function goOn(following, wasOpen) {
    if (following) model.draft = following;
    else if (wasOpen && !inOrder("new").some((path) => waits(model.drafts.get(path)))) model.page = "end";
  }

  function decide(decision) {
    const written = inField(); // when it was pressed: it may have to wait for its turn
    return enqueue(() => decideNow(decision, written));
  }

  async function merge() {
    const draft = model.draft;
    if (model.drafts.get(draft)?.part !== "new" || !atDraft()) {
      tell("No proposal to merge", "Only a proposal is merged into another one: choose one in the list, then press M.");
      return;
    }
    await mergeInto({ title: `Merge ${name(draft)} into …`, draft });
  }

  function mergeFamily() {
    if (!atDraft()) return null;
    const { target, parts } = familyOf(model.draft) ?? {};
    if (target) return perform("merge_all", { drafts: parts, target }, (done) => { model.draft = done.chosen; });
    say("No other open proposal is likely to be one wish with this one.", false, true);
    return null;
  }

  async function move() {
    if (!someTicked("V")) return;
    const texts = [...model.ticked];
    const from = atDraft() ? model.draft : null;
    const chosen = await choose({ title: `Move ${texts.length.toLocaleString("en")} to …`, ok: "Move", but: from, allowNew: true, near: model.drafts.get(from)?.near ?? nearTargets() });
    if (chosen?.target) await perform("move", { texts, target: chosen.target });
    else if (chosen) await perform("split", { texts, name: chosen.name }, after);
  }

  const textsOf = (items) => items.map((item) => (typeof item === "number" ? textOf(item) : item));
  const READ = 200; // messages of a new proposal that can be read before it is named
  const newOf = (texts) => `New proposal of ${plural(texts.length, "message")}`;

  // The dialog opens before all texts are here: of a large log, these are asked for.
  async function split() {
    if (!someTicked("N")) return;
    const texts = [...model.ticked];
    const coming = Promise.resolve(need(texts.slice(0, READ).filter((one) => typeof one === "number")))
      .then(() => ({ title: newOf(texts), proposed: "", what: textsOf(texts), stay: "" })).catch(fail);
    const chosen = await choose({ title: newOf(texts), ok: "Make new proposal", onlyNew: true, coming });
    if (chosen) await perform("split", { texts, name: chosen.name }, after);
  }

  // Ticks the messages that could be a proposal of their own, and asks for its name. The dialog opens before they
  // are known: what is typed meanwhile is meant for it, and not for the page.
  async function splitForMe() {
    if (!model.drafts.has(model.draft) || !atDraft()) {
      tell("Nothing to split", "Only a proposal or an intent is split: choose one in the list, then press S.");
      return;
    }
    if (!model.splits.includes(model.draft)) {
      tellWhole();
      return;
    }
    let texts = [];
    const coming = settled().then(partOf).then(async (part) => {
      if (!part || !$("choose").open) return null;
      await need(part.rows.slice(0, READ));
      texts = part.rows;
      model.ticked = new Set(texts);
      show();
      return { title: newOf(texts), proposed: part.name, what: textsOf(texts), stay: staying(texts) };
    }).catch(fail);
    const chosen = await choose({ title: "Split for me", ok: "Make new proposal", onlyNew: true, coming });
    if (chosen) await perform("split", { texts, name: chosen.name }, after);
  }

  const tellWhole = (why = "Nothing in it stands out as a wish of its own") =>
    tell("Nothing to split off", `${why}. To part it by hand, tick messages (key E goes to them, Space ticks one), then press N.`);

  // What is left of a draft, by its first few examples.
  function staying(rows) {
    const goes = new Set(rows);
    const { intent, distinct, examples } = model.drafts.get(model.draft);
    const some = textsOf(examples.map(([text, row]) => (row < 0 ? text : row)).filter((one) => !goes.has(one)).slice(0, 3));
    const count = distinct - rows.length;
    return count > 0 && some.length ? `${count.toLocaleString("en")} stay in ${intent}, such as “${some.join("”, “")}”.` : "";
  }

  // The part that could be split off of the draft that is shown; null where there is none, or it is not shown any more.
  async function partOf() {
    const { draft } = model;
    if (!model.drafts.has(draft) || !atDraft()) return null;
    const part = await splitOf(draft);
    if (part.error && $("choose").open) tellWhole(part.error);
    return part.error || draft !== model.draft ? null : part;
  }

  // Makes a proposal of a part of a known intent: of the first that is shown, or of another one.
  function splitOff(at = 0) {
    return enqueue(async () => {
      const part = partsHere()[at];
      if (!part) return say(model.parts.length ? "No part of a known intent is listed here: the overview (key 0) lists all there are." : "No known intent has a part that may be a wish of its own.", false, true);
      const done = await act("split", { texts: part.rows, name: part.name });
      model.ticked.clear();
      after(done);
      show();
      return say(done.says, true);
    });
  }

  function after(done) {
    leave();
    model.tab = "new";
    model.draft = done.chosen;
  }

  function add() {
    const target = model.draft;
    return perform("move", { texts: [...model.ticked], target });
  }

  function drop() {
    if (!atDraft()) return dropAll();
    const draft = model.drafts.get(model.draft);
    if (!draft) return null;
    if (!model.ticked.size) return say("Tick messages first.", false, true);
    const texts = draft.examples.filter(([text, row]) => model.ticked.has(row >= 0 ? row : text)).map(([text]) => text);
    return texts.length ? perform("drop", { draft: model.draft, texts }) : null;
  }

  function dropMasked() {
    return atDraft() ? perform("drop", { draft: model.draft, texts: masked() }) : null;
  }

  function annotate(annotation, on) {
    return perform("annotate", { draft: model.draft, annotation, on });
  }

  function again(verb) {
    if (!model[verb]) return verb === "undo" && model.notYours ? say(model.notYours, false, true) : null;
    return perform(verb, {}, ({ place, chosen }) => {
      // Who works on a list of messages from everywhere stays there.
      if (model.query || (model.tab === "left" && !model.page)) return;
      if (!place || (place.draft && !model.drafts.has(place.draft))) goTo(chosen);
      else {
        leave();
        Object.assign(model, place); // where it was decided
      }
    });
  }

  function untick() {
    const wasTicked = model.ticked.size > 0;
    model.ticked.clear();
    model.lasso = null;
    if (wasTicked) hearTicked();
    show();
  }

  return { decide, merge, mergeFamily, move, split, splitForMe, splitOff, add, drop, dropMasked, annotate, again, untick };
})();
