// What a proposal may be one wish with, the button that merges it all, and what is on the same subject.

review.family = (() => {
  const { h, swatch } = review.dom;
  const { model, name } = review.model;
  const { alikeTo, familyOf, isBySubject } = review.order;

  const others = (path) => familyOf(path)?.members.filter((one) => one !== path) ?? [];
  // What a person most likely means who merges a draft: its open siblings, then what is on the same subject.
  const mergedFirst = (path) => [...others(path).filter((one) => model.drafts.get(one).decision === "open"),
    ...alikeTo(path).filter((one) => model.drafts.get(one).decision !== "ignored")];

  // How a draft stands in the list, below another one: the class of its item, null where it stands alone.
  function standing(path, above) {
    const { members } = familyOf(path) ?? {};
    if (model.drafts.get(path).parent) return "child";
    if (members) return `sibling ${members[0] === path ? "first" : ""}`;
    const alike = isBySubject() ? alikeTo(path) : [];
    return alike.length ? `alike ${alike.includes(above) ? "" : "first"}` : null;
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

  // What is on the same subject as the draft that is shown; null where nothing is.
  function subject() {
    const alike = alikeTo(model.draft);
    if (!alike.length) return null;
    return h("section", { class: "family", "aria-labelledby": "subject-title" }, h("h3", { id: "subject-title" }, "On the same subject"), h("ul", {}, alike.map(sibling)));
  }

  return { family, mergedFirst, siblings, standing, subject };
})();
