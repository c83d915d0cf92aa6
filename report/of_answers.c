#include "report/of_answers.h"

#include "base/text.h"
#include "report/firing.h"
#include "report/vocabulary.h"

#include <assert.h>

typedef struct {
  Report *report;
  Arena *arena;
  const AnswerReport *result;
  const Net *net;
} Making;

/* ---- words ---- */

bool of_answers_is_true(const Answer *property) {
  assert(property->property && property->answer != VERDICT_UNKNOWN);
  return (property->answer == VERDICT_VIOLATED) != property->always;
}

static const char *name_of(const Making *m, const char *name) {
  return arena_format(m->arena, "'%s'", text_clean(m->arena, name));
}

/* "'a', 'b' and 'c'" */
static const char *places_of(const Making *m, const Answer *answer) {
  const char *text = "";
  for (uint32_t i = 0; i < answer->n_places; i++)
    text = arena_format(m->arena, "%s%s%s", text,
                        !i                         ? ""
                        : i + 1 < answer->n_places ? ", "
                                                   : " and ",
                        name_of(m, m->net->place_name[answer->places[i].v]));
  return text;
}

static const char *length_of(const Making *m, const Answer *answer) {
  return arena_format(m->arena, ", after %u step%s%s", answer->n_run, answer->n_run == 1 ? "" : "s",
                      answer->shortest ? "" : ", or fewer");
}

static const char *cover_words(const Making *m, const Answer *answer) {
  const bool several = answer->n_places > 1, found = answer->answer == VERDICT_VIOLATED;
  const char *places = places_of(m, answer), *together = several ? " together" : "";
  if (answer->answer == VERDICT_UNKNOWN) return arena_format(m->arena, "%s can be marked%s: unknown", places, together);
  if (found && answer->n_run == 0)
    return arena_format(m->arena, "%s %s marked initially", places, several ? "are" : "is");
  return arena_format(m->arena, "%s %s be marked%s%s", places, found ? "can" : "cannot", together,
                      found ? length_of(m, answer) : "");
}

static const char *formula_words(const Making *m, const Answer *answer) {
  const char *name = name_of(m, answer->text);
  switch (answer->answer) {
  case VERDICT_UNKNOWN: return arena_format(m->arena, "%s can hold: unknown", name);
  case VERDICT_HOLDS: return arena_format(m->arena, "%s can never hold", name);
  case VERDICT_VIOLATED: break;
  }
  if (!answer->n_run) return arena_format(m->arena, "%s holds initially", name);
  return arena_format(m->arena, "%s can hold%s", name, length_of(m, answer));
}

static const char *fire_words(const Making *m, const Answer *answer) {
  const char *name = name_of(m, m->net->trans_name[answer->trans.v]);
  if (answer->answer == VERDICT_VIOLATED) return arena_format(m->arena, "%s can fire, as step %u", name, answer->n_run);
  return arena_format(m->arena, "%s%s", name,
                      answer->answer == VERDICT_HOLDS ? " can never fire" : " can fire: unknown");
}

static const char *deadlock_words(const Making *m, const Answer *answer) {
  if (answer->answer == VERDICT_VIOLATED && !answer->n_run)
    return "deadlock in the initial marking: nothing is enabled";
  if (answer->answer == VERDICT_VIOLATED) return arena_format(m->arena, "deadlock%s", length_of(m, answer));
  return answer->answer == VERDICT_HOLDS ? "no deadlock" : "deadlock: unknown";
}

static const char *states_words(const Making *m, const Answer *answer) {
  const bool all = answer->answer == VERDICT_HOLDS;
  const unsigned long long n = answer->n_markings;
  return arena_format(m->arena, "%s%llu reachable marking%s", all ? "" : "at least ", n, n == 1 ? "" : "s");
}

/* "'NAME' is true: such a marking can be reached, after 3 steps" */
static const char *property_words(const Making *m, const Answer *answer) {
  const char *name = name_of(m, answer->property), *what = answer->kind == QUESTION_DEADLOCK ? "deadlock" : NULL;
  const bool found = answer->answer == VERDICT_VIOLATED;
  if (answer->kind == QUESTION_OTHER) return arena_format(m->arena, "%s: unknown: %s", name, answer->why);
  if (answer->answer == VERDICT_UNKNOWN) return arena_format(m->arena, "%s: unknown", name);
  const char *value = of_answers_is_true(answer) ? "true" : "false";
  if (!found && what) return arena_format(m->arena, "%s is %s: there is no deadlock", name, value);
  if (!found) return arena_format(m->arena, "%s is %s: it %s holds", name, value, answer->always ? "always" : "never");
  if (!what) what = answer->always ? "it does not hold" : "it holds";
  if (!answer->n_run) return arena_format(m->arena, "%s is %s: %s initially", name, value, what);
  return arena_format(m->arena, "%s is %s: %s%s", name, value, what, length_of(m, answer));
}

static const char *answer_words(const Making *m, const Answer *answer) {
  if (answer->property) return property_words(m, answer);
  switch (answer->kind) {
  case QUESTION_COVER: return cover_words(m, answer);
  case QUESTION_FIRE: return fire_words(m, answer);
  case QUESTION_DEADLOCK: return deadlock_words(m, answer);
  case QUESTION_FORMULA: return formula_words(m, answer);
  case QUESTION_STATES: return states_words(m, answer);
  case QUESTION_OTHER: break; /* only properties are */
  }
  return "";
}

/* ---- lines ---- */

void of_answers_print_run(const Net *net, const TransId *run, uint32_t n_run, FILE *out) {
  Arena arena;
  arena_init(&arena, net->arena.heap);
  for (uint32_t i = 0; i < n_run; i++) fprintf(out, "  %s\n", text_clean(&arena, net->trans_name[run[i].v]));
  arena_fini(&arena);
}

/* With its firing sequence, unless little is asked for. */
static void add_answer_lines(const Making *m, const Answer *answer) {
  const bool run = answer->answer == VERDICT_VIOLATED && answer->n_run;
  const char *words = answer_words(m, answer);
  report_add_line(m->report, LINE_QUIET, words);
  report_add_line(m->report, LINE_FULL, run ? arena_format(m->arena, "%s:", words) : words);
  for (uint32_t i = 0; run && i < answer->n_run; i++)
    report_add_line(m->report, LINE_FULL,
                    arena_format(m->arena, "  %s", text_clean(m->arena, m->net->trans_name[answer->run[i].v])));
}

static void add_size_line(const Making *m) {
  const AnswerReport *result = m->result;
  report_add_line(m->report, LINE_FULL,
                  arena_format(m->arena, "%s prefix: %llu events, %llu conditions, %llu cut-offs",
                               result->complete ? "complete" : "incomplete", (unsigned long long)result->counts.events,
                               (unsigned long long)result->counts.conditions,
                               (unsigned long long)result->counts.cutoffs));
}

/* Where markings alone were counted nothing was unfolded. */
static void add_lines(const Making *m) {
  const AnswerReport *result = m->result;
  const bool counted = result->n_answers == 1 && result->answers[0].kind == QUESTION_STATES;
  for (uint32_t i = 0; i < result->n_answers; i++) add_answer_lines(m, &result->answers[i]);
  if (result->why[0]) report_add_line(m->report, LINE_ALWAYS, arena_format(m->arena, "unknown: %s", result->why));
  if (result->prefix || !counted) add_size_line(m);
}

/* ---- findings ---- */

static void add_finding(const Making *m, const Answer *answer) {
  static const char *const RULES[] = {"marking-reachable", "transition-can-fire", "deadlock",
                                      "marking-reachable", "reachable-markings",  "property"}; /* ORDER QuestionKind */
  _Static_assert(sizeof RULES / sizeof *RULES == QUESTION_OTHER + 1, "ORDER QuestionKind");
  static const FindingKind KINDS[] = {FINDING_OPEN, FINDING_PASS, FINDING_FAIL}; /* ORDER Verdict */
  _Static_assert(sizeof KINDS / sizeof *KINDS == VERDICT_KINDS, "ORDER Verdict");
  const bool found = answer->answer == VERDICT_VIOLATED;
  const bool asserts = answer->property && !answer->always && answer->answer != VERDICT_UNKNOWN; /* found is good */
  Finding finding = {.rule = answer->property ? "property" : RULES[answer->kind],
                     .kind = asserts ? KINDS[found ? VERDICT_HOLDS : VERDICT_VIOLATED] : KINDS[answer->answer],
                     .level = found != asserts ? LEVEL_ERROR : LEVEL_NOTE,
                     .message = answer_words(m, answer)};
  if (found) firing_tell(m->arena, m->net, answer->run, answer->n_run, &finding);
  report_add(m->report, &finding);
}

static bool is_unsafe(const AnswerReport *result) {
  return result->prefix && result->prefix->status == UNFOLD_NOT_SAFE;
}

static void add_unsafe_finding(const Making *m) {
  const Prefix *prefix = m->result->prefix;
  Finding finding = {.rule = "not-1-safe", .level = LEVEL_ERROR};
  finding.message = arena_format(m->arena, "the net is not 1-safe: the last of %u steps puts a second token on %s",
                                 prefix->n_unsafe_run, name_of(m, m->net->place_name[prefix->unsafe_place.v]));
  firing_tell(m->arena, m->net, prefix->unsafe_run, prefix->n_unsafe_run, &finding);
  report_add(m->report, &finding);
}

/* ---- members ---- */

static void add_run_members(const Making *m, const TransId *run, uint32_t n_run) {
  Members *members = &m->report->members;
  members_open(members, "firing_sequence", '[', JSON_LINES);
  for (uint32_t i = 0; i < n_run; i++) {
    members_open(members, NULL, '{', JSON_ROW);
    members_count(members, "transition", (uint64_t)run[i].v + 1);
    members_string(members, "name", m->net->trans_name[run[i].v]);
    members_close(members);
  }
  members_close(members);
}

/* A question of --cover. */
static bool is_cover(const Answer *answer) {
  return !answer->property && (answer->kind == QUESTION_COVER || answer->kind == QUESTION_FORMULA);
}

/* What was asked about. */
static void add_subject(const Making *m, const Answer *answer) {
  Members *members = &m->report->members;
  if (answer->kind == QUESTION_FIRE) members_string(members, "transition", m->net->trans_name[answer->trans.v]);
  if (!is_cover(answer)) return;
  members_open(members, "places", '[', JSON_ROW);
  for (uint32_t i = 0; i < answer->n_places; i++)
    members_string(members, NULL, m->net->place_name[answer->places[i].v]);
  members_close(members);
  if (answer->kind == QUESTION_FORMULA) members_string(members, "formula", answer->text);
  else members_null(members, "formula");
}

static void add_answer_members(const Making *m, const char *key, const Answer *answer) {
  Members *members = &m->report->members;
  const bool found = answer->answer == VERDICT_VIOLATED;
  members_open(members, key, '{', JSON_LINES);
  add_subject(m, answer);
  if (answer->answer == VERDICT_UNKNOWN) members_null(members, "answer");
  else members_bool(members, "answer", found);
  if (found) members_bool(members, "shortest", answer->shortest);
  else members_null(members, "shortest");
  add_run_members(m, answer->run, found ? answer->n_run : 0);
  members_close(members);
}

static void add_covers(const Making *m) {
  members_open(&m->report->members, "covered", '[', JSON_LINES);
  for (uint32_t i = 0; i < m->result->n_answers; i++)
    if (is_cover(&m->result->answers[i])) add_answer_members(m, NULL, &m->result->answers[i]);
  members_close(&m->report->members);
}

/* The answer of a kind that is asked once at most, or null. */
static void add_single(const Making *m, const char *key, QuestionKind kind) {
  for (uint32_t i = 0; i < m->result->n_answers; i++) {
    if (m->result->answers[i].kind != kind || m->result->answers[i].property) continue;
    add_answer_members(m, key, &m->result->answers[i]);
    return;
  }
  members_null(&m->report->members, key);
}

static void add_property(const Making *m, const Answer *answer) {
  Members *members = &m->report->members;
  const bool known = answer->answer != VERDICT_UNKNOWN, found = answer->answer == VERDICT_VIOLATED;
  members_open(members, NULL, '{', JSON_LINES);
  members_string(members, "name", answer->property);
  if (known) members_bool(members, "answer", of_answers_is_true(answer));
  else members_null(members, "answer");
  if (answer->why) members_string(members, "why", answer->why);
  else members_null(members, "why");
  if (found) members_bool(members, "shortest", answer->shortest);
  else members_null(members, "shortest");
  add_run_members(m, answer->run, found ? answer->n_run : 0);
  members_close(members);
}

static void add_properties(const Making *m) {
  members_open(&m->report->members, "properties", '[', JSON_LINES);
  for (uint32_t i = 0; i < m->result->n_answers; i++)
    if (m->result->answers[i].property) add_property(m, &m->result->answers[i]);
  members_close(&m->report->members);
}

static const Answer *find_count(const AnswerReport *result) {
  for (uint32_t i = 0; i < result->n_answers; i++)
    if (result->answers[i].kind == QUESTION_STATES) return &result->answers[i];
  return NULL;
}

static void add_markings(const Making *m) {
  Members *members = &m->report->members;
  const Answer *last = find_count(m->result);
  if (!last) {
    members_null(members, "markings");
    return;
  }
  members_open(members, "markings", '{', JSON_ROW);
  members_count(members, "found", last->n_markings);
  members_bool(members, "all", last->answer == VERDICT_HOLDS);
  members_close(members);
}

static void add_unsafe_members(const Making *m) {
  Members *members = &m->report->members;
  if (!is_unsafe(m->result)) {
    members_null(members, "unsafe");
    return;
  }
  const Prefix *prefix = m->result->prefix;
  members_open(members, "unsafe", '{', JSON_LINES);
  members_string(members, "place", m->net->place_name[prefix->unsafe_place.v]);
  add_run_members(m, prefix->unsafe_run, prefix->n_unsafe_run);
  members_close(members);
}

static void add_members(const Making *m) {
  const AnswerReport *result = m->result;
  Members *members = &m->report->members;
  members_bool(members, "complete", result->complete);
  members_count(members, "events", result->counts.events);
  members_count(members, "conditions", result->counts.conditions);
  members_count(members, "cutoffs", result->counts.cutoffs);
  add_covers(m);
  add_single(m, "fired", QUESTION_FIRE);
  add_single(m, "deadlock", QUESTION_DEADLOCK);
  add_markings(m);
  add_properties(m);
  add_unsafe_members(m);
}

/* ---- all of it ---- */

static void add_statistics(const Making *m) {
  const AnswerReport *result = m->result;
  report_add_statistic(m->report, STATISTIC("places", m->net->n_places));
  report_add_statistic(m->report, STATISTIC("transitions", m->net->n_trans));
  report_add_statistic(m->report, STATISTIC("events", result->counts.events));
  report_add_statistic(m->report, STATISTIC("conditions", result->counts.conditions));
  report_add_statistic(m->report, STATISTIC("cut-offs", result->counts.cutoffs));
  report_add_statistic(m->report, STATISTIC_SECONDS(result->seconds));
  report_add_statistic(m->report, STATISTIC_BYTES(result->bytes));
}

void of_answers(Report *report, const AnswerReport *result, Verdict verdict) {
  const Making making = {.report = report, .arena = &report->arena, .result = result, .net = result->net};
  report->schema = OF_ANSWERS_SCHEMA;
  report->question = "reachability in a net";
  report->verdict = is_unsafe(result) ? VERDICT_UNKNOWN : verdict;
  report->verdict_name = vocabulary_verdict(ASKED_SEARCH, report->verdict);
  report->why = result->why[0] ? result->why : NULL;
  report->nothing = "Nothing that was asked for was found";
  report->lines_alone = true;
  report->refused = is_unsafe(result);
  for (uint32_t i = 0; i < result->n_answers; i++) add_finding(&making, &result->answers[i]);
  if (is_unsafe(result)) add_unsafe_finding(&making);
  add_members(&making);
  add_lines(&making);
  add_statistics(&making);
  members_statistics(&report->members, report->statistics.at, report->statistics.n);
}
