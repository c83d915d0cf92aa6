/* Cycles are told apart by their places, from wherever they are entered. */
#include "serial/findings.h"

#include <CUnit/CUnit.h>

enum { LENGTH = 3 };

/* A cycle through threads 0, 1, 2, whose transactions begin on lines 10, 11, 12, from that one on. */
static void add_turned(Findings *findings, uint32_t turn, uint32_t last_line) {
  CycleSteps cycle = {0};
  for (uint32_t i = 0; i < LENGTH; i++) {
    const uint32_t from = (turn + i) % LENGTH, to = (turn + i + 1) % LENGTH;
    const uint32_t line = from == LENGTH - 1 ? last_line : 20 + from;
    const MonitorEdge edge = {MONITOR_CONFLICT, {from, 0, line, TRACE_WRITE}, {to, 0, 30 + to, TRACE_READ}};
    const MonitorTransaction transaction = {
        .thread = to, .ordinal = 1, .label = TRACE_NONE, .location = 10 + to, .first = to};
    const CycleStep step = {edge, transaction};
    vec_push(findings->heap, &cycle, step);
  }
  findings_add(findings, 99, &cycle);
  vec_fini(findings->heap, &cycle);
}

static void a_cycle_is_told_once(void) {
  Findings findings = {.heap = heap_new(0), .all = true};
  for (uint32_t turn = 0; turn < LENGTH; turn++) add_turned(&findings, turn, 22);
  CU_ASSERT_EQUAL(findings.list.n, 1);
  for (uint32_t turn = LENGTH; turn-- > 0;) add_turned(&findings, turn, 23);
  CU_ASSERT_EQUAL(findings.list.n, 2);
  Heap *heap = findings.heap;
  findings_fini(&findings);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_findings(void) {
  CU_pSuite suite = CU_add_suite("findings", NULL, NULL);
  CU_ADD_TEST(suite, a_cycle_is_told_once);
}
