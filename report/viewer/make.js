// make.js: elements of the page. Whatever comes from the result becomes text, never markup, and characters that cannot
// be seen, or that turn the text around them, are shown as their numbers.

const SVG = "http://www.w3.org/2000/svg";
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

// The text as it is shown.
function clean(text) {
  return String(text).replace(UNSEEN, c => "⟨U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩");
}

// At most `room` characters of a text that is clean.
function shorten(text, room) {
  const letters = Array.from(text);
  return letters.length <= room ? text : letters.slice(0, Math.max(room - 1, 0)).join("") + "…";
}

// Sets attributes: one that is null or false is left out; "onclick" and the like are functions.
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  return element;
}

function fill(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return element;
}

function make(tag, attributes, ...children) {
  return fill(dress(document.createElement(tag), attributes), children);
}

function draw(tag, attributes, ...children) {
  return fill(dress(document.createElementNS(SVG, tag), attributes), children);
}

function button(text, attributes, onclick) {
  return make("button", {type: "button", onclick, ...attributes}, text);
}

function plural(n, word) {
  return n + " " + word + (n === 1 ? "" : "s");
}
