#include "ask/any_number.h"
#include "ask/unit_processes.h"
#include "base/hash.h"
#include "petri/lookup.h"
#include "petri/net_io.h"
#include "report/of_blocks.h"
#include "tools/happening.h"
#include "tools/notions.h"
#include "unfold/certificate_write.h"

#include <assert.h>

/* What the callbacks and writers need to know. */
typedef struct {
  Tool *tool;
  const CheckArguments *arguments;
  bool exported;        /* the coloured net is written */
  OutFile certificate;  /* while it is written */
  bool has_certificate; /* it is open */
  uint64_t hash;        /* of the text, */
  bool is_read;         /* if that was read; */
  bool is_empty;        /* there is no block in the share that was asked about */
} Application;

/* ---- outputs ---- */

static bool export_net(void *argument, const Net *net, Err *err) {
  Application *application = argument;
  application->exported =
      net_write(application->tool->heap, net, NET_PNML, application->arguments->export_coloured, err);
  return application->exported;
}

/* ---- the certificate of a coloured net that was exported: no red place can be marked ---- */

typedef struct {
  const CheckArguments *arguments;
  const Prefix *prefix;
  const PlaceId *red;
  uint32_t n_red;
} ColouredProof;

static bool write_coloured_proof(void *argument, FILE *out, Err *err) {
  const ColouredProof *proof = argument;
  (void)err;
  certificate_begin(out, proof->prefix->net);
  certificate_prefix(out, proof->prefix, proof->arguments->order);
  for (uint32_t i = 0; i < proof->n_red; i++) certificate_claim(out, CERTIFY_UNCOVERED, &proof->red[i].v, 1);
  certificate_end(out);
  return true;
}

static bool certify_coloured(void *argument, const Prefix *prefix, const PlaceId *red, uint32_t n_red, Err *err) {
  const Application *application = argument;
  ColouredProof proof = {application->arguments, prefix, red, n_red};
  return file_write(application->tool->heap, application->arguments->certificate, write_coloured_proof, &proof, err);
}

/* ---- the certificate of the program's own net: proofs, written as they are found, then runs ---- */

/* Opens the file, if one is wanted. Of a net that is not known yet, NULL, nothing is written. */
static bool open_certificate(Application *application, const Net *net, Err *err) {
  const CheckArguments *arguments = application->arguments;
  if (!arguments->certificate) return true;
  if (!file_create(application->tool->heap, arguments->certificate, &application->certificate, err)) return false;
  application->has_certificate = true;
  if (net) certificate_begin(application->certificate.stream, net);
  return true;
}

static void drop_certificate(Application *application) {
  if (application->has_certificate) file_discard(&application->certificate);
  application->has_certificate = false;
}

typedef struct {
  Application *application;
  const AtomicityReport *report;
  bool proved; /* a certificate of the coloured net is written */
  bool is_cut; /* the one that is open ends in the middle of a proof, */
  long cut_at; /* which begins there */
} Writing;

static void certify_violation(const Writing *writing, const BlockVerdict *block, FILE *out) {
  const Witness *witness = block->witness;
  Heap *heap = writing->application->tool->heap;
  TransId *run = heap_alloc(heap, heap_product(heap, witness->n_steps, sizeof *run));
  for (uint32_t i = 0; i < witness->n_steps; i++) run[i] = witness->steps[i].transition;
  if (block->numbers) certificate_with(out, block->numbers, writing->report->n_open);
  certificate_run(out, run, witness->n_steps);
  certificate_claim(out, CERTIFY_SPLITS, &block->block, 1);
  heap_release(heap, run);
}

static void say_missing(const char *path, const char *why) {
  fprintf(stderr, "causalcheck: %s: not written: %s\n", path, why);
}

/* Why nothing is certified of a block with that verdict. */
static const char *why_left_out(const Writing *writing, Verdict verdict) {
  const CheckArguments *arguments = writing->application->arguments;
  if (writing->report->why) return writing->report->why;
  if (verdict == VERDICT_UNKNOWN) return "it is undecided";
  if (writing->report->n_open) return "what the cut-off or backward coverability decides has no certificate";
  if (arguments->export_coloured) return "with --export-coloured there is a proof only if all blocks are atomic";
  return "what --colouring=full unfolds is certified with --export-coloured alone, and only if all blocks are atomic";
}

static bool is_left_out(const BlockVerdict *block) { return block->verdict != VERDICT_VIOLATED && !block->is_proved; }

/* Why there can be no certificate of any block, or NULL. */
static const char *why_no_certificate(const Writing *writing) {
  const AtomicityReport *report = writing->report;
  Verdict best = VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (!is_left_out(&report->blocks[i])) return NULL;
    if (report->blocks[i].verdict == VERDICT_HOLDS) best = VERDICT_HOLDS;
  }
  if (!report->n_blocks) return report->why ? report->why : "no block is marked";
  return why_left_out(writing, best);
}

/* More of them are not named. */
enum { MOST_NAMED = 8 };

/* "causalcheck: proof.txt: not certified: block 'B' (line 12): the limit of 1 events was reached" */
static void say_left_out(const Writing *writing, Verdict verdict) {
  const AtomicityReport *report = writing->report;
  uint32_t n = 0;
  for (uint32_t i = 0; i < report->n_blocks; i++) {
    if (report->blocks[i].verdict != verdict || !is_left_out(&report->blocks[i]) || n++ >= MOST_NAMED) continue;
    if (n > 1) fputs(", ", stderr);
    else fprintf(stderr, "causalcheck: %s: not certified: ", writing->application->arguments->certificate);
    net_print_block(report->net, report->blocks[i].block, stderr);
  }
  if (n > MOST_NAMED) fprintf(stderr, " and %u more", n - MOST_NAMED);
  if (n) fprintf(stderr, ": %s\n", why_left_out(writing, verdict));
}

static bool close_certificate(const Writing *writing, Err *err) {
  Application *application = writing->application;
  const AtomicityReport *report = writing->report;
  FILE *out = application->certificate.stream;
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].verdict == VERDICT_VIOLATED) certify_violation(writing, &report->blocks[i], out);
  certificate_end(out);
  say_left_out(writing, VERDICT_HOLDS);
  say_left_out(writing, VERDICT_UNKNOWN);
  application->has_certificate = false;
  return file_close(&application->certificate, err);
}

static bool certify(const Writing *writing, Err *err) {
  Application *application = writing->application;
  const char *path = application->arguments->certificate, *why = why_no_certificate(writing);
  if (!path || writing->proved) return drop_certificate(application), true;
  assert(why || application->has_certificate);
  if (!why && writing->is_cut && !file_cut(&application->certificate, writing->cut_at))
    why = why_left_out(writing, VERDICT_UNKNOWN); /* a pipe, which has the beginning of a proof */
  if (!why) return close_certificate(writing, err);
  drop_certificate(application);
  say_missing(path, why);
  return true;
}

/* ---- the result ---- */

static bool write_outputs(const Writing *writing, const Report *report, Err *err) {
  const Application *application = writing->application;
  const CheckArguments *arguments = application->arguments;
  if (arguments->export_coloured && !application->exported) {
    const char *why = writing->report->why;
    say_missing(arguments->export_coloured, why ? why : "no block is marked");
  }
  return output_begin(application->tool, report, &arguments->output, &arguments->input, err) && certify(writing, err) &&
         output_result(application->tool, report, &arguments->output, &arguments->input, arguments->work.quiet, err);
}

static bool write_report(Application *application, const AtomicityReport *result, const Atomicity *found, Err *err) {
  Report report;
  const Writing writing = {application, result, found->proved, found->is_cut, found->cut_at};
  const CheckArguments *a = application->arguments;
  const Happening happening = {a->confirm, &a->atomic, a->functions};
  const bool brief = !a->confirm && output_is_brief(&application->arguments->output);
  report_init(&report, application->tool->heap, application->tool->name, brief);
  of_blocks(&report, result);
  report.hash = application->is_read ? &application->hash : NULL;
  report.empty = application->is_empty;
  if (report.empty) {
    report.why = "there is no block in this share";
    report_add_line(&report, LINE_FULL, arena_format(&report.arena, "unknown: %s", report.why));
  }
  const bool good = write_outputs(&writing, &report, err) &&
                    (!a->confirm || happening_confirm(application->tool, &report, &happening, a->work.quiet, err));
  report_fini(&report);
  return good;
}

/* ---- the run ---- */

/* What is tried beside unfolding: nothing where the coloured net is to be seen. */
static unsigned tries_of(const CheckArguments *arguments) {
  static const unsigned TRIES[] = {TRY_MOVERS, TRY_ENVIRONMENT, TRY_PAIRS, TRY_SLICE}; /* ORDER StageName */
  _Static_assert(sizeof TRIES / sizeof *TRIES == STAGE_UNFOLD, "ORDER StageName");
  unsigned tries = 0;
  for (uint32_t i = 0; i < STAGE_UNFOLD; i++)
    if (arguments->prove & 1u << i) tries |= TRIES[i];
  return arguments->export_coloured ? 0 : tries;
}

/* What is passed through heap_try: memory or time may be up at any point. */
typedef struct {
  Application *application;
  BlockInput input;
  Atomicity result; /* of `checked` */
  AnyNumber any;    /* of --any-number, likewise */
  Progress progress;
  Err *err;
  bool good, checked, is_any; /* is_any: the numbers of threads are open */
} Check;

static AtomicityOptions options_of(Application *application, const bool *blocks) {
  const CheckArguments *arguments = application->arguments;
  const bool is_certified = arguments->certificate && arguments->export_coloured;
  return (AtomicityOptions){.tries = tries_of(arguments),
                            .jobs = arguments->jobs < UINT32_MAX ? (uint32_t)arguments->jobs : UINT32_MAX,
                            .in_processes = unit_processes_run,
                            .never_whole = !(arguments->prove & 1u << STAGE_UNFOLD),
                            .colour = {arguments->colouring, !arguments->no_reduce, blocks, false},
                            .order = arguments->order,
                            .coloured = arguments->export_coloured ? export_net : NULL,
                            .coloured_argument = application,
                            .certificate = arguments->export_coloured ? NULL : application->certificate.stream,
                            .proof = is_certified ? certify_coloured : NULL,
                            .proof_argument = application};
}

/* Only --allow-empty lets a net without blocks come here: then each of them is atomic. */
static Verdict verdict_of(const Net *net, Verdict verdict) { return net->notes->n_blocks ? verdict : VERDICT_HOLDS; }

/* What does not go together with open numbers. */
static bool obeys(const CheckArguments *arguments, bool is_any, Err *err) {
  const ToolRule rules[] = {{is_any && arguments->export_coloured,
                             "--any-number cannot be combined with --export-coloured, which is about one net"}};
  return tool_obeys(rules, sizeof rules / sizeof *rules, err);
}

/* A net in which numbers are open. */
static void check_any_net(Check *check, const AtomicityOptions *options, const AskLimits *limits) {
  check->good = obeys(check->application->arguments, true, check->err);
  if (!check->good) return;
  check->good = check->checked =
      any_number_check_net(check->application->tool->heap, &check->input, options, limits, &check->any, check->err);
  if (check->good) check->any.verdict = verdict_of(check->any.net, check->any.verdict);
}

static void set_hash(Application *application, uint64_t hash) {
  application->hash = hash;
  application->is_read = true;
}

static void check_body(void *argument) {
  Check *check = argument;
  Application *application = check->application;
  Heap *heap = application->tool->heap;
  check->good = notion_input(application->tool, application->arguments, &check->input, check->err);
  check->good = check->good && open_certificate(application, check->input.net, check->err);
  if (!check->good) return;
  set_hash(application, check->input.hash);
  const AtomicityOptions options = options_of(application, check->input.blocks);
  const AskLimits limits = work_limits(&application->arguments->work, &check->progress);
  check->is_any = check->input.net->notes && check->input.net->notes->n_counts;
  if (check->is_any) {
    check_any_net(check, &options, &limits);
    return;
  }
  check->good = check->checked = atomicity_check(heap, check->input.net, &options, &limits, &check->result, check->err);
  if (check->good) check->result.verdict = verdict_of(check->input.net, check->result.verdict);
}

static void check_any_body(void *argument) {
  Check *check = argument;
  Application *application = check->application;
  Heap *heap = application->tool->heap;
  BlockInputOptions input;
  InFile file;
  check->good = notion_reading(heap, application->arguments, &input, check->err) &&
                file_read(heap, application->arguments->path, &file, check->err) &&
                open_certificate(application, NULL, check->err);
  if (!check->good) return;
  set_hash(application, hash_bytes(file.text, file.length));
  const AtomicityOptions options = options_of(application, NULL);
  const AskLimits limits = work_limits(&application->arguments->work, &check->progress);
  check->good = check->checked = any_number_check(heap, &file, &input, &options, &limits, &check->any, check->err);
  file_release(heap, &file);
  if (check->good) check->any.verdict = verdict_of(check->any.net, check->any.verdict);
}

static AtomicityReport report_of(const Check *check) {
  const Atomicity *result = &check->result;
  if (check->is_any && check->checked) return any_number_report(&check->any);
  return (AtomicityReport){.net = check->input.net,
                           .blocks = result->blocks,
                           .n_blocks = result->n_blocks,
                           .verdict = result->verdict,
                           .why = result->why[0] ? result->why : NULL,
                           .stats = result->stats};
}

static void end_check(Check *check) {
  drop_certificate(check->application);
  net_free(check->input.net);
  if (!check->checked) return;
  if (check->is_any) any_number_fini(&check->any);
  else atomicity_fini(&check->result);
}

/* What is passed through heap_try, once the answer is there. */
static void tell_body(void *argument) {
  Check *check = argument;
  const AtomicityReport report = report_of(check);
  const Atomicity any = {.is_cut = check->any.is_cut, .cut_at = check->any.cut_at};
  check->application->is_empty = check->checked && !report.n_blocks && report.net->notes->n_blocks;
  check->good = write_report(check->application, &report, check->is_any ? &any : &check->result, check->err);
}

bool notion_causal(Tool *tool, const CheckArguments *arguments, Err *err) {
  Application application = {.tool = tool, .arguments = arguments};
  Check check = {.application = &application, .err = err};
  check.is_any = arguments->any_number;
  work_progress_init(&check.progress, &arguments->work);
  const StopReason left =
      work_within_limits(tool, &arguments->work, arguments->any_number ? check_any_body : check_body, &check);
  work_progress_clear(&check.progress);
  if (left == STOP_NOT && !check.good) return end_check(&check), false;
  if (left != STOP_NOT) {
    work_give_up(tool, left);
    heap_explain(tool->heap, left, check.result.why, sizeof check.result.why);
  }
  const bool told = heap_try(tool->heap, tell_body, &check);
  end_check(&check); /* with it goes a certificate that is not finished */
  if (!told) heap_pass_on(tool->heap);
  return check.good;
}
