// page.js: the page: an editor, questions to a worker, and what is answered. What comes from a program or a result
// becomes text, never markup.
"use strict";

const PAUSE = 100; // milliseconds without typing, after which the program is checked
const GRACE = 1500; // beyond the limit of time: then the worker is ended, who should have ended by himself

const at = id => document.getElementById(id);
const textOf = id => at(id).textContent;
const SIGNS = {atomic: "✓", violated: "✗", unknown: "?", error: "✗", fault: "✗"};
const KINDS = {atomic: "pass", violated: "fail", unknown: "open", error: "fail", fault: "fail"};
// one for each set of options
const samples = JSON.parse(textOfPart("samples")).flatMap(it =>
  (it.options.length ? it.options : [""]).map(options => ({...it, options})));
const state = {module: null, workerUrl: null, worker: null, busy: false, id: 0, workers: 0, pause: 0, limit: 0, shown: null, listeners: []};

// ---- small things ----

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null) element.setAttribute(name, value);
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

async function passThrough(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// ---- what is asked ----

// "-D N=3 -W no-all --any-number" as members of a question; null, with a message, if a word is not known.
function readOptions(text) {
  const read = {defines: [], warnings: [], anyNumber: false, eachAccess: false}, words = text.split(/\s+/).filter(Boolean);
  for (let i = 0; i < words.length; i++) {
    const [, letter, rest] = /^-([DW])(.*)$/.exec(words[i]) || [];
    const value = letter && (rest || words[++i]);
    if (letter === "D" && value) read.defines.push(value);
    else if (letter === "W" && value) read.warnings.push(value);
    else if (words[i] === "--any-number") read.anyNumber = true;
    else if (words[i] === "--granularity=access") read.eachAccess = true;
    else return {wrong: words[i] || words[i - 1]};
  }
  return read;
}

function numberOf(id, otherwise) {
  const value = Number(at(id).value);
  return value > 0 && value <= Number(at(id).max) ? value : otherwise;
}

function readQuestion() {
  const options = readOptions(at("options").value);
  const sample = samples[at("sample").value];
  return {...options, text: at("text").value, name: sample ? sample.name : "program.sml",
          serializable: at("question").value === "serializable", timeout: numberOf("timeout", 10),
          maxMemory: numberOf("memory", 500) * 1048576};
}

// ---- the worker ----

function startWorker() {
  state.worker = new Worker(state.workerUrl);
  state.worker.onmessage = event => hear(event.data);
  state.worker.onerror = event => hear({id: state.id, answer: unknown("the checker failed: " + event.message)});
  state.worker.postMessage({module: state.module});
  state.workers++;
}

function endWorker() {
  if (state.worker) state.worker.terminate();
  state.worker = null;
  state.busy = false;
  clearTimeout(state.limit);
}

function unknown(why) {
  return {verdict: "unknown", why, text: null, json: null, html: null};
}

function hear({id, answer, failed}) {
  if (failed) answer = unknown("the checker cannot start: " + failed);
  else if (id !== state.id) return;
  state.busy = false;
  clearTimeout(state.limit);
  if (failed) endWorker();
  show(answer);
}

// A question under way is given up: its worker is ended, and the next one starts at once.
function giveUp() {
  if (!state.busy) return;
  endWorker();
  startWorker();
}

function ask() {
  clearTimeout(state.pause);
  if (!state.module) return;
  giveUp();
  const question = readQuestion();
  state.id++;
  if (question.wrong) {
    show({...unknown("not an option here: " + question.wrong), verdict: "error"});
    return;
  }
  if (!state.worker) startWorker();
  state.busy = true;
  at("verdict").textContent = "checking …";
  state.worker.postMessage({id: state.id, question});
  state.limit = setTimeout(() => {
    endWorker();
    show(unknown("the time limit of " + question.timeout + " s was reached"));
  }, question.timeout * 1000 + GRACE);
}

function askSoon() {
  clearTimeout(state.pause);
  at("result-title").parentElement.classList.add("stale");
  giveUp();
  at("verdict").textContent = "…";
  state.pause = setTimeout(ask, PAUSE);
}

// ---- what is answered ----

function show(answer) {
  const result = answer.json ? JSON.parse(answer.json) : null;
  state.shown = answer;
  at("result-title").parentElement.classList.remove("stale");
  at("verdict").textContent = SIGNS[answer.verdict] + " " + answer.verdict + (answer.why ? ": " + answer.why : "");
  at("verdict").className = KINDS[answer.verdict];
  at("as-text").textContent = answer.text || "";
  at("as-json").textContent = answer.json || "";
  showMessages(result ? result.diagnostics : []);
  showViewer(answer.verdict === "error" ? null : answer.html); // an error stands at its line
  for (const listener of state.listeners.splice(0)) listener(answer);
}

function goTo(line, column) {
  const text = at("text"), lines = text.value.split("\n"), own = lines[line - 1] || "";
  const before = new TextDecoder().decode(new TextEncoder().encode(own).subarray(0, column - 1)); // columns are bytes
  const start = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
  text.focus();
  text.setSelectionRange(start + before.length, start + own.length);
  text.scrollTop = (line - 4) * text.scrollHeight / Math.max(lines.length, 1);
}

function placeButton(place, words) {
  if (!place || !place.line) return words;
  return make("button", {type: "button", onclick: () => goTo(place.line, place.column || 1)}, "line " + place.line + ": " + words);
}

function showMessages(diagnostics) {
  const places = diagnostics.filter(it => it.place && it.place.line);
  at("messages").replaceChildren(...diagnostics.map(it =>
    make("li", {class: it.level === "error" ? "fail" : it.level === "warning" ? "open" : null},
      placeButton(it.place, it.level + ": " + it.message))));
  showNumbers(new Map(places.filter(it => it.level !== "note").reverse().map(it => [it.place.line, it])));
}

// The numbers of the lines, with a sign at those that something is said of.
function showNumbers(said) {
  const count = at("text").value.split("\n").length, parts = [];
  for (let line = 1; line <= count; line++) {
    const it = said.get(line);
    if (it) parts.push(make("span", {class: it.level === "error" ? "fail" : "open", title: it.message}, (it.level === "error" ? "✗ " : "! ") + line), "\n");
    else parts.push(line + "\n");
  }
  at("numbers").replaceChildren(...parts);
  at("numbers").scrollTop = at("text").scrollTop;
}

// The viewer of --html (docs/viewer.md), a page in the page. What had been opened in it is shown until the next is there.
function showViewer(html) {
  const before = at("viewer"), frame = make("iframe", {id: "viewer", title: "Run, step by step", hidden: html ? null : ""});
  if (html) {
    frame.srcdoc = html;
    frame.style.height = before.style.height;
    frame.addEventListener("load", () => fitViewer(frame));
  }
  before.replaceWith(frame);
}

// As high as what is in it, so that only the page scrolls.
function fitViewer(frame) {
  const view = frame.contentDocument;
  const fit = () => { frame.style.height = view.body.scrollHeight + 2 + "px"; }; // with its border
  new ResizeObserver(fit).observe(view.body);
}

// ---- samples, and links that hold a program ----

function choose(number) {
  const sample = samples[number];
  at("sample").value = number;
  at("options").value = sample.options;
  at("text").value = sample.text;
  showNumbers(new Map());
  ask();
}

async function writeLink() {
  const held = {text: at("text").value, options: at("options").value, question: at("question").value};
  const packed = await passThrough(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(held)));
  const letters = btoa(Array.from(packed, byte => String.fromCharCode(byte)).join(""));
  return "#" + letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// True if the link holds a program.
async function readLink(hash) {
  if (!/^#[\w-]+$/.test(hash)) return false;
  try {
    const bytes = await passThrough(new DecompressionStream("deflate-raw"), bytesOf(hash.slice(1).replace(/-/g, "+").replace(/_/g, "/")));
    const held = JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(bytes));
    at("sample").value = "";
    at("text").value = String(held.text);
    at("options").value = String(held.options);
    at("question").value = held.question === "serializable" ? "serializable" : "causal";
    return true;
  } catch {
    at("shared").textContent = "The link is damaged.";
    return false;
  }
}

async function share() {
  history.replaceState(null, "", await writeLink());
  const copied = navigator.clipboard ? await navigator.clipboard.writeText(location.href).then(() => true, () => false) : false;
  at("shared").textContent = copied ? "Copied." : "The link is in the address bar.";
}

// ---- the beginning ----

function listen() {
  at("text").addEventListener("input", () => { showNumbers(new Map()); askSoon(); });
  at("text").addEventListener("scroll", () => { at("numbers").scrollTop = at("text").scrollTop; });
  for (const id of ["options", "timeout", "memory"]) at(id).addEventListener("input", askSoon);
  at("question").addEventListener("change", ask);
  at("sample").addEventListener("change", () => { if (at("sample").value !== "") choose(at("sample").value); });
  at("share").addEventListener("click", share);
  addEventListener("hashchange", async () => { if (await readLink(location.hash)) { showNumbers(new Map()); ask(); } });
}

async function begin() {
  at("sample").append(make("option", {value: ""}, "(none)"), ...samples.map((it, i) =>
    make("option", {value: i}, it.name.replace(/\.sml$/, "") + (it.options ? " " + it.options : ""))));
  listen();
  at("verdict").textContent = "loading …";
  state.module = await WebAssembly.compile(parts.wasm);
  state.workerUrl = urlOfPart("worker");
  startWorker();
  if (location.hash === "#self-test=") selfTest();
  if (await readLink(location.hash)) ask();
  else choose(Math.max(samples.findIndex(it => it.name === "figure5a.sml"), 0));
}

begin().catch(error => { at("verdict").textContent = "The playground cannot start: " + error; });
