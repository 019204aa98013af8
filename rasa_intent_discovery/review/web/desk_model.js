// What the page knows: the drafts, the messages, and what is chosen. Talks to the server; touches no element.

const review = {}; // what the scripts of the page share

review.model = (() => {
  // A report holds its own data, and no decision can be made on it.
  const enclosed = document.getElementById("page-data");

  const model = {
    readOnly: Boolean(enclosed), overview: null,
    page: null, // what is shown that is no draft: "overview", "parts", "end", or null
    sure: 0, // confidence below which an example of a known intent stands apart
    belongs: 0, // the same of a proposal
    looksNew: "", // the reason of messages that are with a known intent, but look new
    masks: null, // finds the masks of personal data in a text: <email>
    questions: [], // of the run, that nobody has answered yet
    settled: 0, // how many others need not be asked, as it follows from what was decided what wants the same
    cannotTell: [], // those of which somebody said so
    answers: 0, // how many there are
    refused: 0, // further examples that were refused or dropped since the run
    little: "", // that further answers are likely to change little, as a sentence
    unused: false, // whether some were given, or taken back, since the run
    answered: [], // what they say, by message: as it is shown, and in words
    effects: [], // what they did to the run: a sentence, of which messages they are, to which drafts, whether that is much, and which messages came or went
    inAll: "", // what all of them did, where some did little
    waiting: [], // what came since the last run for drafts that are accepted or applied: [path, messages]
    splits: [], // paths of the drafts in which there is something to split
    parts: [], // of known intents, that may be wishes of their own
    dropped: new Set(), // rows of the messages that were dropped from the examples since the run, and are none now
    spoken: new Set(), // rows of the messages whose conversations are kept
    lost: "", // why nothing is done, where the desk did not answer when it was last asked
    revision: -1, run: null, folder: "", drafts: new Map(), known: [], families: [], subjects: [], problems: [], undo: null, redo: null,
    overruledNames: {}, // path of a draft -> what another reviewer called it in another copy of the drafts
    deciders: {}, // path of a draft -> who decided about it last, in words
    reviewer: "", // who decides here; null where that was not said yet
    shared: false, // whether each browser says a name of its own
    notYours: null, // why there is nothing to undo, though others decided
    whole: true, // whether the page has all messages; of a large log it has some, and the others where they are shown
    asks: false, // whether it asks the desk for these; a report cannot
    total: 0, // messages of the log
    rows: [], // of the messages that the page has
    messages: [], training: [], // by row; a hole where the page has it not
    kinds: [], // of messages: placement, draft of the run, reason
    mapped: [], // rows of the messages that came with the page, some of which are on the map
    places: new Uint16Array(), // on the map, x and y of each of these and then of each training example: see desk_points.js
    left: [], // why messages are in no draft: [reason, distinct ones, how often they were logged]
    shares: [], // where all messages are: [kind, words, how often they were logged]
    listing: new Map(), // row of a message -> path of the draft that has it as an example, where the page has not all messages
    assigned: [], // row of a message -> path of the draft it is in now, or null
    listed: [], // row of a message -> whether it is one of that draft's examples
    tab: "new", draft: null, reason: null, query: "", lasso: null,
    inBot: new Set(), // paths of the drafts that were applied
    again: null, // the command of the run that this desk can start
    end: { applies: false, reads: false, commands: {} }, // whether this desk can apply drafts, and read the bot, and what applies in a terminal
    // What is chosen and known at the end of a review: see desk_end.js. `put` are the paths of the drafts that were `applied` last.
    ending: { withRules: false, withFlows: false, nluFile: "", allTheSame: false, preview: null, error: null, busy: false, applying: false, applied: null, put: new Set(), validation: null, unfolded: new Map() },
    ticked: new Set(), // rows of messages, and texts of examples that nobody logged
  };

  const NOWHERE = 65535; // instead of a place on the map, as in map_places.py

  const LOST = "The desk does not answer: nothing was done.";
  const UNDONE = "undone"; // kept for the page that is loaded next

  async function ask(path, options = {}) {
    try {
      const response = await fetch(path, { credentials: "same-origin", ...options });
      return { status: response.status, body: read(await response.text()) };
    } catch {
      throw Object.assign(new Error(LOST), { lost: true, told: true });
    }
  }

  // The options with which `ask` sends something.
  const post = (what) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });

  // An answer; who is not let in gets a sentence only.
  function read(text) {
    try {
      return JSON.parse(text);
    } catch {
      return { error: text.trim() || "The answer was empty" };
    }
  }

  const places = []; // what undo takes back, and where a person was when it was decided here, the latest last

  async function load() {
    const { state, messages, end, again, shared } = enclosed ? JSON.parse(enclosed.textContent) : await served();
    model.end = end ?? model.end;
    if (end?.applied) takeApplied(end.applied);
    model.again = again ?? null;
    model.shared = shared ?? false;
    model.overview = messages.overview;
    model.sure = messages.sure;
    model.belongs = messages.belongs;
    model.looksNew = messages.looks_new;
    model.masks = new RegExp(messages.masks);
    model.whole = messages.rows === null;
    model.asks = !model.whole && !model.readOnly;
    model.total = messages.total;
    model.kinds = messages.kinds;
    add({ ...messages, rows: messages.rows ?? messages.texts.map((_, row) => row) });
    model.mapped = [...model.rows];
    model.training = messages.training.map(([text, intent]) => ({ text, intent }));
    model.places = placesIn(messages.places);
    take(state);
  }

  // What was applied last, by this page or before it was loaded.
  function takeApplied({ preview, put }) {
    Object.assign(model.ending, { applied: preview, put: new Set(put) });
    model.ending.unfolded = new Map(preview.files.map(({ path }) => [path, false]));
  }

  // Messages that the desk has told.
  function add({ rows, texts, counts, confidences, kind, came, conversations = [] }) {
    const since = new Set(came);
    rows.forEach((row, at) => {
      if (model.messages[row]) return;
      const [placement, draft, reason] = model.kinds[kind[at]];
      model.messages[row] = { text: texts[at], count: counts[at], placement, draft, reason, confidence: confidences[at], came: since.has(row), lower: null };
      model.rows.push(row);
    });
    for (const row of conversations) model.spoken.add(row);
  }

  // Messages that were asked for, and the drafts that list them.
  function keep(told) {
    add(told);
    list(told.listing);
    settle();
  }

  function list(listing) {
    for (const [path, rows] of listing) for (const row of rows) path ? model.listing.set(row, path) : model.listing.delete(row);
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

  // Whether the drafts were changed elsewhere since; takes them over. Those of another run may have to wait.
  async function refresh() {
    const { status, body } = await ask(`api/state?revision=${model.revision}&run=${model.run}`);
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    if (!body.drafts || (body.run !== model.run && review.anew.waits())) return false;
    take(body);
    return true;
  }

  // How a person wants the page to look, kept by the browser; without its leave, as in some reports opened from disk, until the page is closed.
  function preference(key, otherwise) {
    let chosen = otherwise;
    try {
      chosen = localStorage.getItem(key) ?? otherwise;
    } catch {
      // there is none
    }
    return {
      is: (value) => chosen === value,
      set: (value) => {
        chosen = value;
        try {
          localStorage.setItem(key, value);
        } catch {
          // it is not kept
        }
      },
    };
  }

  // What could not be done before the page was loaded again; null where nothing was.
  function undone() {
    const told = sessionStorage.getItem(UNDONE);
    sessionStorage.removeItem(UNDONE);
    return told;
  }

  async function act(verb, args = {}) {
    if (model.lost) throw Object.assign(new Error(model.lost), { told: true });
    const { tab, draft, reason, page } = model;
    const { status, body } = await ask("api/act", post({ revision: model.revision, run: model.run, verb, arguments: args })).catch((error) => {
      error.message = "The desk did not answer: whether this was done is seen when it answers again.";
      throw error;
    });
    if (status === 409) take(body.state, "Another run has made new drafts, which are shown now. What you did just now was not done.");
    if (status !== 200) throw Object.assign(new Error(body.error), { status });
    take(body);
    if (verb === "undo") body.place = placeOf(body.says);
    else places.push({ undo: model.undo, place: { tab, draft, reason, page } });
    return body;
  }

  // Where this page was at the decision that was undone; undefined for one that was made elsewhere.
  function placeOf(says) {
    const at = places.findLastIndex(({ undo }) => says === `Undone: ${undo}`);
    return at < 0 ? undefined : places.splice(at)[0].place;
  }

  // Says who decides in this browser; empty for nobody in particular.
  async function introduce(reviewer) {
    const { status, body } = await ask("api/reviewer", post({ name: reviewer }));
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

  // Where another run took the folder's place, these are other messages, and the page is loaded again; `undone` is said then.
  function take(state, undone = "") {
    if (model.run && state.run !== model.run) {
      if (undone) sessionStorage.setItem(UNDONE, undone);
      location.reload();
      return;
    }
    if (state.whole) forget();
    list(state.listing ?? []);
    takeDrafts(state.drafts);
    for (const key of ["revision", "run", "folder", "left", "shares", "parts", "splits", "waiting", "questions", "answers", "unused", "refused", "answered", "effects", "known", "families", "subjects", "problems", "undo", "redo", "deciders"]) model[key] = state[key];
    model.overruledNames = state.overruled_names;
    model.notYours = state.not_yours;
    model.cannotTell = state.cannot_tell;
    model.settled = state.settled;
    model.little = state.little;
    model.inAll = state.in_all;
    model.reviewer = state.reviewer ?? null;
    model.inBot = new Set(state.in_bot);
    model.dropped = new Set(state.dropped);
    settle();
    for (const [path, totals] of Object.entries(state.totals)) Object.assign(model.drafts.get(path), { stale: true, ...totals });
  }

  function takeDrafts(drafts) {
    for (const [path, draft] of Object.entries(drafts)) {
      if (draft) model.drafts.set(path, renewed(model.drafts.get(path), draft));
      else model.drafts.delete(path);
    }
  }

  // Of what was asked for it is not known where it is now.
  function forget() {
    model.drafts = new Map();
    if (model.whole) return;
    const mapped = new Set(model.mapped);
    for (const row of model.rows) if (!mapped.has(row)) delete model.messages[row];
    model.rows = [...model.mapped];
    model.listing = new Map();
  }

  // The server sends only what has changed of a draft: of its examples, from where to where others stand now, and these,
  // as the row of the message where that is all there is to say.
  function renewed(old, { splice, ...draft }) {
    const before = old?.examples ?? [];
    const [start, end, more] = splice ?? [0, 0, []];
    const here = !model.asks || (Boolean(old?.loaded) && more.every((one) => typeof one !== "number" || model.messages[one]));
    if (!here) return { ...old, ...draft, examples: [], others: [], loaded: false };
    return { ...old, ...draft, loaded: true, examples: [...before.slice(0, start), ...entriesOf(more), ...before.slice(end)] };
  }

  const entriesOf = (examples) => examples.map((one) => (typeof one === "number" ? [textOf(one), one] : one));

  // The text of a message, or what stands for it until the desk has told it.
  const textOf = (row) => model.messages[row]?.text ?? "…";

  // What follows from the drafts: where every message is now, and what the drafts have of them.
  function settle() {
    assign();
    const drafts = [...model.drafts.values()];
    model.conflicts = new Map(drafts.flatMap((draft) => draft.conflicts.map((conflict) => [conflict[0], conflict])));
    if (model.draft && !model.drafts.has(model.draft)) model.draft = null;
  }

  // A message is in the draft that has it as an example, or else where the run put it, or what that was merged into.
  function assign() {
    const current = new Map();
    for (const [path, draft] of model.drafts) for (const merged of draft.merged) current.set(merged, path);
    for (const path of model.drafts.keys()) current.set(path, path);
    const listing = model.whole ? listingOfAll() : model.listing;
    [model.assigned, model.listed] = [[], []];
    for (const row of model.rows) {
      model.assigned[row] = listing.get(row) ?? current.get(model.messages[row].draft) ?? null;
      model.listed[row] = listing.has(row);
    }
    setApart();
  }

  function listingOfAll() {
    const listing = new Map();
    for (const [path, draft] of model.drafts) for (const [, row] of draft.examples) listing.set(row, path);
    return listing;
  }

  // What the page has of the messages of the drafts that are no examples; a draft that the desk was asked for keeps the order.
  function setApart() {
    const isOther = (row, path) => model.assigned[row] === path && !model.listed[row];
    for (const [path, draft] of model.drafts) draft.others = model.asks ? (draft.others ?? []).filter((row) => isOther(row, path)) : [];
    if (model.asks) return;
    for (const row of model.rows) if (model.assigned[row] && !model.listed[row]) model.drafts.get(model.assigned[row]).others.push(row);
  }

  // Whether the run was less sure of a message that is where it put it.
  function isUnsure(row) {
    const { confidence, placement, draft } = model.messages[row] ?? {};
    return confidence < (placement === "new" ? model.belongs : model.sure) && model.assigned[row] === draft;
  }

  // Whether a message looks new, and is where the run put it all the same: with a known intent.
  function looksNew(row) {
    const message = model.messages[row];
    return message?.reason === model.looksNew && model.assigned[row] === message.draft;
  }

  // Whether a message came since the run before into the proposal in which it is.
  function isCome(row) {
    const message = model.messages[row];
    return Boolean(message?.came) && model.assigned[row] === message.draft;
  }

  // Whether a draft waits for a decision. Of one that was emptied there is nothing to decide.
  const waits = ({ decision, size }) => decision === "open" && size > 0;
  const isPutOff = ({ decision }) => decision === "later";

  function name(path) {
    return model.drafts.get(path)?.intent ?? "left over";
  }

  return { NOWHERE, model, ask, entriesOf, keep, load, refresh, introduce, act, undone, checkName, otherNames, splitOf, isCome, isUnsure, looksNew, name, post, preference, takeApplied, textOf, waits, isPutOff };
})();
