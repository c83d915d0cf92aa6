#include "ask/safety.h"

#include "check/run_proof.h"
#include "petri/safe.h"
#include "unfold/unfold.h"

#include <stdio.h>

#define UNSURE "cannot tell whether the net is 1-safe: "

/* What is passed through heap_try. */
typedef struct {
  Heap *heap;
  const Net *net;
  uint64_t max_events;
  bool *proved;
  Prefix *prefix;
  Verdict verdict;
  char limit[100]; /* that the unfolding has reached */
  Err *err;
  bool good;
} Asking;

static bool is_replayed(const Asking *a, Err *err) {
  const Prefix *prefix = a->prefix;
  RunProof proof;
  bool good = true;
  run_proof_init(&proof, a->heap, a->net);
  for (uint32_t i = 0; good && i < prefix->n_unsafe_run; i++) good = run_proof_step(&proof, prefix->unsafe_run[i], err);
  good = good && run_proof_unsafe(&proof, prefix->unsafe_place, err);
  run_proof_fini(&proof);
  return good;
}

static bool refuse(const Asking *a) {
  const uint32_t n = a->prefix->n_unsafe_run;
  if (!is_replayed(a, a->err)) return false;
  return err_set(
      a->err, ERR_INPUT,
      "the net is not 1-safe: a run of %u step%s puts a second token on place '%.200s' (netunfold prints it)", n,
      n == 1 ? "" : "s", a->net->place_name[a->prefix->unsafe_place.v]);
}

static void unfold_net(Asking *a) {
  a->prefix = unfold(a->heap, a->net, &(UnfoldOptions){.max_events = a->max_events}, a->err);
  if (!a->prefix) {
    a->good = false;
    return;
  }
  prefix_explain(a->prefix, a->limit, sizeof a->limit);
  if (a->prefix->status == UNFOLD_COMPLETE) a->verdict = VERDICT_HOLDS;
  if (a->prefix->status == UNFOLD_NOT_SAFE) a->good = refuse(a);
}

static void body(void *argument) {
  Asking *a = argument;
  a->proved = heap_alloc(a->heap, heap_product(a->heap, a->net->n_places, sizeof *a->proved));
  if (net_prove_safe(a->heap, a->net, a->proved)) a->verdict = VERDICT_HOLDS;
  else unfold_net(a);
}

bool safety_check(Heap *heap, const Net *net, uint64_t max_events, Verdict *verdict, char *why, size_t room, Err *err) {
  Asking a = {.heap = heap, .net = net, .max_events = max_events, .verdict = VERDICT_UNKNOWN, .err = err, .good = true};
  const bool ended = heap_try(heap, body, &a); /* if not, what it had is given back with the heap */
  if (!ended) heap_explain(heap, heap_why(heap), a.limit, sizeof a.limit);
  if (ended) prefix_free(a.prefix);
  if (ended) heap_release(heap, a.proved);
  if (!a.good) return false;
  if (a.verdict == VERDICT_UNKNOWN) snprintf(why, room, UNSURE "%s", a.limit);
  *verdict = a.verdict;
  return true;
}
