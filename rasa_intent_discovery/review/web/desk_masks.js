// Examples that hold a mask of personal data: what is said of them, and what becomes of a text without masks.

review.masks = (() => {
  const { h, plural } = review.dom;
  const { model } = review.model;

  // The examples of the draft that is shown which hold a mask, as the draft has them.
  const masked = () => (model.drafts.get(model.draft)?.examples ?? []).map(([text]) => text).filter((text) => model.masks.test(text));

  // A text without its masks, and without the room that they would leave.
  const withoutMasks = (text) => text.replaceAll(new RegExp(model.masks, "g"), " ").replaceAll(/\s+(?=[,.;:!?]|$)/g, "").replaceAll(/\s+/g, " ").trim();

  // What they would do, and the button; null where none holds one.
  function maskNote() {
    const texts = masked();
    if (!texts.length || model.readOnly) return null;
    const isOne = texts.length === 1;
    const [mask] = model.masks.exec(texts[0]);
    return h("section", { class: "masked", "aria-label": "Examples that hold a mask" },
      h("p", {}, `${plural(texts.length, "example")} ${isOne ? "holds" : "hold"} a mask such as `, h("bdi", {}, mask), ": your bot would learn it. You can write something made up in its place: ✎ beside it, or Enter."),
      h("button", { type: "button", data: { command: "dropMasked", focus: "dropMasked" } }, isOne ? "Drop it" : `Drop these ${texts.length.toLocaleString("en")}`));
  }

  return { masked, maskNote, withoutMasks };
})();
