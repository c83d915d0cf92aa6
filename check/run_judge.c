#include "check/run_judge.h"

#include "base/vec.h"

#include <stdlib.h>

/* What is known of an event of a claim. A number stands for a new thread after each join of it outside of transactions,
 * and for a new object after each free, or where a group of signals begins: that is another life of it. */
typedef struct {
  uint64_t number, transaction;
  JudgeEvent event;
  uint32_t thread_life, object_life; /* object_life: of fork and join that of the other thread */
  uint32_t call;                     /* that it is in, or 0 */
  bool seen;
} Fact;

typedef struct {
  uint32_t depth, life;
  uint64_t transaction; /* the first event of the open one */
} JudgeThread;

typedef struct {
  uint32_t life;
  bool waited; /* for the signals since the life began */
} JudgeObject;

struct RunJudge {
  Heap *heap;
  JudgeOptions options;
  const JudgeCycle *cycles;
  uint32_t n_cycles;
  VEC(Fact) facts; /* by number */
  uint32_t next;
  uint64_t n_events;
  VEC(JudgeThread) threads;
  VEC(JudgeObject) objects;
};

/* ---- the claims ---- */

static int by_number(const void *a, const void *b) {
  const uint64_t x = ((const Fact *)a)->number, y = ((const Fact *)b)->number;
  return (x > y) - (x < y);
}

static void add_fact(RunJudge *judge, uint64_t number) {
  const Fact fact = {.number = number};
  vec_push(judge->heap, &judge->facts, fact);
}

RunJudge *run_judge_new(Heap *heap, const JudgeCycle *cycles, uint32_t n, const JudgeOptions *options) {
  RunJudge *judge = heap_zeroed(heap, sizeof *judge);
  judge->heap = heap;
  judge->options = *options;
  judge->cycles = cycles;
  judge->n_cycles = n;
  for (uint32_t c = 0; c < n; c++)
    for (uint32_t i = 0; i < cycles[c].n; i++) {
      add_fact(judge, cycles[c].edges[i].from);
      add_fact(judge, cycles[c].edges[i].to);
    }
  if (judge->facts.n) qsort(judge->facts.at, judge->facts.n, sizeof *judge->facts.at, by_number);
  return judge;
}

void run_judge_free(RunJudge *judge) {
  if (!judge) return;
  vec_fini(judge->heap, &judge->facts);
  vec_fini(judge->heap, &judge->threads);
  vec_fini(judge->heap, &judge->objects);
  heap_release(judge->heap, judge);
}

/* The first fact of that number, or of the next one. */
static uint32_t find_fact(const RunJudge *judge, uint64_t number) {
  uint32_t low = 0, high = judge->facts.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (judge->facts.at[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* ---- the run ---- */

static bool names_thread(JudgeOp op) { return op == JUDGE_FORK || op == JUDGE_JOIN; }
static bool names_object(JudgeOp op) { return op <= JUDGE_RELEASE || op >= JUDGE_FREE; }

static void make_room(RunJudge *judge, const JudgeEvent *event) {
  uint32_t thread = event->thread;
  if (names_thread(event->op) && event->object > thread) thread = event->object;
  if (thread >= judge->threads.n) vec_resize_zeroed(judge->heap, &judge->threads, thread + 1);
  if (names_object(event->op) && event->object >= judge->objects.n)
    vec_resize_zeroed(judge->heap, &judge->objects, event->object + 1);
}

static void enter(RunJudge *judge, const JudgeEvent *event) {
  JudgeThread *thread = &judge->threads.at[event->thread];
  if (event->op == JUDGE_BEGIN && thread->depth++ == 0) thread->transaction = judge->n_events;
  if (event->op != JUDGE_SIGNAL && event->op != JUDGE_WAIT) return;
  JudgeObject *object = &judge->objects.at[event->object];
  if (event->op == JUDGE_SIGNAL && object->waited) object->life++;
  object->waited = event->op == JUDGE_WAIT;
}

static void record(RunJudge *judge, const JudgeEvent *event, uint32_t call) {
  const JudgeThread *thread = &judge->threads.at[event->thread];
  for (; judge->next < judge->facts.n && judge->facts.at[judge->next].number == judge->n_events; judge->next++) {
    Fact *fact = &judge->facts.at[judge->next];
    fact->seen = true;
    fact->event = *event;
    fact->call = call;
    fact->transaction = thread->depth > 0 ? thread->transaction : judge->n_events;
    fact->thread_life = thread->life;
    fact->object_life = names_thread(event->op)   ? judge->threads.at[event->object].life
                        : names_object(event->op) ? judge->objects.at[event->object].life
                                                  : 0;
  }
}

static void leave(RunJudge *judge, const JudgeEvent *event) {
  JudgeThread *thread = &judge->threads.at[event->thread];
  if (event->op == JUDGE_END && thread->depth > 0) thread->depth--;
  if (event->op == JUDGE_EXIT) thread->depth = 0;
  if (event->op == JUDGE_FREE) judge->objects.at[event->object].life++;
  if (event->op != JUDGE_JOIN || event->object == event->thread) return;
  if (judge->threads.at[event->object].depth == 0) judge->threads.at[event->object].life++;
}

bool run_judge_see(RunJudge *judge, const JudgeEvent *event) { return run_judge_see_call(judge, event, 0); }

bool run_judge_see_call(RunJudge *judge, const JudgeEvent *event, uint32_t call) {
  make_room(judge, event);
  enter(judge, event);
  record(judge, event, call);
  leave(judge, event);
  judge->n_events++;
  return judge->next < judge->facts.n;
}

void run_judge_believe(RunJudge *judge, uint64_t number, const JudgeEvent *event, uint64_t transaction) {
  for (uint32_t i = find_fact(judge, number); i < judge->facts.n && judge->facts.at[i].number == number; i++) {
    Fact *fact = &judge->facts.at[i];
    const bool named = names_object(fact->event.op) || names_thread(fact->event.op);
    if (fact->seen && named && fact->event.object != UINT32_MAX)
      return; /* what was said before may not have told the object */
    *fact = (Fact){.number = number, .transaction = transaction, .event = *event, .seen = true};
  }
}

/* ---- the verdict: each of these says what is wrong, or NULL ---- */

static bool is_shared(JudgeOp op) {
  return op == JUDGE_SHARED_ACQUIRE || op == JUDGE_SHARED_RELEASE || op == JUDGE_SHARED_TRY;
}

static bool is_access(const RunJudge *judge, JudgeOp op) {
  const bool on_lock = op == JUDGE_ACQUIRE || op == JUDGE_RELEASE || op == JUDGE_TRY || is_shared(op);
  return op == JUDGE_READ || op == JUDGE_WRITE || op == JUDGE_UPDATE || (judge->options.lock_conflicts && on_lock);
}

static bool only_reads(JudgeOp op) { return op == JUDGE_READ || is_shared(op); }

static const char *refuse_conflict(const RunJudge *judge, const Fact *a, const Fact *b) {
  if (!is_access(judge, a->event.op)) return "the first is not an access";
  if (!is_access(judge, b->event.op)) return "the second is not an access";
  if (a->event.object != b->event.object) return "they access different objects";
  if (a->object_life != b->object_life) return "the object is freed between them";
  if (only_reads(a->event.op) && only_reads(b->event.op)) return "both read";
  if (a->call && a->call == b->call) return "both are in calls that commute";
  return NULL;
}

static const char *refuse_order(const Fact *a, const Fact *b) {
  if (a->event.thread != b->event.thread) return "they belong to different threads";
  return a->thread_life == b->thread_life ? NULL : "the thread is joined between them";
}

/* Is the thread of the event the one that the other event forks or joins? */
static bool is_target(const Fact *event, const Fact *other) {
  return event->event.thread == other->event.object && event->thread_life == other->object_life &&
         other->event.object != other->event.thread;
}

static const char *refuse_fork(const Fact *from, const Fact *to) {
  if (from->event.op != JUDGE_FORK) return "the first is not a fork";
  return is_target(to, from) ? NULL : "the second is not of the thread that is forked";
}

static const char *refuse_join(const Fact *from, const Fact *to) {
  if (to->event.op != JUDGE_JOIN) return "the second is not a join";
  if (is_target(from, to)) return NULL;
  if (from->event.op == JUDGE_FORK && from->event.object == to->event.object && from->object_life == to->object_life)
    return NULL;
  return "the first is neither of the thread that is joined nor its fork";
}

static const char *refuse_handover(const RunJudge *judge, const Fact *from, const Fact *to) {
  if (!judge->options.lock_conflicts) return "hand-overs do not count";
  if (from->event.op != JUDGE_SIGNAL) return "the first is no signal";
  if (to->event.op != JUDGE_WAIT) return "the second is no wait";
  if (from->event.object != to->event.object) return "they are of two hand-overs";
  return from->object_life == to->object_life ? NULL
                                              : "there is a wait for the signal, and another signal, between them";
}

static const char *refuse_reason(const RunJudge *judge, JudgeReason reason, const Fact *from, const Fact *to) {
  switch (reason) {
  case JUDGE_BY_CONFLICT: return refuse_conflict(judge, from, to);
  case JUDGE_BY_ORDER: return refuse_order(from, to);
  case JUDGE_BY_FORK: return refuse_fork(from, to);
  case JUDGE_BY_JOIN: return refuse_join(from, to);
  case JUDGE_BY_HANDOVER: return refuse_handover(judge, from, to);
  case JUDGE_NOT_TOLD: return NULL;
  }
  return "there is no such reason";
}

/* The transaction that the event is in, by its first event. Where only transaction 0 counts, an event outside of it is
 * one by itself. */
static uint64_t transaction_of(const RunJudge *judge, const JudgeCycle *cycle, const Fact *fact) {
  return judge->options.causal && fact->transaction != cycle->transactions[0] ? fact->number : fact->transaction;
}

/* a and b are the transactions, one after the other. */
static const char *refuse_edge(const RunJudge *judge, const JudgeCycle *cycle, const JudgeEdge *edge, uint64_t a,
                               uint64_t b) {
  const Fact *from = &judge->facts.at[find_fact(judge, edge->from)], *to = &judge->facts.at[find_fact(judge, edge->to)];
  if (a == b) return "that is one transaction";
  if (!from->seen) return "the first is not known";
  if (!to->seen) return "the second is not known";
  if (edge->from >= edge->to) return "the second does not come after the first";
  if (transaction_of(judge, cycle, from) != a) return "the first is of another transaction";
  if (transaction_of(judge, cycle, to) != b) return "the second is of another transaction";
  return refuse_reason(judge, edge->reason, from, to);
}

static bool decide_edge(const RunJudge *judge, const JudgeCycle *cycle, uint32_t i, Err *err) {
  const JudgeEdge *edge = &cycle->edges[i];
  const uint64_t a = cycle->transactions[i], b = cycle->transactions[(i + 1) % cycle->n];
  const char *why = refuse_edge(judge, cycle, edge, a, b);
  if (!why) return true;
  return err_set(
      err, ERR_CHECK, "events %llu and %llu do not order the transactions that begin with events %llu and %llu: %s",
      (unsigned long long)edge->from, (unsigned long long)edge->to, (unsigned long long)a, (unsigned long long)b, why);
}

bool run_judge_decide(const RunJudge *judge, Err *err) {
  for (uint32_t c = 0; c < judge->n_cycles; c++) {
    if (judge->cycles[c].n < 2) return err_set(err, ERR_CHECK, "a cycle of fewer than two transactions");
    for (uint32_t i = 0; i < judge->cycles[c].n; i++)
      if (!decide_edge(judge, &judge->cycles[c], i, err)) return false;
  }
  return true;
}
