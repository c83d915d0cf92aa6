#include "libcausal/libcausal.h"

#include "ask/net_input.h"
#include "libcausal/result.h"
#include "libcausal/watch.h"
#include "petri/lookup.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* One call: what is passed through heap_try. */
typedef struct {
  CausalResult *result;
  const CausalOptions *options;
  const char *text;
  size_t length;
  bool answered;
} Asking;

static const Remedies WORDS = {.words = {[REMEDY_NO_BLOCK] = " (or set allow_empty)",
                                         [REMEDY_NO_THREADS] = "; with its NUPN units as threads, begins and ends "
                                                               "mark the blocks",
                                         [REMEDY_FIXED_NET] = "; any_number needs a program in which a number is open",
                                         [REMEDY_FIXED_COUNTS] = "; any_number needs an 'N * { ... }' without N in "
                                                                 "defines",
                                         [REMEDY_OPEN_COUNT] = " (or set any_number)"}};

/* ---- what is read ---- */

static void hear(const void *argument, const Diag *diag) {
  /* the options of a program are constant, what hears of it is not */
  CausalResult *result = *(CausalResult *const *)argument;
  inputs_add(&result->inputs, diag);
}

static bool is_about_blocks(CausalQuestion question) {
  return question == CAUSAL_ATOMIC || question == CAUSAL_SERIALIZABLE;
}

static bool read_defines(Asking *a, SmlOptions *sml) {
  CausalResult *result = a->result;
  const uint32_t n = (uint32_t)a->options->n_defines;
  SmlDefine *defines = heap_zeroed(result->heap, ((size_t)n + 1) * sizeof *defines);
  for (uint32_t i = 0; i < n; i++)
    if (!program_input_define(result->heap, a->options->defines[i], &defines[i]))
      return err_set(&result->err, ERR_INPUT, "expected NAME=NUMBER in defines, not '%.100s'", a->options->defines[i]);
  sml->defines = defines;
  sml->n_defines = n;
  return true;
}

static bool read_options(Asking *a, BlockInputOptions *input) {
  const CausalOptions *o = a->options;
  const bool passes = o->allow_empty || !is_about_blocks(a->result->question);
  *input = (BlockInputOptions){.chosen = o->blocks, .n_chosen = (uint32_t)o->n_blocks};
  input->marks = (BlockMarks){o->begins, (uint32_t)o->n_begins, o->ends, (uint32_t)o->n_ends};
  input->program = (ProgramOptions){
      .warnings = o->warnings, .n_warnings = (uint32_t)o->n_warnings, .say = hear, .say_argument = &a->result};
  input->program.sml = (SmlOptions){.granularity = o->each_access ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT,
                                    .unmarked = passes ? SML_UNMARKED_PASSES : SML_UNMARKED_FAILS,
                                    .remedies = &WORDS};
  return read_defines(a, &input->program.sml);
}

/* The text with a NUL after it, and a name that stays. */
static bool read_text(Asking *a, InFile *file) {
  CausalResult *result = a->result;
  const char *name = a->options->name ? a->options->name : "<input>";
  *file = (InFile){.length = a->length, .name = arena_copy(&result->arena, name, strlen(name))};
  if (a->length > FILE_MOST) return err_set(&result->err, ERR_INPUT, "%.300s: the text is longer than 1 GiB", name);
  file->text = heap_alloc(result->heap, a->length + 1);
  if (a->length) memcpy(file->text, a->text, a->length);
  file->text[a->length] = '\0';
  return true;
}

/* What is said of programs has no use with a net. */
static bool fits(Asking *a) {
  const CausalOptions *o = a->options;
  const char *useless = o->n_defines ? "defines" : o->n_warnings ? "warnings" : o->each_access ? "each_access" : NULL;
  return a->result->input.is_program || !useless ||
         err_set(&a->result->err, ERR_INPUT, "%s has no use for a net", useless);
}

static bool read_both(Asking *a, InFile *file, BlockInputOptions *options) {
  return read_options(a, options) && read_text(a, file);
}

static bool read_blocks(Asking *a, const InFile *file, const BlockInputOptions *options) {
  CausalResult *result = a->result;
  return block_input_of_text(result->heap, file, options, &result->input, &result->err) && fits(a);
}

static bool read_net(Asking *a) {
  CausalResult *result = a->result;
  BlockInputOptions options;
  InFile file;
  Err *err = &result->err;
  if (!read_both(a, &file, &options) || !program_input_expect(&file, "a program or a net", err)) return false;
  result->input.is_program = sml_recognise(file.text, file.length);
  result->input.net = result->input.is_program ? program_input_compile(result->heap, &file, &options.program, err)
                                               : net_read(result->heap, &file, err);
  return result->input.net && fits(a);
}

static bool read_closed(Asking *a, const char *what) {
  CausalResult *result = a->result;
  return net_input_expect_closed(result->input.net, what, &result->err);
}

/* ---- the questions ---- */

static AskLimits limits_of(const Asking *a) {
  return (AskLimits){.max_events = a->options->max_events, .allow_empty = a->options->allow_empty, .remedies = &WORDS};
}

static CausalVerdict causal_of(Verdict verdict) {
  static const CausalVerdict VERDICTS[] = {CAUSAL_UNKNOWN, CAUSAL_HOLDS, CAUSAL_VIOLATED}; /* ORDER Verdict */
  _Static_assert(sizeof VERDICTS / sizeof *VERDICTS == VERDICT_KINDS, "ORDER Verdict");
  return VERDICTS[verdict];
}

/* Only allow_empty lets a net without blocks come here: then each of them is atomic. */
static void take(CausalResult *result, const Net *net, Verdict *verdict, const char *why) {
  if (!net->notes->n_blocks) *verdict = VERDICT_HOLDS;
  result->verdict = causal_of(*verdict);
  snprintf(result->why, sizeof result->why, "%s", why);
}

static bool take_any(CausalResult *result, bool good) {
  AnyNumber *any = &result->found.any;
  result->is_any = good;
  if (good) take(result, any->net, &any->verdict, any->why);
  return good;
}

static bool ask_atomic(Asking *a) {
  CausalResult *result = a->result;
  BlockInputOptions input;
  InFile file;
  AtomicityOptions options = {.tries = TRY_ALL, .colour = {.reduce = true}};
  const AskLimits limits = limits_of(a);
  if (!read_both(a, &file, &input)) return false;
  if (a->options->any_number)
    return take_any(result,
                    any_number_check(result->heap, &file, &input, &options, &limits, &result->found.any, &result->err));
  if (!read_blocks(a, &file, &input)) return false;
  options.colour.blocks = result->input.blocks;
  if (result->input.net->notes && result->input.net->notes->n_counts)
    return take_any(result, any_number_check_net(result->heap, &result->input, &options, &limits, &result->found.any,
                                                 &result->err));
  Atomicity *found = &result->found.atomicity;
  if (!atomicity_check(result->heap, result->input.net, &options, &limits, found, &result->err)) return false;
  take(result, result->input.net, &found->verdict, found->why);
  return true;
}

static bool ask_serializable(Asking *a) {
  CausalResult *result = a->result;
  Serializability *found = &result->found.serializability;
  BlockInputOptions input;
  InFile file;
  const AskLimits limits = limits_of(a);
  if (!read_both(a, &file, &input) || !read_blocks(a, &file, &input) || !read_closed(a, "serializability") ||
      !serializability_check(result->heap, result->input.net, result->input.blocks, &limits, found, &result->err))
    return false;
  result->verdict = causal_of(found->verdict);
  snprintf(result->why, sizeof result->why, "%s", found->why);
  return true;
}

static bool set_answer(Asking *a) {
  CausalResult *result = a->result;
  Answer *answer = &result->answer;
  const Net *net = result->input.net;
  const char *target =
      a->options->target ? arena_copy(&result->arena, a->options->target, strlen(a->options->target)) : "";
  result->n_answers = result->question != CAUSAL_PREFIX;
  answer->kind = QUESTION_DEADLOCK;
  if (result->question == CAUSAL_REACHABLE)
    return questions_parse_cover(result->heap, net, target, answer, &result->err);
  if (result->question != CAUSAL_FIREABLE) return true;
  answer->kind = QUESTION_FIRE;
  return net_find_trans(net, target, &answer->trans, &result->err);
}

/* A net that is not 1-safe is refused; the report has the run that shows it. */
static bool is_safe(CausalResult *result) {
  const Prefix *prefix = result->found.questions.prefix;
  if (!prefix || prefix->status != UNFOLD_NOT_SAFE) return true;
  result->verdict = CAUSAL_REFUSED;
  snprintf(result->why, sizeof result->why, "not 1-safe: the last of %u steps puts a second token on place '%.200s'",
           prefix->n_unsafe_run, prefix->net->place_name[prefix->unsafe_place.v]);
  return false;
}

static bool ask_net(Asking *a) {
  CausalResult *result = a->result;
  QuestionResult *found = &result->found.questions;
  const QuestionOptions options = {.whole_prefix = result->question == CAUSAL_PREFIX};
  const AskLimits limits = limits_of(a);
  if (!read_net(a) || !read_closed(a, "unfolding") ||
      !net_check_presets(result->input.net, a->options->name ? a->options->name : "<input>", &result->err) ||
      !set_answer(a) ||
      !questions_answer(result->heap, result->input.net, &options, &limits, &result->answer, result->n_answers, found,
                        &result->err))
    return false;
  if (!is_safe(result)) return true;
  result->verdict = causal_of(questions_verdict(&result->answer, result->n_answers, found));
  snprintf(result->why, sizeof result->why, "%s", found->why);
  return true;
}

static bool ask_nothing(Asking *a) {
  if (read_net(a)) a->result->verdict = CAUSAL_HOLDS;
  return a->result->input.net != NULL;
}

typedef bool Answering(Asking *a);

/* ORDER CausalQuestion */
static Answering *const QUESTIONS[] = {ask_atomic, ask_serializable, ask_net, ask_net, ask_net, ask_net, ask_nothing};
_Static_assert(sizeof QUESTIONS / sizeof *QUESTIONS == CAUSAL_NET + 1, "ORDER CausalQuestion");

/* ---- one call ---- */

static void answer_body(void *argument) {
  Asking *a = argument;
  a->answered = QUESTIONS[a->result->question](a);
  a->result->failed = !a->answered;
}

static void refuse(CausalResult *result) {
  static const CausalVerdict VERDICTS[] = {[ERR_INPUT] = CAUSAL_REFUSED,
                                           [ERR_IO] = CAUSAL_REFUSED,
                                           [ERR_LIMIT] = CAUSAL_UNKNOWN,
                                           [ERR_CHECK] = CAUSAL_FAULT};
  result->failed = true;
  result->verdict = VERDICTS[result->err.kind];
  snprintf(result->why, sizeof result->why, "%s", result->err.text);
}

static void answer(Asking *a) {
  CausalResult *result = a->result;
  if (!heap_try(result->heap, answer_body, a)) {
    result->verdict = CAUSAL_UNKNOWN;
    heap_explain(result->heap, heap_why(result->heap), result->why, sizeof result->why);
    a->answered = false;
  } else if (result->failed) {
    refuse(result);
  }
  result->reported = a->answered;
}

static void answer_within_limits(Asking *a) {
  CausalResult *result = a->result;
  Watch watch;
  if (!watch_begin(&watch, a->options->timeout, a->options->stop)) {
    err_set(&result->err, ERR_LIMIT, "the system has no thread that could watch the time");
    refuse(result);
    return;
  }
  heap_watch(result->heap, &watch.stop);
  answer(a);
  watch_end(&watch);
  heap_watch(result->heap, NULL);
}

static void report_body(void *argument) { result_report(argument); }

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  CausalResult *result;
} Making;

static void make_body(void *argument) {
  Making *making = argument;
  CausalResult *result = making->result = heap_zeroed(making->heap, sizeof *result);
  result->heap = making->heap;
  arena_init(&result->arena, result->heap);
  inputs_init(&result->inputs, result->heap);
}

/* NULL: there is not even so much memory. */
static CausalResult *make_result(uint64_t max_memory) {
  Making making = {.heap = heap_new(max_memory)};
  if (making.heap && heap_try(making.heap, make_body, &making)) return making.result;
  heap_free(making.heap);
  return NULL;
}

CausalResult *causal_ask(CausalQuestion question, const char *text, size_t length, const CausalOptions *given) {
  CausalOptions options = CAUSAL_OPTIONS;
  Err err;
  const bool good = (unsigned)question <= CAUSAL_NET
                        ? result_options(given, &options, &err)
                        : err_set(&err, ERR_INPUT, "there is no question %d", (int)question);
  CausalResult *result = make_result(good ? options.max_memory : 0);
  if (!result) return NULL;
  result->question = good ? question : CAUSAL_NET;
  if (good) {
    answer_within_limits(&(Asking){.result = result, .options = &options, .text = text, .length = length});
  } else {
    result->err = err;
    refuse(result);
  }
  result->written = heap_try(result->heap, report_body, result);
  return result;
}

void causal_free(CausalResult *result) {
  if (result) heap_free(result->heap);
}

CausalVerdict causal_verdict(const CausalResult *result) { return result ? result->verdict : CAUSAL_UNKNOWN; }

const char *causal_why(const CausalResult *result) { return result ? result->why : "out of memory"; }

const char *causal_version(void) { return VERSION; }
