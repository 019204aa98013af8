// The name of a proposal: what is said of it while it is written, and others that it could have.

review.names = (() => {
  const { $, h } = review.dom;
  const { model, otherNames } = review.model;

  let known = { of: "", names: [] }; // the last answer, and what it was asked for
  let at = -1; // which of the names stands in the field, -1 for what was written

  // Offers other names below the field; those of the same drafts are asked for once.
  async function offer() {
    const field = $("name");
    const { draft } = field.dataset;
    const of = `${model.revision} ${draft}`;
    at = -1;
    if (known.of !== of) {
      const names = await otherNames(draft).catch(() => []);
      known = { of, names };
    }
    if ($("name")?.dataset.draft !== draft || !$("name").matches(":focus")) return;
    const list = $("name").closest(".naming").querySelector(".names");
    if (list.children.length) return;
    list.replaceChildren(...known.names.map((name) => h("li", {}, h("button", { type: "button", tabIndex: -1, data: { name, focus: `name ${name}` } }, h("bdi", {}, name)))));
    list.hidden = !known.names.length;
  }

  // Puts the next or previous of the other names into the field; whether there was one.
  function turn(by) {
    const field = $("name");
    const { names } = known;
    if (!names.length || known.of !== `${model.revision} ${field.dataset.draft}`) return false;
    at = (Math.max(at, by > 0 ? -1 : 0) + by + names.length) % names.length;
    field.value = names[at];
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  }

  // What there is to think about in a name that can be taken; null where that is nothing.
  const thought = ({ doubt, plain }) => (doubt ? `${doubt}. ${plain ? `Use ${plain}?` : "Use another?"}` : null);

  // Offers the plain version of a doubtful name on a button; hides that where there is none.
  function offerPlain(on, { doubt, plain }) {
    on.hidden = !doubt || !plain;
    on.textContent = `Use ${plain}`;
    on.dataset.name = plain;
  }

  // What a name needs that is a retrieval intent.
  function needs(name) {
    const [group, of] = name.trim().split("/");
    return of ? `with a “/” it is a retrieval intent: your bot needs a ResponseSelector in its config.yml, and a response utter_${group}/${of}` : null;
  }

  return { needs, offer, offerPlain, thought, turn };
})();
