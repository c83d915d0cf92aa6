// source.js: the sources, with the line at which each thread is, and what is known of the blocks in them.

const MOST_CHIPS = 3;

// One source as it is shown. `view`: {example, at, checked, found, ongo: called with a step, online}
function makeSource(source, example, checked, ongo) {
  const steps = stepsOfLines(example, source.file), rows = new Map(), list = make("div", {class: "lines"});
  let before = 0;
  for (const line of source.lines) {
    if (line.number !== before + 1) list.append(make("div", {class: "skip", "aria-hidden": "true"}, "⋮"));
    before = line.number;
    const row = makeLine(line, steps.get(line.number), checked, source, ongo);
    rows.set(line.number, row);
    list.append(row.element);
  }
  return {source, steps, rows, element: list, marked: []};
}

// Per line: its steps.
function stepsOfLines(example, file) {
  const of = new Map();
  for (const step of example ? example.steps : []) {
    if (!step.place || !step.place.line || (step.place.file || "") !== file) continue;
    if (!of.has(step.place.line)) of.set(step.place.line, []);
    of.get(step.place.line).push(step.index);
  }
  return of;
}

function makeLine(line, steps, checked, source, ongo) {
  const number = steps ? button(line.number, {class: "to", "aria-label": "line " + line.number + ", go to its next step",
                                              onclick: event => { event.stopPropagation(); ongo(steps); }})
                       : make("span", {}, line.number);
  const chips = make("span", {class: "chips"}), text = make("code", {}, showTabs(line.text));
  const element = make("div", {class: "line" + (steps ? " has" : ""), onclick: steps ? () => ongo(steps) : null},
                       make("span", {class: "no"}, number), blockSign(line.number, checked, source), text, chips);
  return {element, chips, text, plain: line.text};
}

function showTabs(text) {
  return text.split("\t").map(clean).join("\t").split(/(\t)/).map(part => part === "\t" ? document.createTextNode("\t") : part);
}

// The sign of the block that begins on this line, or a bar for those that go through it.
function blockSign(number, checked, source) {
  const own = checked.filter(block => block.end && block.place && block.place.file === source.file);
  const begins = own.find(block => block.place.line === number);
  const inside = own.find(block => block.place.line <= number && number <= block.end.line);
  const sign = make("span", {class: "sign " + (inside ? inside.kind : "")});
  if (begins) fill(dress(sign, {role: "img", "aria-label": begins.name + ": " + begins.verdict,
                                title: begins.name + ": " + begins.verdict}), [SIGNS[begins.kind]]);
  return sign;
}

// Marks each thread's line after a step: chips with names, the current thread's on a line that stands out.
function markSource(shown, example, at) {
  for (const row of shown.marked) {
    row.element.classList.remove("now", "at");
    row.element.removeAttribute("aria-current");
    row.chips.replaceChildren();
  }
  shown.marked = [];
  const lines = new Map();
  for (const [thread, index] of latestSteps(example, at)) {
    const place = example.steps[index].place;
    if (!place || (place.file || "") !== shown.source.file || !shown.rows.has(place.line)) continue;
    if (!lines.has(place.line)) lines.set(place.line, []);
    lines.get(place.line)[index === at ? "unshift" : "push"]({thread, now: index === at});
  }
  for (const [line, threads] of lines) markLine(shown, example, shown.rows.get(line), threads);
}

function markLine(shown, example, row, threads) {
  const now = threads[0].now;
  row.element.classList.add(now ? "now" : "at");
  if (now) row.element.setAttribute("aria-current", "step");
  for (const {thread, now: is} of threads.slice(0, MOST_CHIPS))
    row.chips.append(make("span", {class: is ? "chip now" : "chip"}, (is ? "◀ " : "◁ ") + shorten(clean(threadName(example, thread)), 16)));
  if (threads.length > MOST_CHIPS) row.chips.append(make("span", {class: "chip"}, "+" + (threads.length - MOST_CHIPS)));
  shown.marked.push(row);
}

// Per thread: its last step that has been done.
function latestSteps(example, at) {
  const latest = new Map();
  for (let i = at; i >= 0 && latest.size < example.threads.length; i--)
    if (!latest.has(example.steps[i].thread)) latest.set(example.steps[i].thread, i);
  return latest;
}
