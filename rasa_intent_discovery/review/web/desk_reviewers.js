// Who decides: what stands beside a decision, and where several people use one desk, the name that is said in this browser.

review.reviewers = (() => {
  const { $, h } = review.dom;
  const { introduce, model } = review.model;

  const dialog = $("who");

  // Whether nobody decided but who looks at the page.
  const isAlone = () => Object.values(model.deciders).every((one) => one.reviewer === model.reviewer && !one.instead_of);

  // Behind what was decided about a draft: "by Ana"; null where nobody said a name, or all is decided by who reads it.
  function decidedBy(path) {
    const { reviewer } = model.deciders[path] ?? {};
    return reviewer && !isAlone() ? h("span", { class: "by" }, " by ", h("bdi", {}, reviewer)) : null;
  }

  // Of the draft that is shown: what somebody else decided, or called it, who did not know of this; none where nobody did.
  function overruledNotes({ decision }) {
    const { reviewer, instead_of: other } = model.deciders[model.draft] ?? {};
    const called = model.overruledNames[model.draft];
    const note = (what, earlier, ...counts) => h("p", { class: "summary overruled" }, `Two of you ${what} this. Earlier, in another copy of the drafts: `,
      h("bdi", {}, earlier), ". The later one counts", ...counts, ".");
    return [called ? note("named", called) : null, other ? note("decided about", other, ": ", decision, ...(reviewer ? [" by ", h("bdi", {}, reviewer)] : [])) : null];
  }

  // What an undo or redo would do, or why there is nothing to undo.
  function about(verb) {
    const told = model[verb] ?? (verb === "undo" ? model.notYours : null);
    return told ? `: ${told}` : "";
  }

  // Asks for the name, where each browser says its own and this one has not yet.
  function askName(after) {
    if (!model.shared || model.reviewer !== null) return;
    dialog.addEventListener("close", () => tell(after), { once: true });
    dialog.returnValue = "";
    dialog.showModal();
    $("who-name").focus();
  }

  async function tell(after) {
    const given = dialog.returnValue === "named" ? $("who-name").value.trim() : "";
    try {
      await introduce(given);
      after(model.reviewer ? `Your decisions carry the name ${model.reviewer}.` : "Your decisions carry no name.");
    } catch (error) {
      after(error.message);
      askName(after);
    }
  }

  return { about, askName, decidedBy, overruledNotes };
})();
