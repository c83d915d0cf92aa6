// panels.js: what stands around source and diagram: what was checked, what was said of the sources, why it is so, in
// words, and the values of variables.

// ---- what was checked ----

function makeChecked(checked, chosen, onchoose, online) {
  const rows = checked.map(item => make("tr", {class: item.finding === chosen ? "chosen" : ""},
    make("td", {class: "verdict " + item.kind}, SIGNS[item.kind] + " " + item.verdict),
    make("td", {}, item.finding === null || item.finding === undefined ? item.name
      : button(item.name, {class: "link", "aria-pressed": String(item.finding === chosen), onclick: () => onchoose(item.finding)})),
    make("td", {}, item.place && item.place.line
      ? button(placeName(item.place), {class: "link", onclick: () => online(item.place)}) : placeName(item.place)),
    make("td", {}, item.threads), make("td", {class: "reason"}, item.why)));
  const heads = ["verdict", "what", "where", "threads", "why"].map(name => make("th", {scope: "col"}, name));
  return make("table", {}, make("caption", {class: "unseen"}, "What was checked"), make("thead", {}, make("tr", {}, heads)),
              make("tbody", {}, rows));
}

function makeDiagnostics(diagnostics, online) {
  return diagnostics.map(item => make("li", {class: item.level}, make("b", {}, item.level + ": "), item.message + " ",
    item.place && item.place.line ? button(placeName(item.place), {class: "link", onclick: () => online(item.place)}) : "",
    item.option ? " [-W " + item.option + "]" : ""));
}

// ---- why, in words ----

// The steps that matter, in their order, each with what it depends on from another thread.
function makeChain(example, onstep) {
  const told = example.steps.filter(step => step.words || step.matters);
  const items = told.map(step => {
    const chain = step.into.filter(edge => edge.kind === "chain" && edge.crosses);
    const item = make("li", {}, button("", {onclick: () => onstep(step.index)}), make("span", {class: "via"},
      chain.map(edge => "⇠ step " + (edge.from + 1) + ", " + edge.words).join("; ")));
    fill(item.firstChild, [make("span", {class: "no"}, step.index + 1), make("b", {}, threadName(example, step.thread)), " ",
                           step.words || step.text, make("span", {class: "where"}, step.words ? step.text : "", " ", shortPlace(step.place))]);
    return {item, index: step.index};
  });
  return {element: make("ol", {class: "chain"}, items.map(one => one.item)), items};
}

function markChain(chain, at) {
  for (const {item, index} of chain.items) {
    item.className = index === at ? "now" : index > at ? "ahead" : "";
    if (index === at) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
}

// "Step 4 of 5: T2 reads Y in between (x := Y - 2), line 15", and what it depends on.
function tellStep(example, at) {
  if (at < 0) return example.n ? "Before the first of " + plural(example.n, "step") : "";
  const step = example.steps[at], words = step.words ? step.words + " (" + step.text + ")" : step.text;
  const where = placeName(step.place, true), sets = setsWords(example, step), frame = example.finding.frames[step.frame - 1];
  return "Step " + (at + 1) + " of " + example.n + ": " + threadName(example, step.thread) + ": " + words + (where ? ", " + where : "") +
         (sets ? "; " + sets : "") + (frame ? "; in " + frame : "");
}

function makeCauses(example, at, onstep) {
  if (at < 0) return [];
  return example.steps[at].into.filter(edge => edge.kind !== "order").map(edge =>
    button("⇠ " + (edge.from + 1) + " " + threadName(example, example.steps[edge.from].thread) + " " + edge.words,
           {class: "link", onclick: () => onstep(edge.from)}));
}

// ---- values ----

function makeValues(example, at, filter, onstep) {
  const wanted = filter.toLowerCase(), rows = [];
  example.variables.forEach((variable, number) => {
    const name = variableName(example, variable);
    if (!clean(name).toLowerCase().includes(wanted)) return;
    const now = valueAt(example.histories[number], at);
    rows.push(make("tr", {class: now.changed ? "changed" : ""}, make("th", {scope: "row"}, name),
      make("td", {}, now.changed ? "● " : "", valueWords(variable, now.value)),
      make("td", {}, now.changed ? "was " + valueWords(variable, now.before) : ""),
      make("td", {}, now.by >= 0 ? button("step " + (now.by + 1), {class: "link", onclick: () => onstep(now.by)}) : "initial")));
  });
  const heads = ["variable", "value", "changed", "set by"].map(name => make("th", {scope: "col"}, name));
  return make("table", {}, make("caption", {class: "unseen"}, "Values after this step"), make("thead", {}, make("tr", {}, heads)),
              make("tbody", {}, rows));
}
