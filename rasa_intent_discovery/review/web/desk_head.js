// What stands above everything: how far the review is, what can be taken back, and what is wrong with the folder.

review.head = (() => {
  const { $, h, sentence } = review.dom;
  const { isPutOff, model, waits } = review.model;
  const { inOrder } = review.order;
  const { about } = review.reviewers;
  const { shown } = review;

  const draftsOf = (part) => inOrder(part).map((path) => model.drafts.get(path));
  const decided = (drafts) => drafts.filter((draft) => !waits(draft) && !isPutOff(draft)).length;

  function progress() {
    const [proposals, known] = [draftsOf("new"), draftsOf("known")];
    const bar = h("progress", { max: Math.max(proposals.length + known.length, 1), value: decided([...proposals, ...known]), "aria-hidden": "true" });
    const later = [...proposals, ...known].filter(isPutOff).length;
    return [bar, h("span", {}, `${decided(proposals).toLocaleString("en")} of ${proposals.length.toLocaleString("en")}`,
      h("span", { class: "of-what" }, proposals.length === 1 ? " proposal" : " proposals"), " decided",
      known.length ? h("span", { class: "of-known" }, `, ${decided(known).toLocaleString("en")} of ${known.length.toLocaleString("en")} known`) : null,
      later ? `, ${later.toLocaleString("en")} for later` : null)];
  }

  function drawHead() {
    $("progress").replaceChildren(...progress());
    for (const [verb, title, key] of [["undo", "Undo", "U"], ["redo", "Redo", "Shift U"]]) {
      $(verb).disabled = !model[verb] && !(verb === "undo" && model.notYours); // pressed, it says whose the last decision is
      $(verb).title = `${title}${about(verb)} (${key})`;
    }
    $("problems").replaceChildren(...model.problems.map((problem) => h("p", { class: "notice" }, sentence(problem))));
    document.title = `${shown.title()} · ${model.folder} · ${model.readOnly ? "Intent discovery" : "Review desk"}`;
  }

  return { drawHead };
})();
