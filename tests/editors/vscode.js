// vscode.js EXTENSION CAUSALCHECK MODEL...: runs the extension with a stand-in for the editor: opens each model, and
// prints what it would mark, "MODEL:LINE:COLUMN-COLUMN SEVERITY MESSAGE", and the events of a violation, indented.
'use strict';

const fs = require('fs');
const path = require('path');
const Module = require('module');

const [extension, causalcheck, ...models] = process.argv.slice(2);
const settings = { path: causalcheck, arguments: [], timeout: 60, onSave: true };
const commands = {};
const disposable = { dispose() {} };
const panels = [];
let waiting = 0;

class Range {
  constructor(line, from, to_line, to) { Object.assign(this, { line, from, to_line, to }); }
  toString() { return `${this.line + 1}:${this.from + 1}-${this.to + 1}`; }
}
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class Location { constructor(uri, range) { Object.assign(this, { uri, range }); } }
class DiagnosticRelatedInformation { constructor(location, message) { Object.assign(this, { location, message }); } }

const say = (uri, all) => {
  for (const one of all) {
    console.log(`${path.basename(uri.fsPath)}:${one.range} ${one.severity} ${one.message}`);
    for (const related of one.relatedInformation) console.log(`  ${related.location.range} ${related.message}`);
  }
  waiting--;
};

const documents = models.map((file) => ({
  languageId: 'smlt',
  uri: { fsPath: path.resolve(file), toString: () => `file://${path.resolve(file)}` },
  getText: () => fs.readFileSync(file, 'utf8'),
}));
waiting = documents.length;

const vscode = {
  Range, Diagnostic, Location, DiagnosticRelatedInformation,
  DiagnosticSeverity: { Error: 'error', Warning: 'warning', Information: 'note' },
  StatusBarAlignment: { Left: 1 },
  ViewColumn: { Beside: 2 },
  languages: { createDiagnosticCollection: () => ({ set: say, delete() {}, dispose() {} }) },
  commands: { registerCommand: (name, run) => { commands[name] = run; return disposable; } },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidOpenTextDocument: () => disposable,
    onDidSaveTextDocument: () => disposable,
    onDidCloseTextDocument: () => disposable,
    textDocuments: documents,
  },
  window: {
    activeTextEditor: documents.length ? { document: documents[0] } : undefined,
    createStatusBarItem: () => ({ show() {}, dispose() {} }),
    createWebviewPanel: (type, title) => { const panel = { title, webview: {} }; panels.push(panel); return panel; },
    showErrorMessage: (message) => { console.log(message); waiting--; },
  },
};

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

async function main() {
  const context = { subscriptions: [] };
  require(path.resolve(extension)).activate(context);
  while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  if (!documents.length) return;
  await commands['causal.view']();
  for (const panel of panels) console.log(`${panel.title}: ${/^<!doctype html>/i.test(panel.webview.html) ? 'a page' : 'no page'}`);
}
main();
