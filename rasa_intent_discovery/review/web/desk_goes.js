// Beside an example in a dialog: where it goes instead, if a person says so. One press for the likeliest place, a list for all others, and
// for a new proposal.

review.goes = (() => {
  const { choose: ask } = review.dialogs;
  const { h } = review.dom;
  const { model, name } = review.model;
  const { targets } = review.order;

  const NEW = "\n"; // before the name of a new proposal, instead of the path of a draft or the name of an intent
  let made = []; // such, as they were named in this dialog

  const begin = () => { made = []; };
  // The name of a new proposal; null for what is there.
  const newName = (target) => (target.startsWith(NEW) ? target.slice(NEW.length) : null);
  const label = (target) => newName(target) ?? (model.drafts.has(target) ? name(target) : target);
  // What goes to a draft that is ignored, or put off, would not be seen again.
  const isOffered = (target) => ["open", "accepted"].includes(model.drafts.get(target)?.decision ?? "open");

  // Of an example of a draft, with its text. `changed` is called when it goes elsewhere, or stays after all. `likely` are told when they are known.
  function goesBeside(path, text, changed) {
    let near = [];
    let chosen = null;
    const button = h("button", { type: "button", class: "where home", hidden: true, on: { click: () => choose(chosen === null ? near[0] : null) } });
    const others = h("select", { class: "elsewhere", "aria-label": `Where “${text}” goes instead` }, h("option", { value: "" }));

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

    const option = (value, words) => h("option", { value }, words);

    // Of a large bot the list is long: it is made where it is opened. The likely ones come first, the others by name.
    function fill() {
      const all = targets("", path, near).filter((one) => isOffered(one.target));
      const rest = all.slice(near.length).sort((a, b) => a.label.localeCompare(b.label));
      others.replaceChildren(option("", ""), ...[...all.slice(0, near.length), ...rest].map((one) => option(one.target, one.label)),
        ...made.map((one) => option(one, `${label(one)} (new)`)), option(NEW, "New proposal …"));
    }

    async function makeNew() {
      const answer = await ask({ title: "A new proposal", ok: "Move it there", onlyNew: true, what: [text] });
      others.focus();
      if (!answer) return;
      const target = NEW + answer.name;
      if (!made.includes(target)) made.push(target);
      choose(target);
    }

    others.addEventListener("focus", fill);
    others.addEventListener("change", () => {
      const { value } = others;
      others.value = "";
      if (value === NEW) makeNew();
      else choose(value || null);
    });
    return {
      nodes: [button, others],
      target: () => chosen,
      leave() { if (chosen !== null) choose(null); },
      likely(found) { near = found.filter(isOffered); draw(); },
    };
  }

  return { begin, goesBeside, newName };
})();
