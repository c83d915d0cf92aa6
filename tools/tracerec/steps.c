#include "tools/tracerec/steps.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_MS = 1000, LONGEST_TIMEOUT_MS = 3600 * 1000, MOST_WORDS = 9, WORD_BYTES = 512 };

static const char *const CLASSES[] = {"read", "write", "acquire", "release", "begin", "end", "fork", "join"};
_Static_assert(sizeof CLASSES / sizeof *CLASSES == PLAN_CLASSES, "ORDER PlanClass");

/* A line as words. */
typedef struct {
  const char *name;
  uint32_t line, n;
  char words[MOST_WORDS][WORD_BYTES];
  Err *err;
} Line;

static bool fault(const Line *line, const char *what) {
  return err_set(line->err, ERR_INPUT, "%s:%u: %s", line->name, line->line, what);
}

/* Reads the words of the line at *text, which goes on to the next one. */
static bool split(Line *line, const char **text) {
  const char *at = *text, *end = at + strcspn(at, "\n"), *stop = at + strcspn(at, "#\n");
  line->line++;
  line->n = 0;
  *text = *end ? end + 1 : end;
  for (;;) {
    at += strspn(at, " \t\r");
    if (at >= stop) return true;
    size_t length = strcspn(at, " \t\r\n#");
    if (line->n == MOST_WORDS || length >= WORD_BYTES) {
      if (strcmp(line->words[0], "plan") == 0) return true;
      return fault(line, "the line has too many words, or one that is too long");
    }
    memcpy(line->words[line->n], at, length);
    line->words[line->n++][length] = '\0';
    at += length;
  }
}

/* False: no number that is at most this. */
static bool number(const char *text, int base, uint64_t most, uint64_t *result, const char **end) {
  *end = text;
  char *rest;
  if (base == 10 ? *text < '0' || *text > '9' : !strchr("0123456789abcdef", *text) || !*text) return false;
  const unsigned long long value = strtoull(text, &rest, base);
  *result = value;
  *end = rest;
  return value <= most && rest - text <= 16;
}

static bool count(const Line *line, const char *word, uint32_t *result) {
  uint64_t value = 0;
  const char *end;
  if (strcmp(word, "*") == 0) return *result = 0, true;
  if (!number(word, 10, UINT32_MAX, &value, &end) || *end || !value)
    return fault(line, "expected a number from 1, or *");
  *result = (uint32_t)value;
  return true;
}

static bool module(const Line *line, const RawPlan *plan, const char *word, const char **end, uint32_t *result) {
  uint64_t value = 0;
  if (!number(word, 10, plan->n_modules, &value, end) || !value)
    return fault(line, "expected the number of a module that is named above");
  *result = (uint32_t)value - 1;
  return true;
}

/* "=N": that of leg N. */
static bool same_object(const Line *line, const RawPlan *plan, const char *word, PlanLeg *leg) {
  const uint32_t own = plan->n_legs + 1;
  uint64_t of = 0;
  const char *end;
  if (!number(word, 10, own, &of, &end) || *end || !of || (of < own && plan->legs[of - 1].same != of))
    return fault(line, "expected =N, the number of this leg, or of one before that has its own");
  leg->same = (uint32_t)of;
  return true;
}

static bool object(const Line *line, const RawPlan *plan, const char *word, PlanLeg *leg) {
  uint64_t size = 0;
  const char *end;
  if (strcmp(word, "*") == 0) return true;
  if (*word == '=') return same_object(line, plan, word + 1, leg);
  if (!module(line, plan, word, &end, &leg->object_module)) return false;
  if (*end++ == '+' && number(end, 16, UINT64_MAX / 4, &leg->object, &end) && *end++ == ':' &&
      number(end, 10, UINT64_MAX / 4, &size, &end) && !*end && size) {
    leg->object_end = leg->object + size;
    return true;
  }
  return fault(line, "expected an object, MODULE+OFFSET:BYTES, =N, or *");
}

static bool codes(const Line *line, const char *word, PlanLeg *leg) {
  for (const char *at = word;; at++) {
    if (leg->n_codes == PLAN_CODES || !number(at, 16, UINT64_MAX, &leg->codes[leg->n_codes++], &at) ||
        (*at && *at != ','))
      return fault(line, "expected one to 16 codes in hexadecimal, with commas between");
    if (!*at) return true;
  }
}

/* ROLE CLASS MODULE CODES OBJECT N N */
static bool read_leg(const Line *line, RawPlan *plan, PlanLeg *leg) {
  const char *role = line->words[1], *end;
  uint32_t class = 0;
  if (line->n != 8) return fault(line, "expected ROLE CLASS MODULE CODES OBJECT N N");
  if (role[0] < 'A' || role[0] >= 'A' + PLAN_ROLES || role[1]) return fault(line, "expected a role from A to H");
  while (class < PLAN_CLASSES && strcmp(CLASSES[class], line->words[2])) class ++;
  if (class == PLAN_CLASSES)
    return fault(line, "expected a class: read, write, acquire, release, begin, end, fork or join");
  *leg = (PlanLeg){.role = (uint32_t)(role[0] - 'A'), .class = class};
  if (leg->role >= plan->n_roles) plan->n_roles = leg->role + 1;
  if (!module(line, plan, line->words[3], &end, &leg->module)) return false;
  if (*end) return fault(line, "expected the number of a module that is named above");
  return codes(line, line->words[4], leg) && object(line, plan, line->words[5], leg) &&
         count(line, line->words[6], &leg->in_thread) && count(line, line->words[7], &leg->in_transaction);
}

static bool read_module(const Line *line, RawPlan *plan) {
  const char *word = line->words[1];
  const size_t length = strlen(word);
  if (line->n != 2 || length % 2 || length > 2 * PLAN_ID_BYTES || word[strspn(word, "0123456789abcdef")])
    return fault(line, "expected a build-id in hexadecimal, of at most 32 bytes");
  if (plan->n_modules == PLAN_MODULES) return fault(line, "more than 8 modules");
  PlanModule *new = &plan->modules[plan->n_modules++];
  for (; new->n < length / 2; new->n++) {
    const char digits[3] = {word[2 * new->n], word[2 * new->n + 1], '\0'};
    new->id[new->n] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return true;
}

static bool read_timeout(const Line *line, RawPlan *plan) {
  uint64_t value = 0;
  const char *end;
  if (line->n != 2 || !number(line->words[1], 10, LONGEST_TIMEOUT_MS, &value, &end) || *end || !value)
    return fault(line, "expected a time-out from 1 to 3600000 milliseconds");
  plan->timeout = (uint32_t)value;
  return true;
}

/* A line of a plan, whether it is the one that is wanted or not. */
static bool read_step(const Line *line, RawPlan *plan) {
  const char *what = line->words[0];
  PlanLeg leg;
  if (strcmp(what, "timeout") == 0) return read_timeout(line, plan);
  const bool begins = strcmp(what, "begin") == 0;
  if (!begins && strcmp(what, "leg")) return fault(line, "expected plan, timeout, begin or leg");
  if (!read_leg(line, plan, &leg)) return false;
  if (begins && leg.class != PLAN_BEGIN) return fault(line, "a transaction begins with the class begin");
  if (begins && leg.same) return fault(line, "a transaction begins on no object");
  if (begins) plan->begins[leg.role] = leg;
  else if (plan->n_legs == PLAN_LEGS) return fault(line, "more than 32 legs");
  else plan->legs[plan->n_legs++] = leg;
  return true;
}

static void clear(RawPlan *plan) {
  plan->n_legs = plan->n_roles = 0;
  plan->timeout = TIMEOUT_MS;
  memset(plan->begins, 0, sizeof plan->begins);
}

static bool read_line(const Line *line, uint32_t *plans, RawPlan *plan) {
  const char *what = line->words[0];
  if (strcmp(what, "plan") == 0) {
    clear(plan);
    ++*plans;
    return true;
  }
  if (strcmp(what, "module") == 0)
    return *plans ? fault(line, "modules come before the plans") : read_module(line, plan);
  return *plans ? read_step(line, plan) : fault(line, "expected module or plan");
}

bool steps_parse(const char *name, const char *text, uint32_t wanted, RawPlan *plan, Err *err) {
  Line line = {.name = name, .err = err};
  RawPlan now = {.timeout = TIMEOUT_MS}, kept = now;
  uint32_t plans = 0;
  bool begun = false;
  while (*text) {
    if (!split(&line, &text)) return false;
    if (!line.n) continue;
    if (!begun) {
      if (line.n != 2 || strcmp(line.words[0], "steps"))
        return fault(&line, "not a step file, which begins with: steps 1");
      if (strcmp(line.words[1], "1")) return fault(&line, "steps of another version than 1");
      begun = true;
      continue;
    }
    if (!read_line(&line, &plans, &now)) return false;
    if (plans == wanted) kept = now;
  }
  if (!begun) return err_set(err, ERR_INPUT, "%s: not a step file, which begins with: steps 1", name);
  if (!plans) return err_set(err, ERR_INPUT, "%s: the file has no plan", name);
  if (wanted > plans)
    return err_set(err, ERR_INPUT, "%s: there is no plan %u: the last one is %u", name, wanted, plans);
  if (!kept.n_legs) return err_set(err, ERR_INPUT, "%s: plan %u has no legs", name, wanted);
  *plan = kept;
  return true;
}

void steps_loosen(RawPlan *plan) {
  for (uint32_t i = 0; i < plan->n_legs; i++) plan->legs[i].in_thread = 0;
  for (uint32_t i = 0; i < plan->n_roles; i++) plan->begins[i].in_thread = 0;
}

static bool is_same_object(const PlanLeg *a, const PlanLeg *b) {
  return a->object_module == b->object_module && a->object == b->object && a->object_end == b->object_end;
}

void steps_loosen_objects(RawPlan *plan) {
  for (uint32_t i = 0, first = 1; i < plan->n_legs; i++) {
    PlanLeg *leg = &plan->legs[i];
    uint32_t k = 0;
    if (!leg->object_end) continue;
    while (k < i && !(plan->legs[k].same == k + 1 && is_same_object(&plan->legs[k], leg))) k++;
    while (first < plan->n_legs && plan->legs[first].role == plan->legs[0].role) first++;
    if (k < i || i < first) leg->same = k + 1;
  }
  for (uint32_t i = 0; i < plan->n_legs; i++) plan->legs[i].object = plan->legs[i].object_end = 0;
}

static void print_count(uint32_t count, FILE *out) {
  if (count) fprintf(out, " %u", count);
  else fputs(" *", out);
}

static void print_leg(const char *what, const PlanLeg *leg, FILE *out) {
  fprintf(out, "%s %c %s %u", what, (char)('A' + leg->role), CLASSES[leg->class], leg->module + 1);
  for (uint32_t i = 0; i < leg->n_codes; i++) fprintf(out, "%c%llx", i ? ',' : ' ', (unsigned long long)leg->codes[i]);
  if (leg->same) fprintf(out, " =%u", leg->same);
  else if (leg->object_end)
    fprintf(out, " %u+%llx:%llu", leg->object_module + 1, (unsigned long long)leg->object,
            (unsigned long long)(leg->object_end - leg->object));
  else fputs(" *", out);
  print_count(leg->in_thread, out);
  print_count(leg->in_transaction, out);
  fputc('\n', out);
}

void steps_print(const RawPlan *plan, const char *title, FILE *out) {
  fputs("steps 1\n", out);
  for (uint32_t i = 0; i < plan->n_modules; i++) {
    fputs("module ", out);
    for (uint32_t k = 0; k < plan->modules[i].n; k++) fprintf(out, "%02x", plan->modules[i].id[k]);
    fputc('\n', out);
  }
  fprintf(out, "plan %s\ntimeout %u\n", title, plan->timeout);
  for (uint32_t i = 0; i < plan->n_roles; i++)
    if (plan->begins[i].n_codes) print_leg("begin", &plan->begins[i], out);
  for (uint32_t i = 0; i < plan->n_legs; i++) print_leg("leg", &plan->legs[i], out);
}

bool steps_are_loaded(const RawPlan *plan) {
  for (uint32_t i = 0; i < plan->n_legs; i++)
    if (!(plan->found >> plan->legs[i].module & 1)) return false;
  return true;
}

bool steps_outcome(const RawPlan *plan, char *text, size_t size) {
  assert(plan->n_legs);
  const uint32_t passed = plan->passed;
  if (passed >= plan->n_legs) {
    snprintf(text, size, "followed: all %u legs were passed", plan->n_legs);
    return true;
  }
  const PlanLeg *leg = &plan->legs[passed];
  if (!steps_are_loaded(plan))
    snprintf(
        text, size,
        "not followed: the program is not the one that the steps are for, or was built anew since (another build-id)");
  else if (plan->gave_up == 2)
    snprintf(text, size,
             "not followed: leg %u of %u (%c, %s) cannot come, since all other threads wait; all were let go",
             passed + 1, plan->n_legs, (char)('A' + leg->role), CLASSES[leg->class]);
  else if (plan->gave_up)
    snprintf(text, size, "not followed: leg %u of %u (%c, %s) did not come within %u ms; all threads were let go",
             passed + 1, plan->n_legs, (char)('A' + leg->role), CLASSES[leg->class], plan->waited);
  else
    snprintf(text, size, "not followed: the program ended before leg %u of %u (%c, %s)", passed + 1, plan->n_legs,
             (char)('A' + leg->role), CLASSES[leg->class]);
  return false;
}
