// Draws what was found: how it was searched, how near it has to be, the names, and the messages.

review.found = (() => {
  const { h, plural, swatch } = review.dom;
  const { model } = review.model;
  const { count, intentsFound, kind, nearness, onlyWords, results, setLeast, state } = review.search;

  const NAMES = 8; // proposals and intents that are shown
  const key = (text) => h("kbd", { "aria-hidden": "true" }, text);

  // `rowsParts` makes heading, words and list of rows.
  function searchParts(rowsParts) {
    const list = h("div", { id: "found" });
    const again = () => list.replaceChildren(...found(rowsParts));
    again();
    return [
      h("h2", { class: "intent" }, h("bdi", {}, `“${model.query}”`)),
      model.readOnly ? null : tools(again), list,
    ];
  }

  function found(rowsParts) {
    const rows = results();
    const far = byMeaning();
    const where = far ? (row, usual) => [h("span", { class: "count", title: "How near: 100 is the same" }, String(nearness(row)), h("span", { class: "hidden" }, " of 100 near")), usual] : true;
    const [, words, list] = rowsParts("", says(rows) + within() + notCompared(), rows, far ? "nearest first" : "", where);
    return [words, h("div", { class: "found-tools" }, tickAll(rows), offerMeaning(rows), names()), list];
  }

  const toDo = () => (model.readOnly || !count() ? "" : " Tick some to move them to a proposal, or to make a new one of them.");
  const areAllTicked = (rows) => rows.every((row) => model.ticked.has(row));
  const counted = () => (state.searching ? "Searching …" : plural(count(), "message"));

  const byMeaning = () => ["like", "meaning"].includes(kind()) && !onlyWords();

  // How many messages a search by meaning has left out, where all others are on the page.
  function notCompared() {
    if (!model.whole || !byMeaning() || state.waits || state.problem) return "";
    const rows = model.total - state.compared;
    return rows > 0 ? ` Not compared: ${plural(rows, "message")} whose meaning this run has not kept.` : "";
  }

  // In what was searched, where that is not all.
  function within() {
    if (model.whole || state.waits || state.searching) return "";
    const far = byMeaning();
    const searched = far ? state.compared : model.asks ? state.searched : model.rows.length;
    const first = !far && count() > results().length ? ` The first ${results().length.toLocaleString("en")} are listed.` : "";
    const some = searched && searched < model.total ? ` Searched were ${searched.toLocaleString("en")} of ${model.total.toLocaleString("en")} messages.` : "";
    return first + some;
  }
  const sayWords = () => (state.searching ? "Searching …" : `${counted()} found.${toDo()}`);
  const SAYS = { words: sayWords, expression: sayMatching, meaning: sayNear, like: sayAlike };
  const says = (rows) => (state.outdated && !byMeaning() ? `Nothing was found: ${state.outdated}.` : SAYS[kind()](rows));

  function sayMatching() {
    if (state.problem) return `“${model.query}” ${state.problem}.`;
    return state.waits || state.searching ? "Searching …" : `${counted()} that the regular expression matches.${toDo()}`;
  }

  function sayNear(rows) {
    if (state.problem) return `${counted()} found by words, as a search by meaning cannot be made: ${state.problem}.`;
    if (onlyWords()) return `Getting ready to search by meaning: the encoder of the run is loaded, which takes some seconds the first time. Until then, ${counted()} found by words.`;
    return rows.length ? `${counted()} at least this near in meaning.${toDo()}` : nothingNear();
  }

  function sayAlike(rows) {
    if (state.problem) return `Nothing like it can be found: ${state.problem}.`;
    if (!rows.length) return nothingNear();
    const near = `Everything like this message: ${counted()} at least this near`;
    return areAllTicked(rows) ? `${near}, all ticked. Untick what does not belong.` : `${near}.${toDo()}`;
  }

  function nothingNear() {
    if (state.waits) return "Searching …";
    return `Nothing is that near${state.near.length ? `: the nearest message has ${state.near[0][1]}` : ""}.`;
  }

  function tools(again) {
    const meant = kind() !== "words" && kind() !== "expression";
    const by = (what, label, letter) => h("button", {
      type: "button", "aria-pressed": String(kind() === what), "aria-keyshortcuts": letter?.toLowerCase(),
      data: { command: what === "words" ? "byWords" : "byMeaning", focus: `by ${what}` },
    }, label, letter ? key(letter) : null);
    return h("div", { class: "found-tools" },
      h("div", { role: "group", "aria-label": "How to search" }, by("words", "By words"), by("meaning", "By meaning", "B")),
      meant ? slider(again) : null);
  }

  // It stays the same while it is moved; when it is let go, the page is drawn.
  function slider(again) {
    const shown = h("output", {}, String(state.least));
    return h("label", { class: "nearness", title: "100 is the same, 0 has nothing in common" }, "How near", h("input", {
      type: "range", min: "5", max: "95", value: String(state.least), data: { focus: "least" },
      on: {
        input: ({ target }) => {
          setLeast(Number(target.value));
          shown.textContent = target.value;
          again();
          document.querySelector("#detail .actions").replaceWith(review.view.actions());
        },
        change: () => review.show.foundSome(),
      },
    }), shown);
  }

  function tickAll(rows) {
    if (model.readOnly || !rows.length || state.waits) return null;
    return h("button", { type: "button", "aria-keyshortcuts": "x", data: { command: "tickFound", focus: "tickFound" } },
      areAllTicked(rows) ? "Untick all" : `Tick ${count() > rows.length ? "the first" : "all"} ${rows.length.toLocaleString("en")}`, key("X"));
  }

  // Where no message has the words, what means the same may be there.
  function offerMeaning(rows) {
    if (model.readOnly || rows.length || kind() !== "words" || state.searching) return null;
    return h("button", { type: "button", "aria-keyshortcuts": "b", data: { command: "byMeaning", focus: "by meaning" } },
      "None in these words: look for what means the same", key("B"));
  }

  function names() {
    const all = intentsFound();
    if (!all.length) return null;
    return h("section", { class: "found-names", "aria-label": "Proposals and intents that were found" },
      h("ul", {}, all.slice(0, NAMES).map(({ target, label }) => h("li", {}, model.drafts.has(target)
        ? h("button", { type: "button", class: "where", data: { open: target, focus: `open ${target}` } }, swatch(target), h("bdi", {}, label))
        : h("span", { class: "quiet" }, h("bdi", {}, label), ", your bot has it"))),
      all.length > NAMES ? h("li", { class: "quiet" }, `and ${(all.length - NAMES).toLocaleString("en")} more`) : null));
  }

  // On every message, for the mouse and the finger; the key is Q.
  function likeButton(row) {
    if (row < 0 || model.readOnly) return null;
    return h("button", { type: "button", class: "like", tabIndex: -1, title: "Everything like this message (Q)", "aria-label": "Everything like this message", on: { click: () => review.selection.like(row) } });
  }

  // On every message of a conversation that is kept; the key is H.
  function conversationButton(row) {
    if (!model.spoken.has(row)) return null;
    return h("button", { type: "button", class: "around", tabIndex: -1, title: "The conversation it is from (H)", "aria-label": "Conversation", on: { click: () => review.conversation.openConversation(row) } });
  }

  // The row of the message that has the focus, or that the mouse is at; null for none.
  function rowHere() {
    const line = document.activeElement?.closest("#detail .lines li") ?? document.querySelector("#detail .lines li:hover");
    const row = Number(line?.querySelector("label")?.dataset.row ?? -1);
    return row >= 0 ? row : null;
  }

  return { conversationButton, likeButton, rowHere, searchParts };
})();
