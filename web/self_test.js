// self_test.js: the page tests itself where its fragment says so (tests/web/run.sh). What came of it is the attribute
// data-self-test of the body: "passed", or what failed.
"use strict";

function nextAnswer() {
  return new Promise(done => state.listeners.push(done));
}

function edit(text) {
  at("text").value = text;
  at("text").dispatchEvent(new Event("input"));
}

function expect(what, is) {
  if (!is) throw Error(what + ", not: " + at("verdict").textContent);
}

const FAIR = "lock l; int Y;\nbegin\nacquire(l) Y := 5; release(l)\nend\n||\nacquire(l) x := Y; release(l)\n";

async function testVerdicts() {
  edit(FAIR);
  expect("atomic", (await nextAnswer()).verdict === "atomic");
  edit("int Y;\nbegin\nY := 5;\nY := 3\nend\n||\nx := Y\n");
  expect("violated", (await nextAnswer()).verdict === "violated");
  await testViewer();
  expect("JSON", JSON.parse(textOf("as-json")).verdict === "violated");
  expect("text", textOf("as-text").includes("not causally atomic"));
}

async function until(what, is) {
  for (let i = 0; i < 100 && !is(); i++) await new Promise(done => setTimeout(done, 20));
  expect(what, is());
}

// The run can be stepped through, in the page.
async function testViewer() {
  const view = () => at("viewer").contentDocument, count = () => (view().querySelector(".bar output") || {}).textContent;
  await until("a viewer of 4 steps or more", () => view() && /^[4-9] /.test(count() || ""));
  const before = count();
  view().dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft"}));
  expect("a step back", count() !== before);
  expect("its style", getComputedStyle(view().querySelector(".bar")).display === "flex");
  await until("all of it is seen", () => at("viewer").clientHeight >= view().body.scrollHeight);
}

async function testMessages() {
  edit("int Y;\nbegin\nY := \nend\n");
  expect("error", (await nextAnswer()).verdict === "error");
  expect("a message with its line", /line [34]: error/.test(textOf("messages")));
  expect("a sign at the line", document.querySelector("#numbers .fail") !== null);
  expect("no viewer of an error", at("viewer").hidden);
  edit("int Y;\nbegin\nY := 1\nend\n// <img src=x onerror=alert(1)></scr" + "ipt><!" + "--");
  expect("atomic", (await nextAnswer()).verdict === "atomic");
  at("options").value = "--nonsense";
  edit(FAIR);
  expect("an option that is not known", (await nextAnswer()).why.includes("--nonsense"));
  at("options").value = "";
}

async function testSamples() {
  const number = samples.findIndex(it => it.name === "acquire1.sml" && it.options === "-D N=3");
  at("sample").value = number;
  at("sample").dispatchEvent(new Event("change"));
  expect("the options of a sample", at("options").value === "-D N=3");
  expect("acquire1", (await nextAnswer()).verdict === "atomic");
}

async function testLinks() {
  edit(FAIR + "// ü€𝄞\n");
  await nextAnswer();
  const text = at("text").value, link = await writeLink();
  expect("a link of letters", /^#[\w-]+$/.test(link));
  edit("");
  expect("an empty program", (await nextAnswer()).verdict === "error");
  expect("the program of the link", await readLink(link) && at("text").value === text);
  expect("a damaged link", !await readLink("#abcdef"));
  ask();
  expect("atomic", (await nextAnswer()).verdict === "atomic");
}

// While something long is checked, a new verdict comes within 300 ms; and a limit makes it unknown.
async function testRestart() {
  at("options").value = "-D N=2000";
  edit(samples.find(it => it.name === "acquire1.sml").text);
  await until("it is checked", () => state.busy);
  await new Promise(done => setTimeout(done, 200));
  expect("it is still checked", state.busy);
  const start = performance.now(), workers = state.workers;
  at("options").value = "";
  edit(FAIR);
  expect("another worker", state.workers === workers + 1 && !state.busy);
  expect("atomic", (await nextAnswer()).verdict === "atomic");
  document.body.dataset.restart = Math.round(performance.now() - start);
  at("memory").value = "0.001";
  ask();
  expect("unknown", (await nextAnswer()).verdict === "unknown");
  at("memory").value = "500";
}

function testLabels() {
  for (const it of document.querySelectorAll("input, select, textarea"))
    expect("a label of " + it.id, it.labels.length > 0 || it.hasAttribute("aria-labelledby"));
  expect("no duplicate id", new Set([...document.querySelectorAll("[id]")].map(it => it.id)).size ===
    document.querySelectorAll("[id]").length);
}

async function selfTest() {
  let said = "passed";
  try {
    for (const test of [nextAnswer, testVerdicts, testMessages, testSamples, testLinks, testRestart, testLabels]) await test();
  } catch (error) {
    said = "failed: " + error.message;
  }
  document.body.dataset.selfTest = said;
}
