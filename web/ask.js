// ask.js: a question for the checker. It runs in the worker of the page, and under node in the tests.
"use strict";

// The verdicts of libcausal.h. ORDER CausalVerdict
const VERDICTS = ["unknown", "atomic", "violated", "error", "fault"];

// A string in the checker's memory; the caller frees it.
function putText(causal, text) {
  const bytes = new TextEncoder().encode(text), at = causal._malloc(bytes.length + 1);
  causal.HEAPU8.set(bytes, at);
  causal.HEAPU8[at + bytes.length] = 0;
  return {at, length: bytes.length};
}

function getText(causal, at) {
  if (!at) return null;
  return new TextDecoder().decode(causal.HEAPU8.subarray(at, causal.HEAPU8.indexOf(0, at)));
}

// The question: {text, name, serializable, defines, warnings, anyNumber, eachAccess, timeout, maxMemory, maxEvents}.
// Whatever is left out is as causalcheck has it by default. The answer: {verdict, why, text, json, html}; the last
// three are null if there is no memory for them.
function askCausal(causal, question) {
  const list = words => (words || []).map(word => word + "\0").join("");
  const texts = [question.name || "program.sml", question.text, list(question.defines), list(question.warnings)];
  const [name, text, defines, warnings] = texts.map(it => putText(causal, it));
  const result = causal._playground_ask(question.serializable ? 1 : 0, name.at, text.at, text.length, defines.at,
    warnings.at, question.anyNumber ? 1 : 0, question.eachAccess ? 1 : 0, question.timeout || 0, question.maxMemory || 0,
    question.maxEvents || 0);
  const output = form => putAside(form, at => getText(causal, causal._playground_output(result, at)));
  const putAside = (form, use) => {
    const word = putText(causal, form), got = use(word.at);
    causal._free(word.at);
    return got;
  };
  const answer = {verdict: VERDICTS[causal._playground_verdict(result)],
                  why: getText(causal, causal._playground_why(result)), text: output("text"), json: output("json"), html: output("html")};
  causal._playground_free(result);
  for (const it of [name, text, defines, warnings]) causal._free(it.at);
  return answer;
}
