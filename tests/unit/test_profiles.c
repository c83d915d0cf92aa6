/* Profiles of random runs, and that their audit names faults. */
#include "predict/profiles/profiles.h"
#include "tests/unit/audited.h"

/* A player does what thread 0 of the run does, over and over: transactions, single accesses, stages. */
static void profile_run(Profiles *p, uint64_t seed) {
  TraceEvent events[SERIAL_MAX];
  const uint32_t n = audited_run(seed, events);
  ProfileOpen open[2] = {{.player = 0}, {.player = 1, .kind = 1}};
  bool inside[2] = {false, false};
  for (uint32_t i = 0; i < 8; i++) profiles_add_object(p);
  for (uint32_t i = 0; i < 4 * n; i++) {
    const TraceEvent *event = &events[i % n];
    const uint32_t t = event->thread % 2;
    if (event->op <= TRACE_WRITE) {
      const uint32_t code = profiles_code(p, event->object, event->op == TRACE_WRITE, event->location % 2);
      if (!inside[t]) profiles_single(p, t, open[t].stage, code, i);
      else profiles_step(p, &open[t], code, i);
    } else if (event->op == TRACE_ACQUIRE && inside[t]) {
      profiles_step(p, &open[t], PROFILE_STAGE, i);
    } else if (event->op == TRACE_BEGIN && !inside[t]) {
      inside[t] = true;
      open[t].begin = i;
    } else if (event->op == TRACE_END && inside[t]) {
      inside[t] = false;
      profiles_close(p, &open[t]);
    }
  }
  for (uint32_t t = 0; t < 2; t++) profiles_open_fini(p, &open[t]);
}

static void profiles_stand_their_audit(void) {
  uint64_t records = 0;
  for (uint64_t seed = 1; seed <= AUDITED_RUNS; seed++) {
    Heap *heap = heap_new(0);
    Profiles profiles;
    Err err;
    profiles_init(&profiles, heap, seed % 2);
    profile_run(&profiles, seed);
    expect_sound(profiles_audit(&profiles, &err), &err, seed);
    records += profiles.records.n;
    profiles_fini(&profiles);
    heap_free(heap);
  }
  CU_ASSERT_TRUE(records > 10000);
}

/* Records 0: object 0 read, 1 written, read again; 1: object 1 written alone. */
static void profile_story(Profiles *p) {
  ProfileOpen open = {.begin = 3};
  for (uint32_t i = 0; i < 2; i++) profiles_add_object(p);
  const uint32_t read = profiles_code(p, 0, false, 0), write = profiles_code(p, 1, true, 0);
  const uint32_t codes[] = {read, write, read};
  for (uint32_t i = 0; i < 3; i++) profiles_step(p, &open, codes[i], 3 + i);
  profiles_close(p, &open);
  profiles_single(p, 0, 0, write, 9);
}

static ProfileRecord *record(Profiles *p, uint32_t r) { return p->records.at[r].it; }

static void code_of_none(Profiles *p) { p->codes.at[1].object = 2; }
static void code_twice(Profiles *p) { p->codes.at[1] = p->codes.at[0]; }
static void other_memo(Profiles *p) { p->memos.at[0].place = 1; }
static void ends_in_stage(Profiles *p) { record(p, 0)->codes[2] = PROFILE_STAGE; }
static void last_first(Profiles *p) { record(p, 0)->last = 0; }
static void code_none(Profiles *p) { record(p, 0)->codes[0] = 9; }
static void three(Profiles *p) { record(p, 0)->codes[1] = record(p, 0)->codes[0]; }
static void disorder(Profiles *p) { record(p, 0)->events[0][1] = 100; }
static void before_its_begin(Profiles *p) { record(p, 0)->events[1][0] = 1; }
static void double_record(Profiles *p) { p->records.at[1] = p->records.at[0]; }
static void other_single(Profiles *p) { p->singles.at[1] = 1; }

static void the_audit_of_profiles_names_faults(void) {
  const struct {
    void (*edit)(Profiles *profiles);
    const char *what;
  } edits[] = {
      {code_of_none, "a code of no object (number 1)"},
      {code_twice, "a code that is there twice (number 1)"},
      {other_memo, "the last code of an object (number 0)"},
      {ends_in_stage, "a record that ends in no access (number 0)"},
      {last_first, "the first one comes after the last one (number 0)"},
      {code_none, "no such code (number 0)"},
      {three, "an access that should have been left out (number 0)"},
      {disorder, "events out of order (number 0)"},
      {before_its_begin, "events out of order (number 0)"},
      {double_record, "a record that is there twice (number 1)"},
      {other_single, "the record of a single access (number 1)"},
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    Heap *heap = heap_new(0);
    Profiles profiles;
    Err err;
    profiles_init(&profiles, heap, true);
    profile_story(&profiles);
    expect_sound(profiles_audit(&profiles, &err), &err, 0);
    edits[i].edit(&profiles);
    expect_fault(profiles_audit(&profiles, &err), &err, edits[i].what);
    heap_free(heap);
  }
}

void suite_profiles(void) {
  CU_pSuite suite = CU_add_suite("profiles", NULL, NULL);
  CU_ADD_TEST(suite, profiles_stand_their_audit);
  CU_ADD_TEST(suite, the_audit_of_profiles_names_faults);
}
