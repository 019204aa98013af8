// The colours of the proposals: none twice while there are enough of them, and then only where they are far apart on the map.

review.colours = (() => {
  const { NOWHERE, model } = review.model;
  const { inOrder } = review.order;

  const TONES = 20; // as in colours.css
  const tones = new Map(); // path of a proposal -> the tone it has, which it keeps

  function toneOf(path) {
    if (!tones.has(path)) assign();
    return tones.get(path) ?? 0;
  }

  // The most worth choose first. Each takes the tone whose nearest bearer is farthest away; of equal ones the rarest.
  function assign() {
    const centres = centresOnMap();
    const proposals = inOrder("new");
    for (const path of proposals.filter((one) => !tones.has(one))) {
      const choices = Array.from({ length: TONES }, (_, tone) => ({ tone, room: Infinity, bearers: 0 }));
      for (const other of proposals.filter((one) => tones.has(one))) {
        const choice = choices[tones.get(other)];
        choice.room = Math.min(choice.room, apart(centres.get(path), centres.get(other)));
        choice.bearers += 1;
      }
      const [{ tone }] = choices.sort((one, other) => (other.room > one.room) - (other.room < one.room) || one.bearers - other.bearers);
      tones.set(path, tone);
    }
  }

  // Of what is not on the map nothing is known, but that its colour is taken.
  const apart = (one, other) => (one && other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0);

  // Path of a draft -> the mean of the places of its messages.
  function centresOnMap() {
    const sums = new Map();
    model.mapped.forEach((row, at) => {
      const path = model.assigned[row];
      const [x, y] = model.places.subarray(2 * at, 2 * at + 2);
      if (!path || x === NOWHERE) return;
      const sum = sums.get(path) ?? [0, 0, 0];
      sums.set(path, [sum[0] + x, sum[1] + y, sum[2] + 1]);
    });
    return new Map([...sums].map(([path, [x, y, count]]) => [path, [x / count, y / count]]));
  }

  return { TONES, toneOf };
})();
