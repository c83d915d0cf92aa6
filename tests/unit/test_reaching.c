/* What a program may come to, against every marking of its net: random programs with assertions, forks, locks and
 * blocks. That a thread is in a block is counted here along the run that leads to a marking. */
#include "ask/reaching.h"
#include "check/certificate_judge.h"
#include "tests/oracle/random_rich.h"
#include "tests/oracle/reach.h"
#include "tests/unit/sml_case.h"
#include "unfold/certificate_write.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 20000, MAX_THREADS = 16 };

/* A marking, and the run that leads to it. */
typedef struct {
  const Net *net;
  const Reach *reach;
  uint32_t marking;
  TransId *run;
  uint32_t n_run;
} Seen;

static bool is_dead(const Seen *s) {
  for (uint32_t t = 0; t < s->net->n_trans; t++)
    if (token_enabled(s->net, reach_marking(s->reach, s->marking), (TransId){t})) return false;
  return true;
}

static bool all_over(const Seen *s) {
  for (uint32_t p = 0; p < s->net->n_places; p++) {
    const PlaceNote *note = &s->net->notes->places[p];
    if (note->role == ROLE_CONTROL && marking_has(reach_marking(s->reach, s->marking), (PlaceId){p}) &&
        note->point != POINT_END && note->point != POINT_START && note->point != POINT_FAILED)
      return false;
  }
  return true;
}

/* Has the last step made the assertion fail? */
static bool has_failed(const Seen *s, const ReachGoal *goal) {
  if (!s->n_run) return false;
  const TransId last = s->run[s->n_run - 1];
  const TransNote *event = &s->net->notes->transitions[last.v];
  if (event->pos.line != goal->pos.line || event->pos.column != goal->pos.column) return false;
  const PlaceList post = net_post(s->net, last);
  for (uint32_t i = 0; i < post.n; i++)
    if (s->net->notes->places[post.at[i].v].point == POINT_FAILED) return true;
  return false;
}

static uint32_t open_blocks(const Seen *s, uint32_t thread, const bool *blocks) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < s->n_run; i++) {
    const TransNote *event = &s->net->notes->transitions[s->run[i].v];
    if (event->thread != thread) continue;
    if (event->begin != NOTE_NONE && blocks[event->begin]) open++;
    if (event->end != NOTE_NONE && blocks[event->end]) open--;
  }
  return open;
}

static bool have_met(const Seen *s, const ReachGoal *goal) {
  const bool *others = goal->others ? goal->others : goal->blocks;
  for (uint32_t t = 0; t < s->net->notes->n_threads; t++)
    for (uint32_t u = 0; u < s->net->notes->n_threads; u++)
      if (t != u && open_blocks(s, t, goal->blocks) && open_blocks(s, u, others)) return true;
  return false;
}

/* The control place of the thread. */
static uint32_t control_of(const Seen *s, uint32_t thread) {
  for (uint32_t p = 0; p < s->net->n_places; p++) {
    const PlaceNote *note = &s->net->notes->places[p];
    if (note->role == ROLE_CONTROL && note->thread == thread &&
        marking_has(reach_marking(s->reach, s->marking), (PlaceId){p}))
      return p;
  }
  return NOTE_NONE;
}

/* Calls look() for all that different threads may do next to one variable, if one writes, and not both atomically. */
typedef struct {
  TransId t;
  Access access;
} Next;
typedef bool LookAtPair(const Net *net, const Next *one, const Next *other, void *argument);

static bool look_at_accesses(const Net *net, TransId t, TransId u, LookAtPair *look, void *argument) {
  const Notes *notes = net->notes;
  const AccessList a = notes_accesses(notes, t.v), b = notes_accesses(notes, u.v);
  if (notes->transitions[t.v].sync && notes->transitions[u.v].sync) return false;
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++) {
      const bool writes = a.at[i].mode == ACCESS_WRITE || b.at[k].mode == ACCESS_WRITE;
      if (a.at[i].object != b.at[k].object || !writes) continue;
      if (notes->objects[a.at[i].object].kind != OBJECT_VARIABLE) continue;
      if (look(net, &(Next){t, a.at[i]}, &(Next){u, b.at[k]}, argument)) return true;
    }
  return false;
}

static bool look_at_races(const Seen *s, LookAtPair *look, void *argument) {
  for (uint32_t t = 0; t < s->net->notes->n_threads; t++)
    for (uint32_t u = 0; u < s->net->notes->n_threads; u++) {
      const uint32_t p = control_of(s, t), q = control_of(s, u);
      if (t == u || p == NOTE_NONE || q == NOTE_NONE) continue;
      const TransList a = net_consumers(s->net, (PlaceId){p}), b = net_consumers(s->net, (PlaceId){q});
      for (uint32_t i = 0; i < a.n; i++)
        for (uint32_t k = 0; k < b.n; k++)
          if (look_at_accesses(s->net, a.at[i], b.at[k], look, argument)) return true;
    }
  return false;
}

static bool is_at_site(const Net *net, const Next *next, const ReachSite *site) {
  const TransNote *event = &net->notes->transitions[next->t.v];
  return event->pos.line == site->pos.line && event->pos.column == site->pos.column && event->sync == site->sync &&
         next->access.object == site->object && (next->access.mode == ACCESS_WRITE) == site->writes;
}

static bool is_asked_race(const Net *net, const Next *one, const Next *other, void *argument) {
  const ReachGoal *goal = argument;
  return is_at_site(net, one, &goal->sites[0]) && is_at_site(net, other, &goal->sites[1]);
}

static bool have_raced(const Seen *s, const ReachGoal *goal) {
  return goal->text && look_at_races(s, is_asked_race, (void *)(uintptr_t)goal);
}

/* Is it not found by a question? */
static bool is_missed(const Net *net, const Next *one, const Next *other, void *argument) {
  const Reaching *r = argument;
  for (uint32_t i = 0; i < r->n; i++) {
    ReachGoal *goal = &r->goals[i];
    if (goal->kind == REACH_RACE && r->answers[i].answer == VERDICT_VIOLATED &&
        (is_asked_race(net, one, other, goal) || is_asked_race(net, other, one, goal)))
      return false;
  }
  return true;
}

static void no_race_is_missed(const Net *net, const Reach *reach, const Reaching *r) {
  for (uint32_t m = 0; m < reach->n_markings; m++)
    CU_ASSERT_FALSE(look_at_races(&(Seen){net, reach, m, NULL, 0}, is_missed, (void *)(uintptr_t)r));
}

static bool is_reached(const Seen *s, const ReachGoal *goal) {
  switch (goal->kind) {
  case REACH_FAILURE: return has_failed(s, goal);
  case REACH_DEADLOCK: return is_dead(s) && !all_over(s);
  case REACH_MEETING: return have_met(s, goal);
  case REACH_RACE: return have_raced(s, goal);
  }
  return false;
}

/* The length of a shortest run to such a marking; UINT32_MAX: there is none. */
static uint32_t search(const Net *net, const Reach *reach, const ReachGoal *goal) {
  uint32_t length = UINT32_MAX;
  TransId *run = malloc((reach->n_markings + 1) * sizeof *run);
  for (uint32_t m = 0; m < reach->n_markings && length == UINT32_MAX; m++) {
    const Seen seen = {net, reach, m, run, reach_run(reach, m, run)};
    if (is_reached(&seen, goal)) length = seen.n_run;
  }
  free(run);
  return length;
}

static void compare(const SmlCase *c, const Reach *reach, const Reaching *r, uint32_t *n) {
  for (uint32_t i = 0; i < r->n; i++) {
    const uint32_t length = search(c->net, reach, &r->goals[i]);
    const Answer *answer = &r->answers[i];
    const bool good = length == UINT32_MAX ? answer->answer == VERDICT_HOLDS
                                           : answer->answer == VERDICT_VIOLATED && answer->n_run == length;
    if (!good) printf("question %u: %u steps, expected %u\n", i, answer->n_run, length);
    CU_ASSERT_TRUE(good);
    n[2 * r->goals[i].kind + (length != UINT32_MAX)]++;
  }
  no_race_is_missed(c->net, reach, r);
}

/* Asks about assertions, if there are any, deadlock, and all pairs of the first blocks with names. */
static bool ask(const SmlCase *c, const AskLimits *limits, Reaching *reaching) {
  static const char *const PAIRS[] = {"B1", "B1,B2", "B2,B1", "B2,B3"};
  bool has = false;
  for (uint32_t p = 0; p < c->net->n_places; p++) has |= c->net->notes->places[p].point == POINT_ASSERTION;
  const uint32_t n_blocks = c->net->notes->n_blocks;
  const ReachOptions asked = {has, true, PAIRS, n_blocks < 1 ? 0 : n_blocks < 2 ? 1 : n_blocks < 3 ? 3 : 4, true};
  Err err = {0};
  const bool good = reaching_check(c->heap, c->net, &asked, &(QuestionOptions){0}, limits, reaching, &err);
  if (!good) printf("%s\n", err.text);
  CU_ASSERT_TRUE(good);
  return good;
}

static void ask_all(const SmlCase *c, const Reach *reach, uint32_t *n) {
  Reaching reaching;
  if (!ask(c, &(AskLimits){0}, &reaching)) return;
  compare(c, reach, &reaching, n);
  reaching_fini(&reaching);
}

/* ---- proofs without a prefix ---- */

enum { PROVED, NOT_PROVED, REFUSED, N_COUNTS };

static Verdict judge(const SmlCase *c, const char *text, size_t length) {
  const InFile file = {(char *)(uintptr_t)text, length, "proof"};
  CertificateReport report;
  Err err = {0};
  const Verdict verdict = certificate_judge(c->heap, c->net, &file, &report, &err);
  if (verdict == VERDICT_HOLDS) certificate_judge_report_fini(&report);
  return verdict;
}

static bool is_states_claim(const char *line) {
  return !strncmp(line, "away", 4) || !strncmp(line, "apart", 5) || !strncmp(line, "over", 4);
}

static void put_sum(FILE *out, const Formula *f, uint32_t part) {
  for (uint32_t i = 0; i < f->parts.at[part].n_summands; i++)
    fprintf(out, " %u", f->places.at[f->parts.at[part].first + i].v + 1);
}

static bool is_over(const PlaceNote *note) {
  return note->role == ROLE_CONTROL &&
         (note->point == POINT_START || note->point == POINT_END || note->point == POINT_FAILED);
}

static void mark_sum(const Formula *f, uint32_t part, bool *places) {
  for (uint32_t i = 0; i < f->parts.at[part].n_summands; i++)
    places[f->places.at[f->parts.at[part].first + i].v] = true;
}

/* By prove/never.h alone. */
static bool proves(Never *never, const SmlCase *c, const ReachGoal *goal) {
  bool *places = calloc(2, (size_t)c->net->n_places + 1), *others = places + c->net->n_places, proved = false;
  const Formula *f = &goal->formula;
  const bool two = f->parts.n > 1;
  switch (goal->kind) {
  case REACH_FAILURE:
    mark_sum(f, 0, places);
    proved = never_away(never, places);
    break;
  case REACH_MEETING:
  case REACH_RACE:
    mark_sum(f, two ? 1 : 0, places);
    mark_sum(f, two ? 3 : 0, others);
    proved = never_apart(never, places, others);
    break;
  case REACH_DEADLOCK:
    for (uint32_t p = 0; p < c->net->n_places; p++) places[p] = is_over(&c->net->notes->places[p]);
    proved = never_waits(never, places);
  }
  free(places);
  return proved;
}

/* That the goal, which is reached, is not. */
static void put_claim(FILE *out, const SmlCase *c, const ReachGoal *goal) {
  const Formula *f = &goal->formula;
  const bool two = f->parts.n > 1;
  switch (goal->kind) {
  case REACH_FAILURE:
    fputs("away", out);
    put_sum(out, f, 0);
    break;
  case REACH_MEETING:
  case REACH_RACE:
    fprintf(out, "apart %u", f->parts.at[two ? 1 : 0].n_summands);
    put_sum(out, f, two ? 1 : 0);
    put_sum(out, f, two ? 3 : 0);
    break;
  case REACH_DEADLOCK:
    fputs("over", out);
    for (uint32_t p = 0; p < c->net->n_places; p++)
      if (is_over(&c->net->notes->places[p])) fprintf(out, " %u", p + 1);
  }
  fputs("\n", out);
}

/* The certificate, with that claim instead of its own. */
static void claim_instead(const SmlCase *c, const char *text, const ReachGoal *goal, uint32_t *n) {
  char *false_text;
  size_t length;
  FILE *out = open_memstream(&false_text, &length);
  bool claimed = false;
  for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
    if (is_states_claim(line) && !claimed) put_claim(out, c, goal);
    else if (!is_states_claim(line)) fprintf(out, "%.*s\n", (int)(strchr(line, '\n') - line), line);
    claimed |= is_states_claim(line);
  }
  fclose(out);
  if (claimed) {
    CU_ASSERT_EQUAL(judge(c, false_text, length), VERDICT_VIOLATED);
    n[REFUSED]++;
  }
  free(false_text);
}

static void judge_proofs(const SmlCase *c, const Reach *reach, const Reaching *r, uint32_t (*n)[N_COUNTS]) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  reaching_write_proof(r, c->net, UNFOLD_ERV, out);
  fclose(out);
  CU_ASSERT_EQUAL(judge(c, text, length), VERDICT_HOLDS);
  for (uint32_t i = 0; i < r->n; i++)
    if (search(c->net, reach, &r->goals[i]) != UINT32_MAX) claim_instead(c, text, &r->goals[i], n[r->goals[i].kind]);
  free(text);
}

static void prove_all(const SmlCase *c, const Reach *reach, uint32_t (*n)[N_COUNTS]) {
  bool any = false;
  Reaching r;
  if (!ask(c, &(AskLimits){.max_events = 1}, &r)) return;
  Never *never = never_new(c->heap, c->net);
  for (uint32_t i = 0; i < r.n; i++) {
    const bool reached = search(c->net, reach, &r.goals[i]) != UINT32_MAX;
    CU_ASSERT_TRUE(!r.goals[i].proved || (!reached && r.answers[i].answer == VERDICT_HOLDS));
    CU_ASSERT_FALSE(reached && never && proves(never, c, &r.goals[i]));
    n[r.goals[i].kind][r.goals[i].proved ? PROVED : NOT_PROVED] += !reached;
    any |= r.goals[i].proved;
  }
  never_free(never);
  if (any) judge_proofs(c, reach, &r, n);
  reaching_fini(&r);
}

/* ---- random programs ---- */

typedef void Look(const SmlCase *c, const Reach *reach, void *counts);

static void look_at_programs(uint64_t last, Look *look, void *counts) {
  for (uint64_t seed = 1; seed <= last; seed++) {
    Heap *heap = heap_new(0);
    CharVec text = {0};
    random_rich(heap, seed, false, &text);
    SmlCase c = sml_case_with(text.at, text.n, seed % 3 ? GRANULARITY_STATEMENT : GRANULARITY_ACCESS, ENCODING_COMPACT);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
    Reach *reach = reach_explore(heap, c.net, MAX_STATES);
    if (reach->complete && reach->n_markings < 3000) look(&c, reach, counts);
    reach_free(reach);
    net_free(c.net);
    diag_fini(&c.diag);
    heap_free(c.heap); /* with the questions */
    free(c.messages);
    heap_free(heap);
  }
}

static void look_unfolded(const SmlCase *c, const Reach *reach, void *counts) { ask_all(c, reach, counts); }
static void look_proved(const SmlCase *c, const Reach *reach, void *counts) { prove_all(c, reach, counts); }

static void every_marking_is_right(void) {
  uint32_t n[8] = {0};
  look_at_programs(300, look_unfolded, n);
  printf("%u %u %u %u %u %u %u %u ", n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
  for (uint32_t i = 0; i < 8; i++) CU_ASSERT_TRUE(n[i] > 10);
}

static void proofs_are_right(void) {
  uint32_t n[4][N_COUNTS] = {{0}};
  look_at_programs(600, look_proved, n);
  for (uint32_t k = 0; k < 4; k++) {
    printf("(%u proved, %u not, %u false) ", n[k][PROVED], n[k][NOT_PROVED], n[k][REFUSED]);
    CU_ASSERT_TRUE(n[k][PROVED] > 10 && n[k][REFUSED] > 10);
  }
}

/* ---- by hand ---- */

typedef struct {
  const char *text;
  bool proved; /* that there is no deadlock; else there is one */
} ByHand;

static const ByHand BY_HAND[] = {
    {"lock l; int X; acquire(l); begin X := 1 end; release(l) || acquire(l); X := 2; release(l)", true},
    {"lock l; int X; acquire(l); begin X := 1 end; acquire(l) || X := 2", false},
    {"lock l, m; int X; acquire(l); acquire(m); begin X := 1 end; release(m); release(l) || acquire(m); X := 2; "
     "acquire(l); release(l); release(m)",
     false},
    {"lock m; int[2] X; acquire(m); await (X = 1); begin X := 0 end; release(m) || X := 0", false},
    {"lock m; int[2] X; while (true) { acquire(m); await (X = 1); begin X := 0 end; release(m) } || X := 1; X := 0; acquire(m); release(m)",
     false},
    {"bool B, Y; int X; atomic { await (!B); B := true }; begin X := 1 end; atomic { await (Y); B := false } || "
     "atomic { await (!B); B := true }; B := false; Y := true; Y := false",
     false},
    {"int X; sem s = 0; begin X := 1 end || p(s); X := 2", false},
    {"int X; begin X := 1 end || skip", true},
    {"int X; begin X := 2 end || thread w { X := 1 }", true},
    {"bool B; int X; while (true) { await (!B); B := true } || begin X := 1 end", false},
    {"bool B; int X; while (true) { if (B) { B := false } else { B := true } } || begin X := 1 end", true},
};

/* The certificate that no two threads are at none of the places at once, or "" if there are no facts. */
static char *write_facts(const SmlCase *c, Never *never, size_t *length) {
  char *text = NULL;
  bool *none = calloc((size_t)c->net->n_places + 1, 1);
  FILE *out = open_memstream(&text, length);
  CU_ASSERT_TRUE(never_apart(never, none, none));
  certificate_begin(out, c->net);
  never_certificate(never, out);
  certificate_end(out);
  fclose(out);
  free(none);
  char *copy = strdup(text);
  free(text);
  return copy;
}

/* No control place that is marked at first is never marked. */
static void refuse_initial(const SmlCase *c, const char *text) {
  for (uint32_t p = 0; p < c->net->n_places; p++) {
    if (!c->net->marked[p] || c->net->notes->places[p].role != ROLE_CONTROL) continue;
    char *false_text;
    size_t length;
    FILE *out = open_memstream(&false_text, &length);
    const char *claim = strstr(text, "apart");
    fprintf(out, "%.*saway %u\nend\n", (int)(claim - text), text, p + 1);
    fclose(out);
    CU_ASSERT_EQUAL(judge(c, false_text, length), VERDICT_VIOLATED);
    free(false_text);
  }
}

static void deadlocks_by_hand(void) {
  for (size_t i = 0; i < sizeof BY_HAND / sizeof *BY_HAND; i++) {
    SmlCase c =
        sml_case_with(BY_HAND[i].text, (uint32_t)strlen(BY_HAND[i].text), GRANULARITY_STATEMENT, ENCODING_COMPACT);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.net);
    ReachGoal goal = {.kind = REACH_DEADLOCK};
    uint32_t n[N_COUNTS] = {0};
    Never *never = never_new(c.heap, c.net);
    CU_ASSERT_PTR_NOT_NULL_FATAL(never);
    size_t length;
    char *text = write_facts(&c, never, &length);
    CU_ASSERT_EQUAL(judge(&c, text, length), VERDICT_HOLDS);
    CU_ASSERT_EQUAL(proves(never, &c, &goal), BY_HAND[i].proved);
    if (!BY_HAND[i].proved) claim_instead(&c, text, &goal, n);
    refuse_initial(&c, text);
    CU_ASSERT_EQUAL(n[REFUSED], !BY_HAND[i].proved);
    free(text);
    never_free(never);
    sml_case_end(&c);
  }
}

void suite_reaching(void);
void suite_reaching(void) {
  CU_pSuite suite = CU_add_suite("reaching", NULL, NULL);
  CU_ADD_TEST(suite, every_marking_is_right);
  CU_ADD_TEST(suite, proofs_are_right);
  CU_ADD_TEST(suite, deadlocks_by_hand);
}
