// What there is of drafts and messages, each in the order in which it is shown.

review.order = (() => {
  const { model, name, preference, waits } = review.model;

  const SET_ASIDE = "set aside: "; // the beginning of a reason, as in datatypes.py
  const NO_MORE = "in no draft any more"; // the reason for which a message is left over that the run had put into a draft, as in standing.py

  const EXAMPLE = "is already a training example of this intent"; // the reason for which a message is known, as in reasons.py
  const ALREADY = "a training example already"; // as in standing.py
  const IGNORED_BEFORE = "belongs to a group that you ignored"; // as in reasons.py

  const order = preference("review-desk-order", "subject"); // or "worth"

  const isBySubject = () => order.is("subject");

  // The order of the known intents: those with most messages that look new first, then with most that are less sure.
  const needier = (one, other) => other.strange - one.strange || other.unsure - one.unsure;

  // The paths of the drafts in a part, the most worth first, what was ignored last; where they are listed by subject,
  // what is on the same one below the first of it; a family directly below its largest one, and what a person made of a proposal directly below that.
  function inOrder(part) {
    const families = new Map(model.families.map(({ members }) => [members[0], members]));
    const below = new Set(model.families.flatMap(({ members }) => members.slice(1)));
    const ranked = [...model.drafts.entries()]
      .filter(([, draft]) => draft.part === part)
      .sort(([a, one], [b, other]) => (part === "known" ? needier(one, other) : 0) || other.worth - one.worth || a.localeCompare(b))
      .map(([path]) => path);
    const parent = (path) => model.drafts.get(path).parent;
    const made = ranked.filter(parent);
    const groups = bySubject(ranked.filter((path) => !below.has(path) && !parent(path)).map((path) => (families.get(path) ?? [path])
      .flatMap((one) => [one, ...made.filter((other) => parent(other) === one)])));
    const isIgnored = (group) => group.every((path) => model.drafts.get(path).decision === "ignored");
    return [...groups.filter((group) => !isIgnored(group)), ...groups.filter(isIgnored)].flat();
  }

  // Groups of paths, those on one subject below the first of them.
  function bySubject(groups) {
    if (!isBySubject()) return groups;
    const subjects = new Map(model.subjects.flatMap((members) => members.map((path) => [path, members])));
    const found = new Map();
    for (const group of groups) {
      const subject = subjects.get(group[0]) ?? group[0];
      if (!found.has(subject)) found.set(subject, []);
      found.get(subject).push(group);
    }
    return [...found.values()].flat();
  }

  // What is on the same subject as a draft, and not of its family.
  function alikeTo(path) {
    const siblings = familyOf(path)?.members ?? [path];
    return (model.subjects.find((members) => members.includes(path)) ?? []).filter((one) => !siblings.includes(one));
  }

  // The drafts that may be one wish with a draft, and how they are merged; undefined where there are none.
  function familyOf(path) {
    return model.families.find(({ members }) => members.includes(path));
  }

  // Whether what is in no draft for a reason is counted as left over: as in shares.py.
  const isLeftOver = (reason) => !reason.startsWith(SET_ASIDE) && reason !== ALREADY && reason !== IGNORED_BEFORE;

  // How many messages are left over: [different texts, how often they were logged].
  function countLeftOver() {
    const counted = model.left.filter(([reason]) => isLeftOver(reason));
    return [1, 2].map((at) => counted.reduce((sum, one) => sum + one[at], 0));
  }

  // Where a message is, in words.
  function placeOf(row) {
    if (!model.messages[row]) return "…"; // until the desk has told it
    if (model.assigned[row]) return name(model.assigned[row]);
    const reason = reasonOf(row);
    return reason.startsWith(SET_ASIDE) ? "set aside" : isLeftOver(reason) ? "left over" : reason === ALREADY ? reason : "ignored before";
  }

  // The reasons for which messages are in no draft, those that count as left over before the others, then those of most
  // messages: [reason, distinct messages, messages].
  const leftOver = () => [...model.left].sort((a, b) => isLeftOver(b[0]) - isLeftOver(a[0]) || b[2] - a[2] || a[0].localeCompare(b[0]));

  // Why a message is in no draft.
  function reasonOf(row) {
    const { placement, reason } = model.messages[row] ?? {};
    if (placement === "left_over") return reason;
    return reason === EXAMPLE ? ALREADY : NO_MORE;
  }

  // Whether a message is a training example by now, and in no draft.
  const isExample = (row) => !model.assigned[row] && reasonOf(row) === ALREADY;

  // The rows, of those that the page has, of what is left over for a reason.
  const rowsLeft = (reason) => model.rows.filter((row) => !model.assigned[row] && reasonOf(row) === reason);

  const BEYOND_ASCII = /[^ -~]/;
  const ACCENTS = /(?<=[a-z\u03b1-\u03c9])[\u0300-\u036f]+|[\u064b-\u0655\u0670]+/g;
  const LETTERS = { ı: "i", ł: "l", ø: "o", đ: "d", "\u0451": "\u0435", "\u0629": "\u0647", "\u0649": "\u064a" };

  // A text as it is compared, here and in words_found.py: in small letters of one width, without accents, and in hiragana.
  function folded(text) {
    const small = text.normalize("NFKC").toLowerCase();
    if (!BEYOND_ASCII.test(small)) return small;
    return small.normalize("NFD").replace(ACCENTS, "").normalize("NFC").replace(/[ıłøđ\u0451\u0629\u0649]/g, (letter) => LETTERS[letter])
      .replace(/[\u30A1-\u30F6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  }

  function found(query) {
    const words = folded(query).split(/\s+/).filter(Boolean);
    const rows = [];
    for (const row of model.rows) {
      const message = model.messages[row];
      message.lower ??= folded(message.text);
      if (words.every((word) => message.lower.includes(word))) rows.push(row);
    }
    return rows;
  }

  // The order of the list that is shown, in which `next` looks.
  const listed = () => inOrder(model.tab === "known" ? "known" : "new");

  // The draft to decide after one; `order` is that of before its decision, which may have moved it.
  function next(path, order = listed()) {
    const at = order.indexOf(path);
    return [...order.slice(at + 1), ...order.slice(0, at)].find((one) => waits(model.drafts.get(one))) ?? null;
  }

  // What can be the target of a move or merge, best match first: {target, label, kind}. Of equal ones those near.
  function targets(text, but, near = []) {
    const wanted = folded(text.trim());
    const drafts = [...inOrder("new"), ...inOrder("known")].filter((path) => path !== but);
    const having = new Set(drafts.filter((path) => model.drafts.get(path).part === "known").map(name));
    const all = drafts.map((path) => ({
      target: path, label: name(path), kind: model.drafts.get(path).part === "new" ? "proposal" : "your bot has it",
    }));
    model.known.filter((intent) => !having.has(intent) && !(but?.startsWith("known/") && name(but) === intent))
      .forEach((intent) => { all.push({ target: intent, label: intent, kind: "your bot has it" }); });
    const score = (one) => {
      const label = folded(one.label);
      const at = label.indexOf(wanted);
      return at < 0 ? 9 : label === wanted ? -1 : at === 0 ? 0 : 1;
    };
    const far = (one) => {
      const at = near.findIndex((other) => other === one.target || other === one.label);
      return at < 0 ? near.length : at;
    };
    return all.map((one) => [score(one), far(one), one]).filter(([rank]) => rank < 9)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , one]) => one);
  }

  return { ALREADY, alikeTo, countLeftOver, familyOf, folded, found, inOrder, isBySubject, isExample, isLeftOver, leftOver, listed, next, placeOf, reasonOf, rowsLeft, sortBy: order.set, targets };
})();
