// What the page asks the desk for when it shows it, where it has not all messages: a draft, more of a list, single messages.

review.windows = (() => {
  const { ask, entriesOf, keep, model, post } = review.model;

  const AT_ONCE = 500; // messages that are asked for at once
  const asked = new Map(); // what an answer is to come to -> the promise of it
  const left = new Map(); // reason -> {rows, of}: the rows that are known of what is left over, and at which revision
  let changed = () => {};
  let catchUp = () => {}; // shows what others have decided since

  // Asks once for the same; `use` gets the answer if it is of the drafts as they are. Nothing is asked again by itself.
  function once(path, options, use) {
    const key = JSON.stringify([path, options, model.revision]);
    if (!asked.has(key)) {
      asked.set(key, ask(path, options).catch(() => ({})).then(({ status, body }) => {
        asked.delete(key);
        if (status !== 200 || body.run !== model.run) return;
        if (body.revision > model.revision) catchUp();
        if (body.revision !== model.revision) return;
        use(body);
        changed();
      }));
    }
    return asked.get(key);
  }

  const query = (path, what) => `${path}?${new URLSearchParams(what)}`;

  // Sees to it that a draft has its examples, and the first of its other messages.
  function open(path) {
    const draft = model.drafts.get(path);
    if (!model.asks || !draft || (draft.loaded && !draft.stale)) return null;
    return once(query("api/draft", { draft: path }), {}, ({ examples, entities, others, messages }) => {
      Object.assign(draft, { others, entities, loaded: true, stale: false });
      keep(messages);
      draft.examples = entriesOf(examples);
    });
  }

  // More of the messages of a draft that are no examples.
  function moreOthers(path) {
    const draft = model.drafts.get(path);
    return once(query("api/list", { draft: path, from: draft.others.length }), {}, ({ list, messages }) => {
      draft.others.push(...list);
      keep(messages);
    });
  }

  // The rows that are known of what is left over for a reason, of which more can be asked for.
  function leftOver(reason) {
    const known = left.get(reason) ?? { rows: [], of: null };
    left.set(reason, known);
    if (known.of !== model.revision) moreLeft(reason, 0);
    return known.rows.filter((row) => !model.assigned[row]);
  }

  function moreLeft(reason, from) {
    const known = left.get(reason);
    return once(query("api/list", { reason, from }), {}, ({ list, messages }) => {
      known.rows = from ? [...new Set([...known.rows, ...list])] : list;
      known.of = model.revision;
      keep(messages);
    });
  }

  // Sees to it that the page has the messages of some rows.
  function need(rows) {
    const missing = rows.filter((row) => !model.messages[row]).slice(0, AT_ONCE);
    return model.asks && missing.length ? once("api/messages", post({ rows: missing }), ({ messages }) => keep(messages)) : null;
  }

  // Sees to it that it has those of all rows, and the examples of the draft that is shown.
  async function know(rows) {
    await open(model.draft);
    for (let at = 0; at < rows.length; at += AT_ONCE) await need(rows.slice(at, at + AT_ONCE));
  }

  const follow = (run, ifBehind) => { [changed, catchUp] = [run, ifBehind]; };

  return { follow, know, leftOver, moreLeft, moreOthers, need, open };
})();
