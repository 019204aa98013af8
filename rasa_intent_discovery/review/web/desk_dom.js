// Elements. Text becomes text, never markup.

review.dom = (() => {
  const { toneOf } = review.colours;
  const { model } = review.model;

  const $ = (id) => document.getElementById(id);

  const isThere = (value) => value !== false && value !== null && value !== undefined;

  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) if (isThere(value)) set(element, key, value);
    element.append(...children.flat().filter(isThere));
    return element;
  }

  function set(element, key, value) {
    if (key === "data") Object.assign(element.dataset, value);
    else if (key === "on") for (const [type, run] of Object.entries(value)) element.addEventListener(type, run);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }

  function swatch(path) {
    const draft = model.drafts.get(path);
    const tone = draft?.part === "new" ? `tone-${toneOf(path)}` : draft ? "known" : "left_over";
    return h("span", { class: `swatch ${tone}`, "aria-hidden": "true" });
  }

  const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

  // A sentence of the program, in which what is between backticks is to be typed.
  const sentence = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  // Beside a number of messages, which counts how often they were logged.
  const differentTexts = (count) => plural(count, "different text");

  // A name that may wrap after any of its underscores.
  const breakable = (text) => text.split(/(?<=_)/).flatMap((part, at) => (at ? [h("wbr"), part] : [part]));

  // A number stays on the line of its sign.
  const unbroken = (text) => text.replaceAll(" %", "\u00a0%");

  const canHaveFocus = (one) => Boolean(one?.checkVisibility()) && !one.disabled;

  // Gives the focus to a control; where that is gone, hidden or disabled, to what is shown: from the page itself, Tab
  // would go through the whole list before it comes back.
  function focusOn(one) {
    (canHaveFocus(one) ? one : $("detail")).focus({ preventScroll: true });
  }

  // Scrolls a list so that an item of it is in sight; the page around it stays where it is.
  function showIn(list, item) {
    if (!item) return;
    const [room, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    list.scrollTop += Math.min(place.top - room.top, 0) || Math.max(place.bottom - room.bottom, 0);
  }

  return { $, canHaveFocus, capital, differentTexts, focusOn, h, swatch, plural, breakable, sentence, showIn, unbroken };
})();
