// The rows of messages: which are ticked, by mouse and key, one by one and many at once.

review.rows = (() => {
  const { $ } = review.dom;
  const { model } = review.model;
  const { lists } = review.lines;
  const { draw, rows } = review.view;

  let from = null; // the item that was ticked last: a range begins there
  let isRange = false; // whether Shift was held

  function tick(items, on) {
    for (const item of items) on ? model.ticked.add(item) : model.ticked.delete(item);
    draw();
    document.activeElement.closest("li")?.scrollIntoView({ block: "nearest" }); // not below the buttons that came
    review.map.redraw();
    if (items.length > 1) review.show.hearTicked(); // one box tells that itself
  }

  const itemOf = (row) => JSON.parse(row.dataset.item);

  // The items between that of a row and the one ticked before it, or that of the row alone.
  function range(row) {
    const items = rows().map(itemOf);
    const [start, end] = [items.indexOf(from), items.indexOf(itemOf(row))].sort((a, b) => a - b);
    return isRange && start >= 0 ? items.slice(start, end + 1) : [itemOf(row)];
  }

  $("detail").addEventListener("change", ({ target }) => {
    const { item, all } = target.dataset;
    if (item) {
      const items = range(target);
      from = itemOf(target);
      tick(items, target.checked);
    } else if (all) tick(lists.get(all), target.checked);
  });

  $("detail").addEventListener("mousedown", (event) => {
    isRange = event.shiftKey;
    if (isRange && event.target.closest("label")) event.preventDefault(); // no text is chosen by it
  });

  // What a key does in a row: Ctrl and A tick all of its list, and Enter opens its text.
  function pressed(row, { key, ctrlKey, metaKey }) {
    if (key === "Enter") review.reword.openReword(itemOf(row));
    else if ((ctrlKey || metaKey) && key === "a") tick(lists.get(row.closest("[data-list]").dataset.list), true);
  }

  // From row to row; with Shift they are ticked on the way.
  $("detail").addEventListener("keydown", (event) => {
    isRange = event.shiftKey;
    const row = event.target;
    if (!row.matches("[data-item]")) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by && rows()[rows().indexOf(row) + by];
    if (next) {
      next.focus();
      if (event.shiftKey) tick([itemOf(row), itemOf(next)], true);
    } else pressed(row, event);
    if (by || ["a", "Enter"].includes(event.key)) event.preventDefault();
  });
})();
