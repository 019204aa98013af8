// Where the page tells that there are questions. `desk_questions.js` asks them.

review.asking = (() => {
  const { $, h, plural } = review.dom;
  const { model } = review.model;

  const NEXT = "the next run takes the answers into account.";

  // Where this desk can start that run.
  const useNow = () => (model.again ? [h("button", { type: "button", data: { command: "regroup", focus: "regroup" } }, "Use them now"), " "] : []);

  const nothingNew = () => model.overview.proposed === 0;

  // Above the list, where there are some; but not as if there was work where the run found nothing.
  function drawEntry() {
    const count = model.readOnly || nothingNew() ? 0 : model.questions.length;
    const waits = !model.readOnly && model.unused && model.again;
    $("questions-open").hidden = !count && !waits;
    const figure = count ? count.toLocaleString("en") : "use them now";
    $("questions-open").replaceChildren(h("span", { class: "title" }, count ? "Questions" : "Your answers"), h("span", { class: "figure" }, figure));
  }

  const untold = () => `Of ${plural(model.cannotTell.length, "question")} it could not be told what wants the same.`;

  // On the overview; null where nothing is asked, and nothing was answered.
  function questionsNote() {
    const { answers, cannotTell, questions, readOnly, unused } = model;
    if (readOnly || !(questions.length || cannotTell.length || unused)) return null;
    const given = unused ? [answers ? `${plural(answers, "answer")} so far: ${NEXT} ` : "Your answers were taken back. ", useNow()].flat() : [];
    return h("p", { class: "asking" }, given, stillOpen());
  }

  function stillOpen() {
    const count = model.questions.length;
    if (!count && !model.cannotTell.length) return null;
    const why = nothingNew() ? "the run found no new intent; your answers may bring out one that you miss." : model.little || "your answers make the drafts better.";
    const settled = model.settled ? ` ${plural(model.settled, "more needs", "more need")} no answer after what you decided.` : "";
    const words = count ? `${plural(count, "short question")} ${count === 1 ? "is" : "are"} open: ${why}${settled}` : untold();
    return [words, " ", h("button", { type: "button", data: { command: "questions", focus: "questions" } }, count ? "Answer " : "See ", h("kbd", { "aria-hidden": "true" }, "4"))];
  }

  const takeBack = (texts) => h("button", { type: "button", data: { takeBack: JSON.stringify(texts), focus: `take back ${texts[0]}` } }, "Take back");

  // The messages that came or went with an answer, the most frequent first.
  function messagesOf(which, distinct) {
    if (!which.length) return null;
    const more = distinct > which.length ? h("li", { class: "quiet" }, `and ${(distinct - which.length).toLocaleString("en")} more`) : null;
    return h("details", { class: "answers" }, h("summary", {}, "Which messages"), h("ul", {}, which.map((text) => h("li", {}, h("bdi", { dir: "auto" }, text))), more));
  }

  // What answers did to the run: on the overview in all, and where that is much one by one, and all that they did to a proposal on its page; null where that is nothing.
  function effectsNote(path = null) {
    const effects = model.effects.filter(({ drafts, many }) => (path === null ? many : drafts.includes(path)));
    const inAll = path === null && model.inAll ? h("p", {}, h("bdi", {}, model.inAll)) : null;
    if (!effects.length && !inAll) return null;
    return h("section", { class: "about" }, h("h3", {}, "What your answers did"), inAll, h("ul", { class: "effects" }, effects.map(({ says, texts, which, distinct }) =>
      h("li", {}, h("bdi", {}, says), " ", model.readOnly ? null : ["If that is wrong: ", takeBack(texts)], messagesOf(which, distinct)))));
  }

  // All answers, also those to the questions of earlier runs.
  function answersList() {
    if (model.readOnly || !model.answered.length) return null;
    const about = model.answered.length < model.answers ? `, to questions on ${plural(model.answered.length, "message")}` : "";
    return h("details", { class: "answers" }, h("summary", {}, `Your ${plural(model.answers, "answer")}${about}`),
      h("ul", {}, model.answered.map(({ text, shown, says }) => h("li", {}, h("bdi", {}, `“${shown}”`), ": ", h("bdi", {}, says), " ", takeBack([text])))));
  }

  return { answersList, effectsNote, NEXT, drawEntry, questionsNote, untold };
})();
