// Draws the points of a small map, or of any map where there is no WebGL, on a canvas.

review.canvas = (() => {
  const { FULL } = review.points;

  const EDGE = 9; // pixels around the map within which a point may still be seen on it

  function painter(canvas) {
    const pen = canvas.getContext("2d");
    let places = new Uint16Array(); // as in desk_points.js
    let kinds = new Uint8Array(); // of each point
    let marked = []; // lists of points
    const stamps = new Map(); // look -> the drawing of a point: a picture is copied faster than a circle is filled

    const place = (all) => { places = all; };
    const dress = (all) => { kinds = all; };
    const mark = (lists) => { marked = lists; };

    function stamp([red, green, blue], radius, ratio) {
      const key = [red, green, blue, radius, ratio].join();
      if (stamps.has(key)) return stamps.get(key);
      const size = Math.ceil(2 * radius * ratio) + 2;
      const made = new OffscreenCanvas(size, size);
      const dot = made.getContext("2d");
      dot.fillStyle = `rgb(${red} ${green} ${blue})`;
      dot.arc(size / 2, size / 2, radius * ratio, 0, 2 * Math.PI);
      dot.fill();
      if (stamps.size > 500) stamps.clear();
      stamps.set(key, made);
      return made;
    }

    // Scale and shift lead from the map as a whole, 0..1, to pixels; of all points every `step` is drawn.
    function draw({ looks, layers, step, ...frame }) {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      for (const { list, larger, colour } of layers) {
        const pictures = looks.map((look) => stamp(colour ?? look.colour, look.radius + larger, frame.ratio));
        if (list === undefined) copyAll(pictures, frame, step);
        else marked[list].forEach((at) => { copy(at, pictures, frame); });
      }
    }

    function copyAll(pictures, frame, step) {
      for (let at = 0; at < kinds.length; at += step) copy(at, pictures, frame);
    }

    function copy(at, pictures, { width, height, ratio, scale, shift }) {
      const x = (places[2 * at] / FULL) * scale[0] + shift[0];
      const y = (places[2 * at + 1] / FULL) * scale[1] + shift[1];
      if (x < -EDGE || y < -EDGE || x > width + EDGE || y > height + EDGE) return;
      const picture = pictures[kinds[at]];
      pen.drawImage(picture, x * ratio - picture.width / 2, y * ratio - picture.height / 2);
    }

    return { place, dress, mark, draw };
  }

  return { painter };
})();
