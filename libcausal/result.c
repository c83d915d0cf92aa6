#include "libcausal/result.h"

#include "base/text.h"
#include "report/of_answers.h"
#include "report/of_blocks.h"
#include "report/of_cycle.h"

#include <math.h>
#include <string.h>

/* ---- options ---- */

/* More of them are a mistake. */
enum { MOST_WORDS = 1 << 20 };

static bool is_list(const char *const *words, size_t n) {
  bool good = n <= MOST_WORDS && (words || !n);
  for (size_t i = 0; good && i < n; i++) good = words[i] != NULL;
  return good;
}

static bool check(const CausalOptions *o, Err *err) {
  if (!is_list(o->defines, o->n_defines) || !is_list(o->warnings, o->n_warnings) || !is_list(o->blocks, o->n_blocks) ||
      !is_list(o->begins, o->n_begins) || !is_list(o->ends, o->n_ends))
    return err_set(err, ERR_INPUT, "a list in the options has NULL in it, or too many words");
  if (!isfinite(o->timeout) || o->timeout < 0)
    return err_set(err, ERR_INPUT, "the timeout is a number of seconds, 0 or more");
  return true;
}

/* What a later version of the library knows, and this one does not, must not have been used. */
static bool is_unused(const CausalOptions *given) {
  const char *bytes = (const char *)given;
  for (size_t i = sizeof *given; i < given->size; i++)
    if (bytes[i]) return false;
  return true;
}

bool result_options(const CausalOptions *given, CausalOptions *options, Err *err) {
  if (!given) return true;
  if (given->size < sizeof given->size || given->size > 1 << 16)
    return err_set(err, ERR_INPUT, "the options do not begin with their size: see CAUSAL_OPTIONS");
  if (!is_unused(given)) return err_set(err, ERR_INPUT, "an option is newer than this library, " VERSION);
  memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
  options->size = sizeof *options;
  return check(options, err);
}

/* ---- the report ---- */

static void tell_blocks(CausalResult *result) {
  const Atomicity *it = &result->found.atomicity;
  AtomicityReport *told = &result->told.blocks;
  *told = (AtomicityReport){.net = result->input.net,
                            .blocks = it->blocks,
                            .n_blocks = it->n_blocks,
                            .verdict = it->verdict,
                            .why = it->why[0] ? it->why : NULL,
                            .stats = it->stats};
  if (result->is_any) *told = any_number_report(&result->found.any);
  of_blocks(&result->report, told);
}

static void tell_cycle(CausalResult *result) {
  const Serializability *it = &result->found.serializability;
  CycleReport *told = &result->told.cycle;
  *told = (CycleReport){.net = result->input.net,
                        .verdict = it->verdict,
                        .why = it->why[0] ? it->why : NULL,
                        .cycle = it->verdict == VERDICT_VIOLATED ? &it->cycle : NULL,
                        .blocks = it->blocks,
                        .n_blocks = it->n_blocks,
                        .states = it->states,
                        .seconds = it->seconds,
                        .bytes = it->bytes};
  of_cycle(&result->report, told);
}

static void tell_answers(CausalResult *result) {
  const QuestionResult *it = &result->found.questions;
  AnswerReport *told = &result->told.answers;
  *told = (AnswerReport){.net = result->input.net,
                         .answers = &result->answer,
                         .n_answers = result->n_answers,
                         .prefix = it->prefix,
                         .counts = it->counts,
                         .complete = it->complete,
                         .why = it->why,
                         .seconds = it->seconds,
                         .bytes = it->bytes};
  of_answers(&result->report, told, questions_verdict(&result->answer, result->n_answers, it));
}

/* Of CAUSAL_NET, or where there is no answer. */
static void tell_none(CausalResult *result, const char *schema) {
  static const char *const NAMES[] = {"unknown", "net", "violated", "error", "error"}; /* ORDER CausalVerdict */
  Report *report = &result->report;
  report->schema = schema;
  report->verdict_name = NAMES[result->verdict];
  report->why = result->why[0] ? text_clean(&report->arena, result->why) : NULL;
}

void result_report(CausalResult *result) {
  static const char *const SCHEMAS[] = {
      OF_BLOCKS_SCHEMA,  OF_CYCLE_SCHEMA,   OF_ANSWERS_SCHEMA, OF_ANSWERS_SCHEMA,
      OF_ANSWERS_SCHEMA, OF_ANSWERS_SCHEMA, OF_ANSWERS_SCHEMA}; /* ORDER CausalQuestion */
  _Static_assert(sizeof SCHEMAS / sizeof *SCHEMAS == CAUSAL_NET + 1, "ORDER CausalQuestion");
  const bool is_net = result->question != CAUSAL_ATOMIC && result->question != CAUSAL_SERIALIZABLE;
  report_init(&result->report, result->heap, is_net ? "netunfold" : "causalcheck", false);
  if (!result->reported || result->question == CAUSAL_NET) tell_none(result, SCHEMAS[result->question]);
  else if (is_net) tell_answers(result);
  else if (result->question == CAUSAL_ATOMIC) tell_blocks(result);
  else tell_cycle(result);
  result->report.inputs = &result->inputs;
}
