// The review desk: what a click or a key does. `desk_model.js` talks to the server, `desk_view.js` draws.

import { choose, openHelp } from "./desk_dialogs.js";
import * as map from "./desk_map.js";
import { act, checkName, found, inOrder, leftOver, load, model, name, next, refresh, splitOf } from "./desk_model.js";
import { $, draw, h, lists, showMore } from "./desk_view.js";

const NARROW = 1100; // pixels, as in desk.css
let queue = Promise.resolve();
let toastTimer = 0;

function say(text, canUndo = false, bad = false) {
  $("live").textContent = "";
  requestAnimationFrame(() => { $("live").textContent = text; });
  $("toast").querySelector("span").textContent = text;
  $("toast").querySelector("button").hidden = !canUndo;
  $("toast").classList.toggle("bad", bad);
  $("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $("toast").hidden = true; }, bad ? 12000 : 6000);
}

function stop(error) {
  document.body.classList.add("over");
  const words = error.status ? error.message : "The desk does not answer. Start it again: rasa discover-intents review";
  $("desk").replaceChildren(h("p", { class: "notice", role: "alert" }, words));
}

// One thing after the other: a key that comes while the server still writes waits for its turn.
function enqueue(task) {
  queue = queue.then(task).catch((error) => {
    if (!error.status || error.status === 410 || error.status === 403) return stop(error);
    if (error.status === 409) model.ticked.clear();
    show();
    return say(error.message, false, true);
  });
  return queue;
}

function perform(verb, args, after = () => {}) {
  return enqueue(async () => {
    const done = await act(verb, typeof args === "function" ? args() : args);
    model.ticked.clear();
    after(done);
    show();
    say(done.says, verb !== "undo");
  });
}

function show() {
  if (model.tab !== "left" && !model.draft) model.draft = inOrder(model.tab)[0] ?? null;
  if (model.tab === "left" && !leftOver().some(([reason]) => reason === model.reason)) model.reason = leftOver()[0]?.[0] ?? null;
  if (model.lasso && !model.lasso.length) model.lasso = null;
  draw();
  map.redraw();
  drawLegend();
  history.replaceState(null, "", `/#${encodeURIComponent(model.tab === "left" ? "left" : model.draft ?? "")}`);
}

function drawLegend() {
  const item = (mark, label) => h("li", {}, mark, label);
  $("legend").replaceChildren(
    item(h("span", { class: "swatch tone-0" }), "proposals"), item(h("span", { class: "swatch known" }), "known intents"),
    item(h("span", { class: "swatch left_over" }), "left over"), item(h("span", { class: "swatch training" }), "training examples"));
}

// Going somewhere

function pick(path) {
  const draft = model.drafts.get(path);
  if (!draft) return;
  leave();
  model.tab = draft.part === "known" ? "known" : "new";
  model.draft = path;
  model.ticked.clear();
  show();
}

function leave() {
  model.query = "";
  model.lasso = null;
  $("query").value = "";
}

function openTab(tab) {
  leave();
  if (model.tab !== tab) model.draft = null;
  model.tab = tab;
  model.ticked.clear();
  show();
}

function step(by) {
  if (model.tab === "left") {
    const reasons = leftOver().map(([reason]) => reason);
    leave();
    model.reason = reasons[Math.max(0, Math.min(reasons.length - 1, reasons.indexOf(model.reason) + by))] ?? null;
    model.ticked.clear();
    return show();
  }
  const order = inOrder(model.tab);
  const at = order.indexOf(model.draft);
  return pick(order[Math.max(0, Math.min(order.length - 1, at + by))]);
}

function toMessage(row) {
  const path = model.home[row];
  if (path) pick(path);
  else {
    openTab("left");
    model.reason = leftOver().find(([, rows]) => rows.includes(row))?.[0] ?? null;
    show();
  }
  const line = document.querySelector(`[data-item="${row}"]`);
  line?.closest("li").classList.add("found");
  line?.scrollIntoView({ block: "center" });
}

function search(query) {
  model.lasso = null;
  model.query = query.trim();
  model.ticked.clear();
  show();
  if (model.query) $("live").textContent = `${found(model.query).length} messages found`;
}

// The verbs

function decide(decision) {
  return enqueue(async () => {
    const path = model.draft;
    if (!model.drafts.has(path) || model.query || model.lasso || model.tab === "left") return;
    if (model.drafts.get(path).decision === decision) return;
    const done = await act("decide", { draft: path, decision });
    const following = decision === "open" ? null : next(path);
    if (following) model.draft = following;
    model.ticked.clear();
    show();
    say(done.says + (following ? `, next: ${name(following)}` : decision === "open" ? "" : ", all are decided"), true);
  });
}

async function rename() {
  const field = $("name");
  if (!field) return;
  const draft = model.draft;
  const { problem, target } = await checkName(field.value, draft);
  if (target) await perform("merge", { draft, target }, (done) => { model.draft = done.chosen; });
  else if (!problem) await perform("rename", { draft, name: field.value });
  else if (field.value.trim() !== name(draft)) say(problem, false, true);
  $("name")?.blur();
  $("detail").focus({ preventScroll: true });
}

async function checkField() {
  const field = $("name");
  const { value } = field;
  const { problem, target } = await checkName(value, model.draft);
  if ($("name") !== field || field.value !== value) return;
  const same = value.trim() === name(model.draft);
  field.setAttribute("aria-invalid", String(Boolean(problem) && !same));
  $("name-note").textContent = same ? "" : problem ?? (target ? `${value.trim()} is there already: Enter merges this proposal into it` : "Enter renames it");
  $("name-ok").hidden = same || Boolean(problem);
  $("name-ok").textContent = target ? "Merge" : "Rename";
}

async function merge() {
  const draft = model.draft;
  if (model.drafts.get(draft)?.part !== "new") return;
  const chosen = await choose({ title: `Merge ${name(draft)} into …`, ok: "Merge", but: draft, near: model.drafts.get(draft).near });
  if (chosen) await perform("merge", { draft, target: chosen.target }, (done) => moveOn(done.chosen));
}

// After a merge the next open proposal, as after a decision.
function moveOn(into) {
  model.draft = model.tab === "new" ? next(null) ?? into : into;
}

async function move() {
  if (!model.ticked.size) return;
  const texts = [...model.ticked];
  const isDraft = !model.query && !model.lasso && model.tab !== "left";
  const chosen = await choose({ title: `Move ${texts.length} to …`, ok: "Move", but: isDraft ? model.draft : null, allowNew: true, near: isDraft ? model.drafts.get(model.draft).near : [] });
  if (chosen?.target) await perform("move", { texts, target: chosen.target });
  else if (chosen) await perform("split", { texts, name: chosen.name }, after);
}

async function split(proposed = "") {
  if (!model.ticked.size) return;
  const texts = [...model.ticked];
  const count = texts.length === 1 ? "1 message" : `${texts.length.toLocaleString("en")} messages`;
  const chosen = await choose({ title: `New proposal of ${count}`, ok: "Make", onlyNew: true, allowNew: true, proposed });
  if (chosen) await perform("split", { texts, name: chosen.name }, after);
}

// Ticks the messages that could be a proposal of their own, and asks whether they shall.
async function splitForMe() {
  await queue;
  const { draft } = model;
  if (!model.drafts.has(draft) || model.query || model.lasso || model.tab === "left") return;
  const part = await splitOf(draft).catch(stop);
  if (!part || draft !== model.draft || document.querySelector("dialog[open]")) return;
  if (part.error) {
    say(`${part.error}.`, false, true);
    return;
  }
  model.ticked = new Set(part.rows);
  show();
  await split(part.name);
}

function after(done) {
  leave();
  model.tab = "new";
  model.draft = done.chosen;
}

function add() {
  const target = model.draft;
  return perform("move", { texts: [...model.ticked], target });
}

function drop() {
  const draft = model.drafts.get(model.draft);
  if (!draft || !model.ticked.size || model.query || model.lasso || model.tab === "left") return null;
  const texts = draft.examples.filter(([text, row]) => model.ticked.has(row >= 0 ? row : text)).map(([text]) => text);
  return texts.length ? perform("drop", { draft: model.draft, texts }) : null;
}

function again(verb) {
  if (!model[verb]) return null;
  return perform(verb, {}, (done) => {
    const chosen = model.drafts.get(done.chosen);
    if (!chosen) return;
    leave();
    model.tab = chosen.part === "known" ? "known" : "new";
    model.draft = done.chosen;
  });
}

function untick() {
  model.ticked.clear();
  model.lasso = null;
  show();
}

function toggleMap() {
  const on = $("desk").dataset.map !== "on";
  $("desk").dataset.map = on ? "on" : "off";
  $("map-toggle").setAttribute("aria-pressed", String(on));
  if (on) map.redraw();
}

// Where there is no room for both, the map makes way for what was chosen on it.
function uncover() {
  if (innerWidth < NARROW && $("desk").dataset.map === "on") toggleMap();
}

function lasso() {
  if ($("desk").dataset.map !== "on") toggleMap();
  if (map.lasso()) say("Draw around messages on the map.");
}

// Clicks and keys

const COMMANDS = { rename, merge, move, split, splitForMe, add, drop, untick, more: showMore };

$("detail").addEventListener("click", (event) => {
  const { decision, command, go, row } = event.target.closest("button")?.dataset ?? {};
  if (decision) decide(decision);
  else if (command) COMMANDS[command]();
  else if (go !== undefined) toMessage(Number(row));
});
$("detail").addEventListener("change", (event) => {
  const { item, all } = event.target.dataset;
  if (item) {
    const value = JSON.parse(item);
    if (event.target.checked) model.ticked.add(value);
    else model.ticked.delete(value);
  } else if (all) {
    lists.get(all).forEach((one) => (event.target.checked ? model.ticked.add(one) : model.ticked.delete(one)));
  }
  if (item || all) {
    draw();
    map.redraw();
  }
});
$("detail").addEventListener("input", (event) => {
  if (event.target.id === "name") checkField();
});
$("detail").addEventListener("keydown", (event) => {
  if (event.target.id !== "name") return;
  if (event.key === "Enter") {
    event.preventDefault();
    rename();
  } else if (event.key === "Escape") {
    event.stopPropagation();
    draw();
    $("detail").focus({ preventScroll: true });
  }
});
$("items").addEventListener("click", (event) => {
  const { path, reason } = event.target.closest("button")?.dataset ?? {};
  if (path) pick(path);
  else if (reason !== undefined) {
    leave();
    model.reason = reason;
    model.ticked.clear();
    show();
  }
});
$("tabs").addEventListener("click", (event) => {
  const { tab } = event.target.closest("[role=tab]")?.dataset ?? {};
  if (tab) openTab(tab);
});
$("list").addEventListener("keydown", (event) => {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const at = tabs.indexOf(document.activeElement);
  const side = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at >= 0 && side) {
    const tab = tabs[(at + side + tabs.length) % tabs.length];
    openTab(tab.dataset.tab);
    tab.focus();
  } else if (by && at < 0) {
    event.preventDefault();
    step(by);
    document.querySelector("#items [aria-current]")?.focus();
  }
});
$("query").addEventListener("input", (event) => search(event.target.value));
$("query").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  event.preventDefault();
  leave();
  show();
  $("detail").focus({ preventScroll: true });
});
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector("#detail input[type=checkbox]")?.focus();
});
$("undo").addEventListener("click", () => again("undo"));
$("redo").addEventListener("click", () => again("redo"));
$("toast").querySelector("button").addEventListener("click", () => again("undo"));
$("map-toggle").addEventListener("click", toggleMap);
$("help-open").addEventListener("click", openHelp);
$("lasso").addEventListener("click", lasso);

const KEYS = {
  j: () => step(1), k: () => step(-1), a: () => decide("accepted"), i: () => decide("ignored"), l: () => decide("later"), o: () => decide("open"),
  r: () => $("name")?.select(), m: merge, s: splitForMe, n: () => split(), v: move, d: drop, Delete: drop,
  e: () => document.querySelector("#detail [data-item]")?.focus(),
  u: () => again("undo"), U: () => again("redo"), "/": () => $("query").select(), "?": openHelp, g: toggleMap, c: lasso,
  1: () => openTab("new"), 2: () => openTab("known"), 3: () => openTab("left"),
  Escape: () => {
    map.lasso(false);
    if (model.query) leave();
    untick();
  },
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox])");
  const modified = event.ctrlKey || event.metaKey;
  if (document.querySelector("dialog[open]") || event.altKey) return;
  if (modified && !typing && ["z", "y"].includes(event.key.toLowerCase())) {
    event.preventDefault();
    again(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
  }
  if (typing || modified || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

addEventListener("focus", () => enqueue(async () => {
  if (model.revision >= 0 && await refresh()) {
    model.ticked.clear();
    show();
    say("The drafts were changed elsewhere: this is how they are now.");
  }
}));

async function open() {
  history.replaceState(null, "", `/${location.hash}`); // the token need not stay in the address
  if (innerWidth < NARROW) toggleMap();
  try {
    await load();
  } catch (error) {
    stop(error);
    return;
  }
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (wanted === "left") model.tab = "left";
  else if (model.drafts.has(wanted)) {
    model.tab = wanted.startsWith("known/") ? "known" : "new";
    model.draft = wanted;
  } else model.draft = inOrder("new").find((path) => model.drafts.get(path).decision === "open") ?? null;
  map.start({
    onPick: (point) => {
      if (point.row < 0) return say(`A training example of ${point.intent}: ${point.text}`);
      uncover();
      return toMessage(point.row);
    },
    onLasso: (rows) => {
      uncover();
      leave();
      model.lasso = rows;
      model.ticked = new Set(rows);
      show();
      say(rows.length ? `${rows.length} messages chosen.` : "No message was in there.");
    },
  });
  show();
  document.body.dataset.ready = "true";
}

open();
