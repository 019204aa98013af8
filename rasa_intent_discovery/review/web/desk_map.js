// The map of all messages on a canvas: move, zoom, point at, click, and draw around.

review.map = (() => {
  const { TONES, toneOf } = review.colours;
  const { model, name } = review.model;

  const HOVER = 12; // pixels around the pointer in which a message is meant
  const BEHIND = 5; // pixels by which a training example has to be nearer than a message
  const CLICK = 4; // pixels that the pointer may move in a click
  const MARGIN = 18; // pixels around the map as a whole
  const CLOSEST = 60; // how many times larger the map can get
  const STEP = 0.15; // of the room, for an arrow key
  const WHEEL = Math.LOG2E / 400; // doublings for each pixel that the wheel is turned
  const LONGEST = 240; // letters of a message that are shown
  const view = document.getElementById("map-view");
  const canvas = view.querySelector("canvas");
  const tip = document.getElementById("map-tip");
  const pen = canvas.getContext("2d");

  let points = []; // {x, y, row} in 0..1, row -1 for a training example
  let room = { width: 0, height: 0 }; // of the map, in pixels
  let trees = null; // of the messages and of the training examples, in pixels of the map as a whole
  let transform = d3.zoomIdentity; // from the map as a whole to what is shown of it
  let pointed = null;
  let loop = null; // what is being drawn around, in pixels
  let lassoing = false;
  let colours = {};
  let due = false;
  let onPick = () => {};
  let onLasso = () => {};

  function start(handlers) {
    ({ onPick, onLasso } = handlers);
    const all = [
      ...model.training.map(({ text, intent, x, y }) => ({ text, intent, x, y, row: -1 })),
      ...model.messages.map((one, row) => ({ x: one.x, y: one.y, row })).filter((one) => one.x !== null),
    ];
    const [xs, ys] = [all.map((one) => one.x), all.map((one) => one.y)];
    const low = [xs, ys].map((values) => values.reduce((a, b) => Math.min(a, b), Infinity));
    const span = [xs, ys].map((values, axis) => values.reduce((a, b) => Math.max(a, b), -Infinity) - low[axis] || 1);
    points = all.map((one) => ({ ...one, x: (one.x - low[0]) / span[0], y: 1 - (one.y - low[1]) / span[1] }));
    new ResizeObserver(resize).observe(view);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw(); });
    readColours();
    resize();
  }

  function lasso(on) {
    lassoing = on ?? !lassoing;
    loop = null;
    view.classList.toggle("lassoing", lassoing);
    document.getElementById("lasso").setAttribute("aria-pressed", String(lassoing));
    redraw();
    return lassoing;
  }

  function readColours() {
    const styles = getComputedStyle(document.documentElement);
    const read = (key) => styles.getPropertyValue(`--${key}`).trim();
    colours = { tones: Array.from({ length: TONES }, (_, tone) => read(`tone-${tone}`)) };
    for (const key of ["known", "left", "training", "ink", "accent"]) colours[key] = read(key);
  }

  // To ask the page for it costs a layout, so it is asked once and not for every point.
  function resize() {
    const before = room;
    room = { width: view.clientWidth, height: view.clientHeight };
    trees = null;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(room.width * ratio));
    canvas.height = Math.max(1, Math.round(room.height * ratio));
    const whole = [[0, 0], [room.width, room.height]];
    zoom.extent(whole).translateExtent(whole);
    const [x, y] = [(transform.x * room.width) / (before.width || 1), (transform.y * room.height) / (before.height || 1)];
    zoom.transform(surface, d3.zoomIdentity.translate(x, y).scale(transform.k));
  }

  function redraw() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; paint(); });
  }

  // Where a point lies on the map as a whole, and where it is shown, both in pixels.
  const across = (point) => MARGIN + point.x * (room.width - 2 * MARGIN);
  const down = (point) => MARGIN + point.y * (room.height - 2 * MARGIN);
  const place = (point) => transform.apply([across(point), down(point)]);

  function look(point) {
    if (point.row < 0) return [colours.training, 1.5];
    const path = model.assigned[point.row];
    const draft = model.drafts.get(path);
    if (!draft) return [colours.left, 2.2];
    if (draft.part === "known") return [colours.known, 2.4];
    return [colours.tones[toneOf(path)], 3.4];
  }

  const shownDraft = () => (model.query || model.lasso || model.page || model.tab === "left" ? null : model.draft);

  function paint() {
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, room.width, room.height);
    const draft = shownDraft();
    const isChosen = ({ row }) => row >= 0 && (model.ticked.has(row) || (draft !== null && model.assigned[row] === draft));
    const faint = draft !== null || model.ticked.size > 0;
    dots(points.filter((point) => !isChosen(point)), faint ? 0.3 : 1, 0);
    dots(points.filter(isChosen), 1, 1.2);
    if (pointed) ring(...place(pointed), 7, 2);
    if (loop) outline(loop);
  }

  function dots(some, alpha, larger) {
    pen.globalAlpha = alpha;
    for (const point of some) dot(point, larger);
  }

  function dot(point, larger) {
    const [x, y] = place(point);
    if (x < -9 || y < -9 || x > room.width + 9 || y > room.height + 9) return;
    const [colour, size] = look(point);
    const radius = size * Math.min(2, Math.sqrt(transform.k)) + larger;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.fill();
    if (model.ticked.has(point.row)) ring(x, y, radius, 1.6);
  }

  function ring(x, y, radius, width) {
    pen.save();
    pen.globalAlpha = 1;
    pen.lineWidth = width;
    pen.strokeStyle = colours.ink;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.stroke();
    pen.restore();
  }

  function outline(line) {
    pen.save();
    pen.strokeStyle = colours.accent;
    pen.fillStyle = colours.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [x, y] of line) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.restore();
  }

  // What is meant by a place on the screen: the nearest message, or a training example that is nearer by far.
  function nearest([x, y]) {
    const treeOf = (some) => d3.quadtree(some, across, down);
    trees ??= [treeOf(points.filter((one) => one.row >= 0)), treeOf(points.filter((one) => one.row < 0))];
    const [message, example] = trees.map((tree) => tree.find(...transform.invert([x, y]), HOVER / transform.k) ?? null);
    if (!message || !example) return message ?? example;
    const [far, near] = [message, example].map(place).map(([px, py]) => (px - x) ** 2 + (py - y) ** 2);
    return far <= near + BEHIND ** 2 ? message : example;
  }

  function pointAt(found) {
    tip.hidden = !found;
    view.classList.toggle("pointing", Boolean(found));
    if (found) describe(found);
    if (found === pointed) return;
    pointed = found;
    redraw();
  }

  function describe(point) {
    const { text, count } = point.row < 0 ? { text: point.text, count: 1 } : model.messages[point.row];
    const where = document.createElement("b");
    where.textContent = point.row < 0 ? `training example of ${point.intent}` : name(model.assigned[point.row]) + (count > 1 ? `, ${count} ×` : "");
    const says = document.createElement("span");
    says.dir = "auto";
    says.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
    tip.replaceChildren(says, where);
    const [x, y] = place(point);
    tip.style.left = `${Math.max(6, Math.min(x - tip.offsetWidth / 2, room.width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${y + 14 + tip.offsetHeight > room.height ? Math.max(6, y - tip.offsetHeight - 14) : y + 14}px`;
  }

  // Moving and zooming, by wheel, pointer, fingers and keys; and drawing around, with Shift or the button

  const surface = d3.select(view);
  const draws = (event) => lassoing || event.shiftKey;
  const zoom = d3.zoom()
    .scaleExtent([1, CLOSEST])
    .clickDistance(CLICK)
    .duration(0)
    .wheelDelta((event) => -event.deltaY * WHEEL)
    .filter((event) => event.type === "wheel" || !(event.button || event.ctrlKey || draws(event)))
    .on("zoom", (event) => {
      transform = event.transform;
      redraw();
    });
  const drawing = d3.drag()
    .container(view)
    .clickDistance(CLICK)
    .filter((event) => !event.button && draws(event))
    .on("start", ({ x, y }) => { loop = [[x, y]]; })
    .on("drag", ({ x, y }) => {
      loop.push([x, y]);
      redraw();
    })
    .on("end", enclose);
  surface.call(zoom).call(drawing);

  function enclose() {
    const line = loop;
    if (!line.some(([x, y]) => Math.hypot(x - line[0][0], y - line[0][1]) > CLICK)) {
      loop = null;
      return;
    }
    const inside = points.filter((point) => point.row >= 0 && d3.polygonContains(line, place(point)));
    lasso(false);
    onLasso(inside.map((point) => point.row));
  }

  view.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    view.focus({ preventScroll: true });
    pointAt(null);
  });
  view.addEventListener("pointermove", (event) => {
    if (!event.buttons) pointAt(nearest(d3.pointer(event, view)));
  });
  view.addEventListener("pointerleave", () => pointAt(null));
  view.addEventListener("click", (event) => {
    const found = nearest(d3.pointer(event, view));
    if (found) onPick(found);
  });

  const move = (right, below) => zoom.translateBy(surface, (right * room.width) / transform.k, (below * room.height) / transform.k);
  const enlarge = (factor) => zoom.scaleBy(surface, factor);
  const KEYS = {
    ArrowLeft: () => move(STEP, 0), ArrowRight: () => move(-STEP, 0), ArrowUp: () => move(0, STEP), ArrowDown: () => move(0, -STEP),
    "+": () => enlarge(1.4), "=": () => enlarge(1.4), "-": () => enlarge(1 / 1.4), 0: () => zoom.transform(surface, d3.zoomIdentity),
  };
  view.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    KEYS[event.key]();
  });
  document.getElementById("zoom-in").addEventListener("click", KEYS["+"]);
  document.getElementById("zoom-out").addEventListener("click", KEYS["-"]);
  document.getElementById("zoom-all").addEventListener("click", KEYS[0]);

  // Where a message is in the window, by its row or text: for programs that work on the page.
  function whereIs(row) {
    const point = points.find((one) => one.row === row);
    const box = canvas.getBoundingClientRect();
    return point ? [box.left + place(point)[0], box.top + place(point)[1]] : null;
  }
  const whereSaid = (text) => whereIs(model.messages.findIndex((one) => one.text === text));

  return { start, lasso, redraw, whereIs, whereSaid };
})();
