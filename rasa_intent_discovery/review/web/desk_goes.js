// Beside an example in a dialog: where it goes instead, if a person says so. One press for the likeliest place, a list for all others.

review.goes = (() => {
  const { h } = review.dom;
  const { model, name } = review.model;
  const { targets } = review.order;

  const label = (target) => (model.drafts.has(target) ? name(target) : target);
  // What goes to a draft that is ignored, or put off, would not be seen again.
  const isOffered = (target) => ["open", "accepted"].includes(model.drafts.get(target)?.decision ?? "open");

  // Of an example of a draft. `changed` is called when it goes elsewhere, or stays after all. `likely` are told when they are known.
  function goesBeside(path, changed) {
    let near = [];
    let chosen = null;
    const button = h("button", { type: "button", class: "where home", hidden: true, on: { click: () => choose(chosen === null ? near[0] : null) } });
    const others = h("select", { class: "elsewhere", "aria-label": "Where it goes instead" }, h("option", { value: "" }));

    function draw() {
      const target = chosen ?? near[0];
      button.hidden = target === undefined;
      if (button.hidden) return;
      button.replaceChildren("→ ", h("bdi", {}, label(target)));
      button.setAttribute("aria-pressed", String(chosen !== null));
      button.title = chosen === null ? `Press if it belongs to ${label(target)}` : `Goes to ${label(target)}: press to leave it here`;
    }

    function choose(target) {
      chosen = target;
      draw();
      changed();
    }

    // Of a large bot the list is long: it is made where it is opened.
    function fill() {
      others.replaceChildren(others.firstChild, ...targets("", path, near).filter((one) => isOffered(one.target))
        .map((one) => h("option", { value: one.target }, one.label)));
    }

    others.addEventListener("focus", fill);
    others.addEventListener("change", () => {
      choose(others.value || null);
      others.value = "";
    });
    return {
      nodes: [button, others],
      target: () => chosen,
      leave() { if (chosen !== null) choose(null); },
      likely(found) { near = found.filter(isOffered); draw(); },
    };
  }

  return { goesBeside };
})();
