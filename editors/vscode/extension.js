// extension.js: asks causalcheck about an SML model, and shows its answer in the editor: violations and warnings at
// their lines, and the run that shows a violation in a panel (causalcheck --html).
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const vscode = require('vscode');

// Arguments of the first comment "// run: ..." in a model: "-D N=3" as two words.
function runArguments(text) {
  const found = /^\/\/ run:(.*)$/m.exec(text);
  return found ? found[1].trim().split(/\s+/).filter((word) => word) : [];
}

// Places count from 1, and columns in bytes of UTF-8; the editor's from 0, in units of UTF-16.
function rangeOf(place, length, lines) {
  const line = Math.max(place.line - 1, 0);
  const bytes = Buffer.from(lines[line] || '', 'utf8');
  const start = Math.max(place.column - 1, 0);
  const from = bytes.subarray(0, start).toString('utf8').length;
  const to = length ? bytes.subarray(0, start + length).toString('utf8').length : (lines[line] || '').trimEnd().length;
  return new vscode.Range(line, from, line, Math.max(to, from + 1));
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

// What the answer says, {place, level, message, length?, notes?}, as the editor's diagnostics.
function diagnosticsOf(report, uri, lines) {
  const said = [...report.diagnostics, ...report.findings].filter((one) => one.place && one.place.line);
  return said.map((one) => {
    const diagnostic = new vscode.Diagnostic(rangeOf(one.place, one.length, lines), one.message, SEVERITIES[one.level]);
    diagnostic.source = 'causalcheck';
    diagnostic.code = one.option || one.rule;
    diagnostic.relatedInformation = (one.notes || [])
      .filter((note) => note.place && note.place.line)
      .map((note) => {
        const where = new vscode.Location(uri, rangeOf(note.place, note.length, lines));
        return new vscode.DiagnosticRelatedInformation(where, note.message);
      });
    return diagnostic;
  });
}

// Runs causalcheck on the document's text. Gives {code, stdout, stderr}; code is null if it could not be run.
function ask(document, more) {
  const settings = vscode.workspace.getConfiguration('causal', document.uri);
  const text = document.getText();
  const given = [...settings.get('arguments'), ...runArguments(text), `--timeout=${settings.get('timeout')}s`, ...more, '-'];
  return new Promise((resolve) => {
    const options = { maxBuffer: 1 << 28, cwd: path.dirname(document.uri.fsPath) };
    const child = execFile(settings.get('path'), given, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0;
      resolve({ code, stdout, stderr: code === null ? error.message : stderr });
    });
    child.stdin.on('error', () => {}); // it may end before it has read everything
    child.stdin.end(text);
  });
}

// The newest answer counts: one that was overtaken by another question is dropped.
const asked = new Map();

async function check(document, collection, status) {
  const key = document.uri.toString();
  const number = (asked.get(key) || 0) + 1;
  asked.set(key, number);
  status.text = '$(sync~spin) causal';
  const answer = await ask(document, ['--format=json']);
  if (asked.get(key) !== number) return;
  let report;
  try {
    report = JSON.parse(answer.stdout);
  } catch (error) {
    status.text = '$(error) causal';
    status.tooltip = answer.stderr.trim() || 'causalcheck gave no answer';
    vscode.window.showErrorMessage(`causalcheck: ${status.tooltip}`);
    return;
  }
  collection.set(document.uri, diagnosticsOf(report, document.uri, document.getText().split(/\r?\n/)));
  status.text = `causal: ${report.verdict}`;
  status.tooltip = report.why || undefined;
}

async function view(document) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'causal-'));
  const page = path.join(folder, 'run.html');
  try {
    const answer = await ask(document, ['-q', `--html=${page}`]);
    if (!fs.existsSync(page)) throw new Error(answer.stderr.trim() || 'causalcheck gave no answer');
    const name = path.basename(document.uri.fsPath);
    const panel = vscode.window.createWebviewPanel('causal', `Run of ${name}`, vscode.ViewColumn.Beside, { enableScripts: true });
    panel.webview.html = fs.readFileSync(page, 'utf8');
  } catch (error) {
    vscode.window.showErrorMessage(`causalcheck: ${error.message}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const isModel = (document) => document.languageId === 'smlt';

function activate(context) {
  const collection = vscode.languages.createDiagnosticCollection('causal');
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  const checkIfWanted = (document) => {
    if (isModel(document) && vscode.workspace.getConfiguration('causal', document.uri).get('onSave')) check(document, collection, status);
  };
  const withEditor = (use) => () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) return use(editor.document);
  };
  status.command = 'causal.view';
  status.show();
  context.subscriptions.push(
    collection,
    status,
    vscode.commands.registerCommand('causal.check', withEditor((document) => check(document, collection, status))),
    vscode.commands.registerCommand('causal.view', withEditor(view)),
    vscode.workspace.onDidOpenTextDocument(checkIfWanted),
    vscode.workspace.onDidSaveTextDocument(checkIfWanted),
    vscode.workspace.onDidCloseTextDocument((document) => collection.delete(document.uri)),
  );
  vscode.workspace.textDocuments.forEach(checkIfWanted);
}

module.exports = { activate, deactivate() {}, runArguments, diagnosticsOf };
