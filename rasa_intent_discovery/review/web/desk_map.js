// The map of all messages on a canvas: move, zoom, point at, click, and draw around.

const map = (() => {
const HOVER = 12; // pixels around the pointer in which a message is meant
const TRAINING = 5; // pixels by which a training example has to be nearer than a message
const MARGIN = 18;
const view = document.getElementById("map-view");
const canvas = view.querySelector("canvas");
const tip = document.getElementById("map-tip");
const pen = canvas.getContext("2d");

let points = []; // {x, y, row} in 0..1, row -1 for a training example; px, py in pixels where nothing is zoomed
let near = []; // where to look for the nearest one: messages, then training examples
let room = { width: 0, height: 0 }; // of the map, in pixels
let seen = d3.zoomIdentity; // from pixels where nothing is zoomed to those on the screen
let pointed = null;
let loop = null; // what is being drawn around, in pixels on the screen
let lassoing = false;
let drew = false; // the click that follows means no message
let colours = {};
let due = false;
let onPick = () => {};
let onLasso = () => {};

const zooming = d3.zoom()
  .scaleExtent([1, 60])
  .clickDistance(4)
  .filter((event) => !event.button && (event.type === "wheel" || !(lassoing || event.shiftKey)))
  .wheelDelta((event) => -event.deltaY / (400 * Math.LN2))
  .on("zoom", ({ transform }) => {
    seen = transform;
    tip.hidden = true;
    redraw();
  });
const zoomed = d3.select(view).call(zooming);

function start(handlers) {
  ({ onPick, onLasso } = handlers);
  const all = [
    ...model.training.map((one) => ({ ...one, row: -1 })),
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

const isEmpty = () => points.length === 0;

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
  colours = { tones: Array.from({ length: 12 }, (_, tone) => read(`tone-${tone}`)) };
  for (const key of ["known", "left", "training", "ink", "card", "accent"]) colours[key] = read(key);
}

// To ask the page for it costs a layout, so it is asked once and not for every point.
function resize() {
  const [width, height] = [view.clientWidth, view.clientHeight];
  room = { width, height };
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  for (const point of points) {
    point.px = MARGIN + point.x * (width - 2 * MARGIN);
    point.py = MARGIN + point.y * (height - 2 * MARGIN);
  }
  const lookedUp = d3.quadtree().x((point) => point.px).y((point) => point.py);
  near = [(point) => point.row >= 0, (point) => point.row < 0].map((wanted) => lookedUp.copy().addAll(points.filter(wanted)));
  zooming.extent([[0, 0], [width, height]]).translateExtent([[-width / 10, -height / 10], [1.1 * width, 1.1 * height]]);
  redraw();
}

function redraw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; paint(); });
}

const place = (point) => seen.apply([point.px, point.py]);

function look(point) {
  if (point.row < 0) return ["training", 1.5];
  const path = model.home[point.row];
  const draft = model.drafts.get(path);
  if (!draft) return ["left", 2.2];
  if (draft.part === "known") return ["known", 2.4];
  return [colours.tones[(model.ranks.get(path) ?? 0) % 12], 3.4];
}

function paint() {
  const ratio = devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, room.width, room.height);
  const chosen = model.query || model.lasso || model.atOverview || model.tab === "left" ? null : model.draft;
  const grown = Math.min(2, Math.sqrt(seen.k));
  const isChosen = (point) => point.row >= 0 && (model.ticked.has(point.row) || (chosen !== null && model.home[point.row] === chosen));
  const anyChosen = chosen !== null || model.ticked.size > 0;
  for (const pass of [false, true]) {
    for (const point of points) {
      if (isChosen(point) !== pass) continue;
      const [x, y] = place(point);
      if (x < -9 || y < -9 || x > room.width + 9 || y > room.height + 9) continue;
      const [colour, radius] = look(point);
      pen.globalAlpha = anyChosen && !pass ? 0.3 : 0.9;
      pen.fillStyle = colours[colour] ?? colour;
      pen.beginPath();
      pen.arc(x, y, radius * grown + (pass ? 1.2 : 0), 0, 7);
      pen.fill();
      if (pass && model.ticked.has(point.row)) {
        pen.globalAlpha = 1;
        pen.lineWidth = 1.6;
        pen.strokeStyle = colours.ink;
        pen.stroke();
      }
    }
  }
  pen.globalAlpha = 1;
  if (pointed) {
    const [x, y] = place(pointed);
    pen.lineWidth = 2;
    pen.strokeStyle = colours.ink;
    pen.beginPath();
    pen.arc(x, y, 7, 0, 7);
    pen.stroke();
  }
  if (loop) {
    pen.strokeStyle = colours.accent;
    pen.fillStyle = colours.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [x, y] of loop) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.globalAlpha = 1;
  }
}

function nearest(x, y) {
  const [bx, by] = seen.invert([x, y]);
  const away = (point) => Math.hypot(...place(point).map((value, axis) => value - [x, y][axis]));
  const [message, training] = near.map((tree) => tree.find(bx, by, HOVER / seen.k) ?? null);
  if (!message || !training) return message ?? training;
  return away(training) + TRAINING < away(message) ? training : message;
}

function pointAt(x, y) {
  const found = x === null ? null : nearest(x, y);
  tip.hidden = !found;
  view.classList.toggle("pointing", Boolean(found));
  if (found) {
    const message = model.messages[found.row];
    const where = document.createElement("b");
    where.textContent = found.row < 0 ? `training example of ${found.intent}` : name(model.home[found.row]) + (message.count > 1 ? `, ${message.count} ×` : "");
    const text = document.createElement("span");
    text.dir = "auto";
    text.textContent = found.row < 0 ? found.text : message.text.length > 240 ? `${message.text.slice(0, 240)} …` : message.text;
    tip.replaceChildren(text, where);
    const [px, py] = place(found);
    tip.style.left = `${Math.max(6, Math.min(px - tip.offsetWidth / 2, room.width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${py + 14 + tip.offsetHeight > room.height ? Math.max(6, py - tip.offsetHeight - 14) : py + 14}px`;
  }
  if (found !== pointed) {
    pointed = found;
    redraw();
  }
}

const zoom = (factor) => zooming.scaleBy(zoomed, factor);
const move = (right, down) => zooming.translateBy(zoomed, (-right * room.width) / seen.k, (-down * room.height) / seen.k);
const all = () => zooming.transform(zoomed, d3.zoomIdentity);

view.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  view.focus({ preventScroll: true });
  pointAt(null);
  drew = lassoing || event.shiftKey;
  if (!drew) return;
  view.setPointerCapture(event.pointerId);
  loop = [d3.pointer(event, view)];
});
view.addEventListener("pointermove", (event) => {
  if (!loop) return event.buttons ? undefined : pointAt(...d3.pointer(event, view));
  loop.push(d3.pointer(event, view));
  return redraw();
});
view.addEventListener("pointerup", () => {
  if (!loop) return;
  const drawn = loop;
  loop = null;
  redraw();
  if (drawn.length < 4) return;
  lasso(false);
  onLasso(points.filter((point) => point.row >= 0 && d3.polygonContains(drawn, place(point))).map((point) => point.row));
});
view.addEventListener("click", (event) => {
  const found = drew ? null : nearest(...d3.pointer(event, view));
  if (found) onPick(found);
});
view.addEventListener("pointerleave", () => pointAt(null));

const KEYS = {
  ArrowLeft: () => move(-0.15, 0), ArrowRight: () => move(0.15, 0), ArrowUp: () => move(0, -0.15), ArrowDown: () => move(0, 0.15),
  "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: all,
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

// Where a message is on the screen, for a program that works on the page.
view.whereIs = (row) => {
  const point = points.find((one) => one.row === row);
  const box = view.getBoundingClientRect();
  return point ? [box.left + place(point)[0], box.top + place(point)[1]] : null;
};
view.whereSaid = (text) => view.whereIs(model.messages.findIndex((one) => one.text === text));

return { start, isEmpty, lasso, redraw };
})();
