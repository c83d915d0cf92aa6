// diagram.js: the example as a space-time diagram after Lamport: a column per thread, a row per step, time downwards.
// Only the rows that can be seen are drawn, so that a step takes no longer in a long run than in a short one.

const ROW = 46, BOX = 26, HEAD = 44, NUMBERS = 68, LETTER = 7.25;
const WIDEST_BOX = 230, GAP = 92, NARROWEST_TEXT = 34;

// Where everything stands. `room` is the width that it should fit into, or 0.
function layoutDiagram(example, rows, room) {
  const rowOf = rowsOfSteps(example, rows), threads = shownThreads(example, rowOf);
  const layout = {example, rows, rowOf, threads, columnOf: new Map(threads.map((thread, i) => [thread, i]))};
  layout.columns = placeColumns(layout, room);
  const last = layout.columns[layout.columns.length - 1];
  layout.width = Math.max(last ? Math.ceil(last.x + last.pitch / 2 + 8) : 0, room);
  layout.edges = layoutEdges(layout);
  layout.frames = layoutFrames(layout);
  layout.spans = rows.map(row => rowSpan(layout, row));
  return layout;
}

function shownThreads(example, rowOf) {
  const shown = new Set();
  for (const step of example.steps) if (rowOf[step.index] >= 0) shown.add(step.thread);
  return [...shown].sort((a, b) => a - b);
}

function placeColumns(layout, room) {
  const {example, threads, rowOf} = layout;
  const letters = new Map(threads.map(thread => [thread, clean(threadName(example, thread)).length + 2]));
  for (const step of example.steps)
    if (rowOf[step.index] >= 0) letters.set(step.thread, Math.max(letters.get(step.thread), clean(step.text).length));
  const pitch = room ? Math.max((room - NUMBERS - 16) / threads.length, 5) : Infinity;
  const gap = Math.min(GAP, pitch * 0.4);
  let x = NUMBERS;
  return threads.map(thread => {
    const wanted = Math.min(Math.max(letters.get(thread) * LETTER + 18, 76), WIDEST_BOX);
    const own = Math.min(wanted + gap, pitch), column = {thread, pitch: own, gap, box: Math.max(own - gap, 4), x: x + own / 2};
    x += own;
    return column;
  });
}

// The edges that are drawn, between two rows and columns: those from thread to thread, and of the chain all.
function layoutEdges(layout) {
  const seen = new Map();
  for (const edge of layout.example.edges) {
    if (edge.kind !== "chain" && !edge.crosses) continue;
    const from = layout.rowOf[edge.from], to = layout.rowOf[edge.to], steps = layout.example.steps;
    if (from < 0 || to < 0 || from === to) continue;
    const a = layout.columnOf.get(steps[edge.from].thread), b = layout.columnOf.get(steps[edge.to].thread);
    const name = [from, to, a, b].join();
    if (!seen.has(name) || edge.kind === "chain") seen.set(name, {edge, from, to, a, b, chain: edge.kind === "chain"});
  }
  return [...seen.values()].sort((a, b) => a.chain - b.chain);
}

// The rows from the first to the last step of each block or transaction.
function layoutFrames(layout) {
  const frames = new Map();
  for (const step of layout.example.steps) {
    const row = layout.rowOf[step.index];
    if (!step.frame || row < 0) continue;
    const frame = frames.get(step.frame) || {first: row, column: layout.columnOf.get(step.thread),
                                             name: layout.example.finding.frames[step.frame - 1] || ""};
    frame.last = row;
    frames.set(step.frame, frame);
  }
  return [...frames.values()];
}

// The columns of a fold: the first and the last.
function rowSpan(layout, row) {
  if (!row.rows) return null;
  const span = {a: Infinity, b: -1};
  const widen = inner => {
    if (inner.rows) return inner.rows.forEach(widen);
    const column = layout.columnOf.get(layout.example.steps[inner.first].thread);
    span.a = Math.min(span.a, column);
    span.b = Math.max(span.b, column);
  };
  widen(row);
  return span;
}

// ---- drawing ----

// The rows from `first` to before `end`, in coordinates of the whole diagram. `view` says what is marked in them:
// {at: the current step, done: per step, is it before or at that; causes: per step; found: per step; onrow}.
function drawRows(layout, view, first, end) {
  const body = draw("g", {});
  drawBand(body, layout, view, first, end);
  for (const frame of layout.frames) if (frame.last >= first && frame.first < end) drawFrame(body, layout, frame);
  drawThreads(body, layout, first, end);
  for (const edge of layout.edges) if (edge.to >= first && edge.from < end) drawEdge(body, layout, view, edge);
  for (let row = first; row < end; row++) drawRow(body, layout, view, row);
  for (const edge of layout.edges) if (edge.to >= first && edge.to < end) drawLabel(body, layout, view, edge);
  return body;
}

function middle(row) {
  return row * ROW + ROW / 2;
}

function drawBand(body, layout, view, first, end) {
  const row = layout.rowOf[view.at];
  if (view.at < 0 || row < first || row >= end) return;
  body.append(draw("rect", {class: "band", x: 0, y: row * ROW + 2, width: layout.width, height: ROW - 4, rx: 4}));
}

function drawThreads(body, layout, first, end) {
  for (const column of layout.columns)
    body.append(draw("line", {class: "thread", x1: column.x, x2: column.x, y1: first * ROW, y2: end * ROW}));
}

function drawFrame(body, layout, frame) {
  const column = layout.columns[frame.column], half = column.box / 2 + Math.min(9, column.gap / 2);
  body.append(draw("rect", {class: "frame", x: column.x - half, y: frame.first * ROW + 3, width: 2 * half, rx: 7,
                            height: (frame.last - frame.first + 1) * ROW - 6}, draw("title", {}, frame.name)));
}

function drawRow(body, layout, view, number) {
  const row = layout.rows[number], is = row.first <= view.at && view.at <= row.last && layout.rowOf[view.at] === number;
  const mark = draw("text", {class: is ? "number now" : "number", x: NUMBERS - 20, y: middle(number)},
                    (is ? "▶ " : "") + (row.rows ? "" : row.first + 1));
  const node = draw("g", {class: rowClass(layout, view, row, is), onclick: () => view.onrow(row)});
  if (row.rows) drawFold(node, layout, number);
  else drawStep(node, layout, view, row.first, middle(number));
  body.append(mark, node);
}

function rowClass(layout, view, row, is) {
  const step = layout.example.steps[row.first], names = ["node", row.rows ? "fold" : step.role];
  if (is) names.push("now");
  if (row.first > view.at) names.push("ahead");
  if (view.causes && view.causes[row.first]) names.push("cause");
  for (let i = row.first; i <= row.last; i++) if (view.found && view.found[i]) return names.join(" ") + " found";
  return names.join(" ");
}

function drawStep(node, layout, view, index, y) {
  const {example, columns, columnOf} = layout, step = example.steps[index], column = columns[columnOf.get(step.thread)];
  node.append(draw("title", {}, stepTitle(example, step)), ...drawShape(step.role, column.x, y, column.box));
  if (column.box >= NARROWEST_TEXT)
    node.append(draw("text", {x: column.x, y}, shorten(clean(step.text), Math.floor((column.box - 12) / LETTER))));
  const sets = shorten(clean(setsWords(example, step)), Math.floor((column.box + column.gap) / 6));
  if (sets && column.box >= NARROWEST_TEXT)
    node.append(draw("text", {class: "sets", x: column.x, y: y + BOX / 2 + 6}, sets));
  if (view.found && view.found[index])
    node.append(draw("text", {class: "tick", x: column.x - column.box / 2 - 2, y: y - BOX / 2}, "?"));
}

function stepTitle(example, step) {
  const words = threadName(example, step.thread) + ": " + step.text + (step.words ? " (" + step.words + ")" : "");
  return words + (step.place ? ", " + placeName(step.place, true) : "");
}

// Each role has a shape of its own: thin, thick, double, with cut corners.
function drawShape(role, x, y, width) {
  const left = x - width / 2, top = y - BOX / 2;
  if (role === "back") {
    const c = Math.min(8, width / 3), r = left + width, b = top + BOX;
    const at = [[left + c, top], [r - c, top], [r, top + c], [r, b - c], [r - c, b], [left + c, b], [left, b - c], [left, top + c]];
    return [draw("polygon", {class: "shape", points: at.map(point => point.join()).join(" ")})];
  }
  const box = draw("rect", {class: "shape", x: left, y: top, width, height: BOX, rx: 3});
  if (role !== "other" || width < 12) return [box];
  return [box, draw("rect", {class: "inner", x: left + 3, y: top + 3, width: width - 6, height: BOX - 6, rx: 2})];
}

function drawFold(node, layout, number) {
  const row = layout.rows[number], {a, b} = layout.spans[number], y = middle(number);
  const left = layout.columns[a].x - layout.columns[a].box / 2, right = layout.columns[b].x + layout.columns[b].box / 2;
  node.append(draw("title", {}, "steps " + (row.first + 1) + " to " + (row.last + 1) + ": open"),
              draw("rect", {class: "shape", x: left, y: y - BOX / 2, width: right - left, height: BOX, rx: 3}));
  const words = "▸ " + row.words, room = Math.floor((layout.width - left) / LETTER);
  const wide = right - left >= words.length * LETTER + 8;
  node.append(draw("text", {x: wide ? (left + right) / 2 : left + 8, y, "text-anchor": wide ? "middle" : "start"},
                   shorten(words, room)));
}

// ---- edges ----

function edgeClass(view, edge) {
  const near = edge.edge.to === view.at || edge.edge.from === view.at;
  return "edge" + (edge.chain ? " chain" : "") + (near ? " near" : "") + (edge.edge.to > view.at ? " ahead" : "");
}

function drawEdge(body, layout, view, edge) {
  const {a, b} = edge, from = layout.columns[a], to = layout.columns[b], name = edgeClass(view, edge);
  const y1 = middle(edge.from), y2 = middle(edge.to);
  if (a === b) {
    body.append(draw("line", {class: name, x1: from.x, x2: from.x, y1: y1 + BOX / 2, y2: y2 - BOX / 2}));
    return;
  }
  const way = a < b ? 1 : -1, x1 = from.x + way * from.box / 2, x2 = to.x - way * to.box / 2;
  const head = Math.min(9, to.gap / 2), out = x1 + way * from.gap / 2, into = x2 - way * to.gap / 2;
  const points = [[x1, y1 + 5], [out, y1 + 5]];
  if (Math.abs(a - b) > 1) points.push([out, y2 - ROW / 2], [into, y2 - ROW / 2]);
  points.push([into, y2], [x2 - way * head, y2]);
  body.append(draw("path", {class: name, d: roundedPath(points)}, draw("title", {}, edge.edge.words)),
              draw("polygon", {class: name + " head",
                               points: [x2, y2, x2 - way * head, y2 - 5, x2 - way * head, y2 + 5].join()}));
}

// Straight lines through the points, with round corners.
function roundedPath(points) {
  let path = "M" + points[0].join();
  for (let i = 1; i < points.length - 1; i++) {
    const corner = points[i], r = 7, near = towards(corner, points[i - 1], r), far = towards(corner, points[i + 1], r);
    path += " L" + near.join() + " Q" + corner.join() + " " + far.join();
  }
  return path + " L" + points[points.length - 1].join();
}

function towards(from, to, r) {
  const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy) || 1, k = Math.min(r, length / 2) / length;
  return [from[0] + dx * k, from[1] + dy * k];
}

// What an edge of the chain, or of the current step, goes through, above and below its end.
function drawLabel(body, layout, view, edge) {
  const to = layout.columns[edge.b], near = edge.edge.to === view.at;
  if (edge.a === edge.b || to.gap < 60 || !(edge.chain || near)) return;
  const way = edge.a < edge.b ? 1 : -1, x = to.x - way * (to.box / 2 + to.gap / 2), y = middle(edge.to);
  const room = Math.floor(to.gap / 6.2), how = edgeHow(edge.edge).replace(/ → /, "→");
  const texts = [[edge.edge.object || "", y - 10, "label object"], [how, y + 13, "label"]];
  for (const [text, at, name] of texts)
    if (text) body.append(draw("text", {class: name, x, y: at}, shorten(clean(text), room)));
}

// ---- the names of the threads ----

function drawHead(layout, view) {
  const head = draw("svg", {class: "head", width: layout.width, height: HEAD, "aria-hidden": "true"});
  const current = view.at >= 0 ? layout.example.steps[view.at].thread : -1;
  for (const column of layout.columns) {
    const known = layout.example.threads[column.thread] || {name: "", about: null}, is = column.thread === current;
    const letters = Math.floor(column.pitch / 7.6);
    if (letters < 2 && !is) continue;
    const text = draw("text", {class: is ? "name now" : "name", x: column.x, y: 15},
                      draw("title", {}, known.name + (known.about ? ", " + known.about : "")));
    fill(text, [letters < 2 ? clean(known.name) : shorten(clean(known.name), letters)]);
    head.append(text);
    if (known.about && letters >= 6)
      head.append(draw("text", {class: "about", x: column.x, y: 32}, shorten(clean(known.about), Math.floor(column.pitch / 5.8))));
  }
  return head;
}
