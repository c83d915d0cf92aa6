// model.js: what the result says, in the form in which it is shown. docs/json.md is the manual of the result.

// The words and signs of what is known, so that nothing depends on colour.
const SIGNS = {fail: "✗", pass: "✓", open: "?"};
const KIND_OF = {atomic: "pass", violated: "fail", unknown: "open"};

// "prog.sml:12", "event 7"; "" if nothing is known.
function placeName(place, whole) {
  if (!place || !place.line && !place.file) return place && place.elsewhere || "";
  const where = place.file ? place.file + (place.line ? ":" + place.line : "") : "line " + place.line;
  return whole && place.function ? place.function + ", " + where : where;
}

function shortPlace(place) {
  return place && place.line ? "line " + place.line : placeName(place);
}

// The example of a finding: each step with its event, and with the edges that come to it and leave it.
function readExample(finding) {
  const steps = finding.steps.map((step, index) => ({...finding.events[step.event], ...step, index, into: [], out: []}));
  for (const edge of finding.edges) {
    const crosses = steps[edge.from].thread !== steps[edge.to].thread;
    const full = {...edge, crosses, words: edgeWords(edge)};
    steps[edge.to].into.push(full);
    steps[edge.from].out.push(full);
  }
  return {finding, steps, n: steps.length, threads: finding.threads, variables: finding.variables,
          edges: steps.flatMap(step => step.into), histories: readHistories(finding)};
}

function edgeHow(edge) {
  return edge.modes ? edge.modes.join(" → ") : edge.label || "";
}

// "through Y: write → read"
function edgeWords(edge) {
  const how = edgeHow(edge);
  if (edge.object) return "through " + edge.object + (how ? ": " + how : "");
  return how || (edge.kind === "other" ? "" : "program order");
}

function threadName(example, thread) {
  const known = example.threads[thread];
  return known ? known.name : "thread " + (thread + 1);
}

// The steps on which a step depends, and the step itself.
function causesOf(example, index) {
  const is = new Uint8Array(example.n), left = [index];
  is[index] = 1;
  while (left.length > 0)
    for (const edge of example.steps[left.pop()].into)
      if (!is[edge.from]) {
        is[edge.from] = 1;
        left.push(edge.from);
      }
  return is;
}

// What was looked at: blocks with their verdicts, and findings that are about no block.
function readChecked(result) {
  const of = new Map();
  const blocks = (result.blocks || []).map(block => {
    if (block.finding !== null && block.finding !== undefined) of.set(block.finding, true);
    const name = block.name === null ? "block" : "block '" + block.name + "'";
    return {kind: KIND_OF[block.verdict], verdict: block.verdict, name, place: block, end: block.end,
            threads: blockThreads(result, block), why: blockReason(result, block), finding: block.finding};
  });
  const words = {fail: "violated", pass: "holds", open: "unknown"};
  result.findings.forEach((finding, index) => {
    if (of.has(index)) return;
    blocks.push({kind: finding.kind, verdict: words[finding.kind], name: finding.message, place: finding.place,
                 end: null, threads: "", why: finding.grounds || "", finding: index});
  });
  return blocks;
}

function blockReason(result, block) {
  const reasons = [];
  if (block.with) reasons.push("with " + block.with.map(count => count.name + " = " + count.number).join(", "));
  if (block.entered === false) reasons.push("it can never begin");
  if (block.grounds) reasons.push(block.grounds);
  if (block.verdict === "unknown" && result.why) reasons.push(result.why);
  return reasons.join("; ");
}

// "T1, T2 and 98 more"
function blockThreads(result, block) {
  const nameOf = number => {
    const row = (result.threads || []).find(t => number >= t.first && number < t.first + t.copies);
    return row && row.copies === 1 ? row.name : "T" + number;
  };
  const some = block.threads.slice(0, 4).map(nameOf).join(", "), more = block.threads.length - 4;
  return some + (more > 0 ? " and " + more + " more" : "") || "none";
}

// The lines that are shown of each source: its text, or, where the result has no text, what its steps say of its lines.
function readSources(result) {
  const sources = new Map();
  for (const source of result.sources) {
    const lines = source.text.split("\n");
    if (lines[lines.length - 1] === "") lines.pop();
    sources.set(source.file, {file: source.file, whole: true, lines: lines.map((text, i) => ({number: i + 1, text}))});
  }
  const known = new Map();
  for (const finding of result.findings)
    for (const event of finding.events) noteLine(sources, known, event);
  for (const [file, lines] of known)
    sources.set(file, {file, whole: false, lines: [...lines.values()].sort((a, b) => a.number - b.number)});
  return [...sources.values()];
}

function noteLine(sources, known, event) {
  const place = event.place;
  if (!place || !place.line || sources.has(place.file)) return;
  const file = place.file || "";
  if (!known.has(file)) known.set(file, new Map());
  const lines = known.get(file), line = lines.get(place.line) || {number: place.line, text: ""};
  const text = event.source || event.text || "";
  if (!line.text.split("; ").includes(text)) line.text += (line.text ? "; " : "") + text;
  lines.set(place.line, line);
}
