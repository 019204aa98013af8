// The map of all messages on a canvas: move, zoom, point at, click, and draw around.

import { model, name } from "./desk_model.js";

const HOVER = 12; // pixels around the pointer in which a message is meant
const view = document.getElementById("map-view");
const canvas = view.querySelector("canvas");
const tip = document.getElementById("map-tip");
const pen = canvas.getContext("2d");

let points = []; // {x, y, row} in 0..1, row -1 for a training example
let room = { width: 0, height: 0 }; // of the map, in pixels
let port = { x: 0, y: 0, scale: 1 };
let pointed = null;
let loop = null; // what is being drawn around, in pixels
let lassoing = false;
let drag = null;
let colours = {};
let due = false;
let onPick = () => {};
let onLasso = () => {};

export function start(handlers) {
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

export const isEmpty = () => points.length === 0;

export function lasso(on) {
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
  room = { width: view.clientWidth, height: view.clientHeight };
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(room.width * ratio));
  canvas.height = Math.max(1, Math.round(room.height * ratio));
  redraw();
}

export function redraw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; paint(); });
}

const MARGIN = 18;
const size = () => [room.width - 2 * MARGIN, room.height - 2 * MARGIN];
const place = (point) => {
  const [width, height] = size();
  return [MARGIN + ((point.x - port.x) * port.scale) * width, MARGIN + ((point.y - port.y) * port.scale) * height];
};

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
  const grown = Math.min(2, Math.sqrt(port.scale));
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
    loop.forEach(([x, y], at) => (at ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.globalAlpha = 1;
  }
}

function nearest(x, y) {
  let best = null;
  let least = HOVER * HOVER;
  for (const point of points) {
    const [px, py] = place(point);
    const distance = (px - x) ** 2 + (py - y) ** 2 + (point.row < 0 ? 25 : 0);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
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

function zoom(factor, x = room.width / 2, y = room.height / 2) {
  const [width, height] = size();
  const scale = Math.max(1, Math.min(60, port.scale * factor));
  const [ux, uy] = [(x - MARGIN) / width, (y - MARGIN) / height];
  port = { scale, x: port.x + ux / port.scale - ux / scale, y: port.y + uy / port.scale - uy / scale };
  bound();
}

function bound() {
  const most = 1.1 - 1 / port.scale;
  for (const axis of ["x", "y"]) port[axis] = Math.max(-0.1, Math.min(Math.max(most, 0), port[axis]));
  if (port.scale === 1) port = { x: 0, y: 0, scale: 1 };
  redraw();
}

function move(right, down) {
  port = { ...port, x: port.x + right / port.scale, y: port.y + down / port.scale };
  bound();
}

// Whether a point lies in a polygon: how often a ray from it crosses the border.
function inside(x, y, polygon) {
  let within = false;
  polygon.forEach(([ax, ay], at) => {
    const [bx, by] = polygon[(at || polygon.length) - 1];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  });
  return within;
}

const at = (event) => {
  const box = view.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

view.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  view.setPointerCapture(event.pointerId);
  view.focus({ preventScroll: true });
  pointAt(null);
  drag = { from: at(event), port, moved: false };
  if (lassoing || event.shiftKey) loop = [at(event)];
});
view.addEventListener("pointermove", (event) => {
  const [x, y] = at(event);
  if (!drag) return pointAt(x, y);
  const [dx, dy] = [x - drag.from[0], y - drag.from[1]];
  drag.moved ||= Math.hypot(dx, dy) > 4;
  if (loop) loop.push([x, y]);
  else if (drag.moved) {
    const [width, height] = size();
    port = { ...drag.port, x: drag.port.x - dx / width / port.scale, y: drag.port.y - dy / height / port.scale };
    bound();
  }
  tip.hidden = true;
  return redraw();
});
view.addEventListener("pointerup", (event) => {
  const { moved } = drag ?? {};
  drag = null;
  if (loop && moved) {
    const rows = points.filter((point) => point.row >= 0 && inside(...place(point), loop)).map((point) => point.row);
    lasso(false);
    onLasso(rows);
  } else if (!moved) {
    loop = null;
    const found = nearest(...at(event));
    if (found) onPick(found);
  }
  redraw();
});
view.addEventListener("pointerleave", () => pointAt(null));
view.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), ...at(event));
}, { passive: false });
view.addEventListener("dblclick", (event) => zoom(2, ...at(event)));

const KEYS = {
  ArrowLeft: () => move(-0.15, 0), ArrowRight: () => move(0.15, 0), ArrowUp: () => move(0, -0.15), ArrowDown: () => move(0, 0.15),
  "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: () => zoom(0),
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

// Where a message is on the screen, for who wants to show it.
export function whereIs(row) {
  const point = points.find((one) => one.row === row);
  const box = view.getBoundingClientRect();
  return point ? [box.left + place(point)[0], box.top + place(point)[1]] : null;
}
