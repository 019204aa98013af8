// The conversations that a message is from: what the user and the bot said before and after it, on demand.

review.conversation = (() => {
  const { $, h, plural } = review.dom;
  const { ask, model } = review.model;
  const { rowHere } = review.found;
  const { fail, say } = review.show;

  const dialog = $("talk");
  const SPEAKERS = { bot: "Bot", user: "User" };

  // Of a row, or of the message that has the focus or that the mouse is at.
  async function openConversation(row = rowHere()) {
    if (!model.spoken.size) return say("These messages are from no stored conversations, so nothing is known of what was said around them.");
    if (row === null) return say("Point at a message, or go to one with E, Tab and the arrow keys.");
    if (!model.spoken.has(row)) return say("What was said around this message is not kept.");
    const { status, body } = await ask(`api/conversation?${new URLSearchParams({ row })}`).catch((error) => { fail(error); return {}; });
    if (status !== 200 || body.run !== model.run || document.querySelector("dialog[open]")) return null;
    const { text, count } = model.messages[row];
    $("talk-note").textContent = count > body.times.length ? `Logged ${plural(count, "time")}: the latest ${body.times.length === 1 ? "that is kept" : body.times.length}.` : "";
    $("talk-times").replaceChildren(...body.times.map((one) => time(one, text)));
    $("talk-times").scrollTop = 0;
    dialog.showModal();
    return $("talk-close").focus();
  }

  function time({ day, before, after }, text) {
    return h("section", {}, h("h3", {}, day ?? "On a day that is not known"),
      h("ol", { class: "turns" }, before.map(turn), turn(["user", text], true), after.map(turn)));
  }

  function turn([speaker, ...said], isIt = false) {
    const words = said.map((one) => h("p", { dir: "auto" }, isIt === true ? h("strong", {}, one) : one));
    return h("li", { class: `turn of-${speaker === "bot" ? "bot" : "user"}` }, h("span", { class: "quiet" }, SPEAKERS[speaker] ?? speaker), h("div", {}, words));
  }

  return { openConversation };
})();
