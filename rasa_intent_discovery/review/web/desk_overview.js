// The first view: the run as a whole, and all proposals in a table.

review.overview = (() => {
  const { breakable, differentTexts, h, plural, sentence, swatch, unbroken } = review.dom;
  const { answersList, effectsNote, questionsNote } = review.asking;
  const { model } = review.model;
  const { inOrder } = review.order;
  const { borderlineList, opening, partsList } = review.parts;

  const NUMBERS = [
    ["Messages", "How often something was logged: the same text counts each time. How many different texts that are stands beside it in words, or appears when the mouse rests on the number."],
    ["New intents, plausible", "How many wishes are in the messages can only be estimated: what is plausible is the range in which their number lies."],
    ["Covered, left over, set aside", "A message is covered when it is in an intent: one that your bot has, or a proposal. Left over is small talk, and what is too rare or too unclear to make an intent of. Set aside was what says nothing in words, such as a number or a click on a button. Apart from these are counted what is a training example already, and the messages of proposals that you ignored."],
    ["How alike, how stable", "Messages that all say the same are very much alike. A stable group is found again when messages are left out; read an unstable one with care: it may be two intents, or none."],
    ["Nearest known intent, nearest proposal", "What comes closest in meaning, and how close: 1 is the same, 0 has nothing in common. The closer it is, the more likely both are one wish."],
    ["If you accept it, takes from other intents", "A quick test: a simple classifier learnt your bot’s examples, with the new intent and without it, and was asked about examples it had not seen. What is told is how many more of these examples it takes for another intent once the new one is there. It is not your bot’s own classifier: read it as a warning, not as a forecast. A few of several hundred mean little. It takes from the intents whose examples are understood today, and would be taken for it then."],
    ["Logged, trend", "The bars count the messages of each week, or of another period; the dates are the first and the last day. The trend compares a proposal with the whole log: where half of all messages are from the last four weeks, but 30 of its 40, it is asked more lately. What may be chance is no clear change."],
    ["Nearly an example", "It differs by little, a word or a typo, from an example that your bot has for another intent: decide in which of the two it belongs."],
  ];

  function overviewParts() {
    const { title, lead, warnings, facts, impact, changes, settings, since: when } = model.overview;
    return [
      h("h2", { class: "intent" }, title),
      h("p", { class: "lead" }, lead, listedNote()),
      ...warnings.map((warning) => h("p", { class: "warning" }, sentence(warning))),
      facts.length ? h("dl", { class: "facts" }, facts.map(([heading, figure, words]) =>
        h("div", {}, h("dt", {}, heading), h("dd", {}, h("strong", {}, figure), words)))) : null,
      model.shares.length ? where(model.shares) : null,
      impact ? h("p", {}, unbroken(impact)) : null,
      changes.length || model.waiting.length ? since(changes, when) : null,
      effectsNote(),
      questionsNote(),
      answersList(),
      table(),
      families(),
      partsList(),
      borderlineList(),
      h("details", { class: "numbers" }, h("summary", {}, "How to read the numbers"),
        h("dl", {}, NUMBERS.map(([heading, words]) => h("div", {}, h("dt", {}, heading), h("dd", {}, words))))),
      steps(),
      settings ? h("p", { class: "quiet made" }, `Made with ${settings}.`) : null,
    ];
  }

  // Why the list has more proposals, or fewer, than the run found; null where it has as many.
  function listedNote() {
    const listed = inOrder("new").length;
    const { proposed } = model.overview;
    if (proposed === null || listed === proposed) return null;
    const why = listed > proposed ? "those that you decided about before this run, or made yourself, are among them" : "the others were merged or deleted";
    return ` The list now has ${plural(listed, "proposal")}: ${why}.`;
  }

  function where(shares) {
    const total = shares.reduce((sum, [, , messages]) => sum + messages, 0);
    const bar = h("div", { class: "bar", "aria-hidden": "true" }, shares.filter(([, , messages]) => messages).map(([kind, , messages]) => {
      const part = h("span", { class: kind });
      part.style.flexGrow = messages;
      return part;
    }));
    return h("figure", { class: "shares" }, h("figcaption", { class: "quiet" }, "Where the messages are now"), bar,
      h("ul", {}, shares.map(([kind, words, messages]) => h("li", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }),
        h("strong", {}, words), unbroken(` ${Math.round((1000 * messages) / total) / 10} % `), h("span", { class: "quiet" }, messages.toLocaleString("en"))))));
  }

  function since(changes, when) {
    return h("section", { class: "about" }, h("h3", {}, when), h("ul", {}, changes.map(([words, names]) =>
      h("li", {}, h("strong", {}, names.length.toLocaleString("en")), ` ${words}: `, names.flatMap((one, at) => [at ? ", " : "", h("bdi", {}, one)]))), waiting()));
  }

  // What is done would not be looked at again.
  function waiting() {
    if (!model.waiting.length) return null;
    const all = model.waiting.reduce((sum, [, messages]) => sum + messages, 0);
    return h("li", {}, h("strong", {}, all.toLocaleString("en")), ` more ${all === 1 ? "text" : "texts"} to read, for what you accepted or applied: `,
      model.waiting.flatMap(([path, messages], at) => [at ? ", " : "", opening(path), ` ${messages.toLocaleString("en")}`]));
  }

  function table() {
    const paths = inOrder("new");
    if (!paths.length) return null;
    const head = ["Proposal", "Messages", "Nearest known intent", "Decision"];
    return h("table", {}, h("caption", { class: "hidden" }, "The proposals, most worth a look first, ignored last"),
      h("thead", {}, h("tr", {}, head.map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, paths.map((path) => {
        const draft = model.drafts.get(path);
        const nearest = draft.merged.length ? "" : draft.evidence.find(([heading]) => heading === "Nearest known intent")?.[1] ?? "";
        return h("tr", {}, h("th", { scope: "row" }, h("button", { type: "button", class: "where", data: { open: path, focus: `open ${path}` } }, swatch(path), h("bdi", {}, breakable(draft.intent)))),
          h("td", { title: differentTexts(draft.distinct) }, draft.messages.toLocaleString("en")), h("td", { dir: "auto" }, breakable(nearest)),
          h("td", { class: `decision ${draft.decision}` }, draft.decision));
      })));
  }

  function families() {
    const count = model.families.length;
    if (!count) return null;
    const members = model.families.reduce((sum, one) => sum + one.members.length, 0);
    return h("p", { class: "families" }, `${members.toLocaleString("en")} of them may be parts of ${count === 1 ? "one wish" : `${count.toLocaleString("en")} wishes`}: these stand together in the list.`,
      model.readOnly ? null : " Open one to merge them.");
  }

  const code = (words) => h("code", {}, words);

  function steps() {
    const nothing = "Nothing in your bot has been changed by the run or by this page.";
    return h("section", { class: "about" }, h("h3", {}, "What to do next"), h("p", { class: "quiet" }, model.readOnly ? nothing : "Your bot changes only when you apply."),
      h("ol", {}, (model.readOnly ? inReport() : onDesk()).map((line) => h("li", {}, line))));
  }

  function onDesk() {
    const ends = model.end.applies
      ? " shows what that changes in your bot’s files, applies it, and has Rasa check your bot."
      : " tells how many are decided, and the command that puts what is accepted into your bot’s files.";
    return [
      ["Decide about the drafts on the left: read, correct, accept. Every decision is kept at once, so go on another day if you like."],
      [h("button", { type: "button", data: { command: "end", focus: "end" } }, "Finish", h("kbd", { "aria-hidden": "true" }, "9")), ends],
      ["Give each new intent something to do: a response and a rule or story. Then train."],
    ];
  }

  function inReport() {
    if (model.overview.without_rasa) {
      return [
        ["Decide: ", code("rasa-discover-intents review"), " opens a page on which you rename, correct and accept. Or edit the files in ", code("new/"), " and ", code("known/"), ", and change ", code("decision: open"), " to ", code("decision: accepted"), " where you want it."],
        ["Apply: ", code("rasa-discover-intents apply --dry-run --nlu"), " and your NLU data shows what would change in it; without ", code("--dry-run"), " it is done."],
      ];
    }
    return [
      ["Decide: ", code("rasa discover-intents review"), " opens a page on which you rename, correct and accept. Or edit the files in ", code("new/"), " and ", code("known/"), ", and change ", code("decision: open"), " to ", code("decision: accepted"), " where you want it."],
      ["Apply: ", code("rasa discover-intents apply --dry-run"), " shows what would change in your bot’s files; without ", code("--dry-run"), " it is done."],
      ["Give each new intent something to do: a response and a rule or story."],
      ["Check and train: ", code("rasa data validate"), ", then ", code("rasa train"), "."],
    ];
  }

  return { overviewParts };
})();
