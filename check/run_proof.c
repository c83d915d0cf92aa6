#include "check/run_proof.h"

#include "check/witness.h"
#include "petri/token.h"

void run_proof_init(RunProof *proof, Heap *heap, const Net *net) {
  *proof = (RunProof){.heap = heap, .net = net};
  proof->marking = heap_zeroed(heap, heap_product(heap, marking_words(net), sizeof *proof->marking));
  token_initial(net, proof->marking);
}

void run_proof_fini(RunProof *proof) {
  vec_fini(proof->heap, &proof->steps);
  vec_fini(proof->heap, &proof->twice);
  heap_release(proof->heap, proof->marking);
  *proof = (RunProof){.heap = proof->heap};
}

static bool check_enabled(const RunProof *proof, TransId trans, Err *err) {
  const PlaceList pre = net_pre(proof->net, trans);
  for (uint32_t i = 0; i < pre.n; i++)
    if (!marking_has(proof->marking, pre.at[i]))
      return err_set(err, ERR_CHECK, "step %u ('%.200s') cannot fire: no token on '%.200s'", proof->steps.n + 1,
                     proof->net->trans_name[trans.v], proof->net->place_name[pre.at[i].v]);
  return true;
}

bool run_proof_step(RunProof *proof, TransId trans, Err *err) {
  if (trans.v >= proof->net->n_trans)
    return err_set(err, ERR_CHECK, "step %u is not a transition of the net", proof->steps.n + 1);
  const PlaceList pre = net_pre(proof->net, trans), post = net_post(proof->net, trans);
  if (!run_proof_safe(proof, err) || !check_enabled(proof, trans, err)) return false;
  for (uint32_t i = 0; i < pre.n; i++) bitset_remove(proof->marking, pre.at[i].v);
  for (uint32_t i = 0; i < post.n; i++) {
    if (marking_has(proof->marking, post.at[i])) vec_push(proof->heap, &proof->twice, post.at[i]);
    bitset_add(proof->marking, post.at[i].v);
  }
  vec_push(proof->heap, &proof->steps, trans);
  return true;
}

bool run_proof_covers(const RunProof *proof, const PlaceId *places, uint32_t n, Err *err) {
  for (uint32_t i = 0; i < n; i++)
    if (!marking_has(proof->marking, places[i]))
      return err_set(err, ERR_CHECK, "'%.200s' is not marked after the run", proof->net->place_name[places[i].v]);
  return true;
}

/* A part whose own parts have their values. */
static bool part_holds(const RunProof *proof, const Formula *formula, const FormulaPart *part, bool *values) {
  uint32_t n = 0;
  switch (part->kind) {
  case FORMULA_NOT: return !values[part->left];
  case FORMULA_AND: return values[part->left] & values[part->right];
  case FORMULA_OR: return values[part->left] | values[part->right];
  case FORMULA_SUM: break;
  }
  for (uint32_t i = part->first; i < part->first + part->n_summands; i++)
    n += marking_has(proof->marking, formula->places.at[i]);
  return n >= part->bound;
}

bool run_proof_satisfies(const RunProof *proof, const Formula *formula, Err *err) {
  bool *values = heap_alloc(proof->heap, formula->parts.n), good = false;
  for (uint32_t i = 0; i < formula->parts.n; i++)
    good = values[i] = part_holds(proof, formula, &formula->parts.at[i], values);
  heap_release(proof->heap, values);
  return good || err_set(err, ERR_CHECK, "the formula does not hold after the run");
}

bool run_proof_fires(const RunProof *proof, TransId trans, Err *err) {
  if (proof->steps.n && vec_last(&proof->steps).v == trans.v) return true;
  return err_set(err, ERR_CHECK, "'%.200s' is not the last step of the run", proof->net->trans_name[trans.v]);
}

bool run_proof_deadlock(const RunProof *proof, Err *err) {
  for (uint32_t t = 0; t < proof->net->n_trans; t++)
    if (token_enabled(proof->net, proof->marking, (TransId){t}))
      return err_set(err, ERR_CHECK, "'%.200s' is enabled after the run", proof->net->trans_name[t]);
  return true;
}

bool run_proof_unsafe(const RunProof *proof, PlaceId place, Err *err) {
  for (uint32_t i = 0; i < proof->twice.n; i++)
    if (proof->twice.at[i].v == place.v) return true;
  return err_set(err, ERR_CHECK, "the last step does not put a second token on '%.200s'",
                 proof->net->place_name[place.v]);
}

bool run_proof_splits(const RunProof *proof, uint32_t block, Err *err) {
  Witness witness;
  if (!witness_judge(proof->heap, proof->net, block, proof->steps.at, proof->steps.n, &witness, err)) return false;
  witness_fini(&witness);
  return true;
}

bool run_proof_safe(const RunProof *proof, Err *err) {
  if (!proof->twice.n) return true;
  return err_set(err, ERR_CHECK, "step %u ('%.200s') puts a second token on '%.200s'", proof->steps.n,
                 proof->net->trans_name[vec_last(&proof->steps).v], proof->net->place_name[proof->twice.at[0].v]);
}
