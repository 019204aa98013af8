// What the map shows of the pointer: what it is at, and what it draws around.

review.pointer = (() => {
  const { model } = review.model;
  const { placeOf } = review.order;
  const { points } = review.points;

  const RING = 7; // pixels, around the point that is meant
  const LONGEST = 240; // letters of a message that are shown
  const tip = document.getElementById("map-tip");

  function ring(pen, [left, top], colours) {
    pen.lineWidth = 2;
    pen.strokeStyle = colours.ink;
    pen.beginPath();
    pen.arc(left, top, RING, 0, 7);
    pen.stroke();
  }

  function outline(pen, line, colours) {
    pen.save();
    pen.strokeStyle = colours.accent;
    pen.fillStyle = colours.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [left, top] of line) pen.lineTo(left, top);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.restore();
  }

  // What a point is: a message, or a training example, whose row is -1.
  function what(at) {
    const row = points.rows[at];
    return { row, count: 1, ...(row < 0 ? model.training[points.examples[at]] : model.messages[row]) };
  }

  // Says what a point is, below it or above it.
  function describe(at, [left, top], room) {
    const { row, text, count, intent } = what(at);
    const where = document.createElement("b");
    where.textContent = row < 0 ? `training example of ${intent}` : placeOf(row) + (count > 1 ? `, ${count.toLocaleString("en")} ×` : "");
    const says = document.createElement("span");
    says.dir = "auto";
    says.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
    tip.replaceChildren(says, where);
    tip.style.left = `${Math.max(6, Math.min(left - tip.offsetWidth / 2, room.width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${top + 14 + tip.offsetHeight > room.height ? Math.max(6, top - tip.offsetHeight - 14) : top + 14}px`;
  }

  return { describe, outline, ring, tip, what };
})();
