// What is near to the proposal that is shown, but elsewhere.

review.elsewhere = (() => {
  const { ask, model, post } = review.model;
  const { h } = review.dom;
  const { list, logged } = review.lines;

  const near = { of: null, rows: [] }; // for which draft and state of the drafts, and [row, nearness]
  let changed = () => {};

  const now = () => JSON.stringify([model.run, model.revision, model.draft]);

  // Asks where that is not known of the proposal as it is. Of a run that kept no vectors, nothing is said here.
  async function refresh() {
    const asked = now();
    if (near.of === asked) return;
    Object.assign(near, { of: asked, rows: [] });
    const { body } = await ask("api/elsewhere", post({ draft: model.draft })).catch(() => ({ body: {} }));
    if (near.of !== asked || body.run !== model.run || !body.elsewhere?.length) return;
    near.rows = body.elsewhere;
    if (asked === now()) changed();
  }

  // The list of them; null where there are none.
  function elsewhereList() {
    if (model.readOnly) return null;
    refresh();
    if (!near.rows.length) return null;
    const nearness = new Map(near.rows);
    const where = (row, usual) => [h("span", { class: "count", title: "How near to the middle of these: 100 is the same" }, String(nearness.get(row)), h("span", { class: "hidden" }, " of 100 near")), usual];
    return list("Near to these, but elsewhere", "tick what belongs here", near.rows.map(([row]) => logged(row)), "elsewhere", where);
  }

  const follow = (run) => { changed = run; };

  return { elsewhereList, follow };
})();
