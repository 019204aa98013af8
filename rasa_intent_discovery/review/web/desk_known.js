// Known intents: which of them need a look, and their examples that need none.

review.known = (() => {
  const { $, h, plural } = review.dom;
  const { model, waits } = review.model;
  const { inOrder } = review.order;

  // Why a known intent that is open stands where it does in the list.
  function need({ decision, strange, unsure }) {
    if (decision !== "open") return null;
    const words = [strange ? `${strange.toLocaleString("en")} look new` : "", unsure ? `${unsure.toLocaleString("en")} less sure` : ""].filter(Boolean);
    return words.length ? h("span", { class: "lately" }, words.join(", ")) : null;
  }

  // Of the known intents that are open: how many have examples that are sure, how many of these are sure and are not, and how many
  // intents have none.
  function sureOnes() {
    const open = inOrder("known").map((path) => model.drafts.get(path)).filter(waits);
    const drafts = open.filter((one) => one.sure);
    const sum = (count) => drafts.reduce((before, draft) => before + count(draft), 0);
    return { intents: drafts.length, sure: sum((one) => one.sure), others: sum((one) => one.size - one.sure), without: open.length - drafts.length };
  }

  // The button that accepts them; null where there are none.
  function sureItem() {
    if (model.readOnly) return null;
    const { intents, sure, others, without } = sureOnes();
    if (!sure) return null;
    const left = others ? `Their ${plural(others, "other example")} ${others === 1 ? "is" : "are"} left out. ` : "";
    const rest = without ? `${plural(without, "more intent")} ${without === 1 ? "has no sure example and stays" : "have no sure example and stay"} open.` : "";
    const title = "Shows them first. Leaves out what looks new, is less sure, holds a mask or is nearly an example of another intent: that stays listed with its intent. An intent without a sure example stays open. One undo takes all of it back.";
    return h("li", { class: "sure" }, h("button", { type: "button", title, data: { command: "acceptSure", focus: "acceptSure" } },
      h("span", {}, `Accept the ${plural(sure, "sure example")} of ${plural(intents, "intent")} … `, h("span", { class: "quiet" }, `${left}${rest}`))));
  }

  // How many further examples nobody has decided about, of how many intents: all of an open one, and what was left out of one that
  // was accepted.
  function undecided() {
    const counts = inOrder("known").map((path) => model.drafts.get(path)).map(({ decision, size, left_out: left }) => (decision === "open" ? size : left)).filter(Boolean);
    return { examples: counts.reduce((sum, one) => sum + one, 0), intents: counts.length };
  }

  // The button that lists them; null where there are none.
  function undecidedItem() {
    const { examples, intents } = undecided();
    if (model.readOnly || !examples) return null;
    return h("li", { class: "sure" }, undecidedButton(h("span", {}, `Go through ${plural(examples, "undecided example")} of ${plural(intents, "intent")} … `, h("span", { class: "quiet" }, "In one list, nothing ticked: tick what belongs."))));
  }

  const undecidedButton = (words) => h("button", { type: "button", data: { command: "acceptUndecided", focus: "acceptUndecided" } }, words);

  // At the end of the review, where some of these are sure: a shorter way.
  function sureButton() {
    const { sure } = sureOnes();
    return sure ? [h("button", { type: "button", data: { command: "acceptSure", focus: "acceptSure" } }, `Look at the ${plural(sure, "sure one")}`), " "] : null;
  }

  // At the end of the review: what is left when no draft is open.
  function undecidedNote() {
    const { examples, intents } = undecided();
    if (!examples) return null;
    const isOpen = inOrder("known").some((path) => waits(model.drafts.get(path)));
    const why = isOpen ? "" : ": left out when others were accepted";
    return h("p", { class: "going-on" }, `Undecided: ${plural(examples, "further example")} of ${plural(intents, "intent")} your bot has${why}. `, sureButton(), undecidedButton("Go through them"));
  }

  // At the end of the review: what the next run looks at anew, and that run, where this desk can start it.
  function refusedNote() {
    if (model.readOnly || !model.refused) return null;
    const one = model.refused === 1;
    const now = model.again ? [" ", h("button", { type: "button", data: { command: "regroup", focus: "regroup" } }, one ? "Look for it now" : "Look for them now"), h("span", { class: "quiet" }, " before you apply, or after it")] : [];
    return h("p", { class: "going-on" }, `You took ${plural(model.refused, "further example")} out of intents your bot has. The next run looks for ${one ? "its place: it" : "their places: they"} may be of a wish your bot does not know.`, now);
  }

  // What is to be accepted of a draft: "all", or "brought", what a person put into a known intent; null for nothing after all.
  // It asks where the run proposed further examples of that intent: who merged something into it need not have read these.
  function whatToAccept(path) {
    const { brought, intent, size } = model.drafts.get(path);
    if (!brought) return "all";
    const others = plural(size - brought, "other one", "others");
    $("part-title").textContent = `Accept ${plural(size, "example")} of ${intent}?`;
    $("part-text").textContent = `${brought.toLocaleString("en")} of them came by a merge or a move. The run proposed the ${others}: read before you accept all. What is left out stays listed with the intent.`;
    $("part-brought").textContent = `Only the ${brought.toLocaleString("en")}`;
    $("part-all").textContent = `All ${size.toLocaleString("en")}`;
    const dialog = $("part");
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((answer) => {
      dialog.addEventListener("close", () => answer(dialog.returnValue || null), { once: true });
    });
  }

  return { need, refusedNote, sureItem, undecidedItem, undecidedNote, whatToAccept };
})();
