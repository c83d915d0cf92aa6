/* netunfold: the complete finite prefix of a 1-safe net, and what can be seen in it. */
#include "ask/answer_proof.h"
#include "ask/net_input.h"
#include "ask/questions.h"
#include "base/file.h"
#include "petri/lookup.h"
#include "petri/properties.h"
#include "report/of_answers.h"
#include "tools/many.h"
#include "tools/net_warning.h"
#include "tools/output.h"
#include "tools/work.h"
#include "unfold/mci.h"
#include "unfold/prefix_draw.h"

#include <string.h>

typedef struct {
  WorkOptions work;
  uint32_t order;
  OptionList cover;
  OutputOptions output; /* the result goes to stdout */
  ManyOptions many;
  const char *stop_at, *properties, *mci, *dot, *json, *certificate;
  uint64_t max_states;
  bool deadlock, no_shortest, states;
} Arguments;

/* What the writers need to know. */
typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const AnswerReport *report;
  const Report *told; /* the same */
} Writing;

/* ---- the questions ---- */

static Answer question_of(const Property *property) {
  static const QuestionKind KINDS[] = {QUESTION_FORMULA, QUESTION_DEADLOCK, QUESTION_OTHER}; /* ORDER PropertyKind */
  return (Answer){.kind = KINDS[property->kind],
                  .formula = &property->formula,
                  .text = property->name,
                  .property = property->name,
                  .always = property->always,
                  .why = property->why};
}

/* None, if no file is named. */
static bool read_properties(Heap *heap, const char *path, const Net *net, Properties *properties, Err *err) {
  InFile file;
  *properties = (Properties){0};
  if (!path) return true;
  if (!file_read(heap, path, &file, err)) return false;
  const bool good = properties_read(heap, &file, net, properties, err);
  file_release(heap, &file);
  return good;
}

/* The questions of the command line, in their order, then those of the properties; room for each, heap-owned. */
static bool ask(Heap *heap, const Arguments *arguments, const Net *net, const Properties *properties, Answer **answers,
                uint32_t *n_answers, Err *err) {
  Answer *const at = heap_zeroed(heap, ((size_t)arguments->cover.n + properties->at.n + 3) * sizeof *at);
  uint32_t n = 0;
  for (uint32_t i = 0; i < arguments->cover.n; i++) {
    if (!questions_parse_cover(heap, net, arguments->cover.at[i], &at[n++], err)) return false;
  }
  if (arguments->deadlock) at[n++].kind = QUESTION_DEADLOCK;
  if (arguments->stop_at) {
    at[n].kind = QUESTION_FIRE;
    if (!net_find_trans(net, arguments->stop_at, &at[n++].trans, err)) return false;
  }
  if (arguments->states) {
    at[n].kind = QUESTION_STATES;
    at[n++].most = arguments->max_states < UINT32_MAX ? (uint32_t)arguments->max_states : 0;
  }
  for (uint32_t i = 0; i < properties->at.n; i++) at[n++] = question_of(&properties->at.at[i]);
  *answers = at;
  *n_answers = n;
  return true;
}

/* ---- outputs ---- */

static bool write_mci(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  (void)err;
  mci_write(writing->tool->heap, writing->report->prefix, out);
  return true;
}

static bool write_dot(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  return prefix_write_dot(writing->tool->heap, writing->report->prefix, out, err);
}

static bool write_json(void *argument, FILE *out, Err *err) {
  return json_write(((const Writing *)argument)->told, (TextStyle){0}, out, err);
}

/* The Contest's form. */
static bool write_contest(void *argument, FILE *out, Err *err) {
  const AnswerReport *report = ((const Writing *)argument)->report;
  (void)err;
  for (uint32_t i = 0; i < report->n_answers; i++) {
    const Answer *answer = &report->answers[i];
    if (!answer->property) continue;
    fprintf(out, "FORMULA %s ", answer->property);
    if (answer->answer == VERDICT_UNKNOWN) fputs("CANNOT_COMPUTE\n", out);
    else fprintf(out, "%s TECHNIQUES EXPLICIT NET_UNFOLDING SAT_SMT\n", of_answers_is_true(answer) ? "TRUE" : "FALSE");
  }
  return true;
}

/* It has no room for a reason. */
static bool tell_contest(Writing *writing, Err *err) {
  if (writing->report->why[0]) fprintf(stderr, "netunfold: unknown: %s\n", writing->report->why);
  return file_write(writing->tool->heap, "-", write_contest, writing, err);
}

static bool write_result(Writing *writing, Err *err) {
  const Arguments *arguments = writing->arguments;
  if (arguments->output.format == output_own_format()) return tell_contest(writing, err);
  return output_result(writing->tool, writing->told, &arguments->output, NULL, arguments->work.quiet, err);
}

/* May the prefix be written to files that cannot say that it is not complete? After --stop-at that is what was asked
 * for. */
static bool may_write_mci(const Writing *writing) {
  const AnswerReport *report = writing->report;
  const char *path = writing->arguments->mci;
  if (!report->prefix || (!report->complete && report->prefix->status != UNFOLD_STOPPED))
    fprintf(stderr, "netunfold: %s: not written: the prefix is not complete\n", path);
  else if (!mci_can_hold(report->prefix))
    fprintf(stderr, "netunfold: %s: not written: the prefix is too large for the format\n", path);
  else return true;
  return false;
}

/* A drawing shows what there is of the prefix. */
static bool may_draw(const Writing *writing) {
  if (!writing->report->prefix)
    fprintf(stderr, "netunfold: %s: not written: the net was not unfolded\n", writing->arguments->dot);
  return writing->report->prefix;
}

static bool write_certificate(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  (void)err;
  answer_proof_write(writing->report, writing->arguments->order, out);
  return true;
}

static bool may_certify(const Writing *writing) {
  const bool may = answer_proof_has_any(writing->report);
  const char *path = writing->arguments->certificate;
  if (!may) fprintf(stderr, "netunfold: %s: not written: nothing was proved\n", path);
  for (uint32_t i = 0; may && i < writing->report->n_answers; i++)
    if (!answer_proof_has(writing->report, &writing->report->answers[i]))
      fprintf(stderr, "netunfold: %s: not certified: '%s'\n", path, writing->report->answers[i].text);
  return may;
}

/* ---- all of them ---- */

static bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

static int count_stdout(const Arguments *a) {
  return is_stdout(a->mci) + is_stdout(a->dot) + is_stdout(a->json) + is_stdout(a->certificate);
}

static bool write_proof(Writing *writing, Err *err) {
  const char *path = writing->arguments->certificate;
  return !path || !may_certify(writing) || file_write(writing->tool->heap, path, write_certificate, writing, err);
}

static bool write_outputs(Writing *writing, Err *err) {
  const Arguments *arguments = writing->arguments;
  Heap *heap = writing->tool->heap;
  if (arguments->mci && may_write_mci(writing) && !file_write(heap, arguments->mci, write_mci, writing, err))
    return false;
  if (arguments->dot && may_draw(writing) && !tool_write(writing->tool, arguments->dot, write_dot, writing, err))
    return false;
  if (arguments->json && !file_write(heap, arguments->json, write_json, writing, err)) return false;
  if (!write_proof(writing, err)) return false;
  if (count_stdout(arguments)) return true;
  return write_result(writing, err);
}

/* The net is refused, with the firing sequence that shows why. */
static bool refuse(Writing *writing, const char *path, Err *err) {
  const Prefix *prefix = writing->report->prefix;
  const char *place = prefix->net->place_name[prefix->unsafe_place.v];
  fprintf(stderr, "netunfold: %s: not 1-safe: the last of these %u steps puts a second token on place '%.200s':\n",
          path, prefix->n_unsafe_run, place);
  of_answers_print_run(prefix->net, prefix->unsafe_run, prefix->n_unsafe_run, stderr);
  if (writing->arguments->json && !file_write(writing->tool->heap, writing->arguments->json, write_json, writing, err))
    return false;
  if (writing->arguments->output.format && !write_result(writing, err)) return false;
  if (!write_proof(writing, err)) return false;
  err->kind = ERR_INPUT;
  err->text[0] = '\0';
  return false;
}

/* ---- the run ---- */

/* What is passed through heap_try: memory or time may be up at any point. */
typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const char *path;
  Net *net;
  Properties properties;
  Answer *answers;
  uint32_t n_answers;
  QuestionResult result;
  Progress progress;
  Err *err;
  bool good, answered;
} Run;

/* Properties speak of ids. */
static bool read_net(Run *run) {
  InFile file;
  Heap *heap = run->tool->heap;
  if (!file_read(heap, run->path, &file, run->err)) return false;
  run->net = (run->arguments->properties ? net_read_with_ids : net_read)(heap, &file, run->err);
  file_release(heap, &file);
  if (!run->net) return false;
  net_warn("netunfold", run->path, run->net);
  return net_input_expect_closed(run->net, "netunfold", run->err) &&
         net_check_presets(run->net, file_name(run->path), run->err);
}

static void answer_body(void *argument) {
  Run *run = argument;
  const Arguments *arguments = run->arguments;
  Heap *heap = run->tool->heap;
  run->good = read_net(run) && read_properties(heap, arguments->properties, run->net, &run->properties, run->err) &&
              ask(heap, arguments, run->net, &run->properties, &run->answers, &run->n_answers, run->err);
  if (!run->good) return;
  const QuestionOptions options = {.order = arguments->order,
                                   .whole_prefix = arguments->mci || arguments->dot,
                                   .proof = arguments->certificate != NULL,
                                   .any_deadlock = arguments->no_shortest};
  const AskLimits limits = work_limits(&arguments->work, &run->progress);
  run->good = run->answered =
      questions_answer(heap, run->net, &options, &limits, run->answers, run->n_answers, &run->result, run->err);
}

static bool tell(Run *run) {
  const QuestionResult *result = &run->result;
  const AnswerReport answers = {run->net,       run->answers,        run->n_answers,        result->prefix,
                                result->counts, result->complete,    result->why,           result->seconds,
                                result->bytes,  result->complements, result->n_complements, result->proof};
  const bool refused = result->prefix && result->prefix->status == UNFOLD_NOT_SAFE;
  Report report;
  report_init(&report, run->tool->heap, run->tool->name, false);
  of_answers(&report, &answers, questions_verdict(run->answers, run->n_answers, result));
  Writing writing = {run->tool, run->arguments, &answers, &report};
  const bool good = output_begin(run->tool, &report, &run->arguments->output, NULL, run->err) &&
                    (refused ? refuse(&writing, file_name(run->path), run->err) : write_outputs(&writing, run->err));
  report_fini(&report);
  return good;
}

static bool give_up(const Tool *tool, StopReason why, Err *err) {
  err_set(err, ERR_LIMIT, "%s", "");
  heap_explain(tool->heap, why, err->text, sizeof err->text);
  return false;
}

static void answer(Tool *tool, const Arguments *arguments, const char *path) {
  Err err;
  Run run = {.tool = tool, .arguments = arguments, .path = path, .err = &err};
  work_progress_init(&run.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, answer_body, &run);
  work_progress_clear(&run.progress);
  if (left != STOP_NOT && !run.answered) run.good = give_up(tool, left, &err);
  if (!run.good || !tell(&run)) output_error(tool, OF_ANSWERS_SCHEMA, &arguments->output, NULL, &err);
  if (run.answered) questions_fini(&run.result);
  properties_fini(&run.properties);
  net_free(run.net);
}

static bool one_stdout(Tool *tool, const Arguments *arguments) {
  const int n = count_stdout(arguments);
  Err err;
  if (n + (arguments->output.format != 0) <= 1) return true;
  if (n > 1) err_set(&err, ERR_INPUT, "only one of --mci, --dot, --json and --certificate can go to stdout");
  else err_set(&err, ERR_INPUT, "the result of --format goes to stdout, so no other output can");
  tool_complain(tool, &err);
  return false;
}

static bool options_are_good(Tool *tool, const Arguments *a) {
  static const char *const of_states[] = {"max-states", NULL}, *const of_search[] = {"no-shortest", NULL};
  const ToolMode modes[] = {
      {!a->states, "without --states", of_states},
      {!a->deadlock && !a->cover.n && !a->properties, "without --deadlock, --cover or --properties", of_search}};
  Err err;
  bool good = tool_has_use(tool, modes, sizeof modes / sizeof *modes, &err);
  if (good && !a->properties && a->output.format == output_own_format())
    good = err_set(&err, ERR_INPUT, "--format=mcc has no use without --properties");
  if (!good) tool_complain(tool, &err);
  return good;
}

static bool paths_are_good(Tool *tool, const Arguments *a, const char *path) {
  const PathUse paths[] = {{NULL, path},
                           {NULL, a->properties},
                           {"the result", count_stdout(a) ? NULL : "-"},
                           {"--mci", a->mci},
                           {"--dot", a->dot},
                           {"--json", a->json},
                           {"--certificate", a->certificate}};
  Err err;
  if (paths_differ(tool->heap, paths, sizeof paths / sizeof *paths, &err)) return true;
  tool_complain(tool, &err);
  return false;
}

static void run(Tool *tool, const void *argument, const char *path) {
  const Arguments *a = argument;
  if (paths_are_good(tool, a, path)) answer(tool, a, path);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  static const char *const orders[] = {"erv", "mcmillan", NULL};
  static const char *const OWN_FORMATS[2] = {"mcc", NULL};
  const char *const *const formats = output_formats(tool->heap, OWN_FORMATS);
  const Option options[] = {
      {"order", 0, OPTIONS_METHOD, OPTION_CHOICE, &a->order, NULL, orders, "the adequate order (default erv)"},
      {"cover", 'c', OPTIONS_QUESTION, OPTION_LIST, &a->cover, "PLACE,...", NULL,
       "can these places be marked at the same time? May be given several times; '#N' is the N-th place. Or a formula, "
       "such as '(p, !q) or r + s + t >= 2'"},
      {"deadlock", 'd', OPTIONS_QUESTION, OPTION_FLAG, &a->deadlock, NULL, NULL,
       "is there a reachable marking that enables nothing?"},
      {"no-shortest", 0, OPTIONS_METHOD, OPTION_FLAG, &a->no_shortest, NULL, NULL,
       "accept the first deadlock, or marking of a formula, found; do not search for a nearer one"},
      {"stop-at", 0, OPTIONS_QUESTION, OPTION_TEXT, &a->stop_at, "TRANSITION", NULL,
       "can it fire? If so, unfold no further than its first event"},
      {"properties", 'p', OPTIONS_QUESTION, OPTION_TEXT, &a->properties, "FILE", NULL,
       "are these formulas true? A file of the Model Checking Contest, ReachabilityDeadlock or ReachabilityCardinality"},
      {"states", 0, OPTIONS_QUESTION, OPTION_FLAG, &a->states, NULL, NULL, "count the reachable markings, one by one"},
      {"max-states", 0, OPTIONS_LIMITS, OPTION_LIMIT, &a->max_states, "N", NULL,
       "with --states: stop with 'unknown' after that many"},
      {"mci", 'm', OPTIONS_OUTPUT, OPTION_TEXT, &a->mci, "FILE", NULL,
       "write the prefix in the format that other tools read"},
      {"dot", 0, OPTIONS_OUTPUT, OPTION_TEXT, &a->dot, "FILE", NULL, "draw the prefix as a DOT graph"},
      {"format", 'f', OPTIONS_OUTPUT, OPTION_CHOICE, &a->output.format, NULL, formats,
       "format of the answers (default text)"},
      {"json", 'j', OPTIONS_OUTPUT, OPTION_TEXT, &a->json, "FILE", NULL, "also write sizes and answers as JSON"},
      {"certificate", 0, OPTIONS_METHOD, OPTION_TEXT, &a->certificate, "FILE", NULL,
       "write a proof of the answers, for certcheck"},
      MANY_OPTIONS(&a->many),
      MANY_JOBS(&a->many, 0),
      WORK_OPTIONS(&a->work),
      OUTPUT_STATS(&a->output),
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->work.quiet, NULL, NULL,
       "print only the answers, without firing sequences and sizes"},
  };
  const Command command = {
      "netunfold",
      "[FILE|DIRECTORY|-]...",
      "Unfolds a 1-safe Petri net, PNML or ll_net, to its complete finite prefix, and answers questions about it. A net that is not "
      "1-safe is refused, with a firing sequence that shows it.",
      "Without --mci and --dot the unfolding ends as soon as the questions are answered.\n"
      "Exit codes: 0 nothing asked for was found, 1 something was: a marking, a deadlock, a transition that can fire,\n"
      "2 unknown (a limit, Ctrl-C), 3 a usage or input error, 4 a self-check failed.\n"
      "Example: netunfold --deadlock net.pnml\n",
      options,
      sizeof options / sizeof *options,
      0,
      UINT32_MAX};
  OptionList operands;
  const InputOptions plain = {0};
  const Many many = {&a->many, &a->output, &a->work, &plain, run, a, OF_ANSWERS_SCHEMA, false};
  if (!tool_options(tool, &command, &operands) || !options_are_good(tool, a) || !one_stdout(tool, a)) return;
  many_run(tool, &many, &operands);
}

int main(int argc, char **argv) { return tool_main("netunfold", argc, argv, body, EXIT_UNKNOWN); }
