/* certcheck: does a certificate prove what it claims? */
#include "ask/gaps.h"
#include "ask/net_input.h"
#include "base/clock.h"
#include "base/statistics.h"
#include "check/certificate_judge.h"
#include "petri/lookup.h"
#include "petri/unit_notes.h"
#include "tools/net_warning.h"
#include "tools/work.h"

#include <string.h>

typedef struct {
  WorkOptions work;
  OptionList begins, ends; /* transitions of a net without notes */
  bool quiet, stats;
} Arguments;

/* What is passed through heap_try. */
typedef struct {
  Tool *tool;
  const Arguments *arguments;
  const char *net_path, *path;
  Net *net;
  CertificateReport report;
  double seconds;
  Verdict verdict; /* of a certificate */
  Err err;
  bool read; /* the net, and a certificate, which was looked at */
} Run;

/* ---- claims in words ---- */

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
    net_print_block(net, *numbers, stdout);
    fputs(" is not causally atomic", stdout);
    break;
  case CLAIM_RUN:
  case CLAIM_SATISFIES:
  case CLAIM_NEVER:
  case CLAIM_COMPLETE:
  case CLAIM_UNCOVERED:
  case CLAIM_DEAD:
  case CLAIM_ATOMIC:
  case CLAIM_EVERY:
  case CLAIM_SLICE:
  case CLAIM_AWAY:
  case CLAIM_APART:
  case CLAIM_OVER: fputs("no place has two tokens", stdout); break;
  }
}

/* Threads that are enough for a block, at most ten of them; none if nothing begins it. */
static void print_slice(const Net *net, const uint32_t *numbers, uint32_t n) {
  enum { MOST = 10 };
  net_print_block(net, *numbers, stdout);
  fputs(n > 1 ? " is decided by " : " is never begun", stdout);
  for (uint32_t i = 1; i < n && i <= MOST; i++) printf("%s%s", i > 1 ? ", " : "", net->notes->threads[numbers[i]].name);
  if (n > MOST + 1) printf(", ... (%u threads)", n - 1);
  if (n > 1) fputs(" alone", stdout);
}

/* "for every 'N' and 'M' " */
static void print_every(const Net *net) {
  const Notes *notes = net->notes;
  fputs("for every ", stdout);
  for (uint32_t i = 0; i < notes->n_counts; i++) {
    if (i) fputs(i + 1 < notes->n_counts ? ", " : " and ", stdout);
    net_print_name(net, notes->counts[i], stdout);
  }
  putchar(' ');
}

/* "with 'N' = 2, 'M' = 0 " */
static void print_with(const Net *net, const uint32_t *with) {
  for (uint32_t i = 0; i < net->notes->n_counts; i++) {
    fputs(i ? ", " : "with ", stdout);
    net_print_name(net, net->notes->counts[i], stdout);
    printf(" = %u", with[i]);
  }
  putchar(' ');
}

static void print_formula_claim(const Net *net, const Claim *claim, const Formula *formula) {
  if (claim->kind == CLAIM_NEVER) fputs("no reachable marking satisfies ", stdout);
  else printf("after %u step%s it holds that ", claim->size, claim->size == 1 ? "" : "s");
  formula_print(formula, net, stdout);
}

/* At most ten of them: "'p', 'q', ..." */
static void print_places(const Net *net, const uint32_t *places, uint32_t n) {
  enum { MOST = 10 };
  net_print_places(net, places, n > MOST ? MOST : n, stdout);
  if (n > MOST) printf(", ... (%u places)", n);
}

static void print_states(const Net *net, const Claim *claim, const uint32_t *places) {
  if (claim->kind == CLAIM_AWAY) {
    fputs("no thread is ever at ", stdout);
    print_places(net, places, claim->n);
  } else if (claim->kind == CLAIM_APART) {
    fputs("no two threads are ever at once at ", stdout);
    print_places(net, places, claim->size);
    fputs(", and at ", stdout);
    print_places(net, places + claim->size, claim->n - claim->size);
  } else if (claim->n) {
    fputs("where no transition is enabled, each thread is at ", stdout);
    print_places(net, places, claim->n);
  } else {
    fputs("some transition is always enabled", stdout);
  }
}

/* `with` has the open numbers of the net that the claim is about, or is NULL. */
static void print_claim(const Net *net, const CertificateReport *report, const Claim *claim, const uint32_t *numbers,
                        const uint32_t *with) {
  if (with) print_with(net, with);
  if (claim->kind == CLAIM_SATISFIES || claim->kind == CLAIM_NEVER) {
    print_formula_claim(net, claim, &report->formulas.at[*numbers]);
  } else if (claim->kind == CLAIM_COMPLETE) {
    printf("the net is 1-safe and the prefix of %u event%s is complete", claim->size, claim->size == 1 ? "" : "s");
  } else if (claim->kind == CLAIM_UNCOVERED) {
    fputs("no reachable marking marks ", stdout);
    net_print_places(net, numbers, claim->n, stdout);
  } else if (claim->kind == CLAIM_DEAD) {
    net_print_name(net, net->trans_name[*numbers], stdout);
    fputs(" can never fire", stdout);
  } else if (claim->kind == CLAIM_ATOMIC) {
    net_print_block(net, *numbers, stdout);
    fputs(" is causally atomic", stdout);
  } else if (claim->kind == CLAIM_EVERY) {
    print_every(net);
    net_print_block(net, *numbers, stdout);
    fputs(" is causally atomic", stdout);
  } else if (claim->kind == CLAIM_SLICE) {
    print_slice(net, numbers, claim->n);
  } else if (claim->kind >= CLAIM_AWAY) {
    print_states(net, claim, numbers);
  } else {
    print_run_claim(net, claim, numbers);
  }
  putchar('\n');
}

/* ---- blocks of which nothing is claimed ---- */

/* Per block: is it claimed to be atomic, or not to be? NULL if there is no claim about blocks at all. */
static bool *find_claimed(const Run *run) {
  const CertificateReport *report = &run->report;
  bool *claimed = NULL;
  for (uint32_t i = 0; i < report->claims.n; i++) {
    const Claim *claim = &report->claims.at[i];
    const bool decides = claim->kind == CLAIM_ATOMIC || claim->kind == CLAIM_EVERY || claim->kind == CLAIM_SPLITS;
    if (!decides && claim->kind != CLAIM_SLICE) continue;
    if (!claimed) claimed = heap_zeroed(run->tool->heap, run->net->notes->n_blocks);
    claimed[report->numbers.at[claim->first]] |= decides;
  }
  return claimed;
}

/* Who reads of some blocks must not take it for all. Returns how many blocks are missing. */
static uint32_t print_unclaimed(const Run *run) {
  bool *claimed = find_claimed(run);
  uint32_t n = 0;
  for (uint32_t b = 0; claimed && b < run->net->notes->n_blocks; b++) {
    if (claimed[b]) continue;
    net_print_block(run->net, b, stdout);
    puts(" is not certified: it may be atomic or not");
    n++;
  }
  heap_release(run->tool->heap, claimed);
  return n;
}

/* ---- the run ---- */

static void print_stats(const Run *run) {
  const CertificateReport *report = &run->report;
  const Statistic rows[] = {STATISTIC("steps", report->n_steps),
                            STATISTIC("events", report->n_events),
                            STATISTIC("conditions", report->n_conditions),
                            STATISTIC("concurrent pairs", report->n_pairs),
                            STATISTIC_SECONDS(run->seconds),
                            STATISTIC_BYTES(heap_peak(run->tool->heap))};
  statistics_print(rows, sizeof rows / sizeof *rows, stderr);
}

static void print_verdict(const Run *run) {
  static const char *const NAMES[] = {"unknown", "holds", "rejected"}; /* ORDER Verdict */
  _Static_assert(sizeof NAMES / sizeof *NAMES == VERDICT_KINDS, "ORDER Verdict");
  const CertificateReport *report = &run->report;
  const bool holds = run->verdict == VERDICT_HOLDS;
  if (run->arguments->quiet) return;
  for (uint32_t i = 0; holds && i < report->claims.n; i++)
    print_claim(run->net, report, &report->claims.at[i], report->numbers.at + report->claims.at[i].first,
                report->claims.at[i].with ? report->with.at + report->claims.at[i].with - 1 : NULL);
  if (holds && !report->claims.n) puts("the certificate claims nothing");
  const uint32_t missing = holds ? print_unclaimed(run) : 0;
  printf("certificate: %s", NAMES[run->verdict]);
  if (missing) printf(" for %u of %u blocks", run->net->notes->n_blocks - missing, run->net->notes->n_blocks);
  putchar('\n');
}

static bool mark_blocks(Net *net, const char *path, const Arguments *a, Err *err) {
  const BlockMarks marks = {a->begins.at, a->begins.n, a->ends.at, a->ends.n};
  Err why;
  return (!marks.n_begins && !marks.n_ends) || net_add_unit_notes(net, &marks, &why) ||
         err_set(err, why.kind, "%.300s: %s", file_name(path), why.text);
}

/* Is the claim one about all runs of a program, and not of a net alone? Then *about says which gaps matter to it. */
static bool is_about_program(ClaimKind kind, GapsAbout *about) {
  *about = kind == CLAIM_OVER ? GAPS_OF_WAITING : GAPS_OF_EVENTS;
  return kind == CLAIM_ATOMIC || kind == CLAIM_AWAY || kind == CLAIM_APART || kind == CLAIM_OVER;
}

/* Of a net that is not the whole program, no block is certified to be atomic, and no state never to come (ask/gaps.h).
 */
static void mind_gaps(Run *run) {
  const CertificateReport *report = &run->report;
  for (uint32_t i = 0; run->verdict == VERDICT_HOLDS && i < report->claims.n; i++) {
    GapsAbout about;
    if (!is_about_program(report->claims.at[i].kind, &about) || !gaps_any(run->net, about)) continue;
    run->verdict = VERDICT_VIOLATED;
    gaps_explain(run->net, about, run->err.text, sizeof run->err.text);
  }
}

static void check_body(void *argument) {
  Run *run = argument;
  InFile file;
  const double start = clock_seconds();
  run->net = net_input_read(run->tool->heap, run->net_path, NULL, &run->err);
  if (run->net) net_warn("certcheck", run->net_path, run->net);
  if (!run->net || !mark_blocks(run->net, run->net_path, run->arguments, &run->err) ||
      !file_read(run->tool->heap, run->path, &file, &run->err))
    return;
  run->verdict = certificate_judge(run->tool->heap, run->net, &file, &run->report, &run->err);
  mind_gaps(run);
  file_release(run->tool->heap, &file);
  run->seconds = clock_seconds() - start;
  run->read = run->verdict != VERDICT_UNKNOWN;
}

static void tell(Run *run) {
  Tool *tool = run->tool;
  if (run->verdict == VERDICT_VIOLATED) fprintf(stderr, "%s: %s\n", tool->name, run->err.text);
  if (run->arguments->stats) print_stats(run);
  tool->exit_code = verdict_exit_code(run->verdict);
  print_verdict(run);
}

static void check(Tool *tool, const Arguments *arguments, const char *net_path, const char *path) {
  Run run = {.tool = tool, .arguments = arguments, .net_path = net_path, .path = path};
  if (strcmp(net_path, "-") == 0 && strcmp(path, "-") == 0) {
    err_set(&run.err, ERR_INPUT, "only one of the net and the certificate can be stdin");
    tool_complain(tool, &run.err);
    return;
  }
  const StopReason left = work_within_limits(tool, &arguments->work, check_body, &run);
  if (left != STOP_NOT) work_give_up(tool, left);
  if (left == STOP_NOT && !run.read) tool_complain(tool, &run.err);
  else tell(&run);
  if (run.read) certificate_judge_report_fini(&run.report);
  net_free(run.net);
}

static void body(Tool *tool) {
  Arguments arguments = {.work = work_defaults()}, *a = &arguments;
  const Option options[] = {
      {"begin", 0, OPTIONS_INPUT, OPTION_LIST, &a->begins, "TRANSITION", NULL,
       "in a net with NUPN units as threads: as given to causalcheck"},
      {"end", 0, OPTIONS_INPUT, OPTION_LIST, &a->ends, "TRANSITION", NULL, "as given to causalcheck"},
      LIMIT_OPTIONS(&a->work),
      {"stats", 0, OPTIONS_OUTPUT, OPTION_FLAG, &a->stats, NULL, NULL, "print sizes, time and memory on stderr"},
      {"quiet", 'q', OPTIONS_OUTPUT, OPTION_FLAG, &a->quiet, NULL, NULL,
       "print nothing on stdout; the exit code is the answer"},
  };
  const Command command = {
      "certcheck",
      "NET CERTIFICATE",
      "Checks a certificate of netunfold or causalcheck against the net, PNML or ll_net. It relies on nothing but the net, "
      "and prints what is proved. One of the two may be '-' for stdin.",
      "Exit codes: 0 the certificate holds, 1 it is rejected, 2 unknown (a limit, Ctrl-C),\n"
      "3 a usage or input error.\n"
      "Example: certcheck net.pnml proof.txt\n",
      options,
      sizeof options / sizeof *options,
      2,
      2};
  OptionList operands;
  if (tool_options(tool, &command, &operands)) check(tool, a, operands.at[0], operands.at[1]);
}

int main(int argc, char **argv) { return tool_main("certcheck", argc, argv, body, EXIT_UNKNOWN); }
