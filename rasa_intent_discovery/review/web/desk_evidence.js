// What is said of a draft: in a line of chips, and in full for who asks why.

review.evidence = (() => {
  const { h, plural } = review.dom;
  const { model, preference } = review.model;
  const { inOrder } = review.order;

  const COMPARED = 6; // examples side by side
  const evidence = preference("review-desk-why", "closed");

  const isOpen = () => evidence.is("open");
  const toggleWhy = () => evidence.set(isOpen() ? "closed" : "open");

  // What sets a draft apart. What all drafts of its kind say, or praise that most of them get, does not.
  function chipsOf(draft) {
    const all = inOrder(draft.part).map((path) => model.drafts.get(path)).filter((one) => one.evidence.length);
    const saying = (words) => all.filter((one) => one.chips.some(([said]) => said === words)).length;
    return draft.chips.filter(([words, , careful]) => all.length < 2 || saying(words) <= (careful ? all.length - 1 : all.length / 2));
  }

  // How much there is of a draft, what sets it apart, and the way to the rest.
  function gist(draft) {
    const chips = chipsOf(draft);
    return h("div", { class: "gist" },
      h("p", { class: "summary", title: sizes(draft) }, h("strong", {}, plural(draft.messages, "message")), `, ${draft.distinct.toLocaleString("en")} distinct${besideWords(draft)}.`),
      chips.length ? h("ul", { class: "chips", tabIndex: 0, "aria-label": "What sets it apart" }, chips.map(([words, says, careful]) =>
        h("li", { class: careful ? "careful" : "", title: says }, h("bdi", {}, words)))) : null,
      h("button", { type: "button", class: "why-open", "aria-expanded": String(isOpen()), "aria-controls": "why", "aria-keyshortcuts": "w", data: { command: "why", focus: "why" } },
        "Why?", h("kbd", { "aria-hidden": "true" }, "W")));
  }

  // Why there are fewer examples than messages, where they are.
  const besideWords = ({ beside }) => (beside ? `, ${beside.toLocaleString("en")} of them ${beside === 1 ? "no example" : "no examples"}` : "");

  // The three sizes of a draft, and why they differ where they do.
  function sizes({ messages, distinct, examples, size, beside, carried }) {
    const unlogged = examples.filter(([, row]) => row < 0).length;
    return `Logged ${plural(messages, "time")}, in ${plural(distinct, "different text")}. ${plural(size, "example")}`
      + (beside ? `: the other texts ${carried ? "came since you changed the draft, " : ""}are nearly the same as these, were dropped, or are more than a draft takes` : "")
      + (unlogged ? `; ${unlogged.toLocaleString("en")} of the examples ${unlogged === 1 ? "was" : "were"} not logged this time` : "") + ".";
  }

  function why(draft) {
    const entries = [["Sizes", sizes(draft), false], ...draft.evidence].map(([heading, words, careful]) =>
      h("div", { class: careful ? "careful" : "" }, h("dt", {}, heading), h("dd", { dir: "auto" }, words)));
    return h("section", { id: "why", class: "evidence", "aria-label": "Evidence", hidden: !isOpen() },
      draft.before ? h("p", { class: "quiet before" }, draft.before) : null,
      draft.keywords.length ? h("ul", { class: "chips", "aria-label": "Keywords" }, draft.keywords.map((word) => h("li", {}, h("bdi", {}, word)))) : null,
      h("dl", {}, entries),
      draft.part === "new" ? beside(draft) : null);
  }

  // What the bot has as examples of the nearest intent, next to what is proposed.
  function beside(draft) {
    const theirs = model.training.filter((one) => one.intent === draft.nearest);
    if (!theirs.length) return null;
    const column = (intent, all) => h("div", {}, h("h3", {}, h("bdi", {}, intent)),
      h("ul", {}, all.slice(0, COMPARED).map((text) => h("li", { dir: "auto" }, text))));
    return h("section", { class: "beside", "aria-labelledby": "beside-title" },
      h("p", { id: "beside-title", class: "quiet" }, "Side by side with ", h("bdi", { class: "name" }, draft.nearest)),
      h("div", {}, column(draft.intent, draft.examples.map(([text, row]) => model.messages[row]?.text ?? text)), column(draft.nearest, theirs.map((one) => one.text))));
  }

  return { gist, why, toggleWhy };
})();
