// Verbs for what a search, the map or the list of what is left over has chosen, wherever the messages are.

review.selection = (() => {
  const { rowHere } = review.found;
  const { nearestOf, sorted } = review.left;
  const { kind, results, state } = review.search;
  const { $ } = review.dom;
  const { model, textOf } = review.model;
  const { hearTicked, perform, say, search, show } = review.show;

  function by(what) {
    state.by = what;
    search($("query").value);
    if (!model.query) $("query").focus();
  }
  const byWords = () => by("words");
  const byMeaning = () => by(state.by === "meaning" && kind() !== "like" ? "words" : "meaning");

  // Everything like a message: the one that has the focus or that the mouse is at.
  function like(row = rowHere()) {
    if (row === null) return say("Point at a message, or go to one with E, Tab and the arrow keys.", false, true);
    $("query").value = textOf(row);
    return search(textOf(row), row);
  }

  function tickFound() {
    const rows = model.lasso ?? results();
    if (!rows.length || state.waits) return;
    const all = rows.every((row) => model.ticked.has(row));
    for (const row of rows) all ? model.ticked.delete(row) : model.ticked.add(row);
    show();
    hearTicked();
  }

  // Takes what is ticked out of the examples of all drafts.
  function dropAll() {
    const texts = [...model.ticked].filter((row) => model.listed[row]);
    if (!model.ticked.size) return say("Tick messages first.", false, true);
    if (!texts.length) return say("None of these is an example of a draft.", false, true);
    return perform("drop_all", { texts });
  }

  // Moves messages that are left over to what each is nearest to: those ticked, or the one that has the focus, or the first.
  function toNearest(row = null) {
    if (model.tab !== "left" || model.query || model.lasso || model.page) return say("What is left over (key 3) can be moved to what it is nearest to.", false, true);
    const shown = sorted() ?? [];
    const here = row ?? rowHere() ?? shown[0];
    const wanted = model.ticked.size && row === null ? [...model.ticked] : [here];
    const texts = wanted.filter((one) => one !== undefined && nearestOf(one));
    if (!texts.length) return say("It cannot be said what this is near to.", false, true);
    const at = shown.indexOf(texts[0]);
    const done = perform("move_each", { texts, targets: texts.map((one) => nearestOf(one)[0]) });
    return done.then(() => document.querySelectorAll("#detail [data-item]")[at]?.focus());
  }

  return { byWords, byMeaning, like, tickFound, dropAll, toNearest };
})();
