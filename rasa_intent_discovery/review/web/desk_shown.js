// What is shown, in words: for the title of the window, and for who does not see the page.

review.shown = (() => {
  const { capital, plural } = review.dom;
  const { model } = review.model;
  const { inOrder, leftOver } = review.order;

  const PAGES = { overview: "Overview", parts: "Parts of known intents", end: "Finish" };
  const NOTHING = { new: "No proposals", known: "No known intents", left: "Nothing is left over" };

  const nameOfChosen = () => (model.tab === "left" ? model.reason && capital(model.reason) : model.drafts.get(model.draft)?.intent);

  // Its name.
  function title() {
    if (model.query) return `“${model.query}”`;
    if (model.lasso) return "Chosen on the map";
    return PAGES[model.page] ?? nameOfChosen() ?? NOTHING[model.tab];
  }

  // Of a draft or a reason also how much it is, what was decided, and where it stands in its list.
  function words() {
    if (model.query || model.lasso || model.page || !nameOfChosen()) return title();
    return [title(), ...(model.tab === "left" ? reasonWords() : draftWords())].join(", ");
  }

  function draftWords() {
    const { messages, decision, part } = model.drafts.get(model.draft);
    return [plural(messages, "message"), decision, place(inOrder(part), model.draft, part === "new" ? "proposal" : "known intent")];
  }

  function reasonWords() {
    const all = leftOver();
    const [, , messages] = all.find(([reason]) => reason === model.reason);
    return [plural(messages, "message"), place(all.map(([reason]) => reason), model.reason, "reason")];
  }

  const place = (all, one, kind) => `${kind} ${(all.indexOf(one) + 1).toLocaleString("en")} of ${all.length.toLocaleString("en")}`;

  return { title, words };
})();
