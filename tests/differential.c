/* differential.c: gives programs to all engines (engines.h) and reports where they do not agree.
 *
 *     differential [-v] FROM-TO      random programs, by their seeds; what fails is shrunk and printed
 *     differential [-v] FILE...      SML programs, in both granularities
 *     differential --show=SEED       prints a random program
 *
 * The last lines are how many blocks are atomic, violated and unknown, and "differential: N passed, N failed", counting
 * programs. Exit 1 if one failed, 3 on a usage error. */
#include "base/file.h"
#include "tests/compare.h"
#include "tests/oracle/random_sml.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Heap *heap;
  Comparison comparison;
  bool verbose;
  uint64_t n_passed, n_failed, n_blocks[3], undecided[COMPARE_MAX_ENGINES];
  double seconds[COMPARE_MAX_ENGINES];
} Run;

static Run new_run(Heap *heap, bool verbose) {
  Run run = {.heap = heap, .verbose = verbose};
  for (uint32_t i = 0; i < N_ENGINES; i++) run.comparison.engines[i] = &ENGINES[i];
  run.comparison.n_engines = N_ENGINES;
  return run;
}

static void count(Run *run, const Outcome *outcome) {
  if (outcome->agreed)
    run->n_passed++;
  else
    run->n_failed++;
  for (uint32_t i = 0; i < 3; i++) run->n_blocks[i] += outcome->n[i];
  for (uint32_t i = 0; i < run->comparison.n_engines; i++) {
    run->undecided[i] += outcome->undecided[i];
    run->seconds[i] += outcome->seconds[i];
  }
}

static const char *granularity_name(Granularity granularity) {
  return granularity == GRANULARITY_ACCESS ? "access" : "statement";
}

/* ---- random programs ---- */

/* Every fourth program is tiny, every third one has its reads as events of their own. */
static RandomSize size_of(uint64_t seed) { return seed % 4 == 0 ? RANDOM_TINY : RANDOM_SMALL; }

static void report_failure(Run *run, uint64_t seed, const Outcome *outcome, CharVec *text) {
  printf("differential: seed %llu, --granularity=%s: %s\n", (unsigned long long)seed,
         granularity_name(run->comparison.granularity), outcome->text);
  if (outcome->legal) {
    compare_shrink(&run->comparison, run->heap, text);
    const Outcome small = compare_engines(&run->comparison, text->at, text->n);
    printf("shrunk: %s\n", small.text);
  }
  printf("----\n%.*s----\n", (int)text->n, text->at);
  fflush(stdout);
}

static void run_seed(Run *run, uint64_t seed) {
  CharVec text = {0};
  random_sml(run->heap, seed, size_of(seed), &text);
  run->comparison.tiny = size_of(seed) == RANDOM_TINY;
  run->comparison.granularity = seed % 3 == 0 ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT;
  const Outcome outcome = compare_engines(&run->comparison, text.at, text.n);
  count(run, &outcome);
  if (run->verbose) {
    printf("seed %llu: %u atomic, %u violated, %u unknown;", (unsigned long long)seed, outcome.n[ANSWER_ATOMIC],
           outcome.n[ANSWER_VIOLATED], outcome.n[ANSWER_UNKNOWN]);
    for (uint32_t i = 0; i < run->comparison.n_engines; i++)
      printf(" %s %.4f", run->comparison.engines[i]->name, outcome.seconds[i]);
    printf("\n");
  }
  if (!outcome.agreed) report_failure(run, seed, &outcome, &text);
  vec_fini(run->heap, &text);
}

static void show_seed(Heap *heap, uint64_t seed) {
  CharVec text = {0};
  random_sml(heap, seed, size_of(seed), &text);
  printf("%.*s", (int)text.n, text.at);
  vec_fini(heap, &text);
}

/* ---- files ---- */

static void run_file(Run *run, const char *path) {
  InFile file;
  Err err;
  if (!file_read(run->heap, path, &file, &err)) {
    printf("differential: %s\n", err.text);
    run->n_failed++;
    return;
  }
  run->comparison.tiny = true;
  for (uint32_t i = 0; i < 2; i++) {
    run->comparison.granularity = i ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT;
    const Outcome outcome = compare_engines(&run->comparison, file.text, file.length);
    count(run, &outcome);
    if (!outcome.agreed)
      printf("differential: %s, --granularity=%s: %s\n", path, granularity_name(run->comparison.granularity),
             outcome.text);
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

static void run_operand(Run *run, const char *operand) {
  uint64_t from, to;
  if (!parse_seeds(operand, &from, &to)) {
    run_file(run, operand);
    return;
  }
  for (uint64_t seed = from; seed <= to; seed++) run_seed(run, seed);
}

static void print_totals(const Run *run) {
  if (run->verbose)
    for (uint32_t i = 0; i < run->comparison.n_engines; i++)
      printf("differential: %8.2f s, %6llu blocks unknown: %s\n", run->seconds[i],
             (unsigned long long)run->undecided[i], run->comparison.engines[i]->name);
  printf("differential: blocks: %llu atomic, %llu violated, %llu unknown\n",
         (unsigned long long)run->n_blocks[ANSWER_ATOMIC], (unsigned long long)run->n_blocks[ANSWER_VIOLATED],
         (unsigned long long)run->n_blocks[ANSWER_UNKNOWN]);
  printf("differential: %llu passed, %llu failed\n", (unsigned long long)run->n_passed,
         (unsigned long long)run->n_failed);
}

int main(int argc, char **argv) {
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  uint64_t from, to;
  if (argc < 2 + verbose) return fprintf(stderr, "usage: differential [-v] FROM-TO|FILE... | --show=SEED\n"), 3;
  Heap *heap = heap_new(0);
  if (!heap) return 4;
  if (strncmp(argv[1], "--show=", 7) == 0 && parse_seeds(argv[1] + 7, &from, &to)) {
    show_seed(heap, from);
    heap_free(heap);
    return 0;
  }
  Run run = new_run(heap, verbose);
  for (int i = 1 + verbose; i < argc; i++) run_operand(&run, argv[i]);
  print_totals(&run);
  heap_free(heap);
  return run.n_failed ? 1 : 0;
}
