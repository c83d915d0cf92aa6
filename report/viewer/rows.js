// rows.js: the rows of the diagram. Turns of a loop that repeat the one before are folded into one row, and turns of
// turns likewise; if there are more than MOST rows even so, what does not matter is folded between what does. A folded
// row can be opened, which shows the rows in it.

const MOST = 20, LONGEST_TURN = 64, FEWEST_TURNS = 3;

// A row of one step, or of those of `rows`. `first` and `last` are steps; `key` is the same for rows that look alike.
function stepRow(step, pinned) {
  return {first: step.index, last: step.index, key: "e" + step.event, pinned, rows: null, n: 1};
}

function foldRow(rows, key, words) {
  const n = rows.reduce((sum, row) => sum + row.n, 0);
  return {first: rows[0].first, last: rows[rows.length - 1].last, key, rows, n, words,
          pinned: rows.some(row => row.pinned)};
}

// Steps that a fold of turns leaves alone: those that matter, and the ends of the chain between threads.
function pinnedSteps(example) {
  const pinned = new Uint8Array(example.n);
  for (const step of example.steps) if (step.matters) pinned[step.index] = 1;
  for (const edge of example.edges) if (edge.kind === "chain" && edge.crosses) pinned[edge.from] = pinned[edge.to] = 1;
  return pinned;
}

// How many turns of `length` rows after the one at `start` only repeat it.
function countTurns(rows, start, length) {
  let end = start + length;
  while (end < rows.length && !rows[end].pinned && rows[end].key === rows[end - length].key) end++;
  return Math.floor((end - start) / length) - 1;
}

function findTurns(rows, start) {
  let best = {turns: 0, length: 0};
  const left = rows.length - start;
  for (let length = 1; length <= LONGEST_TURN && length * FEWEST_TURNS <= left; length++) {
    const turns = countTurns(rows, start, length);
    if (turns + 1 >= FEWEST_TURNS && turns * length > best.turns * best.length) best = {turns, length};
  }
  return best;
}

function foldTurns(rows) {
  const folded = [];
  for (let i = 0; i < rows.length;) {
    const {turns, length} = findTurns(rows, i), head = turns ? length : 1;
    folded.push(...rows.slice(i, i + head));
    i += head;
    if (!turns) continue;
    const inside = rows.slice(i, i + turns * length), turn = inside.slice(0, length).map(row => row.key).join(" ");
    const fold = foldRow(inside, turns + "(" + turn + ")", "");
    fold.words = plural(turns, "more turn") + " of " + plural(fold.n / turns, "step");
    folded.push(fold);
    i += turns * length;
  }
  return folded;
}

// Two rows or more that follow each other, and do not matter, become one.
function foldGaps(rows) {
  const folded = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && !rows[end].pinned) end++;
    if (end - i > 1) folded.push(gapOf(rows.slice(i, end)));
    else folded.push(...rows.slice(i, end));
    if (end < rows.length) folded.push(rows[end]);
    i = end + 1;
  }
  return folded;
}

function gapOf(rows) {
  const gap = foldRow(rows, "gap", "");
  gap.words = plural(gap.n, "step") + (gap.pinned ? "" : " between");
  return gap;
}

function foldAll(rows) {
  for (let before = -1; rows.length !== before && rows.length > 1;) {
    before = rows.length;
    rows = foldTurns(rows);
  }
  if (rows.length > MOST) rows = foldGaps(rows);
  if (rows.length <= MOST) return rows;
  const keep = MOST / 2 - 1;
  return [...rows.slice(0, keep), gapOf(rows.slice(keep, -keep)), ...rows.slice(-keep)];
}

// The rows of the steps for which `shown` is true, or of all; `opened` has the names of the folds that are open.
function chooseRows(example, folded, shown, opened) {
  const pinned = pinnedSteps(example), plain = [];
  for (const step of example.steps) if (!shown || shown[step.index]) plain.push(stepRow(step, pinned[step.index] > 0));
  const rows = [];
  const add = row => row.rows && opened.has(rowName(row)) ? row.rows.forEach(add) : rows.push(row);
  (folded ? foldAll(plain) : plain).forEach(add);
  return rows;
}

function rowName(row) {
  return row.first + "-" + row.last;
}

// Per step: its row, or -1 if it is not shown.
function rowsOfSteps(example, rows) {
  const of = new Int32Array(example.n).fill(-1);
  const mark = (row, number) => {
    if (row.rows) row.rows.forEach(inner => mark(inner, number));
    else of[row.first] = number;
  };
  rows.forEach(mark);
  return of;
}
