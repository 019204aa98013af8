// The end of a review: what was decided, what it changes in the bot, and what comes next. `desk_apply.js` does it.

review.end = (() => {
  const { $, focusOn, h, plural } = review.dom;
  const { isPutOff, model, name, waits } = review.model;
  const { inOrder } = review.order;
  const { refusedNote, undecidedNote } = review.known;

  const COLUMNS = [["accepted", "Accepted"], ["ignored", "Ignored"], ["later", "Later"], ["open", "Open"], ["emptied", "Emptied"]];
  const MOST_LINES = 2000; // of a diff, that are drawn
  const ALL_FILES = "*"; // the list of them, among those that are folded or not
  const SHOWN_LINES = 60; // of all diffs, up to which they are open from the beginning

  const drafts = (part) => inOrder(part).map((path) => model.drafts.get(path));
  const decisionOf = (draft) => (draft.decision === "open" && !waits(draft) ? "emptied" : draft.decision);
  const count = (part, decision) => drafts(part).filter((draft) => decisionOf(draft) === decision).length;
  const those = (which) => [...inOrder("new"), ...inOrder("known")].filter((path) => which(model.drafts.get(path)));

  // Whether the bot still has what was applied, and is no longer accepted.
  const isKept = (path) => model.inBot.has(path) && model.drafts.get(path)?.decision !== "accepted";
  const keptOnes = () => [...model.inBot].filter(isKept);

  // What was done, and, where that took back what is in the bot, that the bot keeps it. `before` is keptOnes() of then.
  function withKept(says, before) {
    const kept = keptOnes().filter((path) => !before.includes(path)).map(name);
    return kept.length ? `${says}. Your bot keeps ${kept.join(", ")}: this page cannot take it out` : says;
  }

  // Of a draft that is in the bot: what deciding about it does not do.
  function inBotNote() {
    if (!model.inBot.has(model.draft)) return null;
    const note = (...parts) => h("div", { class: "summary in-bot" }, parts);
    if (!isKept(model.draft)) return note("This is in your bot. What you decide or change here from now on changes the draft only.");
    const { applied, put } = model.ending;
    const words = "It was applied and is still in your bot, whatever is decided here";
    return note(put.has(model.draft) ? takenBack(applied, `${words}.`) : `${words}: take it out of the bot's files by hand, or with git where nothing else has changed in them.`);
  }

  // What the list says of the decision about a draft.
  const standingOf = (path, words) => (!model.inBot.has(path) ? words : isKept(path) ? `${words}, still in your bot` : "in your bot");

  const code = (words) => h("code", {}, words);
  const button = (label, command, more = {}) => h("button", { type: "button", data: { command, focus: command }, ...more }, label);

  function endParts() {
    const isLeft = those(waits).length + those(isPutOff).length > 0;
    return [
      h("h2", { class: "intent" }, isLeft ? "Finish" : "All drafts are decided"),
      h("p", { class: "lead" }, isLeft
        ? "What is accepted can go into your bot now; what is open or put off stays in the drafts, for another day."
        : "What is accepted can go into your bot now."),
      counts(),
      goOnNote(),
      undecidedNote(),
      unmarkedNote(),
      refusedNote(),
      ...(model.end.applies ? [change(), ...(isDone() ? [check(), next()] : [])] : [elsewhere()]),
    ];
  }

  // To the first draft that is open, or, where none is, that was put off.
  function goOnNote() {
    const open = those(waits);
    const left = open.length ? open : those(isPutOff);
    if (!left.length) return null;
    const more = left.length > 1 ? ` and ${(left.length - 1).toLocaleString("en")} more` : "";
    return h("p", { class: "going-on" }, h("button", { type: "button", data: { open: left[0], focus: "go on" } }, h("span", {}, "Go on with ", h("bdi", {}, name(left[0])))),
      h("span", { class: "quiet" }, more, open.length ? "" : ", put off"));
  }

  // What could be marked in what is accepted: who accepts many examples at once passes the pages that offer it.
  function unmarkedNote() {
    const unmarked = (path) => model.drafts.get(path).entities.reduce((sum, [, , , held, marked]) => sum + held - marked, 0);
    const accepted = [...inOrder("new"), ...inOrder("known")].filter((path) => model.drafts.get(path).decision === "accepted" && !model.inBot.has(path));
    const found = accepted.filter(unmarked);
    if (!found.length) return null;
    const count = found.reduce((sum, path) => sum + unmarked(path), 0);
    const others = found.length > 1 ? h("span", { class: "quiet" }, ` and ${(found.length - 1).toLocaleString("en")} more`) : null;
    return h("p", { class: "going-on" }, `Not marked: ${plural(count, "value")} of entities that your bot knows, in accepted examples. `,
      h("button", { type: "button", data: { open: found[0], focus: "mark" } }, h("span", {}, "Look at ", h("bdi", {}, name(found[0])))), others);
  }

  function counts() {
    const columns = COLUMNS.filter(([decision]) => decision !== "emptied" || count("new", decision) + count("known", decision));
    const row = (part, words) => (drafts(part).length ? h("tr", {}, h("th", { scope: "row" }, words), columns.map(([decision]) => h("td", {}, count(part, decision).toLocaleString("en")))) : null);
    return h("table", { class: "counts" }, h("caption", { class: "hidden" }, "How many drafts are decided, and how"),
      h("thead", {}, h("tr", {}, h("td", {}), columns.map(([, words]) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, [row("new", "Proposals"), row("known", "Known intents")].filter(Boolean)));
  }

  // A folder that was opened without its bot.
  function elsewhere() {
    return h("section", { class: "about" }, h("h3", {}, "Put it into the bot"),
      h("p", {}, model.end.reads ? "This desk reads your bot, but does not change it. In a terminal, run:"
        : "This desk was opened where there is no bot, so it cannot change one. In the folder of the bot, on a machine that has this folder of drafts, run:"),
      copied(`${model.end.commands.apply} --dry-run`, "shows what would change"), copied(model.end.commands.apply, "does it"));
  }

  // The bot

  // Whether all that is accepted is in the bot.
  function isDone() {
    const { applied, preview } = model.ending;
    const nothing = preview !== null && !preview.files.length;
    return preview ? nothing && Boolean(applied || preview.left_out.length) : Boolean(applied);
  }

  function change() {
    const { busy, error, preview, applied } = model.ending;
    const shown = preview?.files.length || !applied ? preview : null;
    return h("section", { class: "about change", "aria-labelledby": "change-title", "aria-busy": String(busy) },
      h("h3", { id: "change-title" }, shown || !applied ? "What Apply changes in your bot" : `Applied: ${plural(applied.files.length, "file")} changed`),
      options(),
      busy ? h("p", { class: "quiet" }, "Reading your bot …") : null,
      error ? failed(error) : null,
      shown ? planned(shown) : null,
      !shown && applied ? told(applied) : null,
    );
  }

  // What is wrong with the file that is named here is put right here; all else may be so in a terminal.
  function failed(error) {
    const said = error.replace(/^--nlu-file /, "The file for new intents: ");
    const elsewhere = said === error ? [h("p", { class: "quiet" }, "In a terminal, the same is: "), copied(inTerminal())] : [];
    return h("div", {}, h("p", { class: "warning", role: "alert" }, said), elsewhere);
  }

  // The command that does the same, with what is chosen here.
  function inTerminal() {
    const { withRules, withFlows, nluFile } = model.ending;
    const file = nluFile.trim();
    return [model.end.commands.apply, withRules && "--with-rules", withFlows && "--with-flows", file && `--nlu-file ${quoted(file)}`].filter(Boolean).join(" ");
  }

  function options() {
    const { withRules, withFlows, nluFile, preview, applied } = model.ending;
    const { nlu_files: files = [], has_flows: hasFlows = false } = preview ?? applied ?? {};
    return h("div", { class: "options" },
      given("withRules", withRules, "rule", "--with-rules"),
      hasFlows || withFlows ? given("withFlows", withFlows, "flow", "--with-flows") : null,
      h("label", { title: "As `apply --nlu-file`" }, h("span", {}, "New intents go into"),
        h("input", { type: "text", value: nluFile, placeholder: "a file of their own each", list: "nlu-files", autocomplete: "off", spellcheck: "false", data: { option: "nluFile", focus: "nluFile" } })),
      h("datalist", { id: "nlu-files" }, files.map((file) => h("option", { value: file }))));
  }

  // A box to tick for what each new intent gets.
  function given(name, checked, what, option) {
    return h("label", { title: `As \`apply ${option}\`` }, h("input", { type: "checkbox", checked, data: { option: name, focus: name } }),
      h("span", {}, `Give each new intent a ${what}, and an answer, whose text you write in the domain afterwards`));
  }

  function planned(preview) {
    const { files, uncommitted } = preview;
    if (!files.length) return unchanged(preview);
    return h("div", {},
      ...preview.notes.map((note) => h("p", { class: "warning" }, review.dom.sentence(note))),
      h("ul", { class: "does" }, preview.does.map((line) => h("li", {}, review.dom.sentence(line)))),
      leftOut(preview),
      diffs(files),
      uncommitted.length ? h("div", { class: "uncommitted" }, h("p", {}, "There are uncommitted changes in ", ...listed(uncommitted), ". Commit them first, or git will show them mixed with what Apply changes."),
        h("label", {}, h("input", { type: "checkbox", checked: model.ending.allTheSame, data: { option: "allTheSame", focus: "allTheSame" } }), h("span", {}, "Change what is in them all the same"))) : null,
      h("p", { class: "doing" }, button("Apply", "apply", { class: "primary", disabled: model.ending.busy }),
        h("span", { class: "quiet" }, `changes ${files.length === 1 ? "this file" : `these ${files.length.toLocaleString("en")} files`}, all or none`)));
  }

  // Where Apply would change nothing.
  function unchanged(preview) {
    const accepted = those(({ decision }) => decision === "accepted");
    const isThere = accepted.every((path) => model.inBot.has(path));
    const why = !accepted.length ? "no draft is accepted" : isThere ? "your bot has all that is accepted" : "see what is left out";
    return h("div", {}, h("p", {}, `Nothing: ${why}.`), leftOut(preview, !isThere));
  }

  function told(applied) {
    return h("div", {}, h("ul", { class: "does" }, applied.does.map((line) => h("li", {}, review.dom.sentence(line)))), leftOut(applied),
      h("details", { class: "numbers", open: model.ending.unfolded.get(ALL_FILES) ?? false, data: { file: ALL_FILES } }, h("summary", {}, "What changed in each file"), diffs(applied.files)));
  }

  const listed = (paths) => paths.flatMap((path, at) => [at ? ", " : "", h("bdi", { class: "name" }, path)]);

  function leftOut({ left_out: lines }, open = false) {
    return lines.length ? h("details", { class: "numbers", open }, h("summary", {}, "Left out"), h("ul", { class: "does" }, lines.map((line) => h("li", {}, review.dom.sentence(line))))) : null;
  }

  function diffs(files) {
    const lines = files.reduce((sum, { diff }) => sum + diff.split("\n").length, 0);
    const open = lines <= SHOWN_LINES;
    return h("div", { class: "diffs" }, files.map(({ path, created, diff }) => {
      const all = diff.replace(/\n$/, "").split("\n").slice(2); // without the two names
      const begin = (sign) => all.filter((line) => line.startsWith(sign)).length.toLocaleString("en");
      return h("details", { open: model.ending.unfolded.get(path) ?? open, data: { file: path } },
        h("summary", {}, h("bdi", { class: "name" }, path), h("span", { class: "quiet" }, created ? " new file, " : " ", `+${begin("+")} −${begin("-")}`)),
        h("pre", { class: "diff", tabIndex: 0, role: "group", "aria-label": `What changes in ${path}` }, all.slice(0, MOST_LINES).map(line)),
        all.length > MOST_LINES ? h("p", { class: "quiet" }, `and ${(all.length - MOST_LINES).toLocaleString("en")} more lines`) : null);
    }));
  }

  const KINDS = { "+": "ins", "-": "del" };
  const line = (text) => h(KINDS[text[0]] ?? "span", { class: text.startsWith("@@") ? "quiet" : null }, `${text}\n`);

  // Afterwards

  function check() {
    return h("section", { class: "about", "aria-labelledby": "check-title" }, h("h3", { id: "check-title" }, "Check your bot"),
      h("div", { id: "validation" }, ...validationParts()));
  }

  function validationParts() {
    const found = model.ending.validation;
    const again = button(found ? "Check again" : "Check", "validate", { disabled: found?.running ?? false });
    if (!found) return [h("p", {}, again, " ", h("span", { class: "quiet" }, "runs ", code(model.end.commands.validate)))];
    const list = (lines, words) => (lines.length ? h("details", { class: "numbers", open: words !== "warnings" }, h("summary", {}, `The ${words}`), h("ul", { class: "does" }, lines.map((one) => h("li", {}, one)))) : null);
    return [
      h("p", { class: found.running ? "quiet" : found.fine ? "fine" : "wrong", role: "status" }, found.running ? h("progress", { "aria-label": "Rasa checks your bot" }) : null, " ", found.says),
      list(found.errors, "errors"), list(found.warnings, "warnings"),
      h("p", {}, again, " ", h("span", { class: "quiet" }, "runs ", code(model.end.commands.validate))),
    ];
  }

  function drawValidation() {
    const focused = document.activeElement?.dataset?.focus === "validate";
    $("validation")?.replaceChildren(...validationParts().filter(Boolean));
    if (focused) focusOn($("validation")?.querySelector("button"));
  }

  function next() {
    const done = model.ending.applied;
    const { train } = model.end.commands;
    const steps = (model.ending.preview ?? done)?.to_do ?? []; // as the bot is now, where that was looked at
    return h("section", { class: "about", "aria-labelledby": "next-title" }, h("h3", { id: "next-title" }, "What comes next"),
      h("p", { class: "quiet" }, "In a terminal, in the folder in which this desk was started:"),
      h("ol", {}, steps.map((step) => h("li", {}, `${step[0].toUpperCase()}${step.slice(1)}.`)),
        done?.in_git ? h("li", {}, copied("git diff", "shows what has changed")) : null,
        h("li", {}, copied(train, "trains a model")),
        done?.in_git ? h("li", {}, copied(commit(done), "keeps it in git")) : null),
      done ? takenBack(done, "Undo on this page takes back decisions, and leaves your bot as it is.") : null);
  }

  const quoted = (words) => (/^[\w@%+=:,./-]+$/.test(words) ? words : `'${words.replaceAll("'", "'\\''")}'`);

  function commit({ files }) {
    return `git add ${files.map(({ path }) => quoted(path)).join(" ")} && git commit -m 'Intents found in logged messages'`;
  }

  // How to go back, after some words: by git, or by the copies that were made.
  function takenBack({ trusting, way_back: command, copies }, words) {
    const git = trusting ? [h("p", { class: "quiet" }, "Git does not tell of your bot, as the repository is another user's. After this command, ", code("git diff"), " shows what was applied, beside what you had not committed before:"), copied(trusting)] : [];
    const kept = copies ? ["Git does not have these files as they were, so they were copied to ", h("bdi", { class: "name" }, copies), ". This"] : ["As long as nothing is committed, this"];
    return h("div", { class: "back" }, h("p", { class: "quiet" }, words, " ", ...kept, " takes out all that was applied, and what you have changed in these files since",
      copies ? ":" : ["; afterwards, ", code("git revert"), " does."]), copied(command), ...git);
  }

  // A command, and the button that copies it.
  function copied(command, words = "") {
    return h("div", { class: "copied" }, code(command), h("button", { type: "button", "aria-label": `Copy ${command}`, data: { copy: command, focus: `copy ${command}` } }, "Copy"),
      words ? h("span", { class: "quiet" }, words) : null);
  }

  return { drawValidation, endParts, inBotNote, isKept, keptOnes, standingOf, withKept };
})();
