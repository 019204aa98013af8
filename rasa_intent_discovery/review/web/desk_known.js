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

  // Of the known intents that are open: how many have examples that are sure, and how many are sure and are not.
  function sureOnes() {
    const drafts = inOrder("known").map((path) => model.drafts.get(path)).filter(({ decision, sure }) => decision === "open" && sure);
    const sum = (count) => drafts.reduce((before, draft) => before + count(draft), 0);
    return { intents: drafts.length, sure: sum((one) => one.sure), others: sum((one) => one.size - one.sure) };
  }

  // The button that accepts them; null where there are none.
  function sureItem() {
    if (model.readOnly) return null;
    const { intents, sure, others } = sureOnes();
    if (!sure) return null;
    const rest = others ? ` and leave out ${others.toLocaleString("en")}` : "";
    const title = "Leaves out what looks new, is less sure, holds a mask or is nearly an example of another intent: that stays listed with its intent. One undo takes all of it back.";
    return h("li", { class: "sure" }, h("button", { type: "button", title, data: { command: "acceptSure", focus: "acceptSure" } },
      `Accept the ${plural(sure, "sure example")} of ${plural(intents, "intent")}${rest}`));
  }

  return { need, sureItem, sureOnes };
})();
