// Accepts examples of all known intents after they were shown, those that are sure or any that are not decided, and moves others: one decision, one undo.

review.sure = (() => {
  const { $, capital, h, plural } = review.dom;
  const { conflict } = review.lines;
  const { ask, model, post, waits } = review.model;
  const { begin, goesBeside, newName } = review.goes;
  const { inOrder } = review.order;
  const { flags } = review.parts;
  const { fail, leave, perform, say, settled } = review.show;

  // What is ticked at first, and what is said of it.
  const SURE = { ticked: true, none: "No example of an open intent is sure enough: read them one by one.",
    text: "Untick what asks for something else, or what you want to read first. What is left out stays listed with its intent. The list beside one moves it to another." };
  const ALL = { ticked: false, none: "All further examples of the intents your bot has are decided.",
    text: "Tick what belongs to its intent. In each, those the run is surest of come first. The arrow beside one moves it to an intent it may be of instead, the list beside that to any other, or to a new one. What you do neither with stays listed here and with its intent, unless you say that it does not belong there." };

  const dialog = $("sure");
  const refuse = $("sure-refuse").querySelector("input");
  let lists = []; // of each intent: its draft, its examples, the boxes of these and where each goes, the box of all, and what counts them
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
    begin();
    $("sure-text").textContent = mode.text;
    $("sure-refuse").hidden = mode !== ALL;
    refuse.checked = false;
    $("sure-list").replaceChildren(...lists.map(section));
    count();
    dialog.showModal();
    dialog.scrollTop = 0;
    if (mode === ALL) await offer(lists); // what is sure is rarely of another intent
  }

  // Says beside each example where it may belong instead. Of a run that kept no vectors that is not known.
  async function offer(shown) {
    const rows = shown.flatMap(({ examples }) => examples.map(([, row]) => row)).filter((row) => row >= 0);
    const { body } = await ask("api/likely", post({ rows })).catch(() => ({ body: {} }));
    if (lists !== shown || body.run !== model.run || !body.likely) return;
    for (const { examples, goes } of shown) examples.forEach(([, row], at) => { goes[at].likely(body.likely[row] ?? []); });
  }

  const box = (...words) => h("label", {}, h("input", { type: "checkbox", checked: mode.ticked }), h("span", {}, words.flat()));

  // The examples of an intent; it can be folded, and all of it be left out.
  function section(list) {
    const lines = list.examples.map((example) => line(list, example));
    const all = box(h("span", { class: "quiet" }, "All of this intent"));
    Object.assign(list, { all: all.querySelector("input"), boxes: lines.map((one) => one.box), goes: lines.map((one) => one.goes), told: h("span", { class: "quiet" }) });
    list.all.addEventListener("change", () => { list.boxes.forEach((one, at) => { one.checked = list.all.checked && list.goes[at].target() === null; }); });
    return h("details", { open: true }, h("summary", {}, h("bdi", {}, model.drafts.get(list.path).intent), " ", list.told),
      list.examples.length > 1 ? all : null, h("ul", {}, lines.map((one) => one.element)));
  }

  // An example is accepted here, or goes elsewhere, or neither.
  function line({ path }, [text, row]) {
    const marks = [conflict(text, path), flags(text, row)].flat().filter(Boolean);
    const label = box(h("bdi", { dir: "auto" }, text), marks.length ? " " : null, ...marks);
    const tick = label.querySelector("input");
    const goes = goesBeside(path, text, () => {
      tick.checked &&= goes.target() === null;
      count();
    });
    tick.addEventListener("change", () => { if (tick.checked) goes.leave(); });
    return { element: h("li", {}, label, goes.nodes), box: tick, goes };
  }

  const texts = ({ examples }, which) => examples.filter((_, at) => which(at)).map(([text]) => text);
  const chosen = (list) => texts(list, (at) => list.boxes[at].checked);
  const moved = (list) => texts(list, (at) => list.goes[at].target() !== null);
  const targetsOf = ({ goes }) => goes.map((one) => one.target()).filter((target) => target !== null);
  const refused = (list) => (refuse.checked ? texts(list, (at) => !list.boxes[at].checked && list.goes[at].target() === null) : []);

  // Tells beside an intent how many of its examples are ticked.
  function tellOf(list) {
    const ticked = chosen(list).length;
    const gone = moved(list).length;
    list.all.checked = ticked > 0 && ticked + gone === list.examples.length;
    list.all.indeterminate = ticked > 0 && !list.all.checked;
    const open = !ticked && list.decision === "open";
    list.told.textContent = [`${ticked.toLocaleString("en")} of ${list.examples.length.toLocaleString("en")}`, gone ? `${gone.toLocaleString("en")} moved` : "", open ? "stays open" : ""].filter(Boolean).join(", ");
  }

  // What the button does, of so many to be accepted, refused and moved.
  function doing(yes, no, gone) {
    const accept = yes === 1 ? "Accept this one" : yes || !(no || gone) ? `Accept these ${yes.toLocaleString("en")}` : "";
    return capital([accept, no ? `refuse ${no.toLocaleString("en")}` : "", gone ? `move ${gone.toLocaleString("en")}` : ""].filter(Boolean).join(", "));
  }

  function count() {
    lists.forEach(tellOf);
    const yes = lists.flatMap(chosen).length;
    const no = lists.flatMap(refused).length;
    const gone = lists.flatMap(moved).length;
    const intents = lists.filter((list) => chosen(list).length).length;
    $("sure-title").textContent = yes ? `Accept ${plural(yes, "example")} of ${plural(intents, "intent")}?` : "Accept which examples?";
    $("sure-ok").textContent = doing(yes, no, gone);
    $("sure-ok").disabled = !yes && !no && !gone;
  }

  // What another reviewer decided meanwhile is not touched.
  function accept() {
    dialog.close();
    const settles = refuse.checked || lists.some((list) => moved(list).length > 0);
    perform(settles ? "settle" : "accept_only", () => {
      const same = lists.filter(({ path, decision }) => model.drafts.get(path)?.decision === decision);
      const paths = (of) => same.flatMap((one) => of(one).map(() => one.path));
      const accepted = { texts: same.flatMap(chosen), targets: paths(chosen) };
      if (!settles) return accepted;
      const targets = same.flatMap(targetsOf);
      const made = [...new Set(targets.map(newName).filter((one) => one !== null))];
      return { ...accepted, refused: same.flatMap(refused), refused_by: paths(refused), moved: same.flatMap(moved), moved_to: targets.map((one) => newName(one) ?? one), made };
    }, endIfLast);
  }

  // To the end of the review, where no draft is open any more.
  function endIfLast() {
    if ([...model.drafts.values()].some(waits)) return;
    leave();
    model.page = "end";
  }

  // From line to line, as in the lists of the page.
  function goOn(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const control = event.target.closest("#sure-list li :is(input, button)");
    if (!by || !control) return;
    event.preventDefault();
    const same = [...$("sure-list").querySelectorAll(`details[open] li ${control.matches("input") ? "input" : "button:not([hidden])"}`)];
    same[same.indexOf(control) + by]?.focus();
  }

  dialog.addEventListener("keydown", goOn);
  dialog.addEventListener("change", count);
  $("sure-ok").addEventListener("click", accept);

  return { acceptSure, acceptUndecided };
})();
