// Where the map moves to when something else is chosen in the list.

review.follow = (() => {
  const { points, x, y } = review.points;

  const OUTER = 0.1; // part of the points, at each side, that need not be in sight
  const AROUND = 18; // pixels around the others

  // What leads messages into sight of a room: a transform of the map as a whole; null where they are in sight.
  function intoSight(rows, { width, height }, margin, transform) {
    const there = rows.map((row) => points.of[row]).filter((at) => at >= 0);
    if (!there.length) return null;
    const [left, right] = inner(there.map((at) => margin + x(at) * (width - 2 * margin)));
    const [top, bottom] = inner(there.map((at) => margin + y(at) * (height - 2 * margin)));
    const isSeen = ([one, other]) => one >= 0 && other >= 0 && one <= width && other <= height;
    if ([[left, top], [right, bottom]].every((corner) => isSeen(transform.apply(corner)))) return null;
    const fits = Math.min(width / (right - left + 2 * AROUND), height / (bottom - top + 2 * AROUND));
    const larger = Math.max(1, Math.min(transform.k, fits));
    return d3.zoomIdentity.translate(width / 2, height / 2).scale(larger).translate(-(left + right) / 2, -(top + bottom) / 2);
  }

  // The least and the largest of values but for the outer ones.
  function inner(values) {
    const sorted = Float64Array.from(values).sort();
    const outer = Math.floor(OUTER * sorted.length);
    return [sorted[outer], sorted[sorted.length - 1 - outer]];
  }

  return { intoSight };
})();
