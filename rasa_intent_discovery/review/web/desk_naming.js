// The name of a proposal: it is checked while it is written, and taken by Enter, or when its field is left.

review.naming = (() => {
  const { choose } = review.dialogs;
  const { $ } = review.dom;
  const { mergedFirst } = review.family;
  const { needs, offer, offerPlain, thought, turn } = review.names;
  const { act, checkName, model, name } = review.model;
  const { enqueue, fail, goTo, perform, say, show, untilLifted } = review.show;
  const { draw } = review.view;

  const FAILED = "failed"; // the problem with a name that could not be checked; why was said

  function failed(error) {
    fail(error);
    return { problem: FAILED };
  }

  // What stands in the field of the name, and of which draft it is.
  function inField() {
    const { value, dataset } = $("name") ?? {};
    return dataset ? { value, draft: dataset.draft } : null;
  }

  // Whether what is to be accepted has the name that was written in its field.
  async function named(path, written) {
    const problem = written?.draft === path ? await takeName(written) : null;
    if (!problem) return true;
    say(`${name(path)} is not accepted: ${problem}`, false, true);
    $("name").focus();
    return false;
  }

  // Gives the draft the name that was chosen, or stands in the field. Where there is an intent of that name, it asks.
  async function rename(chosen = null) {
    if (!$("name")) return;
    const { value, draft } = { ...inField(), ...(chosen ? { value: chosen } : {}) };
    const { problem, target } = await checkName(value, draft).catch(failed);
    if (problem && value.trim() !== name(draft)) {
      if (problem !== FAILED) say(problem, false, true);
      return;
    }
    if (target) {
      $("name").value = $("name").defaultValue;
      await mergeInto({ title: `${value.trim()} is there already: merge ${name(draft)} into it?`, draft, proposed: value.trim() });
    } else if (!problem) await perform("rename", { draft, name: value });
    $("detail").focus({ preventScroll: true });
  }

  // Enter in the field: of a doubtful name it asks whether to take that or a plain one.
  async function renameTyped() {
    const field = $("name");
    const { value, draft } = inField();
    field.readOnly = true; // what is typed behind Enter is no part of the name
    const { doubt, plain } = await checkName(value, draft).catch(() => ({})); // to rename fails as well, and tells
    if (doubt) {
      await checkField();
      $(plain ? "name-plain" : "name-ok").focus();
    } else await rename();
    field.readOnly = false;
  }

  // Takes the name that stands in the field, where Enter would rename; tells why it cannot, null where it is done.
  async function takeName({ value, draft }) {
    const before = model.drafts.get(draft)?.intent;
    if (before === undefined || value.trim() === before) return null;
    const kept = whyNot(value, await checkName(value, draft));
    if (kept) return kept;
    const done = await act("rename", { draft, name: value });
    show();
    say(done.says, true);
    return null;
  }

  // The same when the field is left, once the mouse is `lifted`: what it aims at must not be drawn anew before.
  function leaveName(field, lifted) {
    return enqueue(async () => {
      await lifted;
      const problem = await takeName({ value: field.value, draft: field.dataset.draft });
      if (problem) say(`${name(field.dataset.draft)} keeps its name: ${problem}`, false, true);
    });
  }

  const merging = (value) => `${value.trim()} is there already: Enter asks whether to merge this proposal into it`;

  // Why a name is not simply taken; null where it is.
  const whyNot = (value, told) => told.problem ?? (told.target ? merging(value) : thought(told));
  const labelOf = ({ target, doubt }) => (target ? "Merge …" : doubt ? "Rename all the same" : "Rename");

  async function checkField() {
    const field = $("name");
    const { value } = field;
    const told = await checkName(value, model.draft).catch((error) => failed({ ...error, told: false }));
    if (told.problem === FAILED || $("name") !== field || field.value !== value) return;
    const same = value.trim() === name(model.draft);
    field.setAttribute("aria-invalid", String(Boolean(told.problem) && !same));
    const note = whyNot(value, told) ?? ["Enter renames it", needs(value)].filter(Boolean).join("; ");
    $("name-note").textContent = same ? "" : note;
    offerPlain($("name-plain"), told);
    $("name-ok").hidden = same || Boolean(told.problem);
    $("name-ok").textContent = labelOf(told);
  }

  // Asks into which other one a draft is merged, and shows the result. What may be one wish with it, and is open, comes first.
  async function mergeInto({ title, draft, proposed = "" }) {
    const near = [...mergedFirst(draft), ...model.drafts.get(draft).near];
    const chosen = await choose({ title, ok: "Merge", but: draft, near, proposed });
    if (chosen) await perform("merge", { draft, target: chosen.target }, (done) => goTo(done.chosen));
  }

  $("detail").addEventListener("input", (event) => {
    if (event.target.id === "name") checkField();
  });
  $("detail").addEventListener("keydown", (event) => {
    if (event.target.id !== "name") return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && turn(by)) event.preventDefault();
    else if (event.key === "Enter") {
      event.preventDefault();
      renameTyped();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      event.target.value = event.target.defaultValue;
      draw();
      $("detail").focus({ preventScroll: true });
    }
  });
  $("detail").addEventListener("focusin", ({ target }) => {
    if (target.id === "name") offer();
  });
  $("detail").addEventListener("focusout", ({ target, relatedTarget }) => {
    const naming = target.closest(".naming");
    const stays = document.activeElement === target || naming?.contains(relatedTarget); // in another window, or here
    if (!naming || stays) return;
    // A field that was drawn anew was not left.
    queueMicrotask(() => { if (target.isConnected) leaveName(naming.querySelector("input"), untilLifted()); });
  });

  return { inField, mergeInto, named, rename };
})();
