// Known intents that may hold more than one wish: parts of them, and messages in them that look new.

review.parts = (() => {
  const { h, plural } = review.dom;
  const { isCome, looksNew, model, name, textOf } = review.model;
  const { inOrder } = review.order;

  const SHOWN = 5; // messages of a part
  const LISTED = 10; // known intents with messages that look new

  // What there is to be careful of in a message, as flags.py says it, and what became of it. A mask does harm as an example alone.
  function flags(text, row, where = false) {
    const advice = "Write something made up in its place (✎, or Enter), or drop it";
    return [
      looksNew(row) ? h("span", { class: "flag" }, "looks new") : null,
      !where && model.masks.test(text) ? h("span", { class: "flag", title: advice }, "holds a mask") : null,
      isCome(row) ? h("span", { class: "told", title: "Logged since" }, "came since the last run") : null,
      model.dropped.has(row) ? h("span", { class: "told" }, "dropped") : null,
    ];
  }

  const origin = ({ rows }) => model.messages[rows[0]] ?? {};

  // The parts that belong to what is shown: all, those of a known intent, or those left over for a reason.
  function partsHere() {
    if (model.query || model.lasso) return [];
    review.windows.need(model.parts.flatMap(({ rows }) => rows.slice(0, SHOWN)));
    if (model.page) return model.parts;
    if (model.tab === "left") return model.parts.filter((part) => !model.assigned[part.rows[0]] && origin(part).reason === model.reason);
    return model.parts.filter((part) => model.assigned[part.rows[0]] === model.draft);
  }

  function heading() {
    if (model.page) return "Wishes inside intents your bot has";
    return model.tab === "left" ? "Wishes inside what is left over" : "Wishes inside this intent";
  }

  function partsList() {
    const parts = partsHere();
    if (!parts.length) return null;
    return h("section", { class: "about parts", "aria-labelledby": "parts-title" }, h("h3", { id: "parts-title" }, heading()),
      model.page === "parts" ? h("p", { class: "quiet" }, "Those of most messages that are clearly new first.") : null,
      parts.map((part, at) => h("div", { class: "evidence" },
        h("p", {}, h("bdi", { class: "name" }, part.name), " may be a wish of its own inside ", h("bdi", { class: "name" }, part.intent), `: ${plural(part.messages, "message")}`),
        h("ul", {}, part.rows.slice(0, SHOWN).map((row) => h("li", {}, h("bdi", {}, textOf(row)), flags(textOf(row), row)))),
        part.rows.length > SHOWN ? h("p", { class: "quiet" }, `and ${(part.rows.length - SHOWN).toLocaleString("en")} more`) : null,
        model.readOnly ? null : h("button", { type: "button", "aria-label": `Split off ${part.name}`, data: { part: String(at), focus: `part ${part.name}` } },
          "Split off", at ? null : h("kbd", { "aria-hidden": "true" }, "P")))));
  }

  // The way to the page of all parts, above the known intents.
  function partsItem() {
    if (!model.parts.length) return null;
    return h("li", {}, h("button", { type: "button", class: "item inside", "aria-current": model.page === "parts" && !model.query && !model.lasso ? "true" : null, data: { command: "parts", focus: "parts" } },
      h("span", { class: "title" }, "Wishes inside these"), h("span", { class: "figure" }, model.parts.length.toLocaleString("en"))));
  }

  // How many messages that look new nobody has read in a known intent: those of one that is not decided, and what was left out where
  // the sure examples alone were accepted.
  const unread = ({ decision, strange, strange_left_out: left }) => (["open", "later"].includes(decision) ? strange : left);

  // The known intents of which the run said that messages in them look new, and that hold some by now.
  function borderline() {
    const paths = new Map(inOrder("known").map((path) => [name(path), path]));
    return model.overview.borderline.map(([intent, , suspicious]) => [paths.get(intent), suspicious])
      .filter(([path]) => path && unread(model.drafts.get(path)));
  }

  const many = () => " ⚠ suspiciously many: it may hold an intent your bot lacks";

  // Of the run as a whole: the intents that hold most, and all that hold suspiciously many.
  function borderlineList() {
    const all = borderline();
    if (!all.length) return null;
    const listed = all.filter(([, suspicious], at) => suspicious || at < LISTED);
    const rest = all.length - listed.length;
    return h("section", { class: "about borderline", "aria-labelledby": "borderline-title" },
      h("h3", { id: "borderline-title" }, "Look new, but were placed with intents your bot has"),
      h("p", { class: "quiet" }, "The log holds more that is like these than the examples of the intent do. The page of the intent lists them first: read them before you accept it."),
      h("ul", {}, listed.map(([path, suspicious]) => h("li", {}, opening(path), `: ${plural(unread(model.drafts.get(path)), "distinct message")}`, suspicious ? many() : null))),
      rest ? h("p", { class: "quiet" }, `and a few in ${plural(rest, "more intent")}`) : null);
  }

  // In a sentence: the name of a draft, which leads there.
  const opening = (path) => h("button", { type: "button", class: "where", data: { open: path, focus: `open ${path}` } }, h("bdi", { class: "name" }, name(path)));

  // What the known intent is that is shown, and the same of it in a sentence.
  function borderlineNote({ intent, strange: count }) {
    const suspicious = model.overview.borderline.some(([one, , many]) => one === intent && many);
    return h("p", { class: "summary" }, "Your bot has this intent: these are further examples of it.",
      count ? ` Of these, ${count.toLocaleString("en")} distinct look new: listed first.` : null, suspicious && count ? many() : null);
  }

  return { flags, opening, partsHere, partsItem, partsList, borderlineList, borderlineNote };
})();
