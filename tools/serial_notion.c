#include "ask/serializability.h"
#include "report/cycle.h"
#include "tools/notions.h"

typedef struct {
  const CheckArguments *arguments;
  const CycleReport *report;
} CycleWriting;

static bool write_cycle(void *argument, FILE *out, Err *err) {
  const CycleWriting *writing = argument;
  const CheckArguments *arguments = writing->arguments;
  (void)err;
  if (arguments->format == FORMAT_JSON)
    cycle_json(writing->report, out);
  else
    cycle_text(writing->report, (TextStyle){input_wants_colour(&arguments->input, out), arguments->work.quiet, arguments->verbose}, out);
  return true;
}

/* What is passed through heap_try: memory or time may be up at any point. */
typedef struct {
  Tool *tool;
  const CheckArguments *arguments;
  BlockInput input;
  Serializability result;
  Progress progress;
  Err *err;
  bool good;
} Check;

static void check_body(void *argument) {
  Check *check = argument;
  Heap *heap = check->tool->heap;
  check->good = check_input(heap, check->arguments, &check->input, check->err);
  if (!check->good) return;
  const AskLimits limits = work_limits(&check->arguments->work, &check->progress);
  check->good = serializability_check(heap, check->input.net, check->input.blocks, &limits, &check->result, check->err);
}

static bool write_answer(const Check *check, Err *err) {
  const CheckArguments *arguments = check->arguments;
  const Serializability *result = &check->result;
  const CycleReport report = {check->input.net, result->verdict, result->why[0] ? result->why : NULL,
                              result->verdict == VERDICT_VIOLATED ? &result->cycle : NULL, result->blocks, result->n_blocks, result->states, result->seconds, result->bytes};
  if (arguments->stats)
    fprintf(stderr, "states %llu, %.3f s, %.1f MB\n", (unsigned long long)result->states, result->seconds, (double)result->bytes / 1e6);
  check->tool->exit_code = verdict_exit_code(result->verdict);
  CycleWriting writing = {arguments, &report};
  return file_write(check->tool->heap, arguments->output ? arguments->output : "-", write_cycle, &writing, err);
}

bool check_serializable(Tool *tool, const CheckArguments *arguments, Err *err) {
  Check check = {.tool = tool, .arguments = arguments, .err = err};
  if (arguments->dot || arguments->svg || arguments->export_coloured || arguments->certificate)
    return err_set(err, ERR_INPUT, "--dot, --svg, --export-coloured and --certificate are about causal atomicity alone");
  progress_init(&check.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, check_body, &check);
  progress_clear(&check.progress);
  if (left != STOP_NOT) heap_explain(tool->heap, left, check.result.why, sizeof check.result.why);
  const bool good = (left != STOP_NOT || check.good) && write_answer(&check, err);
  if (left == STOP_NOT && check.good) serializability_fini(tool->heap, &check.result);
  net_free(check.input.net);
  return good;
}
