// search.js: where a word stands: in steps, and in lines of the sources.

// Per step: does it say so? And how many do.
function searchSteps(example, query) {
  const wanted = query.toLowerCase(), found = new Uint8Array(example.n);
  let n = 0;
  for (const step of example.steps) {
    const objects = (step.accesses || []).map(access => access.object).join(" ");
    const text = [step.text, step.words || "", threadName(example, step.thread), objects, placeName(step.place, true)].join(" ");
    found[step.index] = clean(text).toLowerCase().includes(wanted) ? 1 : 0;
    n += found[step.index];
  }
  return {found, n};
}

// Marks the word in the lines of a source; the number of lines that have it.
function searchSource(shown, query) {
  let n = 0;
  const wanted = query.toLowerCase();
  for (const row of shown.rows.values()) {
    const text = clean(row.plain.replaceAll("\t", "    ")), at = wanted ? text.toLowerCase().indexOf(wanted) : -1;
    if (at < 0 && !row.isMarked) continue;
    row.isMarked = at >= 0;
    if (at < 0) row.text.replaceChildren(...showTabs(row.plain).map(part => part instanceof Node ? part : document.createTextNode(part)));
    else row.text.replaceChildren(text.slice(0, at), make("mark", {}, text.slice(at, at + wanted.length)), text.slice(at + wanted.length));
    n += at >= 0 ? 1 : 0;
  }
  return n;
}

// The next step that was found, forward (1) or back (-1), round the end; -1 if there is none.
function nextFound(found, at, way) {
  const n = found.length;
  for (let i = 1; i <= n; i++) {
    const step = (((at + way * i) % n) + n) % n;
    if (found[step]) return step;
  }
  return -1;
}
