// How often a draft's messages were logged, period by period: small bars, the latest on the right.

review.trend = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const [BAR, STEP, HEIGHT] = [3, 4, 12]; // pixels

  function shape(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  }

  // Bars as high as the most messages of a period, and the same in words for screen readers.
  function bars({ counts, says }) {
    const most = Math.max(1, ...counts);
    const width = counts.length * STEP - (STEP - BAR);
    const drawing = shape("svg", { class: "trend", role: "img", "aria-label": says, viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
    drawing.append(...counts.map((count, at) => {
      const height = Math.max(1, Math.round((HEIGHT * count) / most));
      return shape("rect", { x: at * STEP, y: HEIGHT - height, width: BAR, height });
    }));
    return drawing;
  }

  return { bars };
})();
