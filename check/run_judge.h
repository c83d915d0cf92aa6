/* run_judge.h: is a cycle of transactions really one of the run? Looks at the run itself, and shares nothing with what
 * found the cycle.
 *
 * A cycle is claimed by numbers of events alone: of the first event of each transaction, and of the two events of each
 * edge. The judge sees the run once more, keeps what those events are, and then decides whether each edge leads from
 * one transaction to the next and is an order that no equivalent run can change. That is enough: a run with such a
 * cycle has no equivalent serial one. */
#ifndef CHECK_RUN_JUDGE_H
#define CHECK_RUN_JUDGE_H

#include "base/err.h"
#include "base/heap.h"

#include <stdint.h>

/* What an event does, in the judge's own words. */
typedef enum {
  JUDGE_READ,
  JUDGE_WRITE,
  JUDGE_ACQUIRE,
  JUDGE_RELEASE,
  JUDGE_FORK,
  JUDGE_JOIN,
  JUDGE_BEGIN,
  JUDGE_END,
  JUDGE_START,
  JUDGE_EXIT,
  JUDGE_FREE,
  JUDGE_UPDATE, /* a read and a write in one */
  JUDGE_SHARED_ACQUIRE,
  JUDGE_SHARED_RELEASE,
  JUDGE_TRY,
  JUDGE_SHARED_TRY,
  JUDGE_SIGNAL,
  JUDGE_WAIT
} JudgeOp; /* ORDER TraceOp */

/* An event of the run. */
typedef struct {
  uint32_t thread, object; /* object: of fork and join the other thread */
  JudgeOp op;
} JudgeEvent;

/* Why one transaction must come before another, as it is claimed. */
typedef enum {
  JUDGE_BY_CONFLICT, /* two accesses to an object, one of which writes, that do not commute */
  JUDGE_BY_ORDER,    /* two events of a thread */
  JUDGE_BY_FORK,     /* a fork, and an event of the thread */
  JUDGE_BY_JOIN,     /* an event of a thread, or its fork, and its join */
  JUDGE_BY_HANDOVER, /* a signal, and a wait for its group */
  JUDGE_NOT_TOLD     /* transactions are left out: taken as it is */
} JudgeReason;       /* ORDER MonitorEdgeKind */

/* An edge of a claimed cycle, from one event to another. */
typedef struct {
  JudgeReason reason;
  uint64_t from, to; /* events, from 0 */
} JudgeEdge;

/* Edge i leads from transaction i to the next one, the last one to transaction 0. */
typedef struct {
  uint32_t n;
  const uint64_t *transactions; /* their first events */
  const JudgeEdge *edges;
} JudgeCycle;

/* What counts as an edge, and as a transaction. */
typedef struct {
  bool lock_conflicts; /* operations on a lock write it, shared ones read it, and hand-overs are order */
  bool causal;         /* transaction 0 is the only one; all events outside of it are by themselves */
} JudgeOptions;

/* The judge of some cycles of one run. */
typedef struct RunJudge RunJudge;

/* The cycles are not copied. */
RunJudge *run_judge_new(Heap *heap, const JudgeCycle *cycles, uint32_t n, const JudgeOptions *options);
void run_judge_free(RunJudge *judge); /* NULL is allowed */

/* The next event of the run. False if no more of them are needed. */
bool run_judge_see(RunJudge *judge, const JudgeEvent *event);
/* The same of an event in a call that commutes with others: accesses with the same `call` do not conflict; 0: none. */
bool run_judge_see_call(RunJudge *judge, const JudgeEvent *event, uint32_t call);

/* Instead of the run, where it cannot be had again: what an event is said to be, and the first event of its
 * transaction. Then what is decided is only whether all that agrees with itself. */
void run_judge_believe(RunJudge *judge, uint64_t number, const JudgeEvent *event, uint64_t transaction);

/* False, with ERR_CHECK, if one of the cycles is none. */
bool run_judge_decide(const RunJudge *judge, Err *err);

#endif
