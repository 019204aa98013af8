// Elements. Text becomes text, never markup.

const $ = (id) => document.getElementById(id);

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "data") Object.assign(element.dataset, value);
    else if (key === "on") Object.entries(value).forEach(([type, run]) => { element.addEventListener(type, run); });
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function swatch(path) {
  const draft = model.drafts.get(path);
  const tone = draft?.part === "new" ? `tone-${(model.ranks.get(path) ?? 0) % 12}` : draft ? "known" : "left_over";
  return h("span", { class: `swatch ${tone}`, "aria-hidden": "true" });
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

// A name that may be parted behind any of its underscores.
const breakable = (text) => text.split(/(?<=_)/).flatMap((part, at) => (at ? [h("wbr"), part] : [part]));
