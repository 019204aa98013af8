// The dialogs: choosing a proposal, an intent or a new name; why a key that asks for something cannot; and the help.

review.dialogs = (() => {
  const { $, focusOn, h } = review.dom;
  const { checkName, model, name } = review.model;
  const { offerPlain, thought } = review.names;
  const { targets } = review.order;

  const MOST = 60;
  const SHOWN = 200; // messages of a new proposal

  // Keys, what they do, and whether that decides something.
  const KEYS = [
    ["J K", "next and previous draft; the arrow keys do the same in the list"],
    ["W", "why: shows or hides the evidence of the run"],
    ["A I L O", "accept, ignore, later, reopen", true],
    ["R", "rename: type, or take one of the other names with ↓, then Enter; Esc keeps the old name", true],
    ["M", "merge into another proposal or an intent you have", true],
    ["F", "merge all proposals that may be one wish with this one", true],
    ["S", "split for me: ticks the messages that could be a proposal of their own, where some stand out, and asks for its name", true],
    ["P", "split off: makes a proposal of the first part listed of an intent you have", true],
    ["E", "to the examples; ↓ and ↑ go from one to the next, Space ticks", true],
    ["Enter", "at an example: changes its text, such as a mask in it", true],
    ["Shift ↓ ↑", "tick one after the other; Shift and a click tick all between; Ctrl and A tick the whole list", true],
    ["N V D", "with what is ticked: new proposal, move, drop", true],
    ["T", "what is left over: move it to what it is nearest to", true],
    ["U · Shift U", "undo, redo", true],
    ["/", "search all messages; Enter goes to what is found, Esc back; a regular expression stands between slashes: /re(f|ph)und/"],
    ["B", "search by meaning or by words (in the field: Shift and Enter)", true],
    ["Q · X", "everything like this message; tick everything that was found", true],
    ["H", "how it was said: the conversation a message is from, where the log has it", true],
    ["0 1 2 3", "overview, proposals, known intents, left over"],
    ["4", "questions, whose answers make the drafts better: numbers tick, Enter answers, 0 is none of these; Enter alone leaves one open", true],
    ["9", "finish: what was decided, what it changes in your bot, and Apply", true],
    ["G · C", "show or hide the map; draw around messages on it (or drag with Shift)"],
    ["Esc", "untick, close, back"],
    ["?", "this help"],
  ];

  function openHelp() {
    $("keys").replaceChildren(...KEYS.filter(([, , decides]) => !(decides && model.readOnly)).flatMap(([keys, does]) => [
      h("dt", {}, keys.split(" ").map((one) => (one === "·" || one === "Shift" ? `${one} ` : h("kbd", {}, one)))), h("dd", {}, does),
    ]));
    $("help").showModal();
  }

  for (const one of document.querySelectorAll("[data-close]")) one.addEventListener("click", () => one.closest("dialog").close());

  // What had the focus before may be gone, as the page was drawn anew behind the dialog.
  for (const one of document.querySelectorAll("dialog")) {
    one.addEventListener("close", () => {
      const { activeElement } = document;
      if (!one.open && (activeElement === document.body || one.contains(activeElement))) focusOn(null);
    });
  }

  // Why what asks for a text cannot, and what to do instead. Who knows the key may type on: no letter does anything
  // while this is open. The title has the focus, as a space would press the button.
  function tell(title, words) {
    $("tell-title").textContent = title;
    $("tell-text").textContent = words;
    $("tell").showModal();
    $("tell-title").focus();
  }

  $("tell").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    $("tell").close();
  });

  const dialog = $("choose");
  const text = $("choose-text");
  const list = $("choose-list");
  const form = dialog.querySelector("form");
  let asked = null; // what `choose` was asked, what is offered for it, and what tells the answer

  // Asks for a target; resolves to {target}, {name} for a new proposal where that is allowed, or null. `proposed`
  // is a name to begin with, `near` are targets that come first.
  // `what` are the texts of a new proposal, `stay` is what is said of the others.
  // `coming` is a promise of title, proposed name, what and stay, where these are not known yet, or of null where there is nothing to ask.
  function choose({ title, ok, but = null, onlyNew = false, allowNew = false, proposed = "", near = [], coming = null, what = [], stay = "" }) {
    showWhat(what, stay);
    $("choose-title").textContent = title;
    $("choose-ok").textContent = ok;
    $("choose-label").textContent = onlyNew ? "Its name" : allowNew ? "A proposal or intent, or a new name" : "A proposal or intent";
    text.value = proposed;
    list.hidden = onlyNew;
    return new Promise((answer) => {
      asked = { but, onlyNew, allowNew, near, answer, options: [], active: 0, judged: null, waits: Boolean(coming), ready: null };
      text.readOnly = false;
      if (coming) asked.ready = fillIn(asked, coming);
      else update();
      dialog.showModal();
      text.focus();
      text.select();
    });
  }

  // The messages that are about to become a proposal, to be read before it is named.
  function showWhat(texts, stay) {
    const rest = texts.length - SHOWN;
    $("choose-what").hidden = !texts.length;
    $("choose-what").querySelector("ul").replaceChildren(...texts.slice(0, SHOWN).map((one) => h("li", { dir: "auto" }, one)));
    $("choose-what").querySelector("p").textContent = [rest > 0 ? `and ${rest.toLocaleString("en")} more.` : "", stay].filter(Boolean).join(" ");
    $("choose-what").scrollTop = 0;
  }

  async function fillIn(mine, coming) {
    $("choose-note").textContent = "Looking for the messages …";
    dialog.classList.add("waiting");
    mark();
    const found = await coming;
    dialog.classList.remove("waiting");
    mine.waits = false;
    if (asked !== mine || !dialog.open) return;
    if (!found) {
      dialog.close();
      return;
    }
    $("choose-title").textContent = found.title;
    showWhat(found.what, found.stay);
    if (!text.value) {
      text.value = found.proposed;
      text.select();
    }
    update();
  }

  function update() {
    asked.judged = null;
    offerPlain($("choose-plain"), {});
    if (asked.onlyNew) {
      mark();
      judge();
      return;
    }
    const wanted = text.value.trim();
    const found = targets(wanted, asked.but, asked.near);
    asked.options = found.slice(0, MOST);
    const isFrom = asked.allowNew && asked.but !== null && wanted === name(asked.but);
    if (asked.allowNew && wanted && !isFrom && !asked.options.some((one) => one.label === wanted)) {
      asked.options.push({ target: null, label: wanted, kind: "new proposal" });
    }
    asked.active = 0;
    list.replaceChildren(...asked.options.map((one, at) => h("li", {
      id: `option-${at}`, role: "option", data: { at: String(at) },
    }, h("bdi", {}, one.label), h("span", { class: "quiet" }, one.kind))));
    const more = found.length > MOST ? `${(found.length - MOST).toLocaleString("en")} more are not listed: type a part of the name.` : "";
    const said = asked.options.length ? more : "Nothing is called that.";
    $("choose-note").textContent = isFrom ? `They are in ${wanted} already.` : said;
    mark();
  }

  // The name of the new proposal that is chosen, null for a target that is there.
  function newName() {
    if (asked.onlyNew) return text.value.trim();
    const { target, label } = asked.options[asked.active] ?? {};
    return target === null ? label : null;
  }

  // Whether a new proposal can have the name, as the server says.
  async function judge() {
    const mine = asked;
    const wanted = newName();
    const judged = await checkName(wanted, null).catch((error) => ({ problem: error.message, again: true }));
    if (mine !== asked || wanted !== newName()) return;
    const { problem, target, doubt, again } = judged;
    mine.judged = { usable: !problem && !target, again, doubtful: Boolean(doubt) };
    const instead = mine.allowNew ? " by now: choose another name" : ": choose Move to … instead";
    const taken = target ? `there is an intent of that name${instead}` : null;
    $("choose-note").textContent = wanted ? problem ?? taken ?? thought(judged) : "";
    offerPlain($("choose-plain"), judged);
    mark();
  }

  // The same of the name as it is now, however long the answer takes.
  async function judgeNow(mine) {
    text.readOnly = true;
    await mine.ready;
    if (mine === asked) await judge();
    if (mine === asked) text.readOnly = false;
  }

  // Whether the name is known to be of no use: one that is not judged yet may be pressed Enter on.
  function isUseless() {
    if (!asked.onlyNew) return !asked.options.length;
    if (asked.judged) return !asked.judged.usable && !asked.judged.again;
    return !asked.waits && !text.value.trim();
  }

  function mark() {
    [...list.children].forEach((item, at) => { item.setAttribute("aria-selected", String(at === asked.active)); });
    list.children[asked.active]?.scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", asked.options.length ? `option-${asked.active}` : "");
    $("choose-ok").disabled = isUseless();
  }

  function accept() {
    if ($("choose-ok").disabled || (newName() !== null && !asked.judged?.usable)) return;
    const { target, label } = asked.onlyNew ? { target: null, label: text.value.trim() } : asked.options[asked.active];
    asked.answer(target ? { target } : { name: label });
    dialog.close();
  }

  // Marks what was clicked on, if that is an option.
  function clicked(event) {
    const item = event.target.closest("[role=option]");
    if (!item) return false;
    asked.active = Number(item.dataset.at);
    mark();
    return true;
  }

  text.addEventListener("input", update);
  text.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { options, active } = asked;
    if (!step || !options.length) return;
    event.preventDefault();
    asked.active = (active + step + options.length) % options.length;
    mark();
  });
  // The text keeps the focus, so that Enter does what was clicked on.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", clicked);
  list.addEventListener("dblclick", (event) => { if (clicked(event)) form.requestSubmit(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = asked;
    const typed = document.activeElement === text;
    if (newName() !== null) await judgeNow(mine);
    if (mine !== asked || !dialog.open) return;
    if (typed && mine.judged?.doubtful) $($("choose-plain").hidden ? "choose-ok" : "choose-plain").focus();
    else accept();
  });
  $("choose-plain").addEventListener("click", ({ target }) => {
    text.value = target.dataset.name;
    update();
    form.requestSubmit();
  });
  dialog.addEventListener("close", () => {
    if (!dialog.open) asked.answer(null);
  });

  return { openHelp, choose, tell };
})();
