// The names on the map: those of proposals before those of known intents, of each kind the biggest first, none over another.

review.labels = (() => {
  const { model } = review.model;
  const { points, within, x, y } = review.points;

  const LONGEST = 28; // letters of a name that are shown
  const SIZE = 12; // pixels, of the letters
  const HEIGHT = 16; // pixels, of a name
  const GAP = 3; // pixels between two names, at least
  const ABOVE = 1.6; // heights by which a name is above the middle of its group, at most: it is not to cover a small one
  const ASIDE = [0, -1, 1, -2, 2].flatMap((down) => [0, -0.5, 0.5].map((right) => [right, down])); // widths and heights by which a name may step aside
  const STEP = 1; // points that it has to leave free for each height or half width
  const HALO = 3; // pixels around the letters, so that points do not cross them

  let groups = []; // what has a name, in their order: {path, words, isNew, size, x, y, top}
  let gathered = null; // where all messages were when that was worked out
  let shown = []; // the names in sight: {group, left, right, top, bottom}
  const widths = new Map(); // what was measured

  function gather() {
    if (gathered === model.assigned) return;
    gathered = model.assigned;
    const all = new Map();
    for (let point = 0; point < points.count; point += 1) {
      const group = groupOf(point, all);
      group?.xs.push(x(point));
      group?.ys.push(y(point));
    }
    groups = [...all.values()]
      .map(({ xs, ys, ...group }) => ({ ...group, size: xs.length, x: at(xs, 0.5), y: at(ys, 0.5), top: at(ys, 0.1) }))
      .sort((one, other) => other.isNew - one.isNew || other.size - one.size);
  }

  // The examples that a known intent is trained on are of one group with its messages.
  function groupOf(point, all) {
    const path = points.rows[point] < 0 ? null : model.assigned[points.rows[point]];
    const draft = model.drafts.get(path);
    if (path !== null && !draft) return null;
    const intent = draft?.intent ?? model.training[points.examples[point]]?.intent;
    if (!intent) return null;
    const isNew = draft?.part === "new";
    const key = isNew ? path : `intent ${intent}`;
    if (!all.has(key)) all.set(key, { path: null, words: shortened(intent), isNew, xs: [], ys: [] });
    const group = all.get(key);
    group.path ??= path;
    return group;
  }

  const shortened = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);
  // The value below which a part of the values are.
  const at = (values, part) => Float64Array.from(values).sort()[Math.floor(part * (values.length - 1))];

  // Writes the names that have room around their places on the screen; that of a chosen draft has it first.
  function write(pen, room, toScreen, chosen, colours) {
    const first = groups.filter(({ path }) => path !== null && path === chosen);
    shown = [];
    for (const group of [...first, ...groups.filter((one) => !first.includes(one))]) {
      pen.font = font(group, chosen, colours);
      const box = boxOf(pen, group, room, toScreen);
      if (box && !shown.some((other) => crosses(box, other))) shown.push({ group, ...box });
    }
    for (const one of shown) Object.assign(one, stepAside(one, room, toScreen));
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    for (const { group, left, right, top, bottom } of [...shown].reverse()) {
      pen.font = font(group, chosen, colours);
      pen.lineWidth = 2 * HALO;
      pen.strokeStyle = colours.paper;
      pen.fillStyle = group.isNew || group.path === chosen ? colours.ink : colours.soft;
      pen.strokeText(group.words, (left + right) / 2, (top + bottom) / 2);
      pen.fillText(group.words, (left + right) / 2, (top + bottom) / 2);
    }
  }

  const font = ({ isNew, path }, chosen, { face }) => `${path !== null && path === chosen ? 700 : isNew ? 600 : 400} ${SIZE}px ${face}`;

  // Where a name would be; null where its group is not in sight. It is kept within the room.
  function boxOf(pen, group, room, toScreen) {
    const [middle, line] = toScreen(group.x, group.y);
    if (middle < 0 || line < 0 || middle > room.width || line > room.height) return null;
    const key = pen.font + group.words;
    if (!widths.has(key)) widths.set(key, pen.measureText(group.words).width);
    const width = widths.get(key) + 2 * GAP;
    const left = Math.max(0, Math.min(room.width - width, middle - width / 2));
    const above = Math.min(ABOVE * HEIGHT, line - toScreen(group.x, group.top)[1] + 0.8 * HEIGHT);
    const top = Math.max(0, Math.min(room.height - HEIGHT, line - above - HEIGHT / 2));
    return { left, right: left + width, top, bottom: top + HEIGHT };
  }

  // The place of a name that is shown, or one close by where it covers fewer points and no other name.
  function stepAside(box, room, toScreen) {
    const isFree = (place) => shown.every((other) => other === box || !crosses(place, other));
    let best = {};
    let least = covered(box, toScreen);
    for (const [right, down] of least ? ASIDE : []) {
      const effort = STEP * (2 * Math.abs(right) + Math.abs(down));
      const other = shifted(box, right * (box.right - box.left), down * HEIGHT);
      if (effort >= least || !isInside(other, room) || !isFree(other)) continue;
      const cost = covered(other, toScreen) + effort;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }

  const shifted = ({ left, right, top, bottom }, aside, down) => ({ left: left + aside, right: right + aside, top: top + down, bottom: bottom + down });
  const isInside = ({ left, right, top, bottom }, room) => left >= 0 && top >= 0 && right <= room.width && bottom <= room.height;

  // How many messages on the map lie below a name.
  function covered({ left, right, top, bottom }, toScreen) {
    const [[startX, startY], [endX, endY]] = [toScreen(0, 0), toScreen(1, 1)];
    const [from, to] = [[(left - startX) / (endX - startX), (top - startY) / (endY - startY)], [(right - startX) / (endX - startX), (bottom - startY) / (endY - startY)]];
    let count = 0;
    within(from, to, (at) => {
      if (points.rows[at] >= 0 && x(at) > from[0] && x(at) < to[0] && y(at) > from[1] && y(at) < to[1]) count += 1;
    });
    return count;
  }

  const crosses = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  // The draft whose name is at a place on the screen, or null.
  function draftAt([placeX, placeY]) {
    const found = shown.find(({ left, right, top, bottom }) => placeX > left && placeX < right && placeY > top && placeY < bottom);
    return found?.group.path ?? null;
  }

  return { draftAt, gather, shown: () => shown, write };
})();
