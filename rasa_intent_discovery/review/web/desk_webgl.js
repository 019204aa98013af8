// Draws the points of a large map with WebGL 2; null where a browser has none.

review.webgl = (() => {
  const { FULL } = review.points;

  const LOOKS = 24; // at least as many as in desk_dots.js
  const VERTEX = `#version 300 es
    in vec2 place;
    in uint kind;
    uniform vec2 scale, shift;
    uniform float ratio, larger;
    uniform vec4 looks[${LOOKS}], paint;
    out vec4 colour;
    out float radius;
    void main() {
      gl_Position = vec4(place / ${FULL}.0 * scale + shift, 0.0, 1.0);
      radius = (looks[kind].a + larger) * ratio;
      gl_PointSize = 2.0 * radius + 1.0;
      colour = paint.a > 0.0 ? paint : vec4(looks[kind].rgb, 1.0);
    }`;
  const FRAGMENT = `#version 300 es
    precision mediump float;
    in vec4 colour;
    in float radius;
    out vec4 seen;
    void main() {
      float away = length(gl_PointCoord - 0.5) * (2.0 * radius + 1.0);
      seen = colour * clamp(radius + 0.5 - away, 0.0, 1.0);
    }`;

  // What draws on a canvas, as in desk_canvas.js.
  function painter(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, depth: false });
    const program = gl && link(gl);
    if (!program) return null;
    const uniform = (name) => gl.getUniformLocation(program, name);
    const at = Object.fromEntries(["scale", "shift", "ratio", "larger", "looks", "paint"].map((name) => [name, uniform(name)]));
    const buffers = { place: gl.createBuffer(), kind: gl.createBuffer() };
    const marked = []; // lists of points: {buffer, length}
    let count = 0;
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

    const where = { place: gl.getAttribLocation(program, "place"), kind: gl.getAttribLocation(program, "kind") };
    for (const one of Object.values(where)) gl.enableVertexAttribArray(one);

    function fill(name, values) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    }

    // Takes every so many of the points.
    function take(step) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers.place);
      gl.vertexAttribPointer(where.place, 2, gl.UNSIGNED_SHORT, false, 4 * step, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers.kind);
      gl.vertexAttribIPointer(where.kind, 1, gl.UNSIGNED_BYTE, step, 0);
    }

    function place(places) {
      count = places.length / 2;
      fill("place", places);
    }

    const dress = (kinds) => fill("kind", kinds);

    function mark(lists) {
      for (const { buffer } of marked.splice(0)) gl.deleteBuffer(buffer);
      for (const list of lists) {
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, list, gl.STATIC_DRAW);
        marked.push({ buffer, length: list.length });
      }
    }

    function draw({ width, height, ratio, scale, shift, looks, layers, step }) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(at.scale, (2 * scale[0]) / width, (-2 * scale[1]) / height);
      gl.uniform2f(at.shift, (2 * shift[0]) / width - 1, 1 - (2 * shift[1]) / height);
      gl.uniform1f(at.ratio, ratio);
      gl.uniform4fv(at.looks, looks.flatMap(({ colour, radius }) => [...colour.map((part) => part / 255), radius]));
      for (const layer of layers) drawLayer(layer, step);
    }

    function drawLayer({ list, larger, colour }, step) {
      gl.uniform1f(at.larger, larger);
      gl.uniform4fv(at.paint, colour ? [...colour.map((part) => part / 255), 1] : [0, 0, 0, 0]);
      take(list === undefined ? step : 1);
      if (list === undefined) gl.drawArrays(gl.POINTS, 0, Math.ceil(count / step));
      else if (marked[list].length) {
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, marked[list].buffer);
        gl.drawElements(gl.POINTS, marked[list].length, gl.UNSIGNED_INT, 0);
      }
    }

    return { place, dress, mark, draw };
  }

  function link(gl) {
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
  }

  return { painter };
})();
