/* The first byte chooses a net, the others are a certificate of it. No false claim is accepted: what holds is known,
 * since the nets are small and all their markings can be looked at. */
#include "check/certificate_judge.h"
#include "frontend/sml/sml.h"
#include "tests/oracle/reach.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Not atomic; atomic; with a deadlock. */
static const char *const PROGRAMS[] = {
    "int X; begin X := X + 1 x := X end || X := 2",
    "int X; lock l; acquire(l) begin X := 1 x := X end release(l) || acquire(l) X := 2 release(l)",
    "lock l, m; acquire(l) acquire(m) release(m) release(l) || acquire(m) acquire(l) release(l) release(m)",
};
enum { N_PROGRAMS = sizeof PROGRAMS / sizeof *PROGRAMS };

static Net *compile(Heap *heap, const char *text) {
  const SmlOptions options = {.granularity = GRANULARITY_STATEMENT, .encoding = ENCODING_COMPACT};
  Diag diag;
  diag_init(&diag, heap, "program", text, strlen(text));
  Net *net = sml_compile(heap, &options, &diag);
  diag_fini(&diag);
  return net;
}

/* ---- what is true ---- */

static bool covers(const Reach *reach, uint32_t m, const uint32_t *places, uint32_t n) {
  bool all = true;
  for (uint32_t i = 0; i < n; i++) all = all && marking_has(reach_marking(reach, m), (PlaceId){places[i]});
  return all;
}

static bool covered(const Reach *reach, const uint32_t *places, uint32_t n) {
  bool any = false;
  for (uint32_t m = 0; m < reach->n_markings; m++) any = any || covers(reach, m, places, n);
  return any;
}

static bool can_fire(const Reach *reach, TransId t) {
  bool any = false;
  for (uint32_t m = 0; m < reach->n_markings; m++) any = any || token_enabled(reach->net, reach_marking(reach, m), t);
  return any;
}

static bool is_marked(const void *marking, PlaceId place) { return marking_has(marking, place); }

static bool satisfied(Heap *heap, const Reach *reach, const Formula *formula) {
  bool *values = heap_alloc(heap, formula->parts.n * sizeof *values), any = false;
  for (uint32_t m = 0; m < reach->n_markings; m++)
    any = any || formula_holds(formula, is_marked, reach_marking(reach, m), values);
  heap_release(heap, values);
  return any;
}

/* Is one of the transitions next to the place one of the thread? */
static bool is_of_thread(const Net *net, uint32_t p, uint32_t thread) {
  const TransList lists[] = {net_producers(net, (PlaceId){p}), net_consumers(net, (PlaceId){p})};
  for (int l = 0; l < 2; l++)
    for (uint32_t i = 0; i < lists[l].n; i++)
      if (net->notes->transitions[lists[l].at[i].v].thread == thread) return true;
  return false;
}

/* Do they belong to no thread both? */
static bool are_two(const Net *net, uint32_t p, uint32_t q) {
  for (uint32_t t = 0; t < net->notes->n_threads; t++)
    if (is_of_thread(net, p, t) && is_of_thread(net, q, t)) return false;
  return true;
}

static bool are_apart(const Reach *reach, const uint32_t *places, uint32_t first, uint32_t n) {
  for (uint32_t i = 0; i < first; i++)
    for (uint32_t k = first; k < n; k++) {
      const uint32_t both[] = {places[i], places[k]};
      if (are_two(reach->net, places[i], places[k]) && covered(reach, both, 2)) return false;
    }
  return true;
}

static bool thread_is_over(const Reach *reach, uint32_t m, uint32_t thread, const uint32_t *places, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (marking_has(reach_marking(reach, m), (PlaceId){places[i]}) && is_of_thread(reach->net, places[i], thread))
      return true;
  return false;
}

static bool are_over(const Reach *reach, const uint32_t *places, uint32_t n) {
  for (uint32_t m = 0; m < reach->n_markings; m++) {
    bool dead = true;
    for (uint32_t t = 0; t < reach->net->n_trans; t++)
      dead = dead && !token_enabled(reach->net, reach_marking(reach, m), (TransId){t});
    for (uint32_t t = 0; dead && t < reach->net->notes->n_threads; t++)
      if (!thread_is_over(reach, m, t, places, n)) return false;
  }
  return true;
}

static bool is_true(Heap *heap, const Reach *reach, uint32_t program, const CertificateReport *report,
                    const Claim *claim) {
  const uint32_t *n = report->numbers.at + claim->first;
  switch (claim->kind) {
  case CLAIM_RUN:
  case CLAIM_COMPLETE: return true;
  case CLAIM_COVERS: return covered(reach, n, claim->n);
  case CLAIM_UNCOVERED: return !covered(reach, n, claim->n);
  case CLAIM_FIRES: return can_fire(reach, (TransId){*n});
  case CLAIM_DEAD: return !can_fire(reach, (TransId){*n});
  case CLAIM_DEADLOCK: return reach_find_deadlock(reach) != REACH_NONE;
  case CLAIM_UNSAFE: return false;
  case CLAIM_SATISFIES: return satisfied(heap, reach, &report->formulas.at[*n]);
  case CLAIM_NEVER: return !satisfied(heap, reach, &report->formulas.at[*n]);
  case CLAIM_SPLITS: return program == 0;
  case CLAIM_ATOMIC: return program != 0;
  case CLAIM_EVERY: return false; /* none of them leaves a number open */
  case CLAIM_AWAY:
    for (uint32_t i = 0; i < claim->n; i++)
      if (covered(reach, n + i, 1)) return false;
    return true;
  case CLAIM_APART: return are_apart(reach, n, claim->size, claim->n);
  case CLAIM_OVER: return are_over(reach, n, claim->n);
  case CLAIM_SLICE: return program != 0 || claim->n == 3; /* it takes both threads */
  }
  return false;
}

static void check_claims(Heap *heap, const Net *net, uint32_t program, const CertificateReport *report) {
  Reach *reach = reach_explore(heap, net, 100000);
  fuzz_claim(reach->complete, "the nets are small");
  for (uint32_t i = 0; i < report->claims.n; i++)
    fuzz_claim(is_true(heap, reach, program, report, &report->claims.at[i]), "a claim that was accepted is true");
  reach_free(reach);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  if (!input->length) return;
  const uint32_t program = input->bytes[0] % N_PROGRAMS;
  const InFile file = {(char *)(uintptr_t)(input->bytes + 1), input->length - 1, "input"};
  Net *net = compile(input->heap, PROGRAMS[program]);
  CertificateReport report;
  Err err;
  const Verdict verdict = certificate_judge(input->heap, net, &file, &report, &err);
  if (verdict == VERDICT_HOLDS) check_claims(input->heap, net, program, &report);
  certificate_judge_report_fini(&report);
  net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
