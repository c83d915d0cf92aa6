#include "ask/net_input.h"
#include "ask/serializability.h"
#include "report/of_cycle.h"
#include "tools/notions.h"

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
  check->good = notion_input(check->tool, check->arguments, &check->input, check->err) &&
                net_input_expect_closed(check->input.net, "--notion=serializable", check->err);
  if (!check->good) return;
  const AskLimits limits = work_limits(&check->arguments->work, &check->progress);
  check->good = serializability_check(check->tool->heap, check->input.net, check->input.blocks, &limits, &check->result,
                                      check->err);
}

static bool write_answer(const Check *check, Err *err) {
  const CheckArguments *arguments = check->arguments;
  const Serializability *it = &check->result;
  const CycleReport result = {check->input.net,
                              it->verdict,
                              it->why[0] ? it->why : NULL,
                              it->verdict == VERDICT_VIOLATED ? &it->cycle : NULL,
                              it->blocks,
                              it->n_blocks,
                              it->states,
                              it->seconds,
                              it->bytes};
  Report report;
  report_init(&report, check->tool->heap, check->tool->name, output_is_brief(&arguments->output));
  of_cycle(&report, &result);
  const OutputOptions *output = &arguments->output;
  const bool good = output_report(check->tool, &report, output, &arguments->input, arguments->work.quiet, err);
  report_fini(&report);
  return good;
}

bool notion_serializable(Tool *tool, const CheckArguments *arguments, Err *err) {
  Check check = {.tool = tool, .arguments = arguments, .err = err};
  work_progress_init(&check.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, check_body, &check);
  work_progress_clear(&check.progress);
  if (left != STOP_NOT) heap_explain(tool->heap, left, check.result.why, sizeof check.result.why);
  const bool good = (left != STOP_NOT || check.good) && write_answer(&check, err);
  if (left == STOP_NOT && check.good) serializability_fini(tool->heap, &check.result);
  net_free(check.input.net);
  return good;
}
