// What a proposal may be one wish with, and the button that merges it all.

review.family = (() => {
  const { h, swatch } = review.dom;
  const { model, name } = review.model;
  const { familyOf } = review.order;

  const others = (path) => familyOf(path)?.members.filter((one) => one !== path) ?? [];
  const openSiblings = (path) => others(path).filter((one) => model.drafts.get(one).decision === "open");

  // How a draft stands in the list: the class of its item, null where it has no family.
  function standing(path) {
    const { members } = familyOf(path) ?? {};
    if (model.drafts.get(path).parent) return "child";
    return members ? `sibling ${members[0] === path ? "first" : ""}` : null;
  }

  // The same for those who hear the list.
  function siblings(path) {
    const { parent } = model.drafts.get(path);
    if (parent) return h("span", { class: "hidden" }, ` was in ${name(parent)}, `);
    const names = others(path).map(name);
    return names.length ? h("span", { class: "hidden" }, ` may be one wish with ${names.join(", ")}, `) : null;
  }

  function sibling(path) {
    const { decision } = model.drafts.get(path);
    return h("li", {}, h("button", { type: "button", class: "where", data: { open: path, focus: `sibling ${path}` } }, swatch(path), h("bdi", {}, name(path))),
      decision === "open" ? null : h("span", { class: "quiet" }, ` ${decision}`));
  }

  // Of the draft that is shown: its siblings, and the button that merges them; null where it has none.
  function family() {
    const found = familyOf(model.draft);
    if (!found) return null;
    const { target, parts } = found;
    return h("section", { class: "family", "aria-labelledby": "family-title" },
      h("h3", { id: "family-title" }, "May be one wish with"),
      h("ul", {}, others(model.draft).map(sibling)),
      target && !model.readOnly ? h("button", { type: "button", "aria-keyshortcuts": "f", data: { command: "mergeFamily", focus: "mergeFamily" } },
        h("span", {}, `Merge all ${(parts.length + 1).toLocaleString("en")} into `, h("bdi", {}, name(target))), h("kbd", { "aria-hidden": "true" }, "F")) : null);
  }

  return { family, openSiblings, siblings, standing };
})();
