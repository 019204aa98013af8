// Known intents: which of them need a look, and their examples that need none.

review.known = (() => {
  const { h, plural } = review.dom;
  const { isUnsure, looksNew, model } = review.model;
  const { inOrder } = review.order;

  // Why a known intent stands where it does in the list.
  function need({ strange, unsure }) {
    const words = [strange ? `${strange.toLocaleString("en")} look new` : "", unsure ? `${unsure.toLocaleString("en")} less alike` : ""].filter(Boolean);
    return words.length ? h("span", { class: "lately" }, words.join(", ")) : null;
  }

  // Whether an example can be accepted unread: nothing is to be said against it.
  const isSure = ([text, row]) => !looksNew(row) && !isUnsure(row) && !model.conflicts.has(text) && !model.masks.test(text);

  // Of the known intents that are open: the drafts with examples that are sure, these, and how many are left out.
  function sureOnes() {
    const drafts = [];
    const texts = [];
    let others = 0;
    for (const path of inOrder("known")) {
      const { decision, examples } = model.drafts.get(path);
      const sure = examples.filter(isSure);
      if (decision !== "open" || !sure.length) continue;
      drafts.push(path);
      texts.push(...sure.map(([text]) => text));
      others += examples.length - sure.length;
    }
    return { drafts, texts, others };
  }

  // The button that accepts them; null where there are none.
  function sureItem() {
    if (model.readOnly) return null;
    const { drafts, texts, others } = sureOnes();
    if (!texts.length) return null;
    const rest = others ? ` and leave out ${others.toLocaleString("en")}` : "";
    const title = "Leaves out what looks new, is less alike, holds a mask or is nearly an example of another intent: that stays listed with its intent. One undo takes all of it back.";
    return h("li", { class: "sure" }, h("button", { type: "button", title, data: { command: "acceptSure", focus: "acceptSure" } },
      `Accept the ${plural(texts.length, "sure example")} of ${plural(drafts.length, "intent")}${rest}`));
  }

  return { need, sureItem, sureOnes };
})();
