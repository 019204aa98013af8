// The verbs: each asks for what it needs, tells the server, and shows what has become of it.

review.verbs = (() => {
  const { choose } = review.dialogs;
  const { partsHere } = review.parts;
  const { $ } = review.dom;
  const { act, checkName, familyOf, model, name, next, splitOf, unusual } = review.model;
  const { enqueue, leave, perform, say, settled, show, stop } = review.show;

  // Whether a draft is shown, and not what was found or drawn around.
  const atDraft = () => !model.query && !model.lasso && !model.atOverview && model.tab !== "left";

  function someTicked() {
    if (!model.ticked.size) say("Tick messages first.", false, true);
    return model.ticked.size > 0;
  }

  const whatFollows = (path) => (path ? `, next: ${name(path)}` : ", all are decided");

  async function decideNow(decision) {
    const path = model.draft;
    const before = model.drafts.get(path)?.decision;
    if (!before || before === decision || !atDraft()) return;
    if (decision === "accepted" && !(await named(path))) return;
    const done = await act("decide", { draft: path, decision });
    const following = decision === "open" ? null : next(path);
    // Whoever has gone elsewhere in the meantime stays there.
    if (following && model.draft === path) model.draft = following;
    model.ticked.clear();
    show();
    say(`${done.says}${decision === "open" ? "" : whatFollows(following)}`, true);
  }

  const decide = (decision) => enqueue(() => decideNow(decision));

  // Whether what is to be accepted has the name that stands in its field.
  async function named(path) {
    const problem = $("name") ? await takeName($("name")) : null;
    if (!problem) return true;
    say(`${name(path)} is not accepted: ${problem}`, false, true);
    $("name").focus();
    return false;
  }

  async function rename() {
    const field = $("name");
    if (!field) return;
    const draft = model.draft;
    const { problem, target } = await checkName(field.value, draft);
    if (target) await perform("merge", { draft, target }, (done) => { model.draft = done.chosen; });
    else if (!problem) await perform("rename", { draft, name: field.value });
    else if (field.value.trim() !== name(draft)) {
      say(problem, false, true);
      return;
    }
    $("detail").focus({ preventScroll: true });
  }

  // Takes the name that stands in the field, where Enter would rename; tells why it cannot, null where it is done.
  async function takeName({ value, dataset: { draft } }) {
    const before = model.drafts.get(draft)?.intent;
    if (before === undefined || value.trim() === before) return null;
    const { problem, target } = await checkName(value, draft);
    if (problem || target) return problem ?? merging(value);
    const done = await act("rename", { draft, name: value });
    show();
    say(done.says, true);
    return null;
  }

  // The same when the field is left, once the mouse is `lifted`: what it aims at must not be drawn anew before.
  function leaveName(field, lifted) {
    return enqueue(async () => {
      await lifted;
      const problem = await takeName(field);
      if (problem) say(`${name(field.dataset.draft)} keeps its name: ${problem}`, false, true);
    });
  }

  const merging = (value) => `${value.trim()} is there already: Enter merges this proposal into it`;

  async function checkField() {
    const field = $("name");
    const { value } = field;
    const { problem, target } = await checkName(value, model.draft);
    if ($("name") !== field || field.value !== value) return;
    const same = value.trim() === name(model.draft);
    field.setAttribute("aria-invalid", String(Boolean(problem) && !same));
    const fine = ["Enter renames it", unusual(value)].filter(Boolean).join("; ");
    $("name-note").textContent = same ? "" : problem ?? (target ? merging(value) : fine);
    $("name-ok").hidden = same || Boolean(problem);
    $("name-ok").textContent = target ? "Merge" : "Rename";
  }

  async function merge() {
    const draft = model.draft;
    if (model.drafts.get(draft)?.part !== "new" || !atDraft()) return;
    const chosen = await choose({ title: `Merge ${name(draft)} into …`, ok: "Merge", but: draft, near: model.drafts.get(draft).near });
    if (chosen) await perform("merge", { draft, target: chosen.target }, (done) => moveOn(done.chosen));
  }

  function mergeFamily() {
    if (!atDraft()) return null;
    const { target, parts } = familyOf(model.draft) ?? {};
    if (target) return perform("merge_all", { drafts: parts, target }, (done) => { model.draft = done.chosen; });
    say("No other open proposal is likely to be one wish with this one.", false, true);
    return null;
  }

  // After a merge the next open proposal, as after a decision.
  function moveOn(into) {
    model.draft = model.tab === "new" ? next(null) ?? into : into;
  }

  async function move() {
    if (!someTicked()) return;
    const texts = [...model.ticked];
    const from = atDraft() ? model.draft : null;
    const chosen = await choose({ title: `Move ${texts.length} to …`, ok: "Move", but: from, allowNew: true, near: model.drafts.get(from)?.near ?? [] });
    if (chosen?.target) await perform("move", { texts, target: chosen.target });
    else if (chosen) await perform("split", { texts, name: chosen.name }, after);
  }

  async function split(proposed = "") {
    if (!someTicked()) return;
    const texts = [...model.ticked];
    const count = texts.length === 1 ? "1 message" : `${texts.length.toLocaleString("en")} messages`;
    const chosen = await choose({ title: `New proposal of ${count}`, ok: "Make new proposal", onlyNew: true, proposed });
    if (chosen) await perform("split", { texts, name: chosen.name }, after);
  }

  // Ticks the messages that could be a proposal of their own, and asks for its name.
  async function splitForMe() {
    await settled();
    const { draft } = model;
    if (!model.drafts.has(draft) || !atDraft()) return;
    const part = await splitOf(draft).catch(stop);
    if (!part || draft !== model.draft || document.querySelector("dialog[open]")) return;
    if (part.error) {
      say(`${part.error}.`, false, true);
      return;
    }
    model.ticked = new Set(part.rows);
    show();
    await split(part.name);
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
    const draft = model.drafts.get(model.draft);
    if (!draft || !atDraft() || !someTicked()) return null;
    const texts = draft.examples.filter(([text, row]) => model.ticked.has(row >= 0 ? row : text)).map(([text]) => text);
    return texts.length ? perform("drop", { draft: model.draft, texts }) : null;
  }

  function annotate(annotation, on) {
    return perform("annotate", { draft: model.draft, annotation, on });
  }

  function again(verb) {
    if (!model[verb]) return null;
    return perform(verb, {}, (done) => {
      const chosen = model.drafts.get(done.chosen);
      if (!chosen) return;
      leave();
      model.tab = chosen.part === "known" ? "known" : "new";
      model.draft = done.chosen;
    });
  }

  function untick() {
    model.ticked.clear();
    model.lasso = null;
    show();
  }

  return { decide, rename, leaveName, checkField, merge, mergeFamily, move, split, splitForMe, splitOff, add, drop, annotate, again, untick };
})();
