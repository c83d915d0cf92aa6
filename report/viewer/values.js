// values.js: the values of variables along an example. Per variable its changes are kept, so that any step's value is
// found by bisection.

// Per variable: steps that set it, ascending, and the values, the first of which is the initial one, of step -1.
function readHistories(finding) {
  const histories = finding.variables.map(variable => ({steps: [-1], values: [variable.initial]}));
  finding.steps.forEach((step, index) => {
    for (const [variable, value] of step.sets || []) {
      histories[variable].steps.push(index);
      histories[variable].values.push(value);
    }
  });
  return histories;
}

// The number of the change that counts after a step.
function changeAt(history, step) {
  let low = 0, high = history.steps.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (history.steps[middle] <= step) low = middle;
    else high = middle;
  }
  return low;
}

// {value, before, changed, by}: after a step; `by` is the step that set it, -1 if none has.
function valueAt(history, step) {
  const at = changeAt(history, step), by = history.steps[at];
  return {value: history.values[at], before: at > 0 ? history.values[at - 1] : null, changed: by === step && by >= 0, by};
}

function valueWords(variable, value) {
  if (variable.kind !== "lock") return value === null ? "unknown" : value;
  return value === null ? "free" : "held by " + value;
}

function variableName(example, variable) {
  return variable.kind === "local" ? threadName(example, variable.thread || 0) + "." + variable.name : variable.name;
}

// "turn = 1, l: held by T1": what a step sets.
function setsWords(example, step) {
  return (step.sets || []).map(([number, value]) => {
    const variable = example.variables[number];
    return variable.name + (variable.kind === "lock" ? ": " : " = ") + valueWords(variable, value);
  }).join(", ");
}
