// viewer.js: appended to a page by tests/viewer.sh: goes through all its controls, and leaves "good", or what is wrong.
"use strict";
const wrong = [];
window.addEventListener("error", event => wrong.push(event.message));

function expect(is, words) {
  if (!is) wrong.push(words);
}

function press(key, shiftKey) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true}));
}

const one = selector => document.querySelector(selector);
const position = () => one("output").textContent.split(" / ").map(Number);

function testSteps() {
  const n = position()[1];
  press("Home");
  expect(position()[0] === 0, "Home does not lead to 0");
  for (let i = 1; i <= n; i++) {
    press("ArrowRight", true);
    expect(position()[0] === i, "step " + i + " is not reached");
    expect(one(".tell").textContent.startsWith("Step " + i + " of " + n), "step " + i + " is not told");
    expect(location.hash.includes("s=" + i), "step " + i + " is not in the URL");
    expect(one(".node.now"), "step " + i + " is not marked in the diagram");
  }
  press("ArrowLeft", true);
  expect(position()[0] === n - 1, "no step back");
  one(".node").dispatchEvent(new MouseEvent("click", {bubbles: true}));
  one(".chain button").click();
  expect(one(".chain li.now"), "the chain does not follow");
  if (one(".line .no button")) {
    one(".line .no button").click();
    expect(one(".line.now .chip.now"), "the source does not follow");
  }
}

function testChoices() {
  for (const [key, id] of [["f", "folded"], ["w", "fitted"], ["c", "only"]]) {
    const before = one("#" + id).checked;
    press(key);
    expect(one("#" + id).checked !== before, key + " changes nothing");
    press(key);
    expect(one("#" + id).checked === before, key + " does not change back");
  }
  const slider = one("input[type=range]");
  slider.value = 1;
  slider.dispatchEvent(new Event("input"));
  expect(position()[0] === 1, "the slider does not lead to 1");
}

function testPage() {
  expect(one("h1 .verdict") && document.title !== "Causal atomicity", "there is no verdict");
  expect(!one("#bad") && !document.querySelector("h1 b, code b"), "text became markup");
  for (const theme of ["dark", "light", "auto"]) {
    press("t");
    expect(one("header button").textContent === "theme: " + theme, "no theme " + theme);
  }
  const query = one("#query");
  query.value = "x";
  query.dispatchEvent(new Event("input"));
  expect(/^\d+ steps?, \d+ lines?$/.test(one("[role=status]").textContent), "the search does not count");
  if (one("output")) {
    testSteps();
    testChoices();
  }
}

try {
  testPage();
} catch (error) {
  wrong.push(error.message);
}
const said = document.createElement("pre");
said.id = "said";
said.textContent = wrong.join("; ") || "good";
document.body.append(said);
