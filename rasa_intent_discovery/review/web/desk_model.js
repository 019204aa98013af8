// What the page knows: the drafts, the messages, and what is chosen. Talks to the server; touches no element.

const review = {}; // what the scripts of the page share

review.model = (() => {
  // A report holds its own data, and no decision can be made on it.
  const enclosed = document.getElementById("page-data");

  const model = {
    readOnly: Boolean(enclosed), overview: null,
    page: null, // what is shown that is no draft: "overview", "parts", "end", or null
    sure: 0, // confidence below which an example stands apart
    looksNew: "", // the reason of messages that are with a known intent, but look new
    masks: null, // finds the masks of personal data in a text: <email>
    questions: [], // of the run, that nobody has answered yet
    answers: 0, // how many there are
    answered: [], // what they say: a message, as it is shown, and in words
    effects: [], // what they did to the run: a sentence, and of which messages they are
    splits: [], // paths of the drafts in which there is something to split
    proposed: new Set(), // paths of the drafts that the run made of messages
    parts: [], // of known intents, that may be wishes of their own
    spoken: new Set(), // rows of the messages whose conversations are kept
    lost: false, // whether the desk did not answer when it was last asked
    revision: -1, run: null, folder: "", drafts: new Map(), known: [], families: [], problems: [], undo: null, redo: null,
    deciders: {}, // path of a draft -> who decided about it last, in words
    reviewer: "", // who decides here; null where that was not said yet
    shared: false, // whether each browser says a name of its own
    notYours: null, // why there is nothing to undo, though others decided
    messages: [], training: [],
    places: new Uint16Array(), // on the map, x and y of each message and then of each training example: see desk_points.js
    came: [], // row of a message -> path of the draft that has what the run put it into, or null
    assigned: [], // row of a message -> path of the draft it is in now, or null
    listed: [], // row of a message -> whether it is one of that draft's examples
    tab: "new", draft: null, reason: null, query: "", lasso: null,
    inBot: new Set(), // paths of the drafts that were applied
    end: { applies: false, commands: {} }, // whether this desk can apply drafts, and what does so in a terminal
    // What is chosen and known at the end of a review: see desk_end.js.
    ending: { withRules: false, nluFile: "", allTheSame: false, preview: null, error: null, busy: false, applying: false, applied: null, validation: null, unfolded: new Map() },
    ticked: new Set(), // rows of messages, and texts of examples that nobody logged
  };

  const NOWHERE = 65535; // instead of a place on the map, as in map_places.py

  const LOST = "The desk does not answer: nothing was done.";

  async function ask(path, options = {}) {
    try {
      const response = await fetch(path, { credentials: "same-origin", ...options });
      return { status: response.status, body: read(await response.text()) };
    } catch {
      throw Object.assign(new Error(LOST), { lost: true, told: true });
    }
  }

  // An answer; who is not let in gets a sentence only.
  function read(text) {
    try {
      return JSON.parse(text);
    } catch {
      return { error: text.trim() || "The answer was empty" };
    }
  }

  const places = []; // where a person was at each decision that can be undone, the latest last

  async function load() {
    const { state, messages, end, shared } = enclosed ? JSON.parse(enclosed.textContent) : await served();
    model.end = end ?? model.end;
    model.shared = shared ?? false;
    model.overview = messages.overview;
    model.sure = messages.sure;
    model.looksNew = messages.looks_new;
    model.masks = new RegExp(messages.masks);
    model.messages = messages.texts.map((text, row) => {
      const [placement, draft, reason] = messages.kinds[messages.kind[row]];
      return { text, count: messages.counts[row], placement, draft, reason, confidence: messages.confidences[row], lower: null };
    });
    model.training = messages.training.map(([text, intent]) => ({ text, intent }));
    model.places = placesIn(messages.places);
    model.proposed = new Set(messages.kinds.map(([, draft]) => draft));
    model.spoken = new Set(messages.conversations);
    take(state);
  }

  // Two bytes for x and for y of each, the lower one first, in base64.
  function placesIn(packed) {
    const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
    return Uint16Array.from({ length: bytes.length / 2 }, (_, at) => bytes[2 * at] + 256 * bytes[2 * at + 1]);
  }

  async function served() {
    const { status, body } = await ask("api/page");
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    return body;
  }

  // Whether the drafts were changed elsewhere since; takes them over.
  async function refresh() {
    const { status, body } = await ask(`api/state?revision=${model.revision}&run=${model.run}`);
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    if (!body.drafts) return false;
    take(body);
    return true;
  }

  async function act(verb, args = {}) {
    if (model.lost) throw Object.assign(new Error(LOST), { told: true });
    const { tab, draft, reason, page } = model;
    const { status, body } = await ask("api/act", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ revision: model.revision, run: model.run, verb, arguments: args }),
    }).catch((error) => {
      error.message = "The desk did not answer: whether this was done is seen when it answers again.";
      throw error;
    });
    if (status === 409) take(body.state);
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    take(body);
    if (verb === "undo") body.place = places.pop();
    else places.push({ tab, draft, reason, page });
    return body;
  }

  // Says who decides in this browser; empty for nobody in particular.
  async function introduce(reviewer) {
    const { status, body } = await ask("api/reviewer", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: reviewer }),
    });
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    take(body);
  }

  async function checkName(wanted, draft) {
    const query = new URLSearchParams({ name: wanted });
    if (draft) query.set("draft", draft);
    return (await ask(`api/name?${query}`)).body;
  }

  // The rows of a part of a draft and a name for it, or an error where it has none.
  async function splitOf(draft) {
    return (await ask(`api/split?${new URLSearchParams({ draft })}`)).body;
  }

  // Other names that a draft could have, best first.
  async function otherNames(draft) {
    return (await ask(`api/names?${new URLSearchParams({ draft })}`)).body.names ?? [];
  }

  function take(state) {
    if (model.run && state.run !== model.run) {
      location.reload(); // another run took the folder's place: these are other messages
      return;
    }
    if (state.whole) model.drafts = new Map();
    for (const [path, draft] of Object.entries(state.drafts)) {
      if (draft) model.drafts.set(path, renewed(model.drafts.get(path), draft));
      else model.drafts.delete(path);
    }
    for (const key of ["revision", "run", "folder", "parts", "splits", "questions", "answers", "answered", "effects", "known", "families", "problems", "undo", "redo", "deciders"]) model[key] = state[key];
    model.notYours = state.not_yours;
    model.reviewer = state.reviewer ?? null;
    model.inBot = new Set(state.in_bot);
    settle();
  }

  // The server sends only what has changed of a draft: of its examples, from where to where others stand now, and these,
  // as the row of the message where that is all there is to say.
  function renewed(old, { splice, ...draft }) {
    const before = old?.examples ?? [];
    const [start, end, more] = splice ?? [0, 0, []];
    const examples = more.map((one) => (typeof one === "number" ? [model.messages[one].text, one] : one));
    return { ...old, ...draft, examples: [...before.slice(0, start), ...examples, ...before.slice(end)] };
  }

  // What follows from the drafts: where every message is now, and what the drafts have of them.
  function settle() {
    assign();
    addUp();
    const drafts = [...model.drafts.values()];
    model.conflicts = new Map(drafts.flatMap((draft) => draft.conflicts.map((conflict) => [conflict[0], conflict])));
    if (model.draft && !model.drafts.has(model.draft)) model.draft = null;
  }

  // A message is in the draft that has it as an example, or else where the run put it, or what that was merged into.
  function assign() {
    const current = new Map();
    for (const [path, draft] of model.drafts) for (const merged of draft.merged) current.set(merged, path);
    for (const path of model.drafts.keys()) current.set(path, path);
    model.came = model.messages.map((message) => current.get(message.draft) ?? null);
    model.assigned = [...model.came];
    model.listed = model.messages.map(() => false);
    for (const [path, draft] of model.drafts) {
      for (const [, row] of draft.examples.filter(([, one]) => one >= 0)) {
        model.assigned[row] = path;
        model.listed[row] = true;
      }
    }
  }

  function addUp() {
    for (const draft of model.drafts.values()) Object.assign(draft, { messages: 0, distinct: 0, others: [], strange: 0, unsure: 0 });
    model.assigned.forEach((path, row) => {
      if (!path) return;
      const draft = model.drafts.get(path);
      draft.messages += model.messages[row].count;
      draft.distinct += 1;
      if (!model.listed[row]) draft.others.push(row);
      else if (looksNew(row)) draft.strange += 1;
      else if (isUnsure(row)) draft.unsure += 1;
    });
    for (const [path, draft] of model.drafts) draft.parent = draft.part === "new" && !model.proposed.has(path) ? parentOf(path) : null;
  }

  // Whether the run was less sure of a message that is where it put it.
  const isUnsure = (row) => model.assigned[row] === model.messages[row]?.draft && model.messages[row].confidence < model.sure;

  // Of a proposal that a person made: the proposal that most of its messages were in; null where that is not there.
  function parentOf(path) {
    const counts = new Map();
    model.assigned.forEach((now, row) => {
      if (now === path) counts.set(model.came[row], (counts.get(model.came[row]) ?? 0) + 1);
    });
    const [[parent] = [null]] = [...counts].sort((a, b) => b[1] - a[1]);
    return model.proposed.has(parent) && model.drafts.get(parent)?.part === "new" ? parent : null;
  }

  // Whether a message looks new, and is where the run put it all the same: with a known intent.
  function looksNew(row) {
    const message = model.messages[row];
    return message?.reason === model.looksNew && model.assigned[row] === message.draft;
  }

  function name(path) {
    return model.drafts.get(path)?.intent ?? "left over";
  }

  return { NOWHERE, model, ask, load, refresh, introduce, act, checkName, otherNames, splitOf, isUnsure, looksNew, name };
})();
