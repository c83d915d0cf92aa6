#include "tests/unit/text_machine.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *at;
  TextState state;
  uint32_t choices, n_choices; /* bit i: what the i-th test of something unknown says */
  bool dead, failed;           /* dead: an await is false */
} Run;

static TextValue known(int64_t number) { return (TextValue){true, number}; }
static const TextValue UNKNOWN = {false, 0};

/* ---- words ---- */

static void blanks(Run *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool sees(Run *r, const char *word) {
  const size_t n = strlen(word);
  blanks(r);
  if (strncmp(r->at, word, n) != 0) return false;
  return !isalnum((unsigned char)word[n - 1]) || !isalnum((unsigned char)r->at[n]);
}

static bool takes(Run *r, const char *word) {
  if (!sees(r, word)) return false;
  r->at += strlen(word);
  return true;
}

static void need(Run *r, const char *word) {
  if (!takes(r, word)) r->failed = true;
}

/* The variable of the name that comes next, or TEXT_VARIABLES. */
static uint32_t variable(Run *r) {
  blanks(r);
  const char *start = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '\'') r->at++;
  const size_t n = (size_t)(r->at - start);
  if (!n) r->failed = true;
  for (uint32_t i = 0; i < r->state.n; i++)
    if (strlen(r->state.name[i]) == n && memcmp(r->state.name[i], start, n) == 0) return i;
  return TEXT_VARIABLES;
}

/* ---- expressions ---- */

static TextValue expression(Run *r);

static TextValue primary(Run *r) {
  if (takes(r, "(")) {
    const TextValue value = expression(r);
    need(r, ")");
    return value;
  }
  if (takes(r, "-")) {
    const TextValue value = primary(r);
    return (TextValue){value.known, -value.number};
  }
  if (takes(r, "true")) return known(1);
  if (takes(r, "false")) return known(0);
  if (takes(r, "nondet")) return UNKNOWN;
  blanks(r);
  if (isdigit((unsigned char)*r->at)) {
    int64_t number = 0;
    while (isdigit((unsigned char)*r->at)) number = 10 * number + *r->at++ - '0';
    return known(number);
  }
  const uint32_t i = variable(r);
  return i < TEXT_VARIABLES ? r->state.value[i] : UNKNOWN;
}

static TextValue product(Run *r) {
  TextValue left = primary(r);
  for (;;) {
    const char op = takes(r, "*") ? '*' : takes(r, "/") ? '/' : takes(r, "%") ? '%' : 0;
    if (!op) return left;
    const TextValue right = primary(r);
    const bool good = left.known && right.known && (op == '*' || right.number);
    if (!good) left = UNKNOWN;
    else if (op == '*') left.number *= right.number;
    else left.number = op == '/' ? left.number / right.number : left.number % right.number;
  }
}

static TextValue sum(Run *r) {
  TextValue left = product(r);
  for (;;) {
    const int sign = takes(r, "+") ? 1 : takes(r, "-") ? -1 : 0;
    if (!sign) return left;
    const TextValue right = product(r);
    left = left.known && right.known ? known(left.number + sign * right.number) : UNKNOWN;
  }
}

static TextValue comparison(Run *r) {
  static const char *const OPERATORS[] = {"<=", ">=", "==", "!=", "<", ">", "=", NULL};
  const TextValue left = sum(r);
  for (uint32_t i = 0; OPERATORS[i]; i++) {
    if (!takes(r, OPERATORS[i])) continue;
    const TextValue right = sum(r);
    const int64_t a = left.number, b = right.number;
    const bool results[] = {a <= b, a >= b, a == b, a != b, a<b, a> b, a == b};
    return left.known && right.known ? known(results[i]) : UNKNOWN;
  }
  return left;
}

static TextValue negation(Run *r) {
  blanks(r);
  if ((r->at[0] == '!' && r->at[1] != '=') || sees(r, "not")) {
    r->at += *r->at == '!' ? 1 : 3;
    const TextValue value = negation(r);
    return value.known ? known(!value.number) : UNKNOWN;
  }
  return comparison(r);
}

/* `decides`: the truth value that decides the whole, whatever the other operand is. */
static TextValue join(TextValue left, TextValue right, bool decides) {
  if ((left.known && !left.number != decides) || (right.known && !right.number != decides)) return known(decides);
  return left.known && right.known ? known(!decides) : UNKNOWN;
}

static TextValue conjunction(Run *r) {
  TextValue left = negation(r);
  while (takes(r, "&&") || takes(r, "and")) left = join(left, negation(r), false);
  return left;
}

static TextValue expression(Run *r) {
  TextValue left = conjunction(r);
  while (takes(r, "||") || takes(r, "or")) left = join(left, conjunction(r), true);
  return left;
}

/* ---- statements ---- */

static bool is_true(Run *r, TextValue value) {
  if (value.known) return value.number != 0;
  if (r->n_choices == 31) r->failed = true;
  return r->n_choices < 31 && (r->choices >> r->n_choices++ & 1);
}

static void statements(Run *r, bool run);

static void braces(Run *r, bool run) {
  need(r, "{");
  statements(r, run);
  need(r, "}");
}

static void assign(Run *r, bool run) {
  const uint32_t i = variable(r);
  if (!takes(r, ":=")) need(r, "=");
  TextValue value = expression(r);
  if (!run || i == TEXT_VARIABLES) return;
  const int64_t n = r->state.n_values[i];
  if (value.known) value.number = (value.number % n + n) % n;
  r->state.value[i] = value;
}

static void condition(Run *r, bool run) {
  need(r, "(");
  const TextValue value = expression(r);
  need(r, ")");
  const bool is_first = run && is_true(r, value);
  braces(r, is_first);
  if (!takes(r, "else")) return;
  if (takes(r, "if")) condition(r, run && !is_first);
  else braces(r, run && !is_first);
}

static void statement(Run *r, bool run) {
  if (takes(r, "skip")) return;
  if (takes(r, "atomic")) braces(r, run);
  else if (takes(r, "if")) condition(r, run);
  else if (takes(r, "await")) {
    const TextValue value = expression(r);
    if (run && value.known && !value.number) r->dead = true;
  } else assign(r, run);
}

static void statements(Run *r, bool run) {
  while (!r->failed && !sees(r, "}") && *r->at) {
    if (!takes(r, ";")) statement(r, run);
  }
}

/* "[f = true]", "[not f = true]" */
static void test(Run *r) {
  const bool negated = takes(r, "not");
  const TextValue value = expression(r);
  need(r, "]");
  if (value.known && !value.number != negated) r->dead = true;
}

static void event(Run *r) {
  static const char *const NOTHING[] = {"acquire", "release", "begin", "end", NULL};
  for (uint32_t i = 0; NOTHING[i]; i++)
    if (sees(r, NOTHING[i])) return;
  if (takes(r, "[")) test(r);
  else statements(r, true);
}

static bool is_reached(const Run *r, const TextState *to) {
  for (uint32_t i = 0; i < to->n; i++)
    if (r->state.value[i].known && r->state.value[i].number != to->value[i].number) return false;
  return true;
}

bool text_may_lead(const char *text, const TextState *from, const TextState *to, bool *failed) {
  for (uint32_t choices = 0, end = 1; choices < end; choices++) {
    Run run = {.at = text, .state = *from, .choices = choices};
    event(&run);
    if (run.failed) *failed = true;
    if (run.failed) return false;
    if (!run.dead && is_reached(&run, to)) return true;
    if (run.n_choices > 12) *failed = true;
    if (run.n_choices <= 12 && 1u << run.n_choices > end) end = 1u << run.n_choices;
  }
  return false;
}
