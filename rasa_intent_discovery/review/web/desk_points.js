// The points of the map: where they are on it as a whole, 0..1 from the left and from the top, and which are near a place.

review.points = (() => {
  const { NOWHERE, model } = review.model;

  const FULL = 65534; // right or bottom edge, as in map_places.py
  const IN_CELL = 8; // points in a cell of the grid, on average
  const MOST_CELLS = 1024; // in a row

  // Row of a message, or -1 for a training example, of a point; places as [x, y, x, y ...]; point of a row, or -1.
  const points = { count: 0, rows: new Int32Array(), examples: new Int32Array(), places: new Uint16Array(), of: new Int32Array() };
  let side = 1; // cells in a row of the grid
  let starts = new Uint32Array(2); // of each cell in `members`
  let members = new Uint32Array();

  // Training examples are drawn first and what the run proposed last, so that this is not covered.
  function load() {
    const layers = [[], [], [], []];
    const depth = { left_over: 1, known: 2, new: 3 };
    for (let at = 0; at < model.places.length / 2; at += 1) {
      if (model.places[2 * at] !== NOWHERE) layers[depth[model.messages[model.mapped[at]]?.placement] ?? 0].push(at);
    }
    const order = layers.flat();
    points.count = order.length;
    points.rows = Int32Array.from(order, (at) => model.mapped[at] ?? -1);
    points.examples = Int32Array.from(order, (at) => at - model.mapped.length);
    points.places = new Uint16Array(2 * order.length);
    points.of = new Int32Array(model.total).fill(-1);
    order.forEach((from, at) => {
      points.places.set(model.places.subarray(2 * from, 2 * from + 2), 2 * at);
      if (from < model.mapped.length) points.of[model.mapped[from]] = at;
    });
    fillGrid();
  }

  const x = (at) => points.places[2 * at] / FULL;
  const y = (at) => points.places[2 * at + 1] / FULL;
  const cell = (part) => Math.max(0, Math.min(side - 1, Math.floor(part * side)));

  function fillGrid() {
    side = Math.max(1, Math.min(MOST_CELLS, Math.round(Math.sqrt(points.count / IN_CELL))));
    starts = new Uint32Array(side * side + 1);
    members = new Uint32Array(points.count);
    const cellOf = (at) => cell(y(at)) * side + cell(x(at));
    for (let at = 0; at < points.count; at += 1) starts[cellOf(at) + 1] += 1;
    for (let one = 0; one < side * side; one += 1) starts[one + 1] += starts[one];
    const next = starts.slice();
    for (let at = 0; at < points.count; at += 1) members[next[cellOf(at)]++] = at;
  }

  // Calls `visit` with all points in a part of the map, and some beside it.
  function within([left, top], [right, bottom], visit) {
    for (let row = cell(top); row <= cell(bottom); row += 1) {
      const [from, to] = [starts[row * side + cell(left)], starts[row * side + cell(right) + 1]];
      for (let one = from; one < to; one += 1) visit(members[one]);
    }
  }

  // The nearest message and the nearest training example in an ellipse around a place: [point or -1, distance 0..1].
  function nearest(placeX, placeY, reachX, reachY) {
    const found = [[-1, 1], [-1, 1]];
    within([placeX - reachX, placeY - reachY], [placeX + reachX, placeY + reachY], (at) => {
      const far = Math.hypot((x(at) - placeX) / reachX, (y(at) - placeY) / reachY);
      const kind = points.rows[at] < 0 ? 1 : 0;
      if (far < found[kind][1]) found[kind] = [at, far];
    });
    return found;
  }

  return { FULL, load, nearest, points, within, x, y };
})();
