/* certcheck: does a certificate prove what it claims? */
#include "base/clock.h"
#include "check/certificate.h"
#include "petri/names.h"
#include "petri/net_io.h"
#include "tools/tool.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  uint64_t max_memory;
  bool quiet, stats;
} Arguments;

/* What is passed through heap_try. */
typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const char *net_path, *path;
} Run;

/* ---- claims in words ---- */

static void print_block(const Net *net, uint32_t number) {
  const NoteBlock *block = &net->notes->blocks[number];
  fputs("block ", stdout);
  if (block->name) net_print_name(net, block->name, stdout);
  else printf("%u", number + 1);
  if (block->begin.line) printf(" (line %u)", block->begin.line);
}

static void print_run_claim(const Net *net, const Claim *claim, const uint32_t *numbers) {
  if (claim->kind != CLAIM_SPLITS) printf("after %u step%s ", claim->size, claim->size == 1 ? "" : "s");
  switch (claim->kind) {
  case CLAIM_COVERS:
    net_print_places(net, numbers, claim->n, stdout);
    fputs(claim->n > 1 ? " are marked" : " is marked", stdout);
    break;
  case CLAIM_FIRES:
    net_print_name(net, net->trans_name[*numbers], stdout);
    fputs(" has fired", stdout);
    break;
  case CLAIM_DEADLOCK: fputs("no transition is enabled", stdout); break;
  case CLAIM_UNSAFE:
    net_print_places(net, numbers, 1, stdout);
    fputs(" has two tokens: the net is not 1-safe", stdout);
    break;
  case CLAIM_SPLITS:
    print_block(net, *numbers);
    fputs(" is not causally atomic", stdout);
    break;
  default: fputs("no place has two tokens", stdout);
  }
}

static void print_claim(const Net *net, const Claim *claim, const uint32_t *numbers) {
  if (claim->kind == CLAIM_COMPLETE) {
    printf("the net is 1-safe and the prefix of %u event%s is complete", claim->size, claim->size == 1 ? "" : "s");
  } else if (claim->kind == CLAIM_UNCOVERED) {
    fputs("no reachable marking marks ", stdout);
    net_print_places(net, numbers, claim->n, stdout);
  } else if (claim->kind == CLAIM_DEAD) {
    net_print_name(net, net->trans_name[*numbers], stdout);
    fputs(" can never fire", stdout);
  } else {
    print_run_claim(net, claim, numbers);
  }
  putchar('\n');
}

/* ---- the run ---- */

static void print_stats(const CertificateReport *report, double seconds, size_t bytes) {
  fprintf(stderr,
          "steps %" PRIu64 ", events %" PRIu64 ", conditions %" PRIu64 ", concurrent pairs %" PRIu64 ", %.3f s, %.1f MB\n",
          report->n_steps, report->n_events, report->n_conditions, report->n_pairs, seconds, (double)bytes / 1e6);
}

static void print_verdict(const Run *run, const Net *net, const CertificateReport *report, bool holds) {
  if (run->arguments->quiet) return;
  for (uint32_t i = 0; holds && i < report->claims.n; i++)
    print_claim(net, &report->claims.at[i], report->numbers.at + report->claims.at[i].first);
  if (holds && !report->claims.n) puts("nothing is claimed");
  puts(holds ? "certificate: holds" : "certificate: rejected");
}

static void check_file(const Run *run, const Net *net, const InFile *file) {
  Tool *tool = run->tool;
  CertificateReport report;
  Err err;
  const double start = clock_seconds();
  const Verdict verdict = certificate_check(tool->heap, net, file, &report, &err);
  if (run->arguments->stats) print_stats(&report, clock_seconds() - start, heap_peak(tool->heap));
  tool->exit_code = verdict_exit_code(verdict);
  if (verdict == VERDICT_UNKNOWN) {
    tool_complain(tool, &err);
    return;
  }
  if (verdict == VERDICT_VIOLATED) fprintf(stderr, "%s: %s\n", tool->name, err.text);
  print_verdict(run, net, &report, verdict == VERDICT_HOLDS);
  certificate_report_fini(&report);
}

static Net *read_net(const Run *run, Err *err) {
  InFile file;
  if (!file_read(run->tool->heap, run->net_path, &file, err)) return NULL;
  Net *net = net_read(run->tool->heap, &file, err);
  file_release(run->tool->heap, &file);
  return net;
}

static void check_paths(void *argument) {
  const Run *run = argument;
  InFile file;
  Err err;
  Net *net = read_net(run, &err);
  if (!net || !file_read(run->tool->heap, run->path, &file, &err)) {
    tool_complain(run->tool, &err);
  } else {
    check_file(run, net, &file);
    file_release(run->tool->heap, &file);
  }
  net_free(net);
}

static void run_tool(Tool *tool, const Arguments *arguments, const char *net_path, const char *path) {
  Run run = {tool, arguments, net_path, path};
  Err err;
  if (strcmp(net_path, "-") == 0 && strcmp(path, "-") == 0) {
    err_set(&err, ERR_INPUT, "only one of the net and the certificate can be stdin");
    tool_complain(tool, &err);
    return;
  }
  heap_set_limit(tool->heap, arguments->max_memory);
  if (!heap_try(tool->heap, check_paths, &run)) {
    fprintf(stderr, "%s: out of memory\n", tool->name);
    if (!arguments->quiet) puts("certificate: unknown");
    tool->exit_code = EXIT_UNKNOWN;
  }
  if (fflush(stdout) != 0 || ferror(stdout)) {
    err_set(&err, ERR_IO, "<stdout>: writing failed");
    tool_complain(tool, &err);
  }
}

static void body(Tool *tool) {
  Arguments arguments = {.max_memory = tool_default_memory()}, *a = &arguments;
  const Option options[] = {
      {"max-memory", 0, OPTION_BYTES, &a->max_memory, "SIZE", NULL,
       "stop with 'unknown' before more memory than that is used (default: three quarters of the machine's)"},
      {"stats", 0, OPTION_FLAG, &a->stats, NULL, NULL, "print sizes, time and memory on stderr"},
      {"quiet", 'q', OPTION_FLAG, &a->quiet, NULL, NULL, "print nothing on stdout: the exit code tells"},
  };
  const Command command = {
      "certcheck", "NET CERTIFICATE",
      "Checks a certificate, which netunfold or causalcheck wrote, against the net: PNML or ll_net. It believes nothing but "
      "the net, and says what is proved. '-' is stdin, for one of the two.",
      "Exit codes: 0 the certificate holds, 1 it is rejected, 2 unknown (the memory limit),\n"
      "3 a usage or input error.\n"
      "Example: certcheck net.pnml proof.txt\n",
      options, sizeof options / sizeof *options, 2, 2};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) run_tool(tool, a, operands.at[0], operands.at[1]);
}

int main(int argc, char **argv) { return tool_main("certcheck", argc, argv, body, EXIT_UNKNOWN); }
