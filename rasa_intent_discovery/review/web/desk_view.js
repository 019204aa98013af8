// Draws what the model holds. Every message and name becomes text, never markup.

review.view = (() => {
  const { $, canHaveFocus, capital, focusOn, h, plural, showIn, swatch } = review.dom;
  const { drawEntry, effectsNote } = review.asking;
  const { endParts, inBotNote, isKept, standingOf } = review.end;
  const { decidedBy, overruledNotes } = review.reviewers;
  const { gist, why } = review.evidence;
  const { family, siblings, standing, subject } = review.family;
  const { searchParts } = review.found;
  const { amount, leftParts, meaningOf } = review.left;
  const { isPutOff, isUnsure, looksNew, model, waits } = review.model;
  const { countLeftOver, inOrder, isBySubject, isLeftOver, leftOver } = review.order;
  const { drawHead } = review.head;
  const { begin, drawMore, itemOf, list, logged, rowsParts } = review.lines;
  const { elsewhereList } = review.elsewhere;
  const { maskNote } = review.masks;
  const windows = review.windows;
  const { need, sureItem, undecidedItem } = review.known;
  const { overviewParts } = review.overview;
  const { inOrder: inReadingOrder } = review.sampled;
  const { borderlineNote, partsItem, partsList } = review.parts;
  const { bars } = review.trend;

  const WORDS = { open: "open", accepted: "accepted", ignored: "ignored", later: "later" };
  const ORDER = { new: "Most worth a look first", known: "Most in need of a look first", left: "Most messages first, what needs nothing last" };
  const LESS_ALIKE = "Less alike than the others";
  const LESS_SURE = "Less sure that they belong here";
  const PAGES = { overview: overviewParts, parts: () => [partsList()], end: endParts };
  let shownFor = "";

  const button = (label, command, more = {}) =>
    h("button", { type: "button", data: { command, focus: command }, ...more }, label);
  const key = (text) => h("kbd", { "aria-hidden": "true" }, text);

  const rows = () => [...document.querySelectorAll("#detail [data-item]")];

  // Draws everything again; what had the focus keeps it, if it is still there.
  function draw() {
    const { activeElement } = document;
    const focused = activeElement?.dataset?.focus;
    const place = { at: rows().indexOf(activeElement), list: listOf(activeElement), page: shownFor };
    const typed = isTyped($("name")) ? $("name") : null;
    drawHead();
    drawList();
    drawDetail();
    if (activeElement !== document.body && isLost()) {
      const same = focused && [...document.querySelectorAll("[data-focus]")].find((one) => one.dataset.focus === focused);
      refocus(same, place);
    }
    if (typed) typeAgain(typed);
    showChosen();
  }

  const showChosen = () => showIn($("panel"), $("items").querySelector("[aria-current]"));

  const listOf = (row) => row?.closest("[data-list]")?.dataset.list;

  const isLost = () => document.activeElement === document.body || !canHaveFocus(document.activeElement);

  // A row that went out of its list gives the focus to the next one.
  function refocus(same, { at, list, page }) {
    const stays = same && (at < 0 || listOf(same) === list);
    const next = at >= 0 && page === shownFor ? rows().slice(0, at + 1).at(-1) : null;
    if (stays || !next) focusOn(same);
    else next.focus();
  }

  // Whether a name that nobody has taken yet stands in its field, and is being written.
  const isTyped = (field) => field !== null && field === document.activeElement && field.value.trim() !== model.drafts.get(field.dataset.draft)?.intent;

  // An answer may come while a name is written: that stays in its field.
  function typeAgain({ value, dataset: { draft }, selectionStart, selectionEnd }) {
    const field = $("name");
    if (field?.dataset.draft !== draft) return;
    field.value = value;
    field.setSelectionRange(selectionStart, selectionEnd);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function drawList() {
    $("overview-open").setAttribute("aria-current", String(isOverview()));
    drawEntry();
    const counts = { new: inOrder("new").length, known: inOrder("known").length, left: countLeftOver()[1] };
    document.querySelectorAll("[role=tab]").forEach((tab) => {
      const chosen = tab.dataset.tab === model.tab;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      const label = { new: "Proposals", known: "Known", left: "Left over" }[tab.dataset.tab];
      tab.title = meaningOf(tab.dataset.tab);
      tab.replaceChildren(label, h("span", { class: "quiet" }, counts[tab.dataset.tab].toLocaleString("en")));
    });
    $("panel").setAttribute("aria-labelledby", `tab-${model.tab}`);
    const items = model.tab === "left" ? reasonItems() : inOrder(model.tab).map((path, at, paths) => draftItem(path, paths[at - 1]));
    const nothing = { new: "No proposals.", known: "No further examples of intents you have.", left: "Nothing is left over." };
    $("order").replaceChildren(...(items.length ? orderSaid() : []));
    if (model.tab === "known") items.unshift(...[partsItem(), sureItem(), undecidedItem()].filter(Boolean));
    $("items").replaceChildren(...(items.length ? items : [h("li", { class: "quiet nothing" }, nothing[model.tab])]));
  }

  // In which order a list stands.
  function orderSaid() {
    if (model.tab === "left") return [ORDER.left];
    const drafts = inOrder(model.tab).map((path) => model.drafts.get(path));
    const last = drafts.some((draft) => draft.decision === "ignored") ? ", what is ignored last" : "";
    const isOpen = drafts.some((draft) => waits(draft) || isPutOff(draft));
    return [isOpen ? ORDER[model.tab] : "All are decided", model.tab === "new" ? bySubject() : null, last].filter(Boolean);
  }

  // Whether what is on one subject stands together, to be chosen; null where nothing is on the same.
  function bySubject() {
    if (!model.subjects.length) return null;
    const option = (value, selected, words) => h("option", { value, selected }, words);
    return h("span", {}, ", ", h("select", { "aria-label": "Order of the proposals", data: { focus: "order" } },
      option("subject", isBySubject(), "by subject"), option("worth", !isBySubject(), "each by itself")));
  }

  // Whether the run as a whole is shown, and whether a draft or a reason is.
  const isOverview = () => model.page === "overview" && !model.query && !model.lasso;
  const isChosen = () => !model.page && !model.query && !model.lasso;

  function draftItem(path, above) {
    const draft = model.drafts.get(path);
    const current = path === model.draft && isChosen();
    const decision = h("span", { class: `decision ${draft.decision}${isKept(path) ? " kept" : ""}` }, standingOf(path, WORDS[draft.decision]), decidedBy(path));
    decision.title = decision.textContent; // a long one is cut
    return h("li", { class: standing(path, above) }, h("button", {
      type: "button", class: `item ${draft.decision}`, "aria-current": current ? "true" : null,
      data: { path, focus: `item ${path}` },
    },
    swatch(path), h("bdi", { class: "title" }, draft.intent), h("span", { class: "figure" }, draft.messages.toLocaleString("en"), h("span", { class: "hidden" }, " messages, ")),
    draft.part === "known" ? need(draft) : lately(draft),
    siblings(path),
    decision));
  }

  // Of what was merged, or has changed much, they would be those of before.
  function lately({ trend, dates, outdated }) {
    return !outdated && (trend || dates) ? h("span", { class: "lately" }, trend ? bars(trend) : null, dates ? h("span", {}, dates) : null) : null;
  }

  // What is left over, and below it what is not: nothing is to be done with that.
  function reasonItems() {
    const [left, others] = parted(leftOver(), ([reason]) => isLeftOver(reason));
    const above = left.length && others.length ? [h("li", { class: "quiet nothing" }, "Not left over, nothing to do:")] : [];
    return [...left.map(reasonItem), ...above, ...others.map(reasonItem)];
  }

  function reasonItem([reason, distinct, messages]) {
    const current = reason === model.reason && isChosen();
    return h("li", {}, h("button", {
      type: "button", class: "item", title: amount(distinct, messages), "aria-current": current ? "true" : null, data: { reason, focus: `item ${reason}` },
    }, h("span", { class: "title" }, capital(reason)), h("span", { class: "figure" }, messages.toLocaleString("en"))));
  }

  function drawDetail() {
    const detail = $("detail");
    const [subject, parts] = subjectAndParts();
    const other = subject !== shownFor;
    begin(other);
    shownFor = subject;
    detail.replaceChildren(...parts().filter(Boolean), actions());
    if (other) toTop(detail);
    if (model.asks) watch(detail.querySelectorAll("[data-command=more]"));
    detail.style.scrollPaddingTop = `${detail.querySelector(".head")?.offsetHeight ?? 0}px`; // what gets the focus is not below it
  }

  // To where what is shown begins; in a low window the page scrolls, and not that part of it.
  function toTop(detail) {
    detail.scrollTop = 0;
    if (detail.getBoundingClientRect().top < 0) detail.scrollIntoView();
  }

  // Of a large log, more of a list is shown as soon as its end is in sight.
  const end = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) showMore(); });

  function watch(buttons) {
    end.disconnect();
    for (const one of buttons) end.observe(one);
  }

  // What is to be shown, and what makes its elements.
  function subjectAndParts() {
    if (model.query) return [`? ${model.query}`, () => searchParts(rowsParts)];
    if (model.lasso) return ["lasso", lassoParts];
    if (model.page) return [model.page, PAGES[model.page]];
    return model.tab === "left" ? [model.reason, () => leftParts(rowsParts, partsList)] : [model.draft, draftParts];
  }

  function draftParts() {
    const draft = model.drafts.get(model.draft);
    if (!draft) return [h("p", { class: "empty" }, model.tab === "new" ? "Choose a proposal on the left." : "Choose an intent on the left.")];
    const isNew = draft.part === "new";
    windows.open(model.draft);
    return [
      h("div", { class: "head" }, ...heading(draft, isNew), decisions(draft, isNew), gist(draft)),
      draft.size || draft.decision !== "open" ? null : h("p", { class: "note" }, "Nothing is left in it, so there is nothing to decide."),
      why(draft),
      inBotNote(),
      ...overruledNotes(draft),
      isNew ? null : borderlineNote(draft),
      effectsNote(model.draft),
      family(),
      subject(),
      partsList(),
      entities(draft),
      maskNote(),
      ...(draft.loaded ? [...examples(draft, isNew), isNew ? elsewhereList() : null, others(draft, isNew)] : [h("p", { class: "quiet" }, "Loading …")]),
    ];
  }

  // The name, and what there is to say of it; that of a proposal can be changed.
  function heading(draft, isNew) {
    const title = h("h2", { class: "intent" }, swatch(model.draft), h("bdi", {}, draft.intent));
    if (model.readOnly) return [title];
    return [isNew ? naming(draft) : title, h("p", { id: "name-note", class: "note", "aria-live": "polite" })];
  }

  function naming(draft) {
    return h("div", { class: "naming" }, h("h2", { class: "hidden" }, h("bdi", {}, draft.intent)), h("label", { for: "name", class: "hidden" }, "Name of the intent"),
      h("input", { id: "name", type: "text", value: draft.intent, autocomplete: "off", spellcheck: "false", dir: "auto", title: "Click the name, or press R, to rename it", "aria-describedby": "name-note", data: { focus: "name", draft: model.draft } }),
      h("button", { type: "button", id: "name-plain", hidden: true }),
      h("button", { type: "button", id: "name-ok", data: { command: "rename" }, hidden: true }, "Rename"),
      h("ul", { class: "names", "aria-label": "Other names", hidden: true }));
  }

  function others(draft, isNew) {
    if (!draft.beside) return null;
    const note = `not among the examples${toDo("tick them to add some", ";")}`;
    return list(`More messages of this ${isNew ? "proposal" : "intent"}`, note, draft.others.map(logged), "others", false, { total: draft.beside, load: model.asks ? () => windows.moreOthers(model.draft) : null, rest: "assignments.jsonl" });
  }

  // The examples, and apart from them those to be read: the ones that look new, and those of which the run was less sure.
  function examples(draft, isNew) {
    const [strange, usual] = parted(draft.examples, ([, row]) => looksNew(row));
    const [unsure, alike] = parted(usual, ([, row]) => isUnsure(row));
    const apart = unsure.length > 0 && alike.length > 0;
    const [most, order] = inReadingOrder(model.draft, apart ? alike : usual);
    const advice = draft.decision === "accepted" ? ["", ""] : ["read these before you accept", "read these with care"];
    return [
      strange.length ? list("Look new", advice[0], strange, "strange") : null,
      list(...titleOf(isNew, strange, unsure, alike, advice[1], order), most, "examples", false, { total: most.length + draft.size - draft.examples.length, rest: model.draft }),
      apart ? list(isNew ? LESS_ALIKE : LESS_SURE, advice[1], unsure, "unsure") : null,
    ];
  }

  // Of the list of most examples. Of a proposal that is unsure as a whole, there is nothing that they could be less alike than.
  function titleOf(isNew, strange, unsure, alike, advice, order) {
    if (!isNew && unsure.length && !alike.length) return [LESS_SURE, advice];
    return [strange.length ? "The other examples" : "Examples", order];
  }

  const parted = (entries, holds) => [entries.filter(holds), entries.filter((one) => !holds(one))];

  function decisions(draft, isNew) {
    if (model.readOnly) return h("p", { class: `verdicts decision ${draft.decision}` }, WORDS[draft.decision], decidedBy(model.draft));
    const verb = (decision, label, letter) => h("button", {
      type: "button", class: `verdict ${decision}`, "aria-pressed": String(draft.decision === decision), "aria-keyshortcuts": letter.toLowerCase(),
      data: { decision, focus: `decide ${decision}` },
    }, label, key(letter));
    return h("div", { class: "verdicts", role: "group", "aria-label": "Decision" },
      verb("accepted", "Accept", "A"), verb("ignored", "Ignore", "I"), verb("later", "Later", "L"),
      draft.decision !== "open" ? verb("open", "Reopen", "O") : null,
      h("span", { class: "aside" },
        model.splits.includes(model.draft) ? h("button", { type: "button", data: { command: "splitForMe", focus: "splitForMe" } }, "Split for me", key("S")) : null,
        isNew ? h("button", { type: "button", data: { command: "merge", focus: "merge" } }, "Merge …", key("M")) : null));
  }

  // One button for each value that could be marked: it is marked in all examples that hold it, or in none.
  function entities(draft) {
    if (!draft.entities.length || model.readOnly) return null;
    return h("section", { class: "entities", "aria-labelledby": "entities-title" },
      h("h3", { id: "entities-title", title: "Press one to mark it in all examples that hold it" }, "Mark", h("span", { class: "hidden" }, " entities your bot knows in the examples")),
      h("ul", {}, draft.entities.map(([annotation, text, meaning, held, marked]) => h("li", {}, h("button", {
        type: "button", "aria-pressed": String(marked === held), data: { annotation, on: String(marked < held), focus: `entity ${annotation}` },
      }, h("span", {}, h("bdi", {}, text), " → ", h("bdi", {}, meaning), `, ${plural(held, "example")}`, marked && marked < held ? `, ${marked.toLocaleString("en")} marked` : ""))))));
  }

  function showMore() {
    drawMore();
    draw();
  }

  const toDo = (words, before = "") => (model.readOnly ? "" : `${before} ${words}`);

  function lassoParts() {
    return rowsParts("Chosen on the map", toDo("Untick what does not belong, then make a new proposal of the rest, or move it to another."), model.lasso, "");
  }

  function actions() {
    const count = model.ticked.size;
    const here = isChosen() && model.tab !== "left" ? model.drafts.get(model.draft) : null;
    const items = here ? here.examples.map(itemOf) : [];
    const listed = items.filter((item) => model.ticked.has(item)).length;
    return h("div", { class: "actions", role: "group", "aria-label": "With the ticked messages", hidden: count === 0 },
      h("strong", {}, `${count.toLocaleString("en")} ticked`),
      button(["New proposal …", key("N")], "split", { class: "primary" }),
      button(["Move to …", key("V")], "move"),
      here && listed < count ? button("Add here", "add") : null,
      (here ? listed : [...model.ticked].some((row) => model.listed[row])) ? button(["Drop", key("D")], "drop") : null,
      button("×", "untick", { class: "icon", "aria-label": "Untick all", title: "Untick all (Esc)" }));
  }

  return { actions, draw, isTyped, rows, showChosen, showMore };
})();
