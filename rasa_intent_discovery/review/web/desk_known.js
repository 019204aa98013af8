// Known intents: which of them need a look, and their examples that need none.

review.known = (() => {
  const { h, plural } = review.dom;
  const { model } = review.model;
  const { inOrder } = review.order;

  // Why a known intent stands where it does in the list.
  function need({ strange, unsure }) {
    const words = [strange ? `${strange.toLocaleString("en")} look new` : "", unsure ? `${unsure.toLocaleString("en")} less sure` : ""].filter(Boolean);
    return words.length ? h("span", { class: "lately" }, words.join(", ")) : null;
  }

  // Of the known intents that are open: how many have examples that are sure, how many of these are sure and are not, and how many
  // intents have none.
  function sureOnes() {
    const open = inOrder("known").map((path) => model.drafts.get(path)).filter(({ decision }) => decision === "open");
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
    const title = "Leaves out what looks new, is less sure, holds a mask or is nearly an example of another intent: that stays listed with its intent. An intent without a sure example stays open. One undo takes all of it back.";
    return h("li", { class: "sure" }, h("button", { type: "button", title, data: { command: "acceptSure", focus: "acceptSure" } },
      h("span", {}, `Accept the ${plural(sure, "sure example")} of ${plural(intents, "intent")} `, h("span", { class: "quiet" }, `${left}${rest}`))));
  }

  return { need, sureItem, sureOnes };
})();
