#include "ask/judging.h"

_Static_assert((int)JUDGE_READ == TRACE_READ && (int)JUDGE_WRITE == TRACE_WRITE &&
                   (int)JUDGE_ACQUIRE == TRACE_ACQUIRE && (int)JUDGE_RELEASE == TRACE_RELEASE &&
                   (int)JUDGE_FORK == TRACE_FORK && (int)JUDGE_JOIN == TRACE_JOIN,
               "ORDER TraceOp");
_Static_assert((int)JUDGE_BEGIN == TRACE_BEGIN && (int)JUDGE_END == TRACE_END && (int)JUDGE_START == TRACE_START &&
                   (int)JUDGE_EXIT == TRACE_EXIT && (int)JUDGE_FREE == TRACE_FREE && (int)JUDGE_UPDATE == TRACE_UPDATE,
               "ORDER TraceOp");
_Static_assert((int)JUDGE_SHARED_ACQUIRE == TRACE_SHARED_ACQUIRE && (int)JUDGE_SHARED_RELEASE == TRACE_SHARED_RELEASE &&
                   (int)JUDGE_TRY == TRACE_TRY && (int)JUDGE_SHARED_TRY == TRACE_SHARED_TRY &&
                   (int)JUDGE_SIGNAL == TRACE_SIGNAL && (int)JUDGE_WAIT == TRACE_WAIT && JUDGE_WAIT + 1 == TRACE_OPS,
               "ORDER TraceOp");
_Static_assert((int)JUDGE_BY_CONFLICT == MONITOR_CONFLICT && (int)JUDGE_BY_ORDER == MONITOR_ORDER &&
                   (int)JUDGE_BY_FORK == MONITOR_FORK && (int)JUDGE_BY_JOIN == MONITOR_JOIN &&
                   (int)JUDGE_BY_HANDOVER == MONITOR_HANDOVER && (int)JUDGE_NOT_TOLD == MONITOR_GAP,
               "ORDER MonitorEdgeKind");

JudgeCycle judging_cycle(Heap *heap, const MonitorFinding *finding, uint64_t base) {
  JudgeEdge *edges = heap_alloc(heap, finding->n * sizeof *edges);
  uint64_t *transactions = heap_alloc(heap, finding->n * sizeof *transactions);
  for (uint32_t i = 0; i < finding->n; i++) {
    const MonitorEdge *edge = &finding->edges[i];
    edges[i] = (JudgeEdge){(JudgeReason)edge->kind, edge->from.event - base, edge->to.event - base};
    transactions[i] = finding->transactions[i].first - base;
  }
  return (JudgeCycle){finding->n, transactions, edges};
}

void judging_release(Heap *heap, const JudgeCycle *cycle) {
  heap_release(heap, (void *)cycle->transactions);
  heap_release(heap, (void *)cycle->edges);
}

bool judging_show(RunJudge *judge, const TraceEvent *events, const uint32_t *calls, uint32_t n) {
  bool more = true;
  for (uint32_t i = 0; more && i < n; i++)
    more = run_judge_see_call(judge, &(JudgeEvent){events[i].thread, events[i].object, (JudgeOp)events[i].op},
                              calls ? calls[i] : 0);
  return more;
}

static void restore(MonitorAccess *access, uint64_t first, const TraceEvent *events, uint32_t n) {
  if (access->event < first || access->event - first >= n) return;
  const TraceEvent *event = &events[access->event - first];
  if (access->object == event->object && access->op <= TRACE_WRITE) access->op = event->op;
}

void judging_restore(const MonitorFinding *finding, uint64_t first, const TraceEvent *events, uint32_t n) {
  for (uint32_t i = 0; i < finding->n; i++) {
    restore(&finding->edges[i].from, first, events, n);
    restore(&finding->edges[i].to, first, events, n);
  }
}
