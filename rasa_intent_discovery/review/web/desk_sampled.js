// The order in which the examples of a proposal are read: what else it holds is to be seen in the first of them.

review.sampled = (() => {
  const TYPICAL = 4; // the most typical ones come first
  const READ = 10; // with some of all over the rest, as many as are read at a glance
  const FEW = 15; // so many are read as they are

  const firstOf = new Map(); // path -> the texts that come first; they stay there while others are dropped

  // Some at even steps through the others, to the last of them.
  function spaced(others, count) {
    return Array.from({ length: count }, (_, at) => others[Math.ceil(((at + 1) * others.length) / count) - 1]);
  }

  function chosen(entries) {
    const texts = entries.map(([text]) => text);
    return [...texts.slice(0, TYPICAL), ...spaced(texts.slice(TYPICAL), READ - TYPICAL)];
  }

  function said(typical) {
    const begins = typical ? `${typical} typical ${typical === 1 ? "one" : "ones"}, ` : "";
    return `${begins}some from all over, then the others`;
  }

  // The entries, those of `chosen` first, and what that order is; of a known intent, the surest stay first.
  function inOrder(path, entries) {
    if (!firstOf.has(path) && path.startsWith("new/") && entries.length > FEW) firstOf.set(path, chosen(entries));
    const texts = new Set(firstOf.get(path));
    if (!texts.size) return [entries, "most typical first"];
    const there = [...texts].map((wanted) => entries.filter(([text]) => text === wanted));
    const others = entries.filter(([text]) => !texts.has(text));
    return [[...there.flat(), ...others], others.length ? said(there.slice(0, TYPICAL).flat().length) : "most typical first"];
  }

  return { inOrder };
})();
