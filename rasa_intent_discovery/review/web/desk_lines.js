// Lists of messages with tick boxes. Every message becomes text, never markup.

review.lines = (() => {
  const { h, swatch } = review.dom;
  const { conversationButton, likeButton } = review.found;
  const { model, textOf } = review.model;
  const { isExample, placeOf } = review.order;
  const { need } = review.windows;
  const { flags } = review.parts;

  const PAGE = 50;
  const lists = new Map(); // id of a list that is shown -> its items, also those that are not drawn
  let drawn = PAGE; // most lines of each list

  // An entry of a list is [text, row of the message or -1, pieces where entities are marked]; what is ticked is its item.
  const logged = (row) => [textOf(row), row];
  const itemOf = ([text, row]) => (row >= 0 ? row : text);

  const marked = (pieces) => pieces.map(([words, entity]) =>
    (entity ? h("mark", {}, h("bdi", {}, words), h("small", {}, h("span", { class: "hidden" }, " is "), h("bdi", {}, entity))) : words));

  function line([text, row, pieces], where) {
    const item = itemOf([text, row]);
    const count = model.messages[row]?.count ?? 1;
    const assigned = model.assigned[row];
    return h("li", {}, h("label", { data: { row: String(row) } },
      model.readOnly ? null : h("input", { type: "checkbox", checked: model.ticked.has(item), data: { item: JSON.stringify(item), focus: `item ${item}` } }),
      h("span", { class: "message", dir: "auto" }, pieces ? marked(pieces) : text,
        conflict(pieces ? pieces.map(([words]) => words).join("") : text, assigned)),
      flags(text, row, where),
      count > 1 ? h("span", { class: "count" }, `${count.toLocaleString("en")} ×`, h("span", { class: "hidden" }, " logged")) : null),
    where ? null : rewordButton(item), conversationButton(row), likeButton(row),
    where && (where === true ? whereabouts(row) : where(row, whereabouts(row))));
  }

  // On every example of the draft that is shown; the key is Enter.
  function rewordButton(item) {
    if (model.readOnly || (typeof item === "number" && !model.listed[item])) return null;
    return h("button", { type: "button", class: "reword", tabIndex: -1, title: "Change its text (Enter)", "aria-label": "Change this example", on: { click: () => review.reword.openReword(item) } });
  }

  const example = () => h("span", { class: "swatch training", "aria-hidden": "true" });

  // The draft that a message is in: leads there.
  const whereabouts = (row) => h("button", { type: "button", class: "where", data: { row: String(row) } }, isExample(row) ? example() : swatch(model.assigned[row]), h("bdi", {}, placeOf(row)));

  // The example of another intent that a text is nearly the same as.
  function conflict(text, assigned) {
    const [, example, intent] = model.conflicts.get(text) ?? [];
    if (!intent || intent === model.drafts.get(assigned ?? model.draft)?.intent) return null;
    return h("span", { class: "near" }, "nearly the example “", h("bdi", {}, example), "” of ", h("bdi", { class: "name" }, intent));
  }

  // Asks for what is drawn of a list and is not there.
  function fill(entries, total, load) {
    need(entries.slice(0, drawn).map(([, row]) => row).filter((row) => row >= 0));
    if (load && entries.length < Math.min(drawn, total)) load();
  }

  // A list with tick boxes, of which the first fifty are drawn and the others on request. Where the page has not all of its
  // `total` entries, `load` asks for more, or `rest` says where they are.
  function list(title, note, entries, id, where = false, { total = entries.length, load = null, rest = "" } = {}) {
    const items = entries.map(itemOf);
    fill(entries, total, load);
    const ticked = items.filter((item) => model.ticked.has(item)).length;
    const all = h("input", { type: "checkbox", checked: items.length > 0 && ticked === items.length, "aria-label": `Tick ${whichOf(items.length, total)}: ${title}`, data: { all: id, focus: `all ${id}` } });
    all.indeterminate = ticked > 0 && ticked < items.length;
    lists.set(id, items);
    return h("section", { class: "lines", data: { list: id }, "aria-labelledby": `${id}-title` },
      h("h3", { id: `${id}-title` }, items.length && !model.readOnly ? all : null, `${title} `, h("span", { class: "quiet" }, `${total.toLocaleString("en")}${note ? `, ${note}` : ""}`)),
      items.length ? h("ul", {}, entries.slice(0, drawn).map((one) => line(one, where))) : h("p", { class: "quiet" }, total ? "Loading …" : "None."),
      elsewhere(total - entries.length, rest), moreButton((load ? total : entries.length) - drawn));
  }

  // Draws as many lines as a message needs to be among them; false where it is already, or is in no list.
  function reach(item) {
    const at = Math.max(-1, ...[...lists.values()].map((items) => items.indexOf(item)));
    if (at < drawn) return false;
    drawn = PAGE * Math.ceil((at + 1) / PAGE);
    return true;
  }

  const whichOf = (count, total) => (total > count ? `the first ${count.toLocaleString("en")}` : "all");
  const elsewhere = (count, where) => (count > 0 && where ? h("p", { class: "quiet" }, `The other ${count.toLocaleString("en")} are in ${where}.`) : null);

  function moreButton(rest) {
    if (rest <= 0) return null;
    return h("p", {}, h("button", { type: "button", data: { command: "more", focus: "more" } }, `Show ${Math.min(rest, 10 * PAGE).toLocaleString("en")} more of ${rest.toLocaleString("en")}`));
  }

  // `where` says what stands beside a message; true is the draft that it is in.
  function rowsParts(heading, words, rows, note, where = true, all = undefined) {
    return [h("h2", { class: "intent" }, heading), h("p", { class: "summary" }, words), list("Messages", note, rows.map(logged), "rows", where, all)];
  }

  // Before another page is drawn.
  function begin(isOther) {
    lists.clear();
    if (isOther) drawn = PAGE;
  }

  function drawMore() {
    drawn += 10 * PAGE;
  }

  return { begin, conflict, drawMore, itemOf, list, lists, logged, reach, rowsParts };
})();
