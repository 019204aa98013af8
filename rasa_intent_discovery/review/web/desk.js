// The page: which click or key does what. `desk_model.js` knows, `desk_show.js` shows, `desk_verbs.js` decides.

(() => {
  const { apply, lookAtBot, openEnd, validate } = review.apply;
  const { openHelp, tell } = review.dialogs;
  const { $, plural } = review.dom;
  const { openConversation } = review.conversation;
  const { toggleWhy } = review.evidence;
  const { lost, map } = review;
  const { rename } = review.naming;
  const { openQuestions } = review.questions;
  const { load, model, undone } = review.model;
  const { next, sortBy } = review.order;
  const { catchUp, dismiss, enqueue, hear, leave, openOverview, openParts, openTab, pick, say, search, show, stay, step, stop, toMessage } = review.show;
  const { byMeaning, byWords, like, tickFound, toNearest } = review.selection;
  const { add, again, annotate, decide, drop, dropMasked, merge, mergeFamily, move, split, splitForMe, splitOff, untick } = review.verbs;
  const { draw, isTyped, rows, showMore } = review.view;

  const NARROW = 1100; // pixels, as in desk.css
  const PHONE = 640;

  function toggleMap() {
    const on = $("desk").dataset.map !== "on";
    $("desk").dataset.map = on ? "on" : "off";
    $("map-toggle").setAttribute("aria-pressed", String(on));
    if (on && innerWidth <= PHONE) foldList(true); // there is no room for both
    if (on) map.redraw();
  }

  // On a phone the list makes way for what was chosen in it.
  function foldList(folded) {
    $("desk").dataset.list = folded ? "folded" : "open";
    $("list-fold").setAttribute("aria-expanded", String(!folded));
    $("list-fold").textContent = folded ? "Show the list" : "Hide the list";
  }

  // Where there is no room for both, the map makes way for what was chosen.
  const isCovered = () => innerWidth < NARROW && $("desk").dataset.map === "on";

  function uncover() {
    if (isCovered()) toggleMap();
  }

  // In a window that becomes too narrow for both, the page stays; the map comes back with the room.
  let madeWay = false;
  matchMedia(`(width < ${NARROW}px)`).addEventListener("change", ({ matches: isNarrow }) => {
    const isOn = $("desk").dataset.map === "on";
    if (isNarrow) {
      madeWay = isOn;
      uncover();
    } else if (madeWay && !isOn) toggleMap();
  });

  function lasso() {
    if ($("desk").dataset.map !== "on") toggleMap();
    if (map.lasso()) say("Draw around messages on the map.");
  }

  // Clicks and keys

  function why() {
    toggleWhy();
    draw();
  }

  function finish() {
    uncover();
    openEnd();
  }

  const COMMANDS = {
    why, end: finish, apply, validate, questions: openQuestions, regroup: review.regroup.open, parts: openParts, acceptSure: review.sure.acceptSure, acceptUndecided: review.sure.acceptUndecided, rename: () => rename(), merge, mergeFamily,
    move, split, splitForMe, add, drop, dropMasked, untick, byMeaning, byWords, tickFound, more: showMore,
  };

  // The second click of two is not meant for the next draft.
  $("detail").addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("[data-decision]")) event.stopImmediatePropagation();
  });
  $("detail").addEventListener("click", (event) => {
    const { decision, command, row, annotation, on, part, name, open: path } = event.target.closest("button")?.dataset ?? {};
    if (path) pick(path);
    else if (name !== undefined) rename(name);
    else if (decision) decide(decision);
    else if (command) COMMANDS[command]();
    else if (annotation) annotate(annotation, on === "true");
    else if (part !== undefined) splitOff(Number(part));
    else if (row !== undefined) toMessage(Number(row));
  });
  $("order").addEventListener("change", ({ target }) => {
    sortBy(target.value);
    draw();
  });
  $("items").addEventListener("click", (event) => {
    const { path, reason, command } = event.target.closest("button")?.dataset ?? {};
    if (path ?? reason ?? command) foldList(true);
    if (command) COMMANDS[command]();
    else if (path) pick(path);
    else if (reason !== undefined) openTab("left", reason);
  });
  $("list-fold").addEventListener("click", () => foldList($("desk").dataset.list === "open"));
  $("list").addEventListener("click", ({ target }) => { if (target.closest("button")) uncover(); }, true); // before it is drawn anew
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
    } else if (by && at < 0 && !event.target.matches("select")) {
      event.preventDefault();
      step(by);
      document.querySelector("#items [aria-current]")?.focus();
    }
  });
  function closeSearch() {
    leave();
    show();
    $("detail").focus({ preventScroll: true });
  }

  $("query").addEventListener("input", ({ target }) => {
    uncover();
    search(target.value);
  });
  $("query").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.shiftKey && !model.readOnly) {
      event.preventDefault();
      byMeaning();
    }
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    closeSearch();
  });
  $("search").addEventListener("submit", (event) => {
    event.preventDefault();
    document.querySelector("#detail input[type=checkbox]")?.focus();
  });
  $("end-open").addEventListener("click", finish);
  $("overview-open").addEventListener("click", openOverview);
  $("undo").addEventListener("click", () => again("undo"));
  $("redo").addEventListener("click", () => again("redo"));
  $("toast").querySelector("button").addEventListener("click", () => again("undo"));
  $("map-toggle").addEventListener("click", toggleMap);
  $("help-open").addEventListener("click", openHelp);
  $("lasso").addEventListener("click", lasso);

  function nameAnew() {
    if ($("name")) $("name").select();
    else tell("No name to change", "Only a proposal is renamed here, on its page: choose one in the list, then press R. An intent your bot has is renamed in the bot.");
  }

  // A button tells itself what became of it, a key does not.
  function whyByKey() {
    why();
    if ($("why")) hear(() => ($("why")?.hidden ? "The evidence is hidden" : "The evidence is shown"));
  }

  function mapByKey() {
    toggleMap();
    hear(() => ($("desk").dataset.map === "on" ? "The map is shown" : "The map is hidden"));
  }

  const DECIDING = {
    a: () => decide("accepted"), i: () => decide("ignored"), l: () => decide("later"), o: () => decide("open"),
    r: nameAnew, m: merge, f: mergeFamily, s: splitForMe, p: () => splitOff(), n: () => split(), v: move, d: drop, Delete: drop,
    e: () => rows()[0]?.focus(),
    b: byMeaning, q: () => like(), h: () => openConversation(), x: tickFound, t: () => toNearest(), 4: openQuestions, 9: finish,
    u: () => again("undo"),
  };
  const STEPS = new Set(["j", "k", "J", "K"]);
  const OF_MAP = new Set(["g", "c", "?", "escape"]); // these keys leave the map where it is
  const ON_PAGE = new Set(Object.keys(DECIDING).map((key) => key.toLowerCase())); // these are about what is below it
  const KEYS = {
    ...(model.readOnly ? {} : DECIDING),
    j: () => step(1), k: () => step(-1), "/": () => $("query").select(), "?": openHelp, w: whyByKey, g: mapByKey, c: lasso,
    0: openOverview, 1: () => openTab("new"), 2: () => openTab("known"), 3: () => openTab("left"),
    Escape: () => {
      if (dismiss()) return;
      map.lasso(false);
      if (model.query) leave();
      untick();
    },
  };

  // What a key does, together with Ctrl or without, and with Caps Lock.
  function commandOf(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!event.ctrlKey && !event.metaKey) return key === "u" && event.shiftKey && KEYS.u ? () => again("redo") : KEYS[key];
    if (model.readOnly || !["z", "y"].includes(key)) return null;
    return () => again(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  // Whether the map was above what a key is about: nobody saw it. Then it makes way first.
  function isUnseen(key) {
    if (!isCovered() || OF_MAP.has(key)) return false;
    uncover();
    return ON_PAGE.has(key);
  }

  // A key in the middle of a word that is put together, as in Japanese, is not for us: Enter takes it, Escape gives it up.
  // Of the key that ends it, a browser may tell by its code alone.
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.altKey) return;
    // The field of a dialog that was just closed has the focus until the page is painted again.
    if (event.target.matches("select, input:not([type=checkbox], [type=range])") && !event.target.closest("dialog")) return;
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    if (isUnseen(event.key.toLowerCase())) return;
    if (!event.repeat || STEPS.has(event.key)) command(); // a key that is held down decides once
  });

  addEventListener("focus", () => enqueue(async () => {
    if (model.lost) await lost.again();
    else if (!model.readOnly && model.revision >= 0) await catchUp();
  }));

  // A point of the map, or the name of a draft on it.
  function picked(point) {
    if (point.row === undefined) {
      uncover();
      pick(point.draft);
      return;
    }
    if (point.row < 0) {
      say(`A training example of ${point.intent}: ${point.text}`);
      return;
    }
    uncover();
    toMessage(point.row);
  }

  function enclosed(rows) {
    uncover();
    leave();
    model.lasso = rows;
    if (!model.readOnly) model.ticked = new Set(rows);
    show();
    say(rows.length ? `${plural(rows.length, "message")} chosen.` : "No message was in there.");
  }

  // What an address names; nothing where that cannot be read.
  function place({ hash } = location) {
    try {
      return decodeURIComponent(hash.slice(1));
    } catch {
      return "";
    }
  }

  const isLeft = (wanted) => wanted === "left" || wanted.startsWith("left/");

  // Whether an address that a person has put into the page's names a place of it, as a link may that was sent.
  const isPlace = (wanted) => model.drafts.has(wanted) || isLeft(wanted) || ["end", "overview", "parts"].includes(wanted);

  // Such an address, or one that the browser goes back to; not while something is written that would be lost. From what was
  // found it leads to where the search began.
  addEventListener("hashchange", ({ newURL }) => {
    const wanted = place(new URL(newURL)); // the page may have been drawn since, with its own address
    if (!isPlace(wanted)) return;
    if (document.querySelector("dialog[open]") || isTyped($("name"))) {
      stay();
      return;
    }
    if (model.query) {
      stay();
      closeSearch();
      return;
    }
    leave();
    model.ticked.clear();
    begin(wanted);
  });

  // To what the address names; without that a report opens with the overview, the desk with what is to be decided.
  function begin(wanted) {
    if (model.drafts.has(wanted)) {
      model.tab = wanted.startsWith("known/") ? "known" : "new";
      model.draft = wanted;
    } else if (isLeft(wanted)) {
      model.tab = "left";
      model.reason = wanted.slice("left/".length);
    } else if (wanted === "parts" && model.parts.length) openParts();
    else if (model.readOnly) model.page = "overview";
    else if (["end", "overview"].includes(wanted)) model.page = wanted;
    else model.draft = next(null);
    show();
  }

  async function open() {
    if (!model.readOnly) history.replaceState(null, "", `/${location.hash}`); // the token need not stay there
    document.body.classList.toggle("read-only", model.readOnly);
    if (innerWidth < NARROW) toggleMap();
    try {
      await load();
    } catch (error) {
      stop(error);
      return;
    }
    map.start({ onPick: picked, onLasso: enclosed });
    begin(place());
    const told = undone();
    if (told) say(told, false, true);
    review.reviewers.askName((said) => { show(); say(said); });
    document.body.dataset.ready = "true";
    lookAtBot();
  }

  open();
})();
