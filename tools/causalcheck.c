/* causalcheck: which marked blocks are causally atomic? */
#include "petri/net_io.h"
#include "tools/atomicity.h"
#include "tools/input.h"
#include "tools/serializable.h"
#include "tools/tool.h"
#include "tools/work.h"
#include "unfold/certificate.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_JSON };
enum { NOTION_CAUSAL, NOTION_SERIALIZABLE };

typedef struct {
  InputOptions input;
  const char *output, *block, *dot, *svg, *export_coloured, *certificate;
  uint32_t notion, colouring, order, format;
  WorkOptions work;
  bool no_reduce, stats, verbose;
} Arguments;

/* What the callbacks and writers need to know. */
typedef struct {
  Tool *tool;
  const Arguments *arguments;
} Application;

/* ---- which blocks ---- */

static bool block_matches(const NoteBlock *block, const char *wanted) {
  if (block->name && strcmp(block->name, wanted) == 0) return true;
  char *end;
  const unsigned long line = strtoul(wanted, &end, 10);
  return *wanted >= '0' && *wanted <= '9' && !*end && line == block->begin.line;
}

/* Per block: is it asked for? NULL: all of them. */
static bool choose_blocks(Heap *heap, const Net *net, const char *wanted, const bool **chosen, Err *err) {
  *chosen = NULL;
  if (!wanted) return true;
  const uint32_t n = net->notes ? net->notes->n_blocks : 0;
  bool *result = heap_zeroed(heap, (size_t)n + 1), any = false;
  for (uint32_t b = 0; b < n; b++) any |= result[b] = block_matches(&net->notes->blocks[b], wanted);
  *chosen = result;
  return any || err_set(err, ERR_INPUT, "no marked block has the name or begins on the line '%.100s'", wanted);
}

/* ---- outputs ---- */

static bool export_net(void *argument, const Net *net, Err *err) {
  const Application *application = argument;
  return net_write(application->tool->heap, net, NET_PNML, application->arguments->export_coloured, err);
}

/* ---- the certificate: of the coloured net if all blocks are atomic, else of the violations, by runs of the program's own net ---- */

typedef struct {
  const Arguments *arguments;
  const Prefix *prefix;
  const PlaceId *red;
  uint32_t n_red;
} Proof;

static bool write_proof(void *argument, FILE *out, Err *err) {
  const Proof *proof = argument;
  (void)err;
  certificate_begin(out, proof->prefix->net);
  certificate_prefix(out, proof->prefix, proof->arguments->order);
  for (uint32_t i = 0; i < proof->n_red; i++) certificate_claim(out, CERTIFY_UNCOVERED, &proof->red[i].v, 1);
  certificate_end(out);
  return true;
}

static bool certify_atomic(void *argument, const Prefix *prefix, const PlaceId *red, uint32_t n_red, Err *err) {
  const Application *application = argument;
  Proof proof = {application->arguments, prefix, red, n_red};
  return file_write(application->tool->heap, application->arguments->certificate, write_proof, &proof, err);
}

typedef struct {
  const Application *application;
  const Report *report;
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
  const Report *report = writing->report;
  (void)err;
  certificate_begin(out, report->net);
  for (uint32_t i = 0; i < report->n_blocks; i++)
    if (report->blocks[i].verdict == VERDICT_VIOLATED) certify_violation(writing, &report->blocks[i], out);
  certificate_end(out);
  return true;
}

/* Of atomic blocks it was written when the prefix was there. */
static bool certify(Writing *writing, Err *err) {
  const char *path = writing->application->arguments->certificate;
  const Report *report = writing->report;
  if (!path || (report->verdict == VERDICT_ATOMIC && report->n_blocks)) return true;
  if (report->verdict == VERDICT_VIOLATED) return file_write(writing->application->tool->heap, path, write_violations, writing, err);
  fprintf(stderr, "causalcheck: %s: not written: %s\n", path, report->n_blocks ? "nothing is proved" : "no block is marked");
  return true;
}

/* ---- the result ---- */

static bool write_dot(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  return report_dot(writing->application->tool->heap, writing->report, out, err);
}

static bool write_svg(void *argument, FILE *out, Err *err) {
  const Writing *writing = argument;
  return report_svg(writing->application->tool->heap, writing->report, out, err);
}

static bool write_result(void *argument, FILE *out, Err *err) {
  (void)err;
  const Writing *writing = argument;
  const Arguments *arguments = writing->application->arguments;
  if (arguments->format == FORMAT_JSON)
    report_json(writing->application->tool->heap, writing->report, out);
  else
    report_text(writing->report, (TextStyle){input_wants_colour(&arguments->input, out), arguments->work.quiet, arguments->verbose}, out);
  return true;
}

static bool write_report(const Application *application, const Report *report, Err *err) {
  const Arguments *arguments = application->arguments;
  Heap *heap = application->tool->heap;
  Writing writing = {application, report};
  return (!arguments->dot || file_write(heap, arguments->dot, write_dot, &writing, err)) &&
         (!arguments->svg || file_write(heap, arguments->svg, write_svg, &writing, err)) && certify(&writing, err) &&
         file_write(heap, arguments->output ? arguments->output : "-", write_result, &writing, err);
}

static void print_stats(const VerdictStats *stats) {
  fprintf(stderr, "places %llu, transitions %llu, events %llu, conditions %llu, cut-offs %llu, %.3f s, %.1f MB\n",
          (unsigned long long)stats->places, (unsigned long long)stats->transitions, (unsigned long long)stats->events,
          (unsigned long long)stats->conditions, (unsigned long long)stats->cutoffs, stats->seconds,
          (double)stats->bytes / 1e6);
}

/* ---- the run ---- */

static bool check_net(Application *application, const Net *net, Err *err) {
  const Arguments *arguments = application->arguments;
  const WorkOptions *work = &arguments->work;
  Heap *heap = application->tool->heap;
  Progress progress;
  progress_init(&progress, heap, work);
  AtomicityOptions options = {.colour = {arguments->colouring, !arguments->no_reduce, NULL},
                              .order = arguments->order,
                              .max_events = work->max_events,
                              .seconds = work->timeout,
                              .cancel = work_interrupted(),
                              .progress = progress_show,
                              .progress_argument = &progress,
                              .coloured = arguments->export_coloured ? export_net : NULL,
                              .coloured_argument = application,
                              .proof = arguments->certificate ? certify_atomic : NULL,
                              .proof_argument = application};
  Atomicity result;
  if (!choose_blocks(heap, net, arguments->block, &options.colour.blocks, err)) return false;
  heap_set_limit(heap, work->max_memory);
  work_catch_interrupts();
  const bool checked = atomicity_check(heap, net, &options, &result, err);
  heap_set_limit(heap, 0);
  progress_clear(&progress);
  if (!checked) return false;
  const Report report = {net, result.blocks, result.n_blocks, result.verdict, result.why[0] ? result.why : NULL, result.stats};
  if (arguments->stats) print_stats(&result.stats);
  application->tool->exit_code = result.verdict == VERDICT_ATOMIC     ? EXIT_HOLDS
                           : result.verdict == VERDICT_VIOLATED ? EXIT_VIOLATED
                                                                : EXIT_UNKNOWN;
  const bool written = write_report(application, &report, err);
  atomicity_fini(&result);
  return written;
}

/* ---- the other notion: serializability of all runs ---- */

typedef struct {
  const Arguments *arguments;
  const CycleReport *report;
} CycleWriting;

static bool write_cycle(void *argument, FILE *out, Err *err) {
  const CycleWriting *writing = argument;
  const Arguments *arguments = writing->arguments;
  (void)err;
  if (arguments->format == FORMAT_JSON)
    cycle_json(writing->report, out);
  else
    cycle_text(writing->report, (TextStyle){input_wants_colour(&arguments->input, out), arguments->work.quiet, arguments->verbose}, out);
  return true;
}

static void show_states(void *progress, const ModelCounts *counts) { progress_count(progress, counts->states); }

static bool check_runs(Application *application, const Net *net, Err *err) {
  const Arguments *arguments = application->arguments;
  Heap *heap = application->tool->heap;
  Serializability result;
  Progress progress;
  if (arguments->dot || arguments->svg || arguments->export_coloured || arguments->certificate)
    return err_set(err, ERR_INPUT, "--dot, --svg, --export-coloured and --certificate are about causal atomicity alone");
  progress_init(&progress, heap, &arguments->work);
  ModelOptions options = {.max_states = arguments->work.max_events, .seconds = arguments->work.timeout, .cancel = work_interrupted(),
                          .progress = show_states, .progress_argument = &progress};
  if (!choose_blocks(heap, net, arguments->block, &options.blocks, err)) return false;
  heap_set_limit(heap, arguments->work.max_memory);
  work_catch_interrupts();
  const bool checked = serializability_check(heap, net, &options, &result, err);
  heap_set_limit(heap, 0);
  progress_clear(&progress);
  if (!checked) return false;
  const bool violated = result.verdict == VERDICT_VIOLATED;
  const CycleReport report = {net, options.blocks, result.verdict, result.why[0] ? result.why : NULL, violated ? &result.cycle : NULL,
                              result.states, result.seconds, result.bytes};
  if (arguments->stats)
    fprintf(stderr, "states %llu, %.3f s, %.1f MB\n", (unsigned long long)result.states, result.seconds, (double)result.bytes / 1e6);
  application->tool->exit_code = violated ? EXIT_VIOLATED : result.verdict == VERDICT_ATOMIC ? EXIT_HOLDS : EXIT_UNKNOWN;
  CycleWriting writing = {arguments, &report};
  const bool written = file_write(heap, arguments->output ? arguments->output : "-", write_cycle, &writing, err);
  serializability_fini(&result);
  return written;
}

static void run(Tool *tool, const Arguments *arguments, const char *path) {
  Err err;
  Application application = {tool, arguments};
  Net *net = input_read_net(tool->heap, path, &arguments->input, &err);
  bool (*const check)(Application *, const Net *, Err *) = arguments->notion == NOTION_CAUSAL ? check_net : check_runs;
  if (!net || !check(&application, net, &err)) tool_complain(tool, &err);
  net_free(net);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  static const char *const colourings[] = {"chain", "full", NULL}, *const orders[] = {"erv", "mcmillan", NULL},
                    *const formats[] = {"text", "json", NULL}, *const notions[] = {"causal", "serializable", NULL};
  const Option options[] = {
      INPUT_OPTIONS(&a->input),
      {"block", 'b', OPTION_TEXT, &a->block, "NAME|LINE", NULL, "check only the blocks of that name, or that begin on that line"},
      {"notion", 0, OPTION_CHOICE, &a->notion, NULL, notions,
       "causal: each block alone against single events of other threads (default); serializable: all blocks of a run together"},
      {"colouring", 0, OPTION_CHOICE, &a->colouring, NULL, colourings,
       "how taint is followed: one token along one causal chain (default), or a colour on every token"},
      {"order", 0, OPTION_CHOICE, &a->order, NULL, orders, "the unfolding's adequate order (default erv)"},
      {"no-reduce", 0, OPTION_FLAG, &a->no_reduce, NULL, NULL, "unfold the coloured net as it is, without making it smaller first"},
      {"format", 'f', OPTION_CHOICE, &a->format, NULL, formats, "of the result (default text)"},
      {"output", 'o', OPTION_TEXT, &a->output, "FILE", NULL, "write the result there, not on stdout"},
      {"dot", 0, OPTION_TEXT, &a->dot, "FILE", NULL, "draw the witnesses as a DOT graph"},
      {"svg", 0, OPTION_TEXT, &a->svg, "FILE", NULL, "draw the witnesses as an SVG picture"},
      {"export-coloured", 0, OPTION_TEXT, &a->export_coloured, "FILE", NULL,
       "write the coloured net as PNML: a block is not atomic iff its place 'red' can be marked"},
      {"certificate", 0, OPTION_TEXT, &a->certificate, "FILE", NULL,
       "write a proof of the verdict, for certcheck: of 'atomic' about the net of --export-coloured, else about the program's own net"},
      WORK_OPTIONS(&a->work),
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print sizes, time and memory on stderr"},
      {"quiet", 'q', OPTION_FLAG, &a->work.quiet, NULL, NULL, "print the verdict alone"},
      {"verbose", 'v', OPTION_FLAG, &a->verbose, NULL, NULL, "print every step of a witness"},
  };
  const Command command = {
      "causalcheck", "[FILE|-]",
      "Decides which marked blocks of a concurrent program are causally atomic, or whether all its runs are serializable. The program is an SML text, or its net as PNML or "
      "ll_net; the content tells which.",
      "Exit codes: 0 all blocks are atomic, 1 one is not, 2 unknown (a limit, Ctrl-C),\n"
      "3 a usage or input error, 4 a self-check failed.\n"
      "Example: sml2net samples/figure5a.sml | causalcheck --svg=witness.svg\n",
      options, sizeof options / sizeof *options, 0, 1};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) run(tool, &arguments, operands.n ? operands.at[0] : "-");
}

int main(int argc, char **argv) { return tool_main("causalcheck", argc, argv, body, EXIT_UNKNOWN); }
