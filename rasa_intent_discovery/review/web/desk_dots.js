// What the points of the map look like: their colour, their size, and which of them are chosen.

review.dots = (() => {
  const { TONES, toneOf } = review.colours;
  const { model } = review.model;
  const { isExample, rowsLeft } = review.order;
  const { load, points } = review.points;
  const { results } = review.search;

  const [KNOWN, LEFT, TRAINING] = [TONES, TONES + 1, TONES + 2]; // kinds of points, after the tones of proposals
  const RADIUS = { tone: 3.4, known: 2.4, left: 2.2, training: 1.6 }; // in pixels
  const LARGEST = 2; // times as large, zoomed in
  const SMALLEST = 0.8; // pixels
  const ROOMY = 3000; // points that have room on the whole map: of more, each is smaller
  const MANY = 5000; // points from which WebGL draws them: a small map needs no graphics card
  const RIM = { chosen: 1.4, ticked: 2.4 }; // pixels
  const GROWN = 1; // pixels by which what is chosen is larger

  let canvas = null;
  let painter = null;
  let colours = {};
  let kinds = new Uint8Array(); // of each point
  let dressed = null; // where all messages were when the kinds were worked out

  // What is drawn has to be drawn again by `again` when WebGL goes away, as it does when a graphics card is reset.
  function start(element, again) {
    canvas = element;
    load();
    painter = (points.count >= MANY && review.webgl.painter(canvas)) || fallBack();
    painter.place(points.places);
    canvas.addEventListener("webglcontextlost", () => {
      painter = fallBack();
      painter.place(points.places);
      dressed = null;
      again();
    });
    readColours();
  }

  // A canvas that WebGL had, or tried, has to be another one.
  function fallBack() {
    const other = canvas.cloneNode();
    canvas.replaceWith(other);
    canvas = other;
    return review.canvas.painter(canvas);
  }

  function readColours() {
    const styles = getComputedStyle(document.documentElement);
    const read = (key) => d3.rgb(styles.getPropertyValue(`--${key}`).trim());
    const parts = ({ r, g, b }) => [r, g, b];
    const tones = Array.from({ length: TONES }, (_, tone) => parts(read(`tone-${tone}`)));
    colours = { kinds: [...tones, ...["known", "left", "training"].map((key) => parts(read(key)))], ink: parts(read("ink")), accent: parts(read("accent")) };
  }

  function kindOf(row) {
    if (row < 0 || isExample(row)) return TRAINING;
    const path = model.assigned[row];
    const part = model.drafts.get(path)?.part;
    if (!part) return LEFT;
    return part === "known" ? KNOWN : toneOf(path);
  }

  // Which points are shown as chosen: those of what is read in the middle of the page, and those that are ticked.
  function choose() {
    if (dressed !== model.assigned) {
      dressed = model.assigned;
      kinds = Uint8Array.from(points.rows, kindOf);
      painter.dress(kinds);
    }
    const onMap = (rows) => Uint32Array.from([...rows].map((row) => points.of[row] ?? -1).filter((at) => at >= 0));
    painter.mark([onMap(rowsRead()), onMap(model.ticked)]);
  }

  function rowsRead() {
    if (model.query) return results();
    if (model.lasso) return model.lasso;
    if (model.page) return [];
    if (model.tab === "left") return rowsLeft(model.reason);
    return rowsOf(model.draft);
  }

  const rowsOf = (path) => model.rows.filter((row) => path !== null && model.assigned[row] === path);

  // Scale and shift lead from the map as a whole, 0..1, to pixels of a room that shows it so many times larger; of what
  // is not chosen every `step` point is drawn.
  function paint({ width, height }, scale, shift, zoom, step) {
    const ratio = devicePixelRatio || 1;
    const crowd = Math.min(1, (ROOMY / Math.max(1, points.count)) ** 0.25);
    const size = Math.min(LARGEST, crowd * Math.sqrt(zoom));
    const radius = (kind) => RADIUS[kind < TONES ? "tone" : ["known", "left", "training"][kind - TONES]];
    const looks = colours.kinds.map((colour, kind) => ({ colour, radius: Math.max(SMALLEST, radius(kind) * size) }));
    painter.draw({
      width, height, ratio, scale, shift, looks, step,
      layers: [
        { larger: 0 },
        { list: 0, larger: GROWN + RIM.chosen, colour: colours.ink }, { list: 1, larger: GROWN + RIM.ticked, colour: colours.accent },
        { list: 0, larger: GROWN }, { list: 1, larger: GROWN },
      ],
    });
  }

  return { canvas: () => canvas, choose, paint, readColours, rowsOf, start };
})();
