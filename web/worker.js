// worker.js: answers one question after the other. The page ends it when a question is no longer wanted.
"use strict";

let checker = null;

// The first message is the compiled module, the others are questions. Whatever goes wrong in the checker itself, as when
// the browser has no more memory, makes the answer unknown.
onmessage = async event => {
  const {module, id, question} = event.data;
  if (module) {
    checker = makeCausal({instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then(done, error => postMessage({failed: String(error)}));
      return {};
    }});
    return;
  }
  try {
    postMessage({id, answer: askCausal(await checker, question)});
  } catch (error) {
    postMessage({id, answer: {verdict: "unknown", why: "out of memory or stack: " + error, text: null, json: null, html: null}});
  }
};
