// Changing the text of an example, such as a mask of personal data in it: in a dialog, which nothing draws anew.

review.reword = (() => {
  const { keptOnes, withKept } = review.end;
  const { withoutMasks } = review.masks;
  const { act, model } = review.model;
  const { tell } = review.dialogs;
  const { $ } = review.dom;
  const { enqueue, say, show } = review.show;

  const dialog = $("reword");
  const field = $("reword-text");
  let asked = null; // which example of which draft: {draft, text}

  // The text of an example of the draft that is shown, by what is ticked of it; undefined for what is none.
  function exampleOf(item) {
    const examples = !model.page && !model.query && !model.lasso && model.tab !== "left" ? model.drafts.get(model.draft)?.examples : null;
    return examples?.find(([text, row]) => item === (row < 0 ? text : row))?.[0];
  }

  function openReword(item) {
    const text = exampleOf(item);
    if (model.readOnly) return null;
    if (text === undefined) return tell("Its text cannot be changed", "Only an example of a draft can be changed: add the message to one first.");
    asked = { draft: model.draft, text };
    field.value = text;
    $("reword-note").textContent = "Your bot learns it as it stands here.";
    $("reword-unmask").hidden = !model.masks.test(text);
    dialog.showModal();
    field.focus();
    return field.select();
  }

  // What the desk refuses is said in the dialog, and what was written stays there.
  async function reword(kept) {
    const { draft, text } = asked;
    const { run } = model;
    const done = await act("reword", { draft, text, wording: field.value }).catch((error) => {
      $("reword-note").textContent = error.status ? `${error.message}.` : error.message;
      field.focus();
      if (error.status === 409) {
        if (model.run === run && model.drafts.has(draft)) $("reword-note").textContent = "The drafts were changed elsewhere just now. Once more, if you still want it.";
        else dialog.close();
      }
      if (error.status !== 422) throw error;
    });
    if (!done) return;
    dialog.close();
    model.ticked.clear();
    show();
    say(withKept(done.says, kept), true);
  }

  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    enqueue(() => reword(keptOnes()));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    dialog.querySelector("form").requestSubmit();
  });
  $("reword-unmask").addEventListener("click", () => {
    field.value = withoutMasks(field.value);
    field.focus();
  });

  return { openReword };
})();
