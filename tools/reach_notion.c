#include "ask/net_input.h"
#include "ask/reaching.h"
#include "base/file.h"
#include "report/of_reaching.h"
#include "tools/notions.h"

/* What is passed through heap_try: memory or time may be up at any point. */
typedef struct {
  Tool *tool;
  const CheckArguments *arguments;
  BlockInput input;
  Reaching reaching;
  char why[160];
  Progress progress;
  Err *err;
  bool good, answered;
} Check;

static void check_body(void *argument) {
  Check *check = argument;
  const CheckArguments *a = check->arguments;
  check->good = notion_input(check->tool, a, &check->input, check->err) &&
                net_input_expect_closed(check->input.net, "--assert, --deadlock, --exclusive and --races", check->err);
  if (!check->good) return;
  const AskLimits limits = work_limits(&a->work, &check->progress);
  const QuestionOptions options = {.order = a->order, .proof = a->certificate != NULL};
  const ReachOptions asked = {a->assertions, a->deadlock, a->exclusive.at, a->exclusive.n, a->races};
  check->good = check->answered =
      reaching_check(check->tool->heap, check->input.net, &asked, &options, &limits, &check->reaching, check->err);
}

/* ---- the proof ---- */

static bool write_certificate(void *argument, FILE *out, Err *err) {
  const Check *check = argument;
  (void)err;
  reaching_write_proof(&check->reaching, check->input.net, check->arguments->order, out);
  return true;
}

static bool certify(Check *check, Err *err) {
  const char *path = check->arguments->certificate;
  const Reaching *r = &check->reaching;
  if (!path) return true;
  if (!check->answered || !reaching_has_proof(r, check->input.net)) {
    fprintf(stderr, "%s: %s: not written: nothing was proved\n", check->tool->name, path);
    return true;
  }
  for (uint32_t i = 0; i < r->n; i++)
    if (!reaching_is_certified(r, check->input.net, i))
      fprintf(stderr, "%s: %s: not certified: '%s'\n", check->tool->name, path, r->answers[i].text);
  return file_write(check->tool->heap, path, write_certificate, check, err);
}

/* ---- the answer ---- */

static bool write_answer(const Check *check, Err *err) {
  const OutputOptions *output = &check->arguments->output;
  const Reaching *r = &check->reaching;
  const char *why = check->answered ? r->result.why : check->why;
  const Verdict verdict = check->answered ? questions_verdict(r->answers, r->n, &r->result) : VERDICT_UNKNOWN;
  const ReachReport result = {check->input.net, r, verdict, why[0] ? why : NULL, output->verbose};
  Report report;
  report_init(&report, check->tool->heap, check->tool->name, output_is_brief(output));
  of_reaching(&report, &result);
  const bool good =
      output_report(check->tool, &report, output, &check->arguments->input, check->arguments->work.quiet, err);
  report_fini(&report);
  return good;
}

bool notion_reaching(Tool *tool, const CheckArguments *arguments, Err *err) {
  Check check = {.tool = tool, .arguments = arguments, .err = err};
  work_progress_init(&check.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, check_body, &check);
  work_progress_clear(&check.progress);
  if (left != STOP_NOT) heap_explain(tool->heap, left, check.why, sizeof check.why);
  const bool good = (left != STOP_NOT || check.good) && certify(&check, err) && write_answer(&check, err);
  if (check.answered) reaching_fini(&check.reaching);
  net_free(check.input.net);
  return good;
}
