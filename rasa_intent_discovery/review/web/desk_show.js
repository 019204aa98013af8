// What is shown: drawing it, saying what was done, and going somewhere else.

review.show = (() => {
  const { $, focusOn, h, plural } = review.dom;
  const { keptOnes, withKept } = review.end;
  const { lost, map, shown } = review;
  const { begin, count, follow, onlyWords, state } = review.search;
  const { act, model, refresh } = review.model;
  const { inOrder, leftOver, reasonOf } = review.order;
  const { draw, showChosen } = review.view;

  const MOMENT = 50; // milliseconds in which what is said comes before what is only heard
  const PAUSE = 500; // milliseconds without a key until it is heard what was found

  let queue = Promise.resolve();
  let toastTimer = 0;
  let hearing = 0; // until something is heard that is seen anyway
  let before = null; // what was shown when the page was drawn last

  function say(text, canUndo = false, bad = false) {
    clearTimeout(hearing);
    $("live").textContent = "";
    requestAnimationFrame(() => { $("live").textContent = text; });
    const undo = $("toast").querySelector("button");
    const hasFocus = document.activeElement === undo;
    $("toast").querySelector("span").textContent = text;
    undo.hidden = !canUndo;
    $("toast").classList.toggle("bad", bad);
    $("toast").hidden = false;
    if (hasFocus) focusOn(undo);
    $("ask-said").textContent = bad && $("ask").open ? text : ""; // what is behind an open dialog is not heard
    showChosen(); // the list has become shorter
    clearTimeout(toastTimer);
    toastTimer = setTimeout(unsay, bad ? 12000 : 6000);
  }

  // Tells those who do not see the page what they would see; nothing where that is said, or is another thing by then.
  function hear(words, after = MOMENT) {
    clearTimeout(hearing);
    $("live").textContent = "";
    hearing = setTimeout(() => { $("live").textContent = words(); }, after);
  }

  const hearTicked = () => hear(() => (model.ticked.size ? `${model.ticked.size.toLocaleString("en")} ticked` : "Nothing is ticked"));

  // Hides what was said, but not while the mouse aims at something in the list, which moves when it has more room.
  function unsay() {
    if ($("list").matches(":hover") || $("toast").matches(":hover, :focus-within")) toastTimer = setTimeout(unsay, 1000);
    else $("toast").hidden = true;
  }

  // Hides what was said; false where nothing was.
  function dismiss() {
    const shown = !$("toast").hidden;
    const hasFocus = $("toast").contains(document.activeElement);
    $("toast").hidden = true;
    if (hasFocus) focusOn(null);
    return shown;
  }

  function stop(error) {
    document.body.classList.add("over");
    const words = error.status ? error.message : "The desk does not answer. Start it again with the same command, and open the address that it prints.";
    $("desk").replaceChildren(h("p", { class: "notice", role: "alert" }, words));
  }

  // Says why something could not be done. A desk that does not answer takes nothing from the page.
  function fail(error) {
    const away = error.lost || error.status === 410 || error.status === 403;
    if (away) lost.begin(error, returned);
    if (away || error.told) {
      if (error.told) say(error.message, false, true);
      return;
    }
    if (!error.status) console.error(error); // a mistake of ours
    if (error.status === 409) model.ticked.clear();
    show();
    say(error.status ? error.message : "Something went wrong on this page: load it again.", false, true);
  }

  function returned(changed) {
    if (changed) model.ticked.clear();
    if (changed || model.page === "end") show(); // what is shown at the end is asked for then
    say(changed ? "The desk answers again: this is how the drafts are now." : "The desk answers again: the drafts are as they were.");
  }

  let lifted = Promise.resolve(); // when the mouse is no longer pressed, and its click is done
  addEventListener("pointerdown", () => {
    lifted = new Promise((done) => {
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true, capture: true });
    });
  }, true);

  // What the mouse aims at must not be drawn anew before it is lifted: its click would be lost.
  const untilLifted = () => lifted;

  // One thing after the other: a key that comes while the server still writes waits for its turn.
  function enqueue(task) {
    queue = queue.then(task).catch(fail).catch(console.error); // whatever fails, the next one has its turn
    return queue;
  }

  // When all that was asked for is done.
  const settled = () => queue;

  function perform(verb, args, after = () => {}) {
    return enqueue(async () => {
      const kept = keptOnes();
      const done = await act(verb, typeof args === "function" ? args() : args);
      await untilLifted();
      model.ticked.clear();
      after(done);
      show();
      say(withKept(done.says, kept), verb !== "undo");
    });
  }

  // Nothing was asked for that could not be done.
  const quietly = (error) => { throw Object.assign(error, { told: false }); };

  // The draft in which something is that can be ticked: the row of a message, or the text of an example that nobody logged.
  function draftOf(item) {
    if (typeof item === "number") return model.assigned[item];
    return [...model.drafts].find(([, { examples }]) => examples.some(([text, row]) => row < 0 && text === item))?.[0];
  }

  // Shows what was decided elsewhere since. What is still where it was stays ticked.
  async function catchUp() {
    const before = new Map([...model.ticked].map((item) => [item, draftOf(item)]));
    if (!await refresh().catch(quietly)) return;
    await review.windows.know([...before.keys()].filter((item) => typeof item === "number"));
    for (const [item, path] of before) if (draftOf(item) !== path) model.ticked.delete(item);
    show();
    say("The drafts were changed elsewhere: this is how they are now.");
  }

  function show() {
    chooseFirst();
    draw();
    requestAnimationFrame(() => setTimeout(map.redraw)); // ten thousand circles take a while: the lists come first
    drawLegend();
    if (model.page === "end") review.apply.look(); // is loaded after this
    history.replaceState(null, "", `${location.pathname}#${place()}`);
    hearShown();
  }

  // The part of the address that names it.
  const place = () => encodeURIComponent(model.page ?? (model.tab === "left" ? `left/${model.reason ?? ""}` : model.draft ?? ""));

  // What is shown, where that is another thing than before. What was found tells so itself, and an item of the list that has
  // the focus is read out.
  function hearShown() {
    const now = model.query ? "?" : model.lasso ? "lasso" : place();
    if (before !== null && before !== now && !model.query) {
      const words = shown.words();
      hear(() => (document.activeElement.matches("#items [aria-current]") ? "" : words));
    }
    before = now;
  }

  // Where nothing is chosen that is there, the first of its kind is.
  function chooseFirst() {
    if (!model.lasso?.length) model.lasso = null;
    if (model.tab !== "left") {
      model.draft ??= inOrder(model.tab)[0] ?? null;
      return;
    }
    const reasons = leftOver().map(([reason]) => reason);
    if (!reasons.includes(model.reason)) model.reason = reasons[0] ?? null;
  }

  function drawLegend() {
    const item = (mark, label) => h("li", {}, mark, label);
    $("legend").replaceChildren(
      item(h("span", { class: "swatch tone-0" }), "proposals"), item(h("span", { class: "swatch known" }), "known intents"),
      item(h("span", { class: "swatch left_over" }), "left over"), item(h("span", { class: "swatch training" }), "training examples"),
      ...(model.whole ? [] : [item(null, `${model.mapped.length.toLocaleString("en")} of ${model.total.toLocaleString("en")} messages: more dots would hide each other`)]));
  }

  // Going somewhere

  // The address names what is shown, though the browser went back from it.
  const stay = () => history.pushState(null, "", `${location.pathname}#${place()}`);

  // Shows what a person went to; the browser's Back leads back from there, but not behind a decision.
  function go() {
    chooseFirst();
    if (place() !== location.hash.slice(1)) stay();
    show();
  }

  // To a draft, if it is there: the result of a merge, or what an undo brought back.
  function goTo(path) {
    const draft = model.drafts.get(path);
    if (!draft) return false;
    leave();
    model.tab = draft.part === "known" ? "known" : "new";
    model.draft = path;
    return true;
  }

  function pick(path) {
    if (!goTo(path)) return;
    model.ticked.clear();
    go();
  }

  function leave() {
    model.page = null;
    model.query = "";
    model.lasso = null;
    $("query").value = "";
  }

  function openTab(tab, reason = model.reason) {
    leave();
    if (model.tab !== tab) model.draft = null;
    Object.assign(model, { tab, reason });
    model.ticked.clear();
    go();
  }

  function openOverview() {
    leave();
    model.page = "overview";
    model.ticked.clear();
    go();
  }

  // The page of all parts of known intents.
  function openParts() {
    leave();
    model.tab = "known";
    model.page = "parts";
    model.ticked.clear();
    go();
  }

  function step(by) {
    if (model.tab === "left") {
      const reasons = leftOver().map(([reason]) => reason);
      return openTab("left", reasons[Math.max(0, Math.min(reasons.length - 1, reasons.indexOf(model.reason) + by))]);
    }
    const order = inOrder(model.tab);
    const at = order.indexOf(model.draft);
    return pick(order[Math.max(0, Math.min(order.length - 1, at + by))]);
  }

  function toMessage(row) {
    const path = model.assigned[row];
    if (path) pick(path);
    else openTab("left", reasonOf(row));
    if (review.lines.reach(row)) show();
    const line = document.querySelector(`#detail label[data-row="${row}"]`);
    line?.closest("li").classList.add("found");
    line?.scrollIntoView({ block: "center" });
  }

  // Searches for what was typed, or for everything like the message of a row.
  function search(query, like = null) {
    model.lasso = null;
    model.query = query.trim();
    model.ticked.clear();
    begin(like);
    foundSome();
  }

  // Shows what was found; again when more is known of it.
  function foundSome() {
    show();
    if (model.query) hear(foundWords, PAUSE);
  }

  function foundWords() {
    if (onlyWords()) return "Getting ready to search by meaning";
    if (state.waits || state.searching) return ""; // it is told when it is known
    if (state.outdated && !count()) return `Nothing was found: ${state.outdated}`;
    return `${plural(count(), "message")} found${model.ticked.size ? `, ${model.ticked.size.toLocaleString("en")} ticked` : ""}`;
  }

  follow(foundSome, () => enqueue(catchUp));
  review.left.follow(show);
  review.elsewhere.follow(show);
  review.windows.follow(() => untilLifted().then(show), () => enqueue(catchUp));

  return { catchUp, say, hear, hearTicked, dismiss, stop, fail, enqueue, foundSome, go, goTo, settled, untilLifted, perform, show, pick, leave, openTab, openOverview, openParts, stay, step, toMessage, search };
})();
