// browser.js BROWSER PROFILE PAGE: opens the page in a headless browser, over the pipe of its debugging protocol, and waits
// at most 30 seconds of real time for what its test of itself says. Prints "data-self-test|data-restart"; an error in the
// console is a failure, too. (--dump-dom does not wait for a worker.)
"use strict";
const {spawn} = require("child_process");
const [browser, profile, page] = process.argv.slice(2);
const child = spawn(browser, ["--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile,
  "--remote-debugging-pipe", "about:blank"], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
const waiting = new Map(), errors = [];
let text = "", number = 0;

child.stdio[4].on("data", data => {
  const messages = (text += data).split("\0");
  text = messages.pop();
  for (const it of messages.map(JSON.parse)) {
    noteError(it);
    if (waiting.has(it.id)) waiting.get(it.id)(it.result || {});
  }
});

// What the page says in the console, and what the browser says of it, as of its policy.
function noteError({method, params}) {
  if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.text);
  if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text);
  if (method === "Runtime.consoleAPICalled" && params.type === "error") errors.push("console.error");
}

function call(method, params, sessionId) {
  const id = ++number;
  child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
  return new Promise(done => waiting.set(id, done));
}

async function main() {
  const {targetId} = await call("Target.createTarget", {url: page});
  const {sessionId} = await call("Target.attachToTarget", {targetId, flatten: true});
  for (const domain of ["Log", "Runtime"]) await call(domain + ".enable", {}, sessionId);
  const expression = "document.body ? [document.body.dataset.selfTest || '', document.body.dataset.restart || ''].join('|') : '|'";
  for (const end = Date.now() + 30000; Date.now() < end; await new Promise(done => setTimeout(done, 100))) {
    const {result} = await call("Runtime.evaluate", {expression}, sessionId);
    if (result && result.value && !result.value.startsWith("|")) return console.log(errors.length ? errors[0] + "|" : result.value);
  }
  const {result} = await call("Runtime.evaluate", {expression: "document.getElementById('verdict').textContent"}, sessionId);
  console.log("no end: " + (result && result.value) + "|");
}

main().finally(() => child.kill());
