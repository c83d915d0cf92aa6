/* certainty.h: how sure it is that a pattern of two transactions (blocks.h) means what it seems to mean.
 *
 * CERTAIN_ALONE: the transactions of the pattern, taken by themselves, have a trace in which the events come so. That
 * is Theorem 5.1 of Wang and Stoller: locking is nested, there is no potential deadlock between the two lives, and no
 * fork or join among the events. Or else, where they begin without locks, progress.h shows it. (The other way round
 * progress.h decides nothing: the pattern is one of classes, and others of these may have such a trace.) Nothing is
 * certain where the order between lives was not kept (fork_order.h).
 *
 * The other transactions may hide it. In
 *
 *     t: W(x)   begin R(x) W(x) end     t': W(x)
 *
 * the write of t' can come between R(x) and W(x), which no order of these two explains; but t's first write can follow
 * that of t', and be read: t' W(x) R(x) W(x) has the same reads and the same last write as each trace with the three in
 * between. All three together are atomic.
 *
 * CERTAIN_WHOLE: the whole run's set of transactions has a trace that is not serializable. First, a trace of all of
 * them must have the two side by side, no other event among theirs. It has if both begin with no lock held, and neither
 * forks or joins; if nothing else can get stuck: there is no potential deadlock at all, and nobody forks, joins or ends
 * with a lock held, so that all that comes before the two can be done before them, and what is left behind them.
 * Second, no order of all transactions has the same view:
 *
 *   - UP1: the access between reads a write that is not the last one of its transaction. UP2: two first reads of one
 *     transaction read from different writes. UP3: a transaction reads another one's write instead of its own. No
 * serial trace has any of that, whatever else is in it.
 *   - UP4 where the other transaction, too, has a first read of the variable: either both read from the same write w,
 * and both write; in a serial trace the later one of the two would read from the earlier one, or from a write after
 * it, and so would w be after the earlier one, which reads from w. Or the split one reads a write of the other that is
 * not its last.
 *   - Any pattern, if no other transaction writes a variable of it: the reads of the two, and the last writes, depend
 * on these two alone then. */
#ifndef PREDICT_ANALYSIS_CERTAINTY_H
#define PREDICT_ANALYSIS_CERTAINTY_H

#include "predict/analysis/blocks.h"
#include "predict/analysis/progress.h"

/* One of the two transactions: its shape (SHAPE_NONE: a single access), its life, and its first and last access in the
 * pattern, which may be the same, and of a shape their steps. */
typedef struct {
  ShapeId shape;
  const ShapeAccess *first, *last;
  uint32_t steps[2];
} CertainPart;

/* `split` is split by `other`; `crossing`: the last event of the pattern is of `other`. What is looked at is taken from
 * *budget. */
Certainty certainty_of(Shapes *shapes, Pattern pattern, const CertainPart *split, const CertainPart *other,
                       bool crossing, uint64_t *budget);

/* Can nothing but the two of a pattern keep a trace from going on to its end? The part of the above that is the run's.
 */
bool certainty_is_free(const Shapes *shapes);

#endif
