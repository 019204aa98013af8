// The two dialogs: choosing a proposal, an intent or a new name; and the help.

const MOST = 60;

// Keys, what they do, and whether that decides something.
const HELP = [
  ["J K", "next and previous draft; the arrow keys do the same in the list"],
  ["A I L O", "accept, ignore, later, reopen", true],
  ["R", "rename: type, then Enter", true],
  ["M", "merge into another proposal or an intent you have", true],
  ["S", "split for me: ticks the messages that could be a proposal of their own, and asks for its name", true],
  ["E", "to the examples; Tab goes on, Space ticks", true],
  ["N V D", "with what is ticked: new proposal, move, drop", true],
  ["U · Shift U", "undo, redo", true],
  ["/", "search all messages; Enter goes to what is found, Esc back"],
  ["0 1 2 3", "overview, proposals, known intents, left over"],
  ["G · C", "show or hide the map; draw around messages on it (or drag with Shift)"],
  ["Esc", "untick, close, back"],
  ["?", "this help"],
];

function openHelp() {
  $("keys").replaceChildren(...HELP.filter(([, , decides]) => !(decides && model.readOnly)).flatMap(([keys, does]) => [
    h("dt", {}, keys.split(" ").map((one) => (one === "·" || one === "Shift" ? `${one} ` : h("kbd", {}, one)))), h("dd", {}, does),
  ]));
  $("help").showModal();
}

for (const one of document.querySelectorAll("[data-close]")) one.addEventListener("click", () => one.closest("dialog").close());

// Asks for a target; resolves to {target}, {name} for a new proposal where that is allowed, or null. `proposed`
// is a name to begin with, `near` are targets that come first.
function choose({ title, ok, but = null, onlyNew = false, allowNew = false, proposed = "", near = [] }) {
  const dialog = $("choose");
  const text = $("choose-text");
  let options = [];
  let active = 0;
  let verdict = { problem: "an intent needs a name", target: null };
  $("choose-title").textContent = title;
  $("choose-ok").textContent = ok;
  text.value = proposed;

  function mark() {
    [...$("choose-list").children].forEach((item, at) => { item.setAttribute("aria-selected", String(at === active)); });
    text.setAttribute("aria-activedescendant", options.length ? `option-${active}` : "");
    $("choose-list").children[active]?.scrollIntoView({ block: "nearest" });
    const fresh = !options.length || onlyNew;
    $("choose-ok").disabled = fresh ? Boolean(verdict.problem || verdict.target) : false;
    $("choose-ok").textContent = fresh && allowNew ? "Make new proposal" : ok;
  }

  async function update() {
    const wanted = text.value;
    options = onlyNew ? [] : targets(wanted, but, near).slice(0, MOST);
    if (allowNew && wanted.trim() && !options.some((one) => one.label === wanted.trim())) {
      options = [...options, { target: null, label: wanted.trim(), kind: "new proposal" }];
    }
    active = 0;
    $("choose-list").replaceChildren(...options.map((one, at) => h("li", {
      id: `option-${at}`, role: "option", data: { at: String(at) },
    }, h("bdi", {}, one.label), h("span", { class: "quiet" }, one.kind))));
    $("choose-list").hidden = onlyNew;
    $("choose-note").textContent = !onlyNew && !options.length ? "Nothing is called that." : "";
    mark();
    if (onlyNew) {
      verdict = await checkName(wanted, null);
      if (wanted !== text.value) return;
      $("choose-note").textContent = !wanted ? "" : verdict.problem ?? (verdict.target ? "there is an intent of that name: choose Move to … instead" : "");
      mark();
    }
  }

  return new Promise((resolve) => {
    const controller = new AbortController();
    const { signal } = controller;
    const done = (result) => {
      controller.abort();
      dialog.close();
      resolve(result);
    };
    const accept = () => {
      if (onlyNew) {
        if (!$("choose-ok").disabled) done({ name: text.value.trim() });
      } else if (options[active]) {
        done(options[active].target ? { target: options[active].target } : { name: options[active].label });
      }
    };
    text.addEventListener("input", update, { signal });
    text.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !options.length) return;
      event.preventDefault();
      active = (active + step + options.length) % options.length;
      mark();
    }, { signal });
    const chosen = (event) => {
      const item = event.target.closest("[role=option]");
      if (item) active = Number(item.dataset.at);
      return Boolean(item);
    };
    // The text keeps the focus, so that Enter does what was clicked on.
    $("choose-list").addEventListener("mousedown", (event) => event.preventDefault(), { signal });
    $("choose-list").addEventListener("click", (event) => { if (chosen(event)) mark(); }, { signal });
    $("choose-list").addEventListener("dblclick", (event) => { if (chosen(event)) accept(); }, { signal });
    dialog.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (onlyNew) await update();
      accept();
    }, { signal });
    dialog.addEventListener("close", () => done(null), { signal });
    update();
    dialog.showModal();
    text.focus();
    text.select();
  });
}
