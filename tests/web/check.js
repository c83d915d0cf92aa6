// check.js WEB CAUSALCHECK MODE FILE...: the checker of the playground, in WebAssembly, answers as causalcheck does. MODE:
// "same", the JSON of both about each file, which differ in no byte but seconds and bytes of memory; "limits"; or "speed",
// a figure. Prints "passed N", after a line "FAILED: ..." for each that did not.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm"), {spawnSync} = require("child_process");
const [web, causalcheck, mode, ...files] = process.argv.slice(2);
let passed = 0;

// As in the worker of the page, whose globals there are none of here.
async function load() {
  const source = [path.join(web, "causal.js"), path.join(__dirname, "../../web/ask.js")].map(it => fs.readFileSync(it, "utf8"));
  const world = {importScripts: () => {}, self: {location: {href: "blob:"}}, performance, TextEncoder, TextDecoder, WebAssembly, console};
  const compiled = new WebAssembly.Module(fs.readFileSync(path.join(web, "causal.wasm")));
  const [make, ask] = vm.runInNewContext("'use strict';" + source.join("\n") + "; [makeCausal, askCausal]", world);
  const causal = await make({instantiateWasm: (imports, done) => {
    WebAssembly.instantiate(compiled, imports).then(done);
    return {};
  }});
  return question => ask(causal, question);
}

function expect(what, is) {
  if (is) passed++;
  else console.log("FAILED: " + what);
}

// The options of each "// run:" line; of a program without one, none.
function runsOf(text) {
  const runs = [...text.matchAll(/^\/\/ run: *(.*)$/gm)].map(it => it[1].trim().split(/\s+/));
  return runs.length ? runs : [[]];
}

function pairs(words, letter) {
  return words.filter((_, i) => words[i - 1] === "-" + letter);
}

// Without seconds and bytes, and without what can be done about an error, which each says in its own words.
function plain(json) {
  return json === null ? "no JSON" : json.replace(/"seconds": [^,]*, "bytes": \d+/, '"seconds": _, "bytes": _').replace(/ \((sml2net and causalcheck: |or ).*\)"/, '"');
}

function compareOne(ask, file, text, words, serializable) {
  const native = spawnSync(causalcheck, ["--format=json", "--max-events=20000",
    "--notion=" + (serializable ? "serializable" : "causal"), ...words, file], {encoding: "utf8", maxBuffer: 1 << 28});
  const ours = ask({text, name: file, serializable, defines: pairs(words, "D"), warnings: pairs(words, "W"), maxEvents: 20000});
  const what = [file, ...words, serializable ? "serializable" : "causal"].join(" ");
  const exits = {atomic: 0, violated: 1, unknown: 2, error: 3, fault: 4};
  expect(what + ": exit " + native.status + " and " + ours.verdict, exits[ours.verdict] === native.status);
  expect(what + ": not the JSON of causalcheck", native.stdout && plain(native.stdout) === plain(ours.json));
}

function same(ask) {
  for (const file of files) {
    const text = fs.readFileSync(file, "utf8");
    for (const words of runsOf(text)) for (const serializable of [false, true]) compareOne(ask, file, text, words, serializable);
  }
}

function limits(ask) {
  const text = fs.readFileSync(files[0], "utf8"), big = {text, defines: ["N=9"]};
  expect("it is atomic", ask(big).verdict === "atomic");
  expect("memory", ask({...big, maxMemory: 20000}).verdict === "unknown");
  expect("less memory than for a result", ask({...big, maxMemory: 100}).verdict === "unknown");
  expect("a limit above 32 bits", ask({...big, maxMemory: 2 ** 32 + 100}).verdict === "atomic");
  expect("events above 32 bits", ask({...big, maxEvents: 2 ** 32 + 1}).verdict === "atomic");
  const start = performance.now(), late = ask({text, defines: ["N=2000"], timeout: 0.3});
  expect("time: " + late.verdict, late.verdict === "unknown" && late.why.includes("the time limit"));
  expect("time: it takes " + (performance.now() - start) + " ms", performance.now() - start < 20000);
  expect("after a limit", ask(big).verdict === "atomic");
}

// The least of many, since the browser compiles again what is called often; by the clocks of the checkers themselves.
function speed(ask) {
  const text = fs.readFileSync(files[0], "utf8"), of = json => Number(/"seconds": ([^,]*)/.exec(json)[1]);
  const least = measure => Math.min(...Array.from({length: 60}, measure));
  const native = least(() => of(spawnSync(causalcheck, ["--format=json", "-D", "N=100", files[0]], {encoding: "utf8"}).stdout));
  const ours = least(() => of(ask({text, defines: ["N=100"]}).json));
  console.log("Acquire1, N=100: " + (1000 * ours).toFixed(2) + " ms in WebAssembly, " + (1000 * native).toFixed(2) +
    " ms native: " + (ours / native).toFixed(2) + " times");
}

load().then(({same, limits, speed})[mode]).then(() => console.log("passed " + passed));
