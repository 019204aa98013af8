// Accepts examples of all known intents after they were shown, those that are sure or any that are not decided: one decision, one undo.

review.sure = (() => {
  const { $, h, plural } = review.dom;
  const { conflict } = review.lines;
  const { ask, model } = review.model;
  const { inOrder } = review.order;
  const { flags } = review.parts;
  const { fail, leave, perform, say, settled } = review.show;

  // What is ticked at first, and what is said of it.
  const SURE = { ticked: true, none: "No example of an open intent is sure enough: read them one by one.",
    text: "Untick what asks for something else, or what you want to read first. What is left out stays listed with its intent." };
  const ALL = { ticked: false, none: "All further examples of the intents your bot has are decided.",
    text: "Tick what belongs to its intent. In each, those the run is surest of come first. What you do not tick stays listed here and with its intent, unless you say that it does not belong there." };

  const dialog = $("sure");
  const refuse = $("sure-refuse").querySelector("input");
  let lists = []; // of each intent: its draft, its examples, the boxes of these, the box of all, and what counts them
  let mode = SURE;

  const acceptSure = () => open(SURE);
  const acceptUndecided = () => open(ALL);

  async function open(wanted) {
    await settled();
    const { status, body } = await ask("api/undecided").catch((error) => { fail(error); return {}; });
    if (status !== 200 || body.run !== model.run || document.querySelector("dialog[open]")) return;
    mode = wanted;
    lists = inOrder("known").map((path) => ({ path, decision: model.drafts.get(path).decision, examples: (body.undecided[path] ?? []).filter(([, , sure]) => sure || mode === ALL) }))
      .filter(({ examples }) => examples.length);
    if (!lists.length) {
      say(mode.none, false, true);
      return;
    }
    $("sure-text").textContent = mode.text;
    $("sure-refuse").hidden = mode !== ALL;
    refuse.checked = false;
    $("sure-list").replaceChildren(...lists.map(section));
    count();
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  const box = (...words) => h("label", {}, h("input", { type: "checkbox", checked: mode.ticked }), h("span", {}, words.flat()));

  // The examples of an intent; it can be folded, and all of it be left out.
  function section(list) {
    const lines = list.examples.map(([text, row]) => h("li", {}, box(h("bdi", { dir: "auto" }, text), conflict(text, list.path), flags(text, row))));
    const all = box(h("span", { class: "quiet" }, "All of this intent"));
    Object.assign(list, { all: all.querySelector("input"), boxes: lines.map((one) => one.querySelector("input")), told: h("span", { class: "quiet" }) });
    list.all.addEventListener("change", () => { for (const one of list.boxes) one.checked = list.all.checked; });
    return h("details", { open: true }, h("summary", {}, h("bdi", {}, model.drafts.get(list.path).intent), " ", list.told),
      list.examples.length > 1 ? all : null, h("ul", {}, lines));
  }

  const texts = ({ examples, boxes }, ticked) => examples.filter((_, at) => boxes[at].checked === ticked).map(([text]) => text);
  const chosen = (list) => texts(list, true);
  const refused = (list) => (refuse.checked ? texts(list, false) : []);

  // Tells beside an intent how many of its examples are ticked.
  function tellOf(list) {
    const ticked = chosen(list).length;
    list.all.checked = ticked === list.examples.length;
    list.all.indeterminate = ticked > 0 && !list.all.checked;
    const open = !ticked && list.decision === "open";
    list.told.textContent = `${ticked.toLocaleString("en")} of ${list.examples.length.toLocaleString("en")}${open ? ", stays open" : ""}`;
  }

  const accepting = (yes) => (yes === 1 ? "Accept this one" : `Accept these ${yes.toLocaleString("en")}`);
  const refusing = (no, yes) => `${yes ? `${accepting(yes)}, refuse` : "Refuse"} ${no.toLocaleString("en")}`;

  function count() {
    lists.forEach(tellOf);
    const yes = lists.flatMap(chosen).length;
    const no = lists.flatMap(refused).length;
    const intents = lists.filter((list) => chosen(list).length).length;
    $("sure-title").textContent = yes ? `Accept ${plural(yes, "example")} of ${plural(intents, "intent")}?` : "Accept which examples?";
    $("sure-ok").textContent = no ? refusing(no, yes) : accepting(yes);
    $("sure-ok").disabled = !yes && !no;
  }

  // What another reviewer decided meanwhile is not touched.
  function accept() {
    dialog.close();
    perform(refuse.checked ? "settle" : "accept_only", () => {
      const same = lists.filter(({ path, decision }) => model.drafts.get(path)?.decision === decision);
      const paths = (of) => same.flatMap((one) => of(one).map(() => one.path));
      const accepted = { texts: same.flatMap(chosen), targets: paths(chosen) };
      return refuse.checked ? { ...accepted, refused: same.flatMap(refused), refused_by: paths(refused) } : accepted;
    }, endIfLast);
  }

  // To the end of the review, where no draft is open any more.
  function endIfLast() {
    if ([...model.drafts.values()].some(({ decision }) => decision === "open")) return;
    leave();
    model.page = "end";
  }

  dialog.addEventListener("change", count);
  $("sure-ok").addEventListener("click", accept);

  return { acceptSure, acceptUndecided };
})();
