// What is searched for, and how: by words, by a regular expression, by meaning, or everything like a message.

review.search = (() => {
  const { ask, keep, model, post } = review.model;
  const { folded, found, targets } = review.order;

  const LEAST = 35; // nearness from which a message counts as found, until a person says otherwise: the example bot was tried
  const TYPING = 250; // milliseconds without a key until a meaning is asked for
  const LONGEST = 2000; // milliseconds that a regular expression may take: some would take years
  const WORDS = 100; // milliseconds without a key until the desk is asked for words
  const SLOW = "takes too long: make it simpler";
  const OTHER_RUN = "the drafts are those of another run now: load the page again";
  const CHANGED = "the drafts were changed meanwhile: search again";
  // In a worker, which can be ended.
  const MATCH = `onmessage = ({ data: { source, flags, lists } }) => {
    const wanted = new RegExp(source, flags);
    postMessage(lists.map((texts) => texts.flatMap((text, at) => (wanted.test(text) ? [at] : []))));
  };`;

  const state = {
    by: "words", // or "meaning"
    like: null, // row of the message that the others are to be like
    least: LEAST,
    found: 0, searched: 0, // of what the desk was asked for: messages found, and how many were searched
    compared: 0, // messages whose meaning is known
    near: [], intents: [], // what the desk answered: [row, nearness], and [path or intent, nearness]
    matching: [], named: [], // what the expression found: rows, and targets
    waits: false, ready: false, // whether an answer is to come, and whether there was one
    problem: null,
    outdated: null, // why nothing was found by words, where the drafts were others by then
  };
  let number = 0; // of the search: an answer to an earlier one is too late
  let timer = 0;
  let later = 0; // until the desk is asked for words
  let worker = null;
  let script = null; // address of the worker's
  let changed = () => {};
  let catchUp = () => {}; // shows what the desk has by now

  // A regular expression stands between slashes.
  const expressionOf = (query) => query.match(/^\/(.+)\/i?$/s)?.[1] ?? null;

  function kind() {
    if (state.like !== null) return "like";
    if (expressionOf(model.query) !== null) return "expression";
    return state.by;
  }

  // Begins to search for what was typed, or for everything like a message.
  function begin(like = null) {
    number += 1;
    clearTimeout(timer);
    clearTimeout(later);
    worker?.terminate();
    Object.assign(state, { like, matching: [], named: [], found: 0, searching: false, waits: false, problem: null, outdated: null });
    if (!model.query) return;
    if (model.asks && like === null) {
      state.searching = true;
      later = setTimeout(askFound, WORDS, number);
    }
    if (kind() === "expression") match(number);
    else if (kind() !== "words") beginNear(like);
  }

  function beginNear(like) {
    if (like !== null) Object.assign(state, { near: [], intents: [] });
    state.waits = true;
    timer = setTimeout(askNear, like === null ? TYPING : 0, number);
  }

  function wanted() {
    const expression = expressionOf(model.query);
    return expression === null ? { words: model.query } : { expression };
  }

  // Asks the desk for the messages that hold what was typed, as the page has not all.
  async function askFound(mine, isAgain = false) {
    const { status, body } = await ask("api/found", post(wanted())).catch(() => ({ body: { error: "the desk does not answer" } }));
    if (mine !== number || !model.query) return;
    state.outdated = status === 200 ? whyOutdated(body) : null;
    if (state.outdated === CHANGED && !isAgain) return askFound(mine, true);
    state.searching = false;
    if (kind() !== "meaning") state.problem ??= body.problem ?? body.error ?? null;
    if (state.outdated) catchUp();
    else if (status === 200) {
      keep(body.messages);
      Object.assign(state, { matching: body.list, found: body.found, searched: body.searched });
    }
    return changed();
  }

  // Why what was found is not of the drafts as the page has them; null where it is. A revision is one of its run.
  function whyOutdated({ run, revision }) {
    if (run !== model.run) return OTHER_RUN;
    return revision < model.revision ? CHANGED : null; // it tells where messages were before what was decided since
  }

  async function askNear(mine) {
    const what = state.like === null ? { text: model.query } : { row: state.like };
    const answer = await answerTo(what, mine);
    if (!answer) return;
    const { run, messages = [], intents = [], problem = null, compared = 0 } = answer;
    const other = run && run !== model.run ? OTHER_RUN : null;
    Object.assign(state, { near: messages, intents, compared, problem: problem ?? other, waits: false });
    state.ready ||= state.like === null && !state.problem;
    if (state.like !== null) model.ticked = new Set(results());
    changed();
  }

  // Asks until the encoder is ready; null where something else is searched for by then.
  async function answerTo(what, mine) {
    for (;;) {
      const { status, body } = await ask("api/near", post(what)).catch(() => ({ body: { error: "the desk does not answer" } }));
      if (mine !== number || !model.query) return null;
      if (status !== 200) return { problem: body.error };
      if (!body.waits) return body;
    }
  }

  function match(mine) {
    const source = expressionOf(model.query);
    const { flags, problem } = readExpression(source);
    state.problem = problem;
    if (problem) return;
    state.waits = true;
    const all = targets("", null);
    const done = ([matching, named], why = null) => {
      clearTimeout(timer);
      worker.terminate();
      if (mine !== number || !model.query) return;
      Object.assign(state, { named: named.map((at) => all[at]), waits: false, problem: why ?? state.problem });
      if (!model.asks) state.matching = matching.map((at) => model.rows[at]);
      changed();
    };
    script ??= URL.createObjectURL(new Blob([MATCH], { type: "text/javascript" }));
    worker = new Worker(script);
    worker.onmessage = ({ data }) => done(data);
    timer = setTimeout(done, LONGEST, [[], []], SLOW);
    worker.postMessage({ source, flags, lists: [model.asks ? [] : model.rows.map((row) => model.messages[row].text), all.map((one) => one.label)] });
  }

  // The flags with which it can be read, or why it cannot.
  function readExpression(source) {
    let why = "";
    for (const flags of ["iu", "i"]) {
      try {
        RegExp(source, flags);
        return { flags, problem: null };
      } catch (error) {
        why = error.message.split(": ").at(-1);
      }
    }
    return { flags: "", problem: `is no regular expression: ${why}` };
  }

  // Whether there is nothing but a search by words: an answer is to come or cannot be had.
  const onlyWords = () => kind() === "meaning" && (Boolean(state.problem) || (state.waits && !state.ready));

  // The rows of the messages that were found, in their order.
  function results() {
    if (!model.query) return [];
    if (kind() === "expression") return state.matching;
    if (kind() === "words" || onlyWords()) return model.asks ? state.matching : found(model.query);
    return state.near.filter(([, nearness]) => nearness >= state.least).map(([row]) => row);
  }

  // How many messages were found; the desk tells the first ones.
  const count = () => (model.asks && (["words", "expression"].includes(kind()) || onlyWords()) ? Math.max(state.found, state.matching.length) : results().length);

  // The proposals and intents that were found: {target, label}.
  function intentsFound() {
    if (kind() === "expression") return state.named;
    const all = targets("", null);
    if (kind() === "words" || onlyWords()) {
      const words = folded(model.query).split(/\s+/);
      return all.filter(({ label }) => words.every((word) => folded(label).includes(word)));
    }
    const near = state.intents.filter(([, nearness]) => nearness >= state.least).map(([target]) => target);
    return near.map((wanted) => all.find(({ target }) => target === wanted)).filter(Boolean);
  }

  const nearness = (row) => state.near.find(([one]) => one === row)?.[1] ?? null;

  // The targets that a person who moves what was found is likely to mean.
  const nearTargets = () => (model.query && ["like", "meaning"].includes(kind()) ? state.intents.map(([target]) => target) : []);

  // How near is near enough: what is no longer found is not ticked either; where all was ticked, all still is.
  function setLeast(least) {
    const before = results();
    const all = before.length > 0 && before.every((row) => model.ticked.has(row));
    state.least = least;
    const now = results();
    const still = new Set(now);
    for (const row of before) if (!still.has(row)) model.ticked.delete(row);
    if (all) for (const row of now) model.ticked.add(row);
  }

  const follow = (run, ifBehind) => { [changed, catchUp] = [run, ifBehind]; };

  return { state, begin, count, kind, onlyWords, results, intentsFound, nearness, nearTargets, setLeast, follow };
})();
