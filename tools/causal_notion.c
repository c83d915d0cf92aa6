#include "ask/atomic_proof.h"
#include "ask/atomicity.h"
#include "petri/net_io.h"
#include "report/of_blocks.h"
#include "tools/notions.h"
#include "unfold/certificate_write.h"

/* What the callbacks and writers need to know. */
typedef struct {
  Tool *tool;
  const CheckArguments *arguments;
  bool exported; /* the coloured net is written */
} Application;

/* ---- outputs ---- */

static bool export_net(void *argument, const Net *net, Err *err) {
  Application *application = argument;
  application->exported =
      net_write(application->tool->heap, net, NET_PNML, application->arguments->export_coloured, err);
  return application->exported;
}

/* ---- the certificate, about the program's own net; of all blocks if they are atomic, else of the violations ---- */

static bool certify_atomic(void *argument, const Coloured *coloured, const Prefix *prefix, const PlaceId *red,
                           uint32_t n_red, Err *err) {
  const Application *application = argument;
  const AtomicProof proof = {application->tool->heap, coloured, prefix, application->arguments->order, red, n_red};
  return atomic_proof_write(&proof, application->arguments->certificate, err);
}

typedef struct {
  const Application *application;
  const AtomicityReport *report;
  bool proved; /* the certificate is written */
} Writing;

static void certify_violation(const Writing *writing, const BlockVerdict *block, FILE *out) {
  const Witness *witness = block->witness;
  Heap *heap = writing->application->tool->heap;
  TransId *run = heap_alloc(heap, heap_product(heap, witness->n_steps, sizeof *run));
  for (uint32_t i = 0; i < witness->n_steps; i++) run[i] = witness->steps[i].transition;
  certificate_run(out, run, witness->n_steps);
  certificate_claim(out, CERTIFY_SPLITS, &block->block, 1);
  heap_release(heap, run);
}

static bool write_violations(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  const AtomicityReport *report = writing->report;
  (void)err;
  certificate_begin(out, report->net);
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].verdict == VERDICT_VIOLATED) certify_violation(writing, &report->blocks[i], out);
  certificate_end(out);
  return true;
}

static void say_missing(const char *path, const AtomicityReport *report) {
  fprintf(stderr, "causalcheck: %s: not written: %s\n", path, report->why ? report->why : "no block is marked");
}

/* Of atomic blocks it was written when the prefix was there. */
static bool certify(Writing *writing, Err *err) {
  const char *path = writing->application->arguments->certificate;
  const AtomicityReport *report = writing->report;
  if (!path || writing->proved) return true;
  if (report->verdict == VERDICT_VIOLATED)
    return file_write(writing->application->tool->heap, path, write_violations, writing, err);
  say_missing(path, report);
  return true;
}

/* ---- the result ---- */

static bool write_outputs(Writing *writing, const Report *report, Err *err) {
  const Application *application = writing->application;
  const CheckArguments *arguments = application->arguments;
  if (arguments->export_coloured && !application->exported) say_missing(arguments->export_coloured, writing->report);
  return output_begin(application->tool, report, &arguments->output, err) && certify(writing, err) &&
         output_result(application->tool, report, &arguments->output, &arguments->input, arguments->work.quiet, err);
}

static bool write_report(const Application *application, const AtomicityReport *result, bool proved, Err *err) {
  Report report;
  Writing writing = {application, result, proved};
  const bool brief = output_is_brief(&application->arguments->output);
  report_init(&report, application->tool->heap, application->tool->name, brief);
  of_blocks(&report, result);
  const bool good = write_outputs(&writing, &report, err);
  report_fini(&report);
  return good;
}

/* ---- the run ---- */

/* What is passed through heap_try: memory or time may be up at any point. */
typedef struct {
  Application *application;
  BlockInput input;
  Atomicity result; /* of `checked` */
  Progress progress;
  Err *err;
  bool good, checked;
} Check;

static void check_body(void *argument) {
  Check *check = argument;
  Application *application = check->application;
  const CheckArguments *arguments = application->arguments;
  Heap *heap = application->tool->heap;
  check->good = notion_input(heap, arguments, &check->input, check->err);
  if (!check->good) return;
  const AtomicityOptions options = {.colour = {arguments->colouring, !arguments->no_reduce, check->input.blocks},
                                    .order = arguments->order,
                                    .coloured = arguments->export_coloured ? export_net : NULL,
                                    .coloured_argument = application,
                                    .proof = arguments->certificate ? certify_atomic : NULL,
                                    .proof_argument = application};
  const AskLimits limits = work_limits(&arguments->work, &check->progress);
  check->good = check->checked = atomicity_check(heap, check->input.net, &options, &limits, &check->result, check->err);
  /* only --allow-empty lets a net without blocks come here: then each of them is atomic */
  if (check->good && !check->input.net->notes->n_blocks) check->result.verdict = VERDICT_HOLDS;
}

bool notion_causal(Tool *tool, const CheckArguments *arguments, Err *err) {
  Application application = {tool, arguments, false};
  Check check = {.application = &application, .err = err};
  Atomicity *result = &check.result;
  work_progress_init(&check.progress, &arguments->work);
  const StopReason left = work_within_limits(tool, &arguments->work, check_body, &check);
  work_progress_clear(&check.progress);
  if (left == STOP_NOT && !check.good) return net_free(check.input.net), false;
  if (left != STOP_NOT) {
    work_give_up(tool, left);
    heap_explain(tool->heap, left, result->why, sizeof result->why);
  }
  const AtomicityReport report = {
      check.input.net, result->blocks, result->n_blocks, result->verdict, result->why[0] ? result->why : NULL,
      result->stats};
  const bool written = write_report(&application, &report, result->proved, err);
  if (check.checked) atomicity_fini(result);
  net_free(check.input.net);
  return written;
}
