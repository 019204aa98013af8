// The map of all messages: move, zoom, point at, click, and draw around. It follows what is chosen in the list.

review.map = (() => {
  const { dots, labels } = review;
  const { intoSight } = review.follow;
  const { model } = review.model;
  const { describe, outline, ring, tip, what } = review.pointer;
  const { nearest, points, within, x, y } = review.points;

  const HOVER = 12; // pixels around the pointer in which a message is meant
  const BELOW = 5; // the same where there is a name: that is meant by most clicks on it
  const BEHIND = 5; // pixels by which a training example has to be nearer than a message
  const CLICK = 4; // pixels that the pointer may move in a click
  const MARGIN = 18; // pixels around the map as a whole
  const CLOSEST = 60; // how many times larger the map can get
  const MOVING = 250; // milliseconds
  const SLOW = 50; // milliseconds that the one before a frame may take: of a slower map a part is drawn while it moves
  const FEWEST = 32; // of so many points one is drawn, at least
  const STEP = 0.15; // of the room, for an arrow key
  const WHEEL = Math.LOG2E / 400; // doublings for each pixel that the wheel is turned
  const view = document.getElementById("map-view");
  const drawn = view.querySelector("canvas:last-of-type"); // names, and what the pointer does; the points are below
  const pen = drawn.getContext("2d");

  let room = { width: 0, height: 0 }; // of the map, in pixels
  let transform = d3.zoomIdentity; // from the map as a whole to what is shown of it
  let pointed = -1; // point
  let loop = null; // what is being drawn around, in pixels
  let lassoing = false;
  const colours = {};
  let due = 0; // since when a frame is waited for
  let moves = false; // whether the map is being moved or zoomed
  let step = 1; // of so many points one is drawn while it is
  let followed = null; // path of the draft that was last brought into sight
  let stale = true; // whether something else may be chosen than what was last drawn
  let onPick = () => {};
  let onLasso = () => {};

  function start(handlers) {
    ({ onPick, onLasso } = handlers);
    dots.start(view.querySelector("canvas"), redraw);
    new ResizeObserver(resize).observe(view);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); schedule(); });
    readColours();
    resize();
  }

  function lasso(on) {
    lassoing = on ?? !lassoing;
    loop = null;
    view.classList.toggle("lassoing", lassoing);
    document.getElementById("lasso").setAttribute("aria-pressed", String(lassoing));
    schedule();
    return lassoing;
  }

  function readColours() {
    const styles = getComputedStyle(view);
    for (const key of ["ink", "soft", "paper", "accent"]) colours[key] = styles.getPropertyValue(`--${key}`).trim();
    colours.face = styles.fontFamily;
    dots.readColours();
  }

  // To ask the page for it costs a layout, so it is asked once and not for every point.
  function resize() {
    const before = room;
    room = { width: view.clientWidth, height: view.clientHeight };
    const ratio = devicePixelRatio || 1;
    for (const canvas of [drawn, dots.canvas()]) {
      canvas.width = Math.max(1, Math.round(room.width * ratio));
      canvas.height = Math.max(1, Math.round(room.height * ratio));
    }
    zoom.extent(whole()).translateExtent(whole());
    const [left, top] = [(transform.x * room.width) / (before.width || 1), (transform.y * room.height) / (before.height || 1)];
    zoom.transform(surface, d3.zoomIdentity.translate(left, top).scale(transform.k));
  }

  function redraw() {
    stale = true;
    schedule();
  }

  function schedule() {
    if (due) return;
    due = performance.now();
    requestAnimationFrame(() => {
      if (moves && performance.now() - due > SLOW) step = Math.min(FEWEST, 2 * step);
      due = 0;
      paint();
    });
  }

  const whole = () => [[0, 0], [room.width, room.height]];

  // From the map as a whole, 0..1, to where it is shown, in pixels.
  const scale = () => [transform.k * (room.width - 2 * MARGIN), transform.k * (room.height - 2 * MARGIN)];
  const shift = () => [transform.k * MARGIN + transform.x, transform.k * MARGIN + transform.y];
  const toScreen = (right, below) => {
    const [[width, height], [left, top]] = [scale(), shift()];
    return [left + right * width, top + below * height];
  };
  const fromScreen = ([right, below]) => {
    const [[width, height], [left, top]] = [scale(), shift()];
    return [(right - left) / width, (below - top) / height];
  };
  const place = (at) => toScreen(x(at), y(at));

  const shownDraft = () => (model.query || model.lasso || model.page || model.tab === "left" ? null : model.draft);

  function paint() {
    if (room.width <= 2 * MARGIN || room.height <= 2 * MARGIN) return; // it is hidden
    if (stale) {
      stale = false;
      dots.choose();
      labels.gather();
      follow();
    }
    dots.paint(room, scale(), shift(), transform.k, moves ? step : 1);
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, room.width, room.height);
    labels.write(pen, room, toScreen, shownDraft(), colours);
    if (pointed >= 0) ring(pen, place(pointed), colours);
    if (loop) outline(pen, loop, colours);
  }

  // Brings into sight what was chosen in the list.
  function follow() {
    const draft = shownDraft();
    if (draft === followed) return;
    followed = draft;
    const wanted = draft === null ? null : intoSight(dots.rowsOf(draft), room, MARGIN, transform);
    if (!wanted) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const moved = still ? surface : surface.transition().duration(MOVING);
    moved.call(zoom.transform, zoom.constrain()(wanted, whole(), whole()));
  }

  // What is meant by a place on the screen: the nearest message, or a training example that is nearer by far; or -1.
  function meant(where) {
    const [width, height] = scale();
    const reach = labels.draftAt(where) === null ? HOVER : BELOW;
    const [[message, far], [example, near]] = nearest(...fromScreen(where), reach / width, reach / height);
    if (message < 0 || example < 0) return Math.max(message, example);
    return far ** 2 <= near ** 2 + (BEHIND / reach) ** 2 ? message : example;
  }

  function pointAt(found) {
    tip.hidden = found < 0;
    view.classList.toggle("pointing", found >= 0);
    if (found >= 0) describe(found, place(found), room);
    if (found === pointed) return;
    pointed = found;
    schedule();
  }

  // Moving and zooming, by wheel, pointer, fingers and keys; and drawing around, with Shift or the button

  const surface = d3.select(view);
  const draws = (event) => lassoing || event.shiftKey;
  const zoom = d3.zoom()
    .scaleExtent([1, CLOSEST])
    .clickDistance(CLICK)
    .duration(0)
    .wheelDelta((event) => -event.deltaY * WHEEL)
    .filter((event) => event.type === "wheel" || !(event.button || event.ctrlKey || draws(event)))
    .on("start", () => {
      moves = true;
      step = Math.max(1, step / 2);
    })
    .on("end", () => {
      moves = false;
      if (step > 1) schedule();
    })
    .on("zoom", (event) => {
      transform = event.transform;
      schedule();
    });
  const drawing = d3.drag()
    .container(view)
    .clickDistance(CLICK)
    .filter((event) => !event.button && draws(event))
    .on("start", (event) => { loop = [[event.x, event.y]]; })
    .on("drag", (event) => {
      loop.push([event.x, event.y]);
      schedule();
    })
    .on("end", enclose);
  surface.call(zoom).call(drawing);

  function enclose() {
    const line = loop;
    if (!line.some(([left, top]) => Math.hypot(left - line[0][0], top - line[0][1]) > CLICK)) {
      loop = null;
      return;
    }
    const corner = (pick) => fromScreen([0, 1].map((axis) => line.reduce((found, one) => pick(found, one[axis]), line[0][axis])));
    const rows = [];
    within(corner(Math.min), corner(Math.max), (at) => {
      if (points.rows[at] >= 0 && d3.polygonContains(line, place(at))) rows.push(points.rows[at]);
    });
    lasso(false);
    onLasso(rows.sort((one, other) => one - other));
  }

  view.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    view.focus({ preventScroll: true });
    pointAt(-1);
  });
  view.addEventListener("pointermove", (event) => {
    if (!event.buttons) pointAt(meant(d3.pointer(event, view)));
  });
  view.addEventListener("pointerleave", () => pointAt(-1));
  view.addEventListener("click", (event) => {
    const found = meant(d3.pointer(event, view));
    const named = found < 0 ? labels.draftAt(d3.pointer(event, view)) : null;
    if (found < 0 && named === null) return;
    followed = named ?? model.assigned[points.rows[found]]; // it is in sight already
    if (named === null) onPick(what(found));
    else onPick({ draft: named });
  });

  const move = (right, below) => zoom.translateBy(surface, (right * room.width) / transform.k, (below * room.height) / transform.k);
  const enlarge = (factor) => zoom.scaleBy(surface, factor);
  const KEYS = {
    ArrowLeft: () => move(STEP, 0), ArrowRight: () => move(-STEP, 0), ArrowUp: () => move(0, STEP), ArrowDown: () => move(0, -STEP),
    "+": () => enlarge(1.4), "=": () => enlarge(1.4), "-": () => enlarge(1 / 1.4), Home: () => zoom.transform(surface, d3.zoomIdentity),
  };
  view.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    KEYS[event.key]();
  });
  document.getElementById("zoom-in").addEventListener("click", KEYS["+"]);
  document.getElementById("zoom-out").addEventListener("click", KEYS["-"]);
  document.getElementById("zoom-all").addEventListener("click", KEYS.Home);

  // Where a message is in the window, by its row or text: for programs that work on the page.
  function whereIs(row) {
    const at = points.of[row] ?? -1;
    const box = drawn.getBoundingClientRect();
    return at < 0 ? null : [box.left + place(at)[0], box.top + place(at)[1]];
  }
  const whereSaid = (text) => whereIs(model.rows.find((row) => model.messages[row].text === text));

  return { start, lasso, redraw, whereIs, whereSaid };
})();
