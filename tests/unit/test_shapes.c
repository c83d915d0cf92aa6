/* Shapes of random runs, and that their audit names faults. */
#include "predict/analysis/shapes.h"
#include "tests/unit/audited.h"

static void see_run(Heap *heap, Shapes *shapes, uint64_t seed) {
  TraceEvent events[SERIAL_MAX];
  const uint32_t n = audited_run(seed, events);
  shapes_init(shapes, heap, SYNC_ALL);
  shapes_see(shapes, events, n / 2);
  shapes_see(shapes, events + n / 2, n - n / 2);
  shapes_finish(shapes);
}

static void shapes_stand_their_audit(void) {
  uint64_t steps = 0;
  for (uint64_t seed = 1; seed <= AUDITED_RUNS; seed++) {
    Heap *heap = heap_new(0);
    Shapes shapes;
    Err err;
    see_run(heap, &shapes, seed);
    expect_sound(shapes_audit(&shapes, &err), &err, seed);
    for (uint32_t s = 0; s < shapes.shapes.n; s++) steps += shapes.shapes.at[s].n;
    shapes_fini(&shapes);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(steps > 10000);
}

/* T0: begin, acquire 5, read 0 twice, write 0 twice, release 5, read 0, end; and then a single write. */
static const TraceEvent STORY[] = {{0, 1, 0, TRACE_BEGIN},   {0, 5, 0, TRACE_ACQUIRE}, {0, 0, 0, TRACE_READ},
                                   {0, 0, 0, TRACE_READ},    {0, 0, 0, TRACE_WRITE},   {0, 0, 0, TRACE_WRITE},
                                   {0, 5, 0, TRACE_RELEASE}, {0, 0, 0, TRACE_READ},    {0, TRACE_NONE, 0, TRACE_END},
                                   {0, 0, 0, TRACE_WRITE}};
enum { N_STORY = sizeof STORY / sizeof *STORY };

static void no_other_use(Shapes *s) { s->accesses.at[0].sights[USE_FINAL] = s->accesses.at[0].sights[USE_ANY]; }
static void no_other_write(Shapes *s) { s->accesses.at[1].sights[USE_FIRST] = s->accesses.at[1].sights[USE_ANY]; }
static void unseen(Shapes *s) { s->accesses.at[0].sights[USE_ANY].event = NO_EVENT; }
static void seen_elsewhere(Shapes *s) {
  s->accesses.at[0].sights[USE_ANY].event++, s->accesses.at[0].sights[USE_FIRST].event = 99;
}
static void seen_in_none(Shapes *s) { s->accesses.at[0].sights[USE_ANY].shape.v = 7; }
static void backwards(Shapes *s) { s->accesses.at[0].first_in = s->accesses.at[0].last_in + 1; }
static void never(Shapes *s) { s->accesses.at[0].first_in = 0; }
static void lost(Shapes *s) { s->variables.at[0].accesses = s->accesses.at[s->variables.at[0].accesses].next; }
static void strange(Shapes *s) { s->accesses.at[2].variable = 9; }
static void twice(Shapes *s) { s->accesses.at[1].write = false; }
static void other_program(Shapes *s) { s->programs.at[0].at[0] = ELEMENTS * 50; }
static void no_row(Shapes *s) { s->shapes.at[0].row = 3; }
static Step *step(Shapes *s, uint32_t i) { return (Step *)&s->shapes.at[0].steps[i]; }
static void late(Shapes *s) {
  step(s, 1)->event = 50, s->accesses.at[0].sights[USE_ANY].event = s->accesses.at[0].sights[USE_FIRST].event = 50;
}
static void no_access(Shapes *s) { step(s, 2)->id = 77; }
static void unlocked(Shapes *s) { step(s, 0)->kind = STEP_STAGE, step(s, 0)->id = 3; }
static void other_stage(Shapes *s) { s->shapes.at[0].stage.v = 9; }
static void no_lock(Shapes *s) { step(s, 0)->id = 4; }
static void again(Shapes *s) { step(s, 5)->kind = STEP_ACQUIRE; }
static void not_held(Shapes *s) { step(s, 5)->id = 6; }
static void three_reads(Shapes *s) {
  s->accesses.at[1].sights[USE_ANY] = s->accesses.at[1].sights[USE_FINAL];
  step(s, 3)->id = 0;
}
static void no_stage(Shapes *s) { step(s, 5)->kind = STEP_STAGE, step(s, 5)->id = s->shapes.at[0].stage.v; }

static void the_audit_of_shapes_names_faults(void) {
  const struct {
    void (*edit)(Shapes *shapes);
    const char *what;
  } edits[] = {
      {unseen, "an access that nobody saw (number 0)"},
      {no_other_use, "a read that is a final write (number 0)"},
      {no_other_write, "a write that is a first read (number 1)"},
      {seen_elsewhere, "an access that is not where it was seen (number 0)"},
      {seen_in_none, "no such shape (number 0)"},
      {backwards, "the transactions of an access (number 0)"},
      {never, "the transactions of an access (number 0)"},
      {lost, "an access of no variable"},
      {strange, "an access of another variable (number 2)"},
      {twice, "an access that is there twice (number 1)"},
      {other_program, "an element of a program (number 0)"},
      {no_row, "no such row (number 0)"},
      {late, "steps out of order (number 2)"},
      {no_access, "a step with no access (number 2)"},
      {unlocked, "an access in another stage (number 1)"},
      {other_stage, "an access in another stage (number 1)"},
      {no_lock, "an access with other locks (number 1)"},
      {again, "an acquire of a held lock (number 5)"},
      {not_held, "a release of a lock that is not held (number 5)"},
      {three_reads, "an access that should have been left out (number 3)"},
      {no_stage, "a stage that is no new one (number 5)"},
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    Heap *heap = heap_new(0);
    Shapes shapes;
    Err err;
    shapes_init(&shapes, heap, SYNC_ALL);
    shapes_see(&shapes, STORY, N_STORY);
    shapes_finish(&shapes);
    expect_sound(shapes_audit(&shapes, &err), &err, 0);
    edits[i].edit(&shapes);
    expect_fault(shapes_audit(&shapes, &err), &err, edits[i].what);
    heap_free(heap);
  }
}

void suite_shapes(void) {
  CU_pSuite suite = CU_add_suite("shapes", NULL, NULL);
  CU_ADD_TEST(suite, shapes_stand_their_audit);
  CU_ADD_TEST(suite, the_audit_of_shapes_names_faults);
}
