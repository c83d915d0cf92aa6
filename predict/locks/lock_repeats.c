#include "predict/locks/lock_repeats.h"

#include <string.h>

/* Some blocks, one after another: their steps and labels. */
typedef struct {
  LockStep *steps;
  const TransactionLabel *labels;
  uint32_t n_steps, n_labels;
} Blocks;

static Blocks blocks_from(const Life *life, uint32_t first, uint32_t end) {
  const BlockStart from = life->starts[first];
  const BlockStart to = end < life->n_starts ? life->starts[end] : (BlockStart){life->steps.n, life->labels.n};
  return (Blocks){life->steps.at + from.step, life->labels.at + from.label, to.step - from.step, to.label - from.label};
}

static bool are_equal_steps(const LockStep *a, const LockStep *b) {
  return a->op == b->op && a->object == b->object && a->location == b->location && !a->stop && !b->stop;
}

/* Transactions are counted from the first one. */
static bool are_equal(Blocks a, Blocks b) {
  if (a.n_steps != b.n_steps || a.n_labels != b.n_labels) return false;
  const uint32_t first = a.steps->transaction, other = b.steps->transaction;
  for (uint32_t i = 0; i < a.n_steps; i++)
    if (!are_equal_steps(&a.steps[i], &b.steps[i]) || a.steps[i].transaction - first != b.steps[i].transaction - other)
      return false;
  for (uint32_t i = 0; i < a.n_labels; i++)
    if (a.labels[i].label != b.labels[i].label || a.labels[i].transaction - first != b.labels[i].transaction - other)
      return false;
  return true;
}

/* No lock, or one that comes first. */
static bool are_simple(Blocks blocks) {
  uint32_t lock = TRACE_NONE;
  for (uint32_t i = 0; i < blocks.n_steps; i++) {
    if (blocks.steps[i].op != STEP_ACQUIRE) continue;
    if (lock == TRACE_NONE ? i > 0 : blocks.steps[i].object != lock) return false;
    lock = blocks.steps[i].object;
  }
  return true;
}

/* Leaves out those in the middle, if the last `period` blocks, those before them, and those before these are equal. */
static bool leave_out(Life *life, uint32_t period) {
  const uint32_t n = life->n_starts;
  if (n < 3 * period) return false;
  const Blocks first = blocks_from(life, n - 3 * period, n - 2 * period),
               middle = blocks_from(life, n - 2 * period, n - period), last = blocks_from(life, n - period, n);
  if (!are_equal(middle, last) || !are_equal(first, middle) || !are_simple(last)) return false;
  memmove(middle.steps, last.steps, last.n_steps * sizeof *last.steps);
  life->steps.n -= last.n_steps;
  if (last.n_labels)
    memmove(life->labels.at + life->starts[n - 2 * period].label, last.labels, last.n_labels * sizeof *last.labels);
  life->labels.n -= last.n_labels;
  life->n_starts -= period;
  return true;
}

void lock_repeats_end_block(Life *life) {
  const BlockStart none = {0, 0};
  if (life->n_starts == 0) life->starts[life->n_starts++] = none;
  BlockStart *current = &life->starts[life->n_starts - 1];
  if (current->step == life->steps.n) {
    life->labels.n = current->label;
    return;
  }
  for (uint32_t period = 1; period <= REPEATS_PERIOD; period++)
    if (leave_out(life, period)) break;
  if (life->n_starts == REPEATS_STARTS) {
    life->n_starts--;
    memmove(life->starts, life->starts + 1, life->n_starts * sizeof *life->starts);
  }
  life->starts[life->n_starts++] = (BlockStart){life->steps.n, life->labels.n};
}
