// The map: draws the points of #map-data with plotly in the colours of the style sheet, light or dark.
(function () {
  "use strict";
  const view = document.getElementById("map-view");
  const groups = JSON.parse(document.getElementById("map-data").textContent);
  const keys = Array.from(document.querySelectorAll("[data-group]"));
  const SYMBOLS = ["circle", "square", "diamond", "triangle-up"];
  const SIZES = { new: 9, known: 6, left_over: 5, training: 3.5 };
  const ALL = [-0.04, 1.04];
  let alone = null;

  function keyOf(index) {
    return keys.find((key) => Number(key.dataset.group) === index);
  }

  function trace(group, index) {
    const swatch = keyOf(index).querySelector(".swatch");
    const dimmed = alone !== null && alone !== index;
    return {
      type: "scatter", mode: "markers", x: group.x, y: group.y,
      hovertext: group.text, hoverinfo: dimmed ? "skip" : "text",
      opacity: dimmed ? 0.1 : 1,
      marker: {
        color: getComputedStyle(swatch).backgroundColor,
        symbol: SYMBOLS.find((symbol) => swatch.classList.contains(symbol.split("-")[0])),
        size: SIZES[group.kind],
        line: { width: 0 },
        opacity: group.kind === "new" ? 0.9 : 0.75,
      },
    };
  }

  function middle(values) {
    return values.slice().sort((a, b) => a - b)[Math.floor(values.length / 2)];
  }

  // Names stand on the map where there is room for them; a larger group goes before a smaller one.
  function labels(colour) {
    const wide = view.clientWidth >= 640;
    const taken = [];
    const isFree = (label) => {
      const reach = 4 * label.text.length / view.clientWidth;
      const free = taken.every((other) =>
        Math.abs(other.x - label.x) > other.reach + reach || Math.abs(other.y - label.y) * view.clientHeight > 18);
      if (free) taken.push({ x: label.x, y: label.y, reach });
      return free;
    };
    return groups
      .map((group, index) => ({ group, index }))
      .filter(({ group, index }) => group.kind === "new" && (alone === null ? wide : alone === index))
      .map(({ group }) => ({
        x: middle(group.x), y: middle(group.y), text: group.label, showarrow: false, yshift: 16,
        font: { size: 13, color: colour("--ink"), weight: 600 },
      }))
      .filter(isFree);
  }

  function layout(ranges) {
    const styles = getComputedStyle(document.documentElement);
    const colour = (name) => styles.getPropertyValue(name).trim();
    const axis = { visible: false, zeroline: false, showgrid: false };
    return {
      xaxis: { ...axis, range: ranges.x }, yaxis: { ...axis, range: ranges.y },
      margin: { l: 0, r: 0, t: 0, b: 0 },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: styles.fontFamily, color: colour("--ink") },
      hovermode: "closest", hoverdistance: 12,
      hoverlabel: {
        align: "left", namelength: -1, bgcolor: colour("--card"), bordercolor: colour("--line"),
        font: { family: styles.fontFamily, size: 13, color: colour("--ink") },
      },
      dragmode: "pan", showlegend: false, annotations: labels(colour),
    };
  }

  function ranges() {
    const full = view._fullLayout;
    return full ? { x: full.xaxis.range.slice(), y: full.yaxis.range.slice() } : { x: ALL.slice(), y: ALL.slice() };
  }

  function draw() {
    Plotly.react(view, groups.map(trace), layout(ranges()), {
      displayModeBar: false, scrollZoom: true, responsive: true, doubleClick: false, showTips: false,
    });
  }

  function show(x, y) {
    Plotly.relayout(view, { "xaxis.range": x, "yaxis.range": y });
  }

  function showAll() {
    show(ALL.slice(), ALL.slice());
  }

  function zoom(factor) {
    const around = ([low, high]) => {
      const centre = (low + high) / 2, half = ((high - low) / 2) * factor;
      return [centre - half, centre + half];
    };
    show(around(ranges().x), around(ranges().y));
  }

  function move(right, up) {
    const by = ([low, high], steps) => [low + steps * 0.15 * (high - low), high + steps * 0.15 * (high - low)];
    show(by(ranges().x, right), by(ranges().y, up));
  }

  const KEYS = {
    ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, 1), ArrowDown: () => move(0, -1),
    "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), 0: showAll,
  };
  const ZOOMS = { in: KEYS["+"], out: KEYS["-"], all: showAll };

  view.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  // Who scrolls the page past the map must not get stuck in it: the wheel zooms only after a click into it.
  view.addEventListener("wheel", (event) => {
    if (document.activeElement !== view && !event.ctrlKey) event.stopPropagation();
  }, { capture: true });
  view.addEventListener("pointerdown", () => view.focus({ preventScroll: true }));

  document.querySelectorAll("[data-zoom]").forEach((button) => {
    button.addEventListener("click", () => ZOOMS[button.dataset.zoom]());
  });
  function single(index) {
    alone = index;
    keys.forEach((key) => key.setAttribute("aria-pressed", String(Number(key.dataset.group) === alone)));
    draw();
  }
  keys.forEach((key) => {
    const index = Number(key.dataset.group);
    key.addEventListener("click", () => single(alone === index ? null : index));
  });
  document.querySelectorAll("[data-tone]").forEach((link) => {
    link.addEventListener("click", () => {
      const index = groups.findIndex((group) => group.tone === Number(link.dataset.tone));
      single(index < 0 ? null : index);
      showAll();
    });
  });

  draw();
  view.on("plotly_doubleclick", showAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("resize", draw);
})();
