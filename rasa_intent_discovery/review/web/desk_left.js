// What is left over: how much it is, and what each message is nearest to.

review.left = (() => {
  const { ask, model, name, post } = review.model;
  const { ALREADY, countLeftOver, inOrder, leftOver, rowsLeft } = review.order;
  const windows = review.windows;
  const { capital, differentTexts, h, plural, swatch } = review.dom;

  const near = { of: null, asked: null, rows: {}, problem: null }; // of which state of the drafts, and row -> [target, nearness]
  let changed = () => {};

  // Asks what is nearest to what is left over, where the drafts have changed since.
  async function refresh() {
    const rows = wanted();
    const now = JSON.stringify([model.run, model.revision, rows?.[0], rows?.length]);
    if (model.readOnly || near.asked === now || rows?.length === 0) return;
    near.asked = now;
    const { body } = await ask("api/nearest", post({ rows })).catch(() => ({ body: { problem: "the desk does not answer" } }));
    if (near.asked !== now) return;
    Object.assign(near, { of: now, rows: body.run === model.run ? body.nearest ?? {} : {}, problem: body.problem ?? null });
    if (model.tab === "left") changed();
  }

  // The rows for which that is asked: those that are listed; null for all.
  const wanted = () => (model.asks ? sorted() ?? [] : null);

  const isThere = (target) => model.drafts.has(target) || model.known.includes(target);

  // The draft or intent that a message is nearest to, and how near: [target, nearness]; null where that is not known, or
  // it need not go anywhere, as the bot has it.
  function nearestOf(row) {
    if (model.reason === ALREADY) return null;
    const nearest = near.rows[row] ?? null;
    return nearest && isThere(nearest[0]) ? nearest : null;
  }

  const label = (target) => (model.drafts.has(target) ? name(target) : target);

  function home(row) {
    const [target, nearness] = nearestOf(row) ?? [];
    if (!target) return null;
    return h("button", { type: "button", class: "where home", title: `Nearest to ${label(target)}, ${nearness} of 100: press to move it there (T)`, data: { focus: `home ${row}` }, on: { click: () => review.selection.toNearest(row) } },
      "→ ", swatch(target), h("bdi", {}, label(target)), ` ${nearness}`);
  }

  // Most frequent first; `rowsParts` makes heading, words and list of rows.
  function sorted() {
    if (!leftOver().some(([reason]) => reason === model.reason)) return null;
    if (model.asks) return windows.leftOver(model.reason);
    return rowsLeft(model.reason).sort((a, b) => model.messages[b].count - model.messages[a].count);
  }

  function leftParts(rowsParts, parts) {
    refresh();
    const rows = sorted();
    if (!rows) return [h("p", { class: "empty" }, "Small talk, junk, and wishes too rare or too unclear to make an intent of. Choose a reason on the left.")];
    const known = rows.some(nearestOf);
    const toDo = known ? " Beside each is what it is nearest to, if anything is near: press that, or T, to move it there." : " Tick messages to add them to a proposal, or to make a new one.";
    const [, distinct, logged] = leftOver().find(([reason]) => reason === model.reason);
    const all = { total: distinct, load: () => windows.moreLeft(model.reason, rows.length) };
    const where = model.reason === ALREADY ? ": your bot has them, there is nothing to do." : `, in no proposal for this reason.${model.readOnly ? "" : toDo}`;
    const [heading, words, messages] = rowsParts(capital(model.reason), `${amount(distinct, logged)}${where}`, rows, "most frequent first", home, all);
    const why = near.problem ? h("p", { class: "quiet" }, `What they are nearest to cannot be said: ${near.problem}.`) : null;
    return [heading, words, why, parts(), messages];
  }

  // Messages are counted as often as they were logged; how many different texts that are stands beside it in words.
  function amount(distinct, logged) {
    return plural(logged, "message") + (logged === distinct ? "" : ` (${differentTexts(distinct)}, some logged more than once)`);
  }

  // For the tabs: what their numbers count.
  function meaningOf(tab) {
    if (tab !== "left") return plural(inOrder(tab).length, tab === "new" ? "proposal" : "intent your bot has, with further examples", tab === "new" ? "proposals" : "intents your bot has, with further examples");
    return `${amount(...countLeftOver())}; what was set aside or ignored, or is a training example already, is not counted`;
  }

  const follow = (run) => { changed = run; };

  return { amount, follow, leftParts, meaningOf, nearestOf, sorted };
})();
