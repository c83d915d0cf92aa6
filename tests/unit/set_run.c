#include "tests/unit/set_run.h"

#include "tests/unit/random_run.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

void set_put(SetRun *run, uint32_t thread, TraceOp op, uint32_t object) {
  CU_ASSERT_FATAL(run->n < SET_MOST_EVENTS);
  run->events[run->n] = (TraceEvent){thread, object, run->n, (uint8_t)op};
  run->n++;
}

void set_put_text(SetRun *run, uint32_t thread, const char *text) {
  static const char letters[] = "rw+-fj()";
  for (; *text; text += text[1] && text[0] != ' ' ? 2 : 1) {
    if (*text == ' ') continue;
    const char *at = strchr(letters, *text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const TraceOp op = (TraceOp)(at - letters);
    const uint32_t object = op >= TRACE_BEGIN ? TRACE_NONE : (uint32_t)(text[1] - (text[1] >= 'a' ? 'a' : '0'));
    set_put(run, thread, op, object);
    if (op >= TRACE_BEGIN && text[1]) CU_ASSERT_EQUAL_FATAL(text[1], ' ');
  }
}

void set_put_transactions(SetRun *run, const char *const *texts) {
  for (uint32_t t = 0; texts[t]; t++) {
    set_put(run, t, TRACE_BEGIN, t);
    set_put_text(run, t, texts[t]);
    set_put(run, t, TRACE_END, TRACE_NONE);
  }
}

void set_show(const SetRun *run) {
  for (uint32_t i = 0; i < run->n; i++)
    printf("%3u T%u|%s(%d)\n", i, run->events[i].thread, RUN_OPS[run->events[i].op], (int)run->events[i].object);
}

Analysis *set_analysed(Heap *heap, const SetRun *run, AnalysisKind kind, RaceTest test) {
  Analysis *analysis = analysis_new(heap, &(AnalysisOptions){kind, test, 0, SYNC_ALL});
  const uint32_t half = run->n / 2;
  analysis_feed(analysis, run->events, half);
  analysis_feed(analysis, run->events + half, run->n - half);
  analysis_finish(analysis);
  return analysis;
}
