// viewer.js: the page. Its state is a position in the result, and what the user has chosen; whatever changes it calls
// show(), which draws all that depends on it.

const result = JSON.parse(document.getElementById("result").textContent);
const checked = readChecked(result), sources = readSources(result);
const state = {opened: new Set(), source: 0};
const parts = {};
let example = null, layout = null, chain = null, shownSource = null, found = null, printing = false;

// ---- what does not change ----

const KEYS = [["→ ←", "next, previous row"], ["Shift → ←", "next, previous step, in folds too"],
              ["Home End", "before the first, after the last step"], ["Page ↓ ↑", "ten rows on, back"],
              ["f", "fold"], ["o", "open the fold"], ["w", "fit to the width"], ["c", "causes of this step only"],
              ["/", "search"], ["n N", "next, previous step found"], ["[ ]", "previous, next example"], ["t", "theme"]];

function choice(name, text, key, onchange) {
  parts[name] = make("input", {type: "checkbox", id: name, onchange: event => onchange(event.target.checked)});
  return make("label", {title: "key " + key}, parts[name], " " + text);
}

function field(name, text, oninput) {
  parts[name] = make("input", {type: "search", id: name, "aria-label": text, placeholder: text, spellcheck: "false",
                               autocomplete: "off", oninput: event => oninput(event.target.value)});
  return parts[name];
}

function box(name, title, ...children) {
  parts[name + "Box"] = make("section", {class: name, "aria-label": title}, make("h2", {}, title), ...children);
  return parts[name + "Box"];
}

function pane(name, title) {
  parts[name] = make("div", {class: "pane", tabindex: "0", role: "group", "aria-label": title});
  return parts[name];
}

function makeHeader() {
  const name = result.schema.split("/")[0], file = sources[0] ? sources[0].file : "";
  const kind = {atomic: "pass", serializable: "pass", none: "pass", violated: "fail", predicted: "fail", found: "fail", error: "fail", fault: "fail"}[result.verdict] || "open";
  document.title = clean(result.verdict + (file ? ": " + file : "") + " – " + name);
  parts.theme = button("", {title: "key t", onclick: turnTheme});
  return make("header", {}, make("h1", {}, make("span", {class: "verdict " + kind}, SIGNS[kind] + " " + result.verdict), " ",
                                 make("span", {class: "file"}, file || name)),
              make("span", {class: "tool"}, name), field("query", "Search steps and source", search), parts.matches = make("span", {role: "status"}),
              parts.theme, result.why ? make("p", {class: "why"}, result.why) : null);
}

function makeBar() {
  const step = (text, label, onclick) => button(text, {"aria-label": label, title: label, onclick});
  parts.slider = make("input", {type: "range", min: 0, max: example.n, "aria-label": "step", oninput: event => go(Number(event.target.value) - 1)});
  return make("div", {class: "bar", role: "toolbar", "aria-label": "Steps"},
    step("|◀", "before the first step", () => go(-1)), step("◀", "previous row", () => move(-1)),
    step("▶", "next row", () => move(1)), step("▶|", "after the last step", () => go(example.n - 1)),
    parts.slider, parts.count = make("output", {}),
    choice("folded", "fold", "f", is => choose({folded: is})), choice("fitted", "fit width", "w", is => choose({fitted: is})),
    choice("only", "causes only", "c", is => chooseCauses(is)));
}

function makeRun() {
  parts.diagram = make("div", {class: "diagram", tabindex: "0", role: "group", "aria-label": "Diagram: a column per thread, time downwards",
                               onscroll: () => requestAnimationFrame(showWindow)},
                       parts.head = make("div", {class: "heads"}), parts.sheet = make("div", {class: "sheet"}));
  parts.tell = make("p", {class: "tell", "aria-live": "polite"});
  parts.causes = make("p", {class: "causes"});
  return box("run", example.finding.run === false ? "Events that matter" : "Run", makeBar(), parts.tell, parts.causes, parts.diagram, makeLegend());
}

function makeLegend() {
  const roles = [["before", "before"], ["inside", "in the block"], ["other", "of others, in between"], ["back", "back in the block"]];
  const items = roles.map(([role, words]) => make("span", {}, draw("svg", {width: 30, height: BOX + 4, "aria-hidden": "true"},
    draw("g", {class: "node " + role}, drawShape(role, 15, BOX / 2 + 2, 24))), words));
  return make("p", {class: "legend"}, items, make("span", {}, draw("svg", {width: 34, height: 10, "aria-hidden": "true"},
    draw("line", {class: "edge chain", x1: 2, x2: 24, y1: 5, y2: 5}), draw("polygon", {class: "edge chain head", points: "32,5 23,1 23,9"})), "the causal chain"));
}

function makeSourceBox() {
  const select = make("select", {"aria-label": "Source file", onchange: event => chooseSource(Number(event.target.value))},
                      sources.map((source, i) => make("option", {value: i}, source.file || "unknown file")));
  parts.files = select;
  return box("source", "Source", sources.length > 1 ? select : null,
             make("p", {class: "note", hidden: true}), pane("lines", "Source"));
}

function makeHelp() {
  return make("details", {class: "help"}, make("summary", {}, "Keys"),
              make("dl", {}, KEYS.map(([key, words]) => make("div", {}, make("dt", {}, key), make("dd", {}, words)))));
}

// The whole page, for the example that is chosen.
function build() {
  const remarks = makeDiagnostics(result.diagnostics, goToPlace);
  const main = make("main", {});
  if (checked.length) main.append(box("checked", "Checked", parts.checked = make("div", {class: "pane", tabindex: "0", role: "group", "aria-label": "What was checked"})));
  if (remarks.length) main.append(box("remarks", "Messages", make("ul", {}, remarks)));
  const left = make("div", {class: "column"}), right = make("div", {class: "column"});
  if (sources.length) left.append(makeSourceBox());
  if (example && example.n) right.append(makeRun());
  if (example) right.append(makeWhy());
  if (example && example.variables.length)
    left.append(box("values", "Values", field("filter", "Filter variables", filterValues), pane("table", "Values")));
  main.append(left, right);
  document.body.replaceChildren(makeHeader(), main, makeHelp());
  document.body.classList.toggle("narrow", !sources.length);
}

function makeWhy() {
  const finding = example.finding;
  chain = makeChain(example, go);
  const notes = finding.notes.filter(note => note.place === null || !example.n);
  return box("chainbox", "Why", make("p", {class: "message"}, finding.message), finding.grounds ? make("p", {class: "grounds"}, "Known by: " + finding.grounds) : null,
             chain.items.length ? chain.element : null, notes.map(note => make("p", {}, note.message)));
}

// ---- what changes ----

function choose(changes) {
  Object.assign(state, changes);
  layout = null;
  show();
}

function chooseCauses(is) {
  choose({causes: is && state.at >= 0 ? state.at : -1});
}

function chooseFinding(number) {
  if (number === null || !result.findings[number]) return;
  Object.assign(state, {finding: number, causes: -1, at: null});
  state.opened.clear();
  start();
}

function turnTheme() {
  choose({theme: {auto: "dark", dark: "light", light: "auto"}[state.theme]});
}

function go(step) {
  if (!example) return;
  state.at = Math.max(-1, Math.min(step, example.n - 1));
  show();
  reveal();
}

// Some rows on: the step after which a row is done.
function move(by) {
  const rows = layout.rows, row = state.at < 0 ? -1 : layout.rowOf[state.at];
  const now = row >= 0 || state.at < 0 ? row : nearestRow(rows);
  const next = Math.min(now + by, rows.length - 1);
  go(next < 0 ? -1 : rows[next].last);
}

// Of a step that is not shown: the last row before it.
function nearestRow(rows) {
  let row = -1;
  while (row + 1 < rows.length && rows[row + 1].first <= state.at) row++;
  return row;
}

function openRow(row) {
  state.opened.add(rowName(row));
  layout = null;
  go(row.last);
}

function onRow(row) {
  if (row.rows) openRow(row);
  else go(row.first);
}

// The next of these steps after the current one, round the end.
function goToNext(steps) {
  const next = steps.find(step => step > state.at);
  go(next === undefined ? steps[0] : next);
}

function goToPlace(place) {
  const number = sources.findIndex(source => source.file === place.file);
  if (number < 0) return;
  if (number !== state.source || !shownSource) chooseSource(number);
  const row = shownSource.rows.get(place.line);
  if (!row) return;
  scrollInto(parts.lines, row.element);
  row.element.classList.add("aim");
  setTimeout(() => row.element.classList.remove("aim"), 1500);
}

function chooseSource(number) {
  state.source = number;
  shownSource = makeSource(sources[number], example, checked, goToNext);
  parts.lines.replaceChildren(shownSource.element);
  const note = parts.sourceBox.querySelector(".note");
  note.hidden = sources[number].whole;
  note.textContent = "The lines of the steps; the text of the file is not in the result.";
  if (parts.files) parts.files.value = number;
  searchSource(shownSource, state.query);
  if (example) markSource(shownSource, example, state.at);
}

// The source of the current step, if it is another one.
function followSource() {
  const place = state.at >= 0 && example.n ? example.steps[state.at].place : null;
  const number = place ? sources.findIndex(source => source.file === (place.file || "")) : -1;
  if (number >= 0 && number !== state.source) chooseSource(number);
}

function search(text) {
  state.query = text;
  const lines = shownSource ? searchSource(shownSource, text) : 0;
  found = text && example && example.n ? searchSteps(example, text) : null;
  parts.matches.textContent = text ? plural(found ? found.n : 0, "step") + ", " + plural(lines, "line") : "";
  show();
}

function findNext(way) {
  const step = found && found.n ? nextFound(found.found, state.at, way) : -1;
  if (step >= 0) go(step);
}

// ---- drawing ----

function show() {
  const root = document.documentElement;
  if (state.theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", state.theme);
  parts.theme.textContent = "theme: " + state.theme;
  if (example && example.n) showRun();
  showValues();
  if (shownSource && example) {
    followSource();
    markSource(shownSource, example, state.at);
    if (shownSource.marked[0]) scrollInto(parts.lines, (shownSource.marked.find(row => row.element.classList.contains("now")) || shownSource.marked[0]).element);
  }
  writeAddress(state);
}

function filterValues(text) {
  state.filter = text;
  show();
}

function showValues() {
  if (!parts.table) return;
  parts.filter.value = state.filter;
  parts.table.replaceChildren(makeValues(example, state.at, state.filter, go));
}

function showRun() {
  if (!layout) arrange();
  parts.slider.value = state.at + 1;
  parts.slider.setAttribute("aria-valuetext", tellStep(example, state.at));
  parts.count.textContent = (state.at + 1) + " / " + example.n;
  parts.tell.textContent = clean(tellStep(example, state.at));
  parts.causes.replaceChildren(...makeCauses(example, state.at, go));
  for (const name of ["folded", "fitted"]) parts[name].checked = state[name];
  parts.only.checked = state.causes >= 0;
  markChain(chain, state.at);
  parts.head.replaceChildren(drawHead(layout, {at: state.at}));
  showWindow();
}

function arrange() {
  const causes = state.causes >= 0 && state.causes < example.n ? causesOf(example, state.causes) : null;
  const rows = chooseRows(example, state.folded, causes, state.opened);
  layout = layoutDiagram(example, rows, state.fitted ? parts.diagram.clientWidth || 800 : 0);
  parts.sheet.style.height = rows.length * ROW + "px";
  parts.sheet.style.width = layout.width + "px";
}

// The rows that can be seen, with some around them.
function showWindow() {
  if (!layout) return;
  const seen = printing ? [0, layout.rows.length]
    : [Math.floor(parts.diagram.scrollTop / ROW) - 6, Math.ceil((parts.diagram.scrollTop + parts.diagram.clientHeight) / ROW) + 6];
  const first = Math.max(0, seen[0]), end = Math.min(layout.rows.length, seen[1]), height = (end - first) * ROW;
  const view = {at: state.at, onrow: onRow, causes: state.at >= 0 ? causesOf(example, state.at) : null, found: found && found.found};
  const sheet = draw("svg", {width: layout.width, height, viewBox: [0, first * ROW, layout.width, height].join(" "), role: "img",
                             "aria-label": "Rows " + (first + 1) + " to " + end + " of " + layout.rows.length});
  sheet.style.top = first * ROW + "px";
  sheet.append(drawRows(layout, view, first, end));
  parts.sheet.replaceChildren(sheet);
}

// Scrolls the diagram so that the current row and thread can be seen.
function reveal() {
  if (!layout || !example.n) return;
  const pane = parts.diagram, row = state.at < 0 ? 0 : layout.rowOf[state.at];
  if (row < 0) return;
  const top = row * ROW, bottom = top + ROW + HEAD;
  if (top < pane.scrollTop) pane.scrollTop = top;
  else if (bottom > pane.scrollTop + pane.clientHeight) pane.scrollTop = bottom - pane.clientHeight;
  const column = state.at < 0 ? null : layout.columns[layout.columnOf.get(example.steps[state.at].thread)];
  if (column && (column.x - column.pitch / 2 < pane.scrollLeft || column.x + column.pitch / 2 > pane.scrollLeft + pane.clientWidth))
    pane.scrollLeft = column.x - pane.clientWidth / 2;
}

// Scrolls a pane, and nothing around it.
function scrollInto(pane, element) {
  const top = element.offsetTop - pane.offsetTop;
  if (top < pane.scrollTop || top + element.offsetHeight > pane.scrollTop + pane.clientHeight)
    pane.scrollTop = top - pane.clientHeight / 3;
}

// ---- keys, and the start ----

function neighbour(way) {
  const with_ = checked.map(item => item.finding).filter(finding => finding !== null && finding !== undefined);
  chooseFinding(with_[(with_.indexOf(state.finding) + way + with_.length) % with_.length]);
}

const ACTIONS = {
  ArrowRight: event => event.shiftKey ? go(state.at + 1) : move(1), ArrowLeft: event => event.shiftKey ? go(state.at - 1) : move(-1),
  Home: () => go(-1), End: () => go(example.n - 1), PageDown: () => move(10), PageUp: () => move(-10),
  f: () => choose({folded: !state.folded}), w: () => choose({fitted: !state.fitted}), c: () => chooseCauses(state.causes < 0),
  o: () => { const row = layout.rows[layout.rowOf[state.at]]; if (row && row.rows) openRow(row); },
  n: () => findNext(1), N: () => findNext(-1)
};
const ANYWHERE = {"/": () => parts.query.focus(), t: turnTheme, "[": () => neighbour(-1), "]": () => neighbour(1)};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = event.target, typing = at.matches && at.matches("input[type=search], select");
  if (typing && event.key === "Enter") findNext(event.shiftKey ? -1 : 1);
  if (typing && event.key === "Escape") at.blur();
  if (typing || (at === parts.slider && !/^[a-z\/\[\]]$/i.test(event.key))) return;
  const action = ANYWHERE[event.key] || (example && example.n && ACTIONS[event.key]);
  if (!action) return;
  event.preventDefault();
  action(event);
}

// The finding that is shown first: one with a run.
function firstFinding() {
  const withSteps = result.findings.findIndex(finding => finding.steps.length);
  return withSteps >= 0 ? withSteps : result.findings.length ? 0 : null;
}

function start() {
  const finding = state.finding === null ? null : result.findings[state.finding];
  example = finding ? readExample(finding) : null;
  layout = chain = shownSource = found = null;
  if (!example || state.at === null || state.at >= example.n) state.at = example ? example.n - 1 : -1;
  for (const name of Object.keys(parts)) delete parts[name];
  build();
  if (parts.checked) parts.checked.replaceChildren(makeChecked(checked, state.finding, chooseFinding, goToPlace));
  if (sources.length) chooseSource(Math.min(state.source, sources.length - 1));
  parts.query.value = state.query;
  search(state.query);
  reveal();
}

function readState() {
  Object.assign(state, readAddress());
  if (state.finding === null || !result.findings[state.finding]) state.finding = firstFinding();
}

function print(is) {
  printing = is;
  layout = null;
  show();
}

document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => { readState(); start(); });
window.addEventListener("resize", () => { layout = null; show(); });
window.addEventListener("beforeprint", () => print(true));
window.addEventListener("afterprint", () => print(false));
readState();
start();
