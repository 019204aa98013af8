// Accepts of all known intents the examples that are sure, after they were shown: one decision, one undo.

review.sure = (() => {
  const { $, h, plural } = review.dom;
  const { ask, model } = review.model;
  const { inOrder } = review.order;
  const { fail, leave, perform, say, settled } = review.show;

  const dialog = $("sure");
  let lists = []; // of each intent: its draft, its examples, the boxes of these, the box of all, and what counts them

  async function acceptSure() {
    await settled();
    const { status, body } = await ask("api/sure").catch((error) => { fail(error); return {}; });
    if (status !== 200 || body.run !== model.run || document.querySelector("dialog[open]")) return;
    lists = inOrder("known").filter((path) => body.sure[path]).map((path) => ({ path, texts: body.sure[path] }));
    if (!lists.length) {
      say("No example of an open intent is sure enough: read them one by one.", false, true);
      return;
    }
    $("sure-list").replaceChildren(...lists.map(section));
    count();
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  const box = (words) => h("label", {}, h("input", { type: "checkbox", checked: true }), words);

  // The examples of an intent; it can be folded, and all of it be left out.
  function section(list) {
    const lines = list.texts.map((text) => h("li", {}, box(h("bdi", { dir: "auto" }, text))));
    const all = box(h("span", { class: "quiet" }, "All of this intent"));
    Object.assign(list, { all: all.querySelector("input"), boxes: lines.map((one) => one.querySelector("input")), told: h("span", { class: "quiet" }) });
    list.all.addEventListener("change", () => { for (const one of list.boxes) one.checked = list.all.checked; });
    return h("details", { open: true }, h("summary", {}, h("bdi", {}, model.drafts.get(list.path).intent), " ", list.told),
      list.texts.length > 1 ? all : null, h("ul", {}, lines));
  }

  const chosen = ({ texts, boxes }) => texts.filter((_, at) => boxes[at].checked);

  function count() {
    let sum = 0;
    let intents = 0;
    for (const list of lists) {
      const ticked = chosen(list).length;
      sum += ticked;
      intents += ticked ? 1 : 0;
      list.all.checked = ticked === list.texts.length;
      list.all.indeterminate = ticked > 0 && !list.all.checked;
      list.told.textContent = `${ticked.toLocaleString("en")} of ${list.texts.length.toLocaleString("en")}${ticked ? "" : ", stays open"}`;
    }
    $("sure-title").textContent = `Accept ${plural(sum, "example")} of ${plural(intents, "intent")}?`;
    $("sure-ok").textContent = sum === 1 ? "Accept this one" : `Accept these ${sum.toLocaleString("en")}`;
    $("sure-ok").disabled = !sum;
  }

  // What another reviewer decided meanwhile is not touched.
  function accept() {
    dialog.close();
    perform("accept_only", () => {
      const open = lists.filter((one) => chosen(one).length && model.drafts.get(one.path)?.decision === "open");
      return { drafts: open.map(({ path }) => path), texts: open.flatMap(chosen) };
    }, endIfLast);
  }

  // To the end of the review, where no draft is open any more.
  function endIfLast() {
    if ([...model.drafts.values()].some(({ decision }) => decision === "open")) return;
    leave();
    model.page = "end";
  }

  dialog.addEventListener("change", count);
  $("sure-ok").addEventListener("click", accept);

  return { acceptSure };
})();
