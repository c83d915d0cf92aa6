#include "ask/atomic_proof.h"

#include "petri/safe.h"
#include "unfold/certificate_write.h"

/* That the program's net is 1-safe: nothing, if counting shows it; else a prefix, which was made once before, when it
 * was asked whether the net is safe. */
static bool write_safety(Question *q) {
  if (q->wrote_safety || net_is_safe(q->heap, q->net)) return true;
  Prefix *prefix = unfold(q->heap, q->net, &(UnfoldOptions){.order = UNFOLD_ERV}, q->err);
  if (!prefix) return question_fail(q);
  const bool good = prefix->status == UNFOLD_COMPLETE;
  if (good) certificate_prefix(q->options->certificate, prefix, UNFOLD_ERV);
  else heap_poll_asked(q->heap);
  prefix_free(prefix);
  q->wrote_safety = true;
  return good || (err_set(q->err, ERR_CHECK, "the net could not be shown to be 1-safe again"), question_fail(q));
}

static bool has_red(const Question *q, const bool *blocks) {
  bool any = false;
  for (uint32_t b = 0; b < q->net->notes->n_blocks; b++)
    any = any || (blocks[b] && colour_result_red(q->unfolding.coloured, b).v != PLACE_NONE.v);
  return any;
}

/* What follows is about these threads alone. */
static void write_part(const Question *q) {
  const UnfoldingPlan *plan = q->unfolding.plan;
  if (!plan->threads || plan->n_threads == q->net->notes->n_threads) return;
  fputs("part", q->options->certificate);
  for (uint32_t i = 0; i < plan->n_threads; i++) fprintf(q->options->certificate, " %u", plan->threads[i] + 1);
  fputc('\n', q->options->certificate);
}

bool atomic_proof_write(Question *q, const bool *blocks) {
  const Unfolding *u = &q->unfolding;
  FILE *out = q->options->certificate;
  question_begin_proof(q);
  if (!write_safety(q)) return false;
  write_part(q);
  if (!colour_certify(u->coloured, blocks, u->part.place, out, q->err)) return question_fail(q);
  if (has_red(q, blocks)) certificate_prefix(out, u->prefix, q->options->order);
  question_end_proof(q);
  for (uint32_t i = 0; i < q->result->n_blocks; i++)
    if (blocks[q->result->blocks[i].block]) q->result->blocks[i].is_proved = true;
  return true;
}
