/* differential.c: gives programs and nets to all engines (engines.h) and reports where they do not agree.
 *
 *     differential [-v] FROM-TO       random programs and as many random nets, by their seeds; what fails is shrunk
 *     differential [-v] nets:FROM-TO  the nets alone
 *     differential [-v] proofs:FROM-TO  programs alone, some of more threads, and what concerns short proofs alone
 *     differential [-v] protocols:FROM-TO  the same for programs of random_protocol.h alone
 *     differential [-v] rich:FROM-TO  the same for programs of random_rich.h alone
 *     differential [-v] FILE...       SML programs, in both granularities; files *.net are nets (oracle/net_script.h)
 *     differential --show=SEED        prints a random program
 *     differential --show-net=SEED    prints a random net
 *
 * The last lines are how many nets were refused, and how many are not 1-safe; how many blocks are atomic, violated and
 * unknown; and "differential: N passed, N failed, 0 skipped", counting programs and nets. Exit 1 if one failed, 3 on a
 * usage error. A program or net at which the tester crashes, or that takes longer than $LIMIT seconds, is named, and is
 * the last one. */
#include "base/file.h"
#include "tests/compare.h"
#include "tests/oracle/random_protocol.h"
#include "tests/oracle/random_rich.h"
#include "tests/oracle/random_sml.h"
#include "tests/oracle/random_units.h"
#include "tests/watch.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Heap *heap;
  Watch *watch;
  char **operands; /* up to a NULL */
  Comparison comparison;
  bool verbose;
  uint64_t n_blocks[3], n_nets[3] /* by NetKind */, undecided[MAX_ENGINES];
  double seconds[MAX_ENGINES];
} Run;

static Run new_run(Heap *heap, Watch *watch, bool verbose, char **operands) {
  Run run = {.heap = heap, .watch = watch, .verbose = verbose, .operands = operands};
  for (uint32_t i = 0; i < N_ENGINES; i++) run.comparison.engines[i] = &ENGINES[i];
  run.comparison.n_engines = N_ENGINES;
  return run;
}

static void count(Run *run, const Outcome *outcome) {
  if (outcome->agreed) run->watch->passed++;
  else run->watch->failed++;
  for (uint32_t i = 0; i < 3; i++) run->n_blocks[i] += outcome->n[i];
  if (run->comparison.input == INPUT_NET) run->n_nets[outcome->kind]++;
  for (uint32_t i = 0; i < run->comparison.n_engines; i++) {
    const size_t engine = (size_t)(run->comparison.engines[i] - ENGINES);
    run->undecided[engine] += outcome->undecided[i];
    run->seconds[engine] += outcome->seconds[i];
  }
}

static const char *granularity_name(Granularity granularity) {
  return granularity == GRANULARITY_ACCESS ? "access" : "statement";
}

/* ---- random programs and nets ---- */

/* Where the seeds of programs start that only short proofs are tried on. */
enum { PROOF_SEEDS = 1 << 30 };

/* Every fourth program is tiny, every third one has its reads as events of their own. */
static RandomSize size_of(uint64_t seed) { return seed % 4 == 0 ? RANDOM_TINY : RANDOM_SMALL; }
static Granularity granularity_of(uint64_t seed) { return seed % 3 == 0 ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT; }

static void print_input(const Run *run, const char *what, uint64_t seed) {
  printf("%s%s seed %llu", what, run->comparison.input == INPUT_NET ? "net" : "program", (unsigned long long)seed);
  if (run->comparison.input == INPUT_SML) printf(", --granularity=%s", granularity_name(run->comparison.granularity));
  printf(": ");
}

static void report_failure(Run *run, uint64_t seed, const Outcome *outcome, CharVec *text) {
  print_input(run, "differential: FAILED: ", seed);
  printf("%s\n", outcome->text);
  if (outcome->legal) {
    compare_shrink(&run->comparison, run->heap, text);
    const Outcome small = compare_engines(&run->comparison, text->at, text->n);
    printf("shrunk: %s\n", small.text);
  }
  printf("----\n%.*s----\n", (int)text->n, text->at);
  fflush(stdout);
}

static void run_text(Run *run, uint64_t seed, CharVec *text) {
  char name[40];
  snprintf(name, sizeof name, "%s seed %llu", run->comparison.input == INPUT_NET ? "net" : "program",
           (unsigned long long)seed);
  watch_start(run->watch, seed, name);
  const Outcome outcome = compare_engines(&run->comparison, text->at, text->n);
  count(run, &outcome);
  if (run->verbose) {
    print_input(run, "", seed);
    printf("%u atomic, %u violated, %u unknown;", outcome.n[ANSWER_ATOMIC], outcome.n[ANSWER_VIOLATED],
           outcome.n[ANSWER_UNKNOWN]);
    for (uint32_t i = 0; i < run->comparison.n_engines; i++)
      printf(" %s %.4f", run->comparison.engines[i]->name, outcome.seconds[i]);
    printf("\n");
  }
  if (!outcome.agreed) report_failure(run, seed, &outcome, text);
}

static void run_program(Run *run, uint64_t seed, RandomSize size, Granularity granularity) {
  CharVec text = {0};
  random_sml(run->heap, seed, size, &text);
  run->comparison.input = INPUT_SML;
  run->comparison.tiny = size == RANDOM_TINY;
  run->comparison.granularity = granularity;
  run_text(run, seed, &text);
  vec_fini(run->heap, &text);
}

static void run_protocol(Run *run, uint64_t seed) {
  CharVec text = {0};
  random_protocol(run->heap, seed, &text);
  run->comparison.input = INPUT_SML;
  run->comparison.tiny = false;
  run->comparison.granularity = granularity_of(seed);
  run_text(run, seed, &text);
  vec_fini(run->heap, &text);
}

static void run_rich(Run *run, uint64_t seed) {
  CharVec text = {0};
  random_rich(run->heap, seed, false, &text);
  run->comparison.input = INPUT_SML;
  run->comparison.tiny = false;
  run->comparison.granularity = granularity_of(seed);
  run_text(run, seed, &text);
  vec_fini(run->heap, &text);
}

static void run_net(Run *run, uint64_t seed) {
  CharVec text = {0};
  random_units(run->heap, seed, &text);
  run->comparison.input = INPUT_NET;
  run->comparison.tiny = true;
  run_text(run, seed, &text);
  vec_fini(run->heap, &text);
}

static void show_seed(Heap *heap, uint64_t seed, Input input) {
  CharVec text = {0};
  if (input == INPUT_SML) random_sml(heap, seed, size_of(seed), &text);
  else random_units(heap, seed, &text);
  printf("%.*s", (int)text.n, text.at);
  vec_fini(heap, &text);
}

/* ---- files ---- */

static void compare_file(Run *run, const char *path, const InFile *file) {
  const Outcome outcome = compare_engines(&run->comparison, file->text, file->length);
  count(run, &outcome);
  if (run->verbose && run->comparison.input == INPUT_SML)
    printf("%s, --granularity=%s: %u atomic, %u violated, %u unknown\n", path,
           granularity_name(run->comparison.granularity), outcome.n[ANSWER_ATOMIC], outcome.n[ANSWER_VIOLATED],
           outcome.n[ANSWER_UNKNOWN]);
  if (outcome.agreed) return;
  printf("differential: FAILED: %s", path);
  if (run->comparison.input == INPUT_SML) printf(", --granularity=%s", granularity_name(run->comparison.granularity));
  printf(": %s\n", outcome.text);
}

static bool is_script(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".net") == 0;
}

static void run_file(Run *run, const char *path) {
  InFile file;
  Err err;
  watch_start(run->watch, 0, path);
  if (!file_read(run->heap, path, &file, &err)) {
    printf("differential: FAILED: %s\n", err.text);
    run->watch->failed++;
    return;
  }
  run->comparison.tiny = true;
  run->comparison.input = is_script(path) ? INPUT_NET : INPUT_SML;
  const Granularity last = is_script(path) ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS;
  for (Granularity i = GRANULARITY_STATEMENT; i <= last; i++) {
    run->comparison.granularity = i;
    compare_file(run, path, &file);
  }
  file_release(run->heap, &file);
}

/* ---- command line ---- */

static bool parse_seeds(const char *text, uint64_t *from, uint64_t *to) {
  char *end;
  *from = *to = strtoull(text, &end, 10);
  if (end == text) return false;
  if (*end == '-') {
    text = end + 1;
    *to = strtoull(text, &end, 10);
  }
  return end != text && *end == '\0' && *from <= *to;
}

/* Every fifth program is wide, every fifth one a protocol, every fifth one rich; the others are none that a run over
 * the same seeds without "proofs:" has. */
static void run_proof_seed(Run *run, uint64_t seed) {
  if (seed % 5 == 1) run_program(run, seed, RANDOM_WIDE, granularity_of(seed));
  else if (seed % 5 == 2) run_protocol(run, seed);
  else if (seed % 5 == 3) run_rich(run, seed);
  else run_program(run, seed + PROOF_SEEDS, size_of(seed), granularity_of(seed));
}

static void run_proofs(Run *run, uint64_t from, uint64_t to, void (*run_seed)(Run *run, uint64_t seed)) {
  const Comparison all = run->comparison;
  run->comparison.n_engines = 0;
  for (uint32_t i = 0; i < N_ENGINES; i++)
    if (ENGINES[i].for_proofs) run->comparison.engines[run->comparison.n_engines++] = &ENGINES[i];
  for (uint64_t seed = from; seed <= to; seed++) run_seed(run, seed);
  run->comparison = all;
}

static void run_operand(Run *run, const char *operand) {
  uint64_t from, to;
  const bool only_nets = strncmp(operand, "nets:", 5) == 0, only_proofs = strncmp(operand, "proofs:", 7) == 0,
             only_protocols = strncmp(operand, "protocols:", 10) == 0, only_rich = strncmp(operand, "rich:", 5) == 0;
  const char *seeds = only_nets || only_proofs || only_protocols || only_rich ? strchr(operand, ':') + 1 : operand;
  if (!parse_seeds(seeds, &from, &to)) {
    run_file(run, operand);
    return;
  }
  if (only_proofs || only_protocols || only_rich) {
    run_proofs(run, from, to, only_proofs ? run_proof_seed : only_rich ? run_rich : run_protocol);
    return;
  }
  for (uint64_t seed = from; seed <= to; seed++) {
    if (!only_nets) run_program(run, seed, size_of(seed), granularity_of(seed));
    run_net(run, seed);
  }
}

static void print_blocks(const Run *run) {
  if (run->verbose)
    for (uint32_t i = 0; i < run->comparison.n_engines; i++)
      printf("differential: %8.2f s, %6llu blocks unknown: %s\n", run->seconds[i],
             (unsigned long long)run->undecided[i], run->comparison.engines[i]->name);
  printf("differential: nets: %llu good, %llu refused, %llu not 1-safe\n", (unsigned long long)run->n_nets[NET_GOOD],
         (unsigned long long)run->n_nets[NET_REFUSED], (unsigned long long)run->n_nets[NET_UNSAFE]);
  printf("differential: blocks: %llu atomic, %llu violated, %llu unknown\n",
         (unsigned long long)run->n_blocks[ANSWER_ATOMIC], (unsigned long long)run->n_blocks[ANSWER_VIOLATED],
         (unsigned long long)run->n_blocks[ANSWER_UNKNOWN]);
}

static bool run_operands(void *context) {
  Run *run = context;
  for (char **operand = run->operands; *operand; operand++) run_operand(run, *operand);
  print_blocks(run);
  heap_free(run->heap);
  return true;
}

static int run_watched(Run *run) {
  char reason[100];
  Watch *watch = run->watch;
  if (!watch_run(watch, run_operands, run, reason)) {
    printf("differential: FAILED: %s: %s\n", watch->name, reason);
    watch->failed++;
  }
  printf("differential: %llu passed, %llu failed, 0 skipped\n", (unsigned long long)watch->passed,
         (unsigned long long)watch->failed);
  return watch->failed ? 1 : 0;
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  uint64_t from, to;
  if (argc < 2 + verbose) {
    fputs(
        "usage: differential [-v] FROM-TO|[nets|proofs|protocols|rich]:FROM-TO|FILE... | --show=SEED | --show-net=SEED\n",
        stderr);
    return 3;
  }
  Heap *heap = heap_new(0);
  Watch *watch = watch_new();
  if (!heap || !watch) return 4;
  const bool show = strncmp(argv[1], "--show=", 7) == 0, show_net = strncmp(argv[1], "--show-net=", 11) == 0;
  if ((show || show_net) && parse_seeds(strchr(argv[1], '=') + 1, &from, &to)) {
    show_seed(heap, from, show ? INPUT_SML : INPUT_NET);
    heap_free(heap);
    return 0;
  }
  Run run = new_run(heap, watch, verbose, argv + 1 + verbose);
  const int code = run_watched(&run);
  heap_free(heap);
  return code;
}
