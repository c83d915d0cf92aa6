#include "ask/atomic_proof.h"

#include "base/file.h"
#include "petri/safe.h"
#include "unfold/certificate_write.h"

static bool is_safe_by_counting(Heap *heap, const Net *net) {
  bool *proved = heap_zeroed(heap, (size_t)net->n_places + 1);
  const bool safe = net_prove_safe(heap, net, proved);
  heap_release(heap, proved);
  return safe;
}

/* That the program's net is 1-safe: nothing, if counting shows it; else a prefix, which was made once before, when it
 * was asked whether the net is safe. */
static bool print_safety(const AtomicProof *proof, FILE *out, Err *err) {
  const Net *net = colour_program(proof->coloured);
  if (is_safe_by_counting(proof->heap, net)) return true;
  Prefix *prefix = unfold(proof->heap, net, &(UnfoldOptions){.order = UNFOLD_ERV}, err);
  if (!prefix) return false;
  const bool good = prefix->status == UNFOLD_COMPLETE;
  if (good) certificate_prefix(out, prefix, UNFOLD_ERV);
  else if (prefix->status == UNFOLD_CANCELLED) heap_poll_asked(proof->heap);
  prefix_free(prefix);
  return good || err_set(err, ERR_CHECK, "the program's net is not seen to be 1-safe again");
}

static bool print_whole(const AtomicProof *proof, FILE *out, Err *err) {
  certificate_begin(out, colour_program(proof->coloured));
  if (!print_safety(proof, out, err) || !colour_certify(proof->coloured, out, err)) return false;
  certificate_prefix(out, proof->prefix, proof->order);
  return true;
}

static void print_coloured(const AtomicProof *proof, FILE *out) {
  certificate_begin(out, proof->prefix->net);
  certificate_prefix(out, proof->prefix, proof->order);
  for (uint32_t i = 0; i < proof->n_red; i++) certificate_claim(out, CERTIFY_UNCOVERED, &proof->red[i].v, 1);
}

bool atomic_proof_print(const AtomicProof *proof, FILE *out, Err *err) {
  if (colour_way(proof->coloured) != COLOURING_CHAIN) print_coloured(proof, out);
  else if (!print_whole(proof, out, err)) return false;
  certificate_end(out);
  return true;
}

static bool print(void *argument, FILE *out, Err *err) {
  const AtomicProof *proof = argument;
  return atomic_proof_print(proof, out, err);
}

bool atomic_proof_write(const AtomicProof *proof, const char *path, Err *err) {
  AtomicProof copy = *proof;
  return file_write(proof->heap, path, print, &copy, err);
}
