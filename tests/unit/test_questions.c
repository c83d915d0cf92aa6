/* Questions about a net, answered by its prefix, against explicit reachability; and names of places and transitions. */
#include "ask/rival.h"
#include "ask/together.h"
#include "base/hash.h"
#include "bench/families.h"
#include "petri/lookup.h"
#include "tests/oracle/reach.h"
#include "tests/unit/safe_net.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  Heap *heap;
  const Net *net;
  Reach *reach;
  uint32_t *depth; /* per marking: the length of a shortest run to it */
} Explored;

/* ---- the same by looking at all markings ---- */

static bool covers(const uint64_t *marking, const Answer *answer) {
  for (uint32_t i = 0; i < answer->n_places; i++)
    if (!marking_has(marking, answer->places[i])) return false;
  return true;
}

static bool is_dead(const Net *net, const uint64_t *marking) {
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (token_enabled(net, marking, (TransId){t})) return false;
  return true;
}

static bool has(const Net *net, const uint64_t *marking, const Answer *answer) {
  if (answer->kind == QUESTION_COVER) return covers(marking, answer);
  if (answer->kind == QUESTION_FIRE) return token_enabled(net, marking, answer->trans);
  return is_dead(net, marking);
}

/* The length of a shortest run that answers the question with yes; UINT32_MAX if there is none. */
static uint32_t expected(const Explored *explored, const Answer *answer) {
  for (uint32_t m = 0; m < explored->reach->n_markings; m++)
    if (has(explored->net, reach_marking(explored->reach, m), answer))
      return explored->depth[m] + (answer->kind == QUESTION_FIRE);
  return UINT32_MAX;
}

/* Does the run lead there? Played anew. */
static bool leads_there(const Net *net, const Answer *answer) {
  uint64_t marking[4], before[4];
  token_initial(net, marking);
  for (uint32_t i = 0; i < answer->n_run; i++) {
    memcpy(before, marking, sizeof before);
    if (!token_enabled(net, marking, answer->run[i]) || token_fire(net, marking, answer->run[i]).v != PLACE_NONE.v)
      return false;
  }
  if (answer->kind != QUESTION_FIRE) return has(net, marking, answer);
  return answer->n_run && answer->run[answer->n_run - 1].v == answer->trans.v && has(net, before, answer);
}

static const char *compare_count(const Explored *explored, const Answer *answer) {
  const uint32_t n = explored->reach->n_markings;
  if (answer->most && answer->most < n)
    return answer->answer == VERDICT_UNKNOWN && answer->n_markings == answer->most ? NULL : "the limit of markings";
  return answer->answer == VERDICT_HOLDS && answer->n_markings == n ? NULL : "the number of markings";
}

static const char *compare(const Explored *explored, const Answer *answer) {
  if (answer->kind == QUESTION_STATES) return compare_count(explored, answer);
  const uint32_t length = expected(explored, answer);
  if (answer->answer != (length == UINT32_MAX ? VERDICT_HOLDS : VERDICT_VIOLATED)) return "the answer is wrong";
  if (answer->answer == VERDICT_HOLDS) return NULL;
  if (!leads_there(explored->net, answer)) return "the run does not lead there";
  if (!answer->shortest || answer->n_run != length) return "the run is not a shortest one";
  return NULL;
}

/* ---- random questions ---- */

enum { MOST_QUESTIONS = 6, MOST_PLACES = 3 };

typedef struct {
  Answer answers[MOST_QUESTIONS];
  PlaceId places[MOST_QUESTIONS][MOST_PLACES];
  uint32_t n;
  QuestionOptions options;
} Asked;

static uint32_t pick(uint64_t *state, uint32_t below) { return (uint32_t)(hash_word(++*state) >> 33) % below; }

static void ask_cover(Asked *asked, const Net *net, uint64_t *state) {
  PlaceId *places = asked->places[asked->n];
  uint32_t n = 0;
  for (uint32_t i = 0, wanted = 1 + pick(state, MOST_PLACES); i < wanted; i++) {
    const PlaceId place = {pick(state, net->n_places)};
    bool known = false;
    for (uint32_t k = 0; k < n; k++) known |= places[k].v == place.v;
    if (!known) places[n++] = place;
  }
  asked->answers[asked->n++] = (Answer){.kind = QUESTION_COVER, .places = places, .n_places = n};
}

static void ask(Asked *asked, const Net *net, uint64_t seed) {
  uint64_t state = seed << 20;
  *asked =
      (Asked){.options = {.order = pick(&state, 2) ? UNFOLD_ERV : UNFOLD_MCMILLAN, .whole_prefix = pick(&state, 2)}};
  const uint32_t n = 1 + pick(&state, MOST_QUESTIONS);
  while (asked->n < n) {
    const uint32_t kind = pick(&state, 4);
    if (kind == 0) asked->answers[asked->n++] = (Answer){.kind = QUESTION_FIRE, .trans = {pick(&state, net->n_trans)}};
    else if (kind == 1) asked->answers[asked->n++].kind = QUESTION_DEADLOCK;
    else ask_cover(asked, net, &state);
  }
  if (pick(&state, 2) || n == MOST_QUESTIONS) return;
  asked->answers[asked->n++] = (Answer){.kind = QUESTION_STATES, .most = pick(&state, 2) ? 0 : 1 + pick(&state, 40)};
}

static const char *compare_all(const Explored *explored, const Asked *asked) {
  const char *wrong = NULL;
  for (uint32_t i = 0; i < asked->n && !wrong; i++) wrong = compare(explored, &asked->answers[i]);
  return wrong;
}

/* Nothing is done after a limit. */
static bool is_limited(const Asked *asked) {
  return asked->answers[asked->n - 1].kind == QUESTION_STATES && asked->answers[asked->n - 1].most;
}

static bool asks_to_fire(const Asked *asked) {
  for (uint32_t i = 0; i < asked->n; i++)
    if (asked->answers[i].kind == QUESTION_FIRE) return true;
  return false;
}

static void explore(Explored *explored, Heap *heap, const Net *net) {
  *explored = (Explored){heap, net, reach_explore(heap, net, 1000), NULL};
  explored->depth = heap_zeroed(heap, explored->reach->n_markings * sizeof *explored->depth);
  for (uint32_t m = 0; m < explored->reach->n_markings; m++) explored->depth[m] = reach_run(explored->reach, m, NULL);
}

/* False: a net that is not safe, or has too many markings to compare with. */
static bool compare_net(Heap *heap, uint64_t seed) {
  Explored explored;
  Asked asked;
  QuestionResult result;
  Err err;
  const Net *net = safe_net(heap, seed);
  explore(&explored, heap, net);
  ask(&asked, net, seed);
  CU_ASSERT_TRUE_FATAL(
      questions_answer(heap, net, &asked.options, &(AskLimits){0}, asked.answers, asked.n, &result, &err));
  const bool refused = result.prefix && result.prefix->status == UNFOLD_NOT_SAFE;
  const char *wrong = explored.reach->complete && !refused ? compare_all(&explored, &asked) : NULL;
  if (refused && explored.reach->complete) wrong = "a safe net was refused";
  if (explored.reach->complete && asked.options.whole_prefix && !asks_to_fire(&asked) && !is_limited(&asked) &&
      !result.complete)
    wrong = "the prefix is not complete";
  if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
  CU_ASSERT_PTR_NULL(wrong);
  return explored.reach->complete;
}

enum { N_SAFE = 5000 };

static void questions_agree_with_reachability(void) {
  uint32_t n_compared = 0;
  for (uint64_t seed = 1; n_compared < N_SAFE; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    n_compared += compare_net(heap, seed);
    heap_free(heap);
  }
}

/* ---- the rival ---- */

/* What the rival says by itself, in portions that are as short as can be. */
static const char *compare_rival(const Explored *explored, const Answer *question) {
  Rival rival;
  Answer answer = {
      .kind = question->kind, .places = question->places, .n_places = question->n_places, .trans = question->trans};
  rival_init(&rival, explored->heap, explored->net, &answer);
  for (rival.portion = 1; !rival_go_on(&rival);)
    if (rival.ended) return "no answer";
  rival_take(&rival, &answer);
  const char *wrong = compare(explored, &answer);
  heap_release(explored->heap, answer.run);
  rival_fini(&rival);
  return wrong;
}

static void the_rival_agrees_with_reachability(void) {
  for (uint64_t seed = 1; seed <= N_SAFE; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Explored explored;
    Asked asked;
    const char *wrong = NULL;
    explore(&explored, heap, safe_net(heap, seed));
    ask(&asked, explored.net, seed);
    for (uint32_t i = 0; i < asked.n && explored.reach->complete && !wrong; i++)
      if (asked.answers[i].kind != QUESTION_STATES) wrong = compare_rival(&explored, &asked.answers[i]);
    if (wrong) printf("\nseed %u: %s\n", (unsigned)seed, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    heap_free(heap);
  }
}

/* A net that is not safe, or memory that runs out, is left to the unfolder. */
static void the_rival_gives_up(void) {
  Heap *heap = heap_new(0);
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  const PlaceId p = net_add_place(builder, "p", true), q = net_add_place(builder, "q", true);
  const TransId t = net_add_trans(builder, "t");
  net_add_input(builder, p, t);
  net_add_output(builder, t, q);
  const Net *net = net_freeze(builder, &err);
  const Answer question = {.kind = QUESTION_DEADLOCK};
  Rival rival;
  for (uint64_t nth = 0; nth <= 1; nth++) {
    rival_init(&rival, heap, net, &question);
    heap_fail_at(heap, nth);
    CU_ASSERT_FALSE(rival_go_on(&rival));
    CU_ASSERT_TRUE(rival.ended);
    CU_ASSERT_FALSE(rival_go_on(&rival));
    rival_fini(&rival);
  }
  heap_free(heap);
}

/* The net has 106,525 events and 8,208 markings. Of what is answered by these the prefix is not complete; but where it
 * is the proof. */
static void the_rival_may_win(void) {
  Heap *heap = heap_new((size_t)1 << 30);
  const Net *net = family_net(heap, FAMILY_RW, 13);
  for (int proof = 0; proof <= 1; proof++) {
    Answer answers[] = {{.kind = QUESTION_DEADLOCK}};
    QuestionResult result;
    Err err;
    const QuestionOptions options = {.proof = proof};
    CU_ASSERT_TRUE_FATAL(questions_answer(heap, net, &options, &(AskLimits){0}, answers, 1, &result, &err));
    CU_ASSERT_EQUAL(answers[0].answer, VERDICT_HOLDS);
    CU_ASSERT_STRING_EQUAL(result.why, "");
    CU_ASSERT_EQUAL(result.complete, proof);
    CU_ASSERT_EQUAL(result.counts.events, proof ? 106525 : UNFOLD_RIVAL);
    questions_fini(&result);
  }
  heap_free(heap);
}

/* Memory may run out at any point: then it is "unknown", and nothing that was answered is wrong. */
static void memory_may_run_out(void) {
  bool done = false;
  for (uint64_t n = 1; !done; n++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Explored explored;
    Asked asked;
    QuestionResult result;
    Err err;
    const Net *net = safe_net(heap, 7);
    explore(&explored, heap, net);
    ask(&asked, net, 12);
    const uint64_t before = heap_count(heap);
    heap_fail_at(heap, n);
    CU_ASSERT_TRUE(questions_answer(heap, net, &asked.options, &(AskLimits){0}, asked.answers, asked.n, &result, &err));
    done = heap_count(heap) - before < n;
    for (uint32_t i = 0; i < asked.n; i++) {
      const Answer *answer = &asked.answers[i];
      if (answer->answer == VERDICT_VIOLATED && !answer->shortest) {
        CU_ASSERT_TRUE(leads_there(net, answer));
      } else if (answer->answer != VERDICT_UNKNOWN) {
        CU_ASSERT_PTR_NULL(compare(&explored, answer));
      }
    }
    heap_free(heap);
  }
}

/* ---- formulas together ---- */

/* That all of the places are marked. */
static Formula *formula_of(Heap *heap, const Answer *cover) {
  Formula *f = heap_zeroed(heap, sizeof *f);
  f->heap = heap;
  for (uint32_t i = 0; i < cover->n_places; i++) {
    const uint32_t before = f->parts.n;
    vec_push(heap, &f->places, cover->places[i]);
    vec_push(heap, &f->parts, ((FormulaPart){.kind = FORMULA_SUM, .first = i, .n_summands = 1, .bound = 1}));
    if (i) vec_push(heap, &f->parts, ((FormulaPart){.kind = FORMULA_AND, .left = before - 1, .right = before}));
  }
  return f;
}

/* The places are kept, so that it can be compared. */
static void be_formula(Heap *heap, Answer *answer) {
  answer->formula = formula_of(heap, answer);
  answer->kind = QUESTION_FORMULA;
}

static const char *compare_formula(const Explored *explored, const Answer *answer) {
  Answer cover = *answer;
  cover.kind = QUESTION_COVER;
  return compare(explored, &cover);
}

/* What has been answered before stays, and one formula alone is not searched for. */
static void formulas_agree_with_reachability(void) {
  uint32_t n_held = 0, n_never = 0;
  for (uint64_t seed = 1; seed <= N_SAFE; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Explored explored;
    Asked asked = {0};
    uint64_t state = seed << 20;
    explore(&explored, heap, safe_net(heap, seed));
    const bool complete = explored.reach->complete;
    while (complete && asked.n < 1 + seed % MOST_QUESTIONS) ask_cover(&asked, explored.net, &state);
    for (uint32_t i = 0; i < asked.n; i++) be_formula(heap, &asked.answers[i]);
    if (asked.n > 3) asked.answers[3].answer = VERDICT_HOLDS;
    together_search(heap, explored.net, asked.answers, asked.n, false);
    if (asked.n == 1) CU_ASSERT_EQUAL(asked.answers[0].answer, VERDICT_UNKNOWN);
    if (asked.n > 3) CU_ASSERT_EQUAL(asked.answers[3].answer, VERDICT_HOLDS);
    for (uint32_t i = 0; i < asked.n && asked.n > 1; i++) {
      if (i == 3) continue;
      CU_ASSERT_PTR_NULL(compare_formula(&explored, &asked.answers[i]));
      n_held += asked.answers[i].answer == VERDICT_VIOLATED;
      n_never += asked.answers[i].answer == VERDICT_HOLDS;
    }
    heap_free(heap);
  }
  CU_ASSERT_TRUE(n_held > N_SAFE / 2 && n_never > N_SAFE / 2);
}

/* Alone, one formula is searched for, too. */
static void formula_is_searched_alone(void) {
  for (uint64_t seed = 1; seed <= N_SAFE / 4; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Explored explored;
    Asked asked = {0};
    uint64_t state = seed << 20;
    explore(&explored, heap, safe_net(heap, seed));
    ask_cover(&asked, explored.net, &state);
    be_formula(heap, &asked.answers[0]);
    together_search(heap, explored.net, asked.answers, 1, true);
    if (explored.reach->complete) CU_ASSERT_NOT_EQUAL(asked.answers[0].answer, VERDICT_UNKNOWN);
    if (explored.reach->complete) CU_ASSERT_PTR_NULL(compare_formula(&explored, &asked.answers[0]));
    heap_free(heap);
  }
}

/* Of two to the power of 40 markings not all are looked at: what is near is found, the rest stays open. */
static void many_markings_are_left(void) {
  Heap *heap = heap_new((size_t)1 << 30);
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  PlaceId last = {0}, pair[2] = {{0}};
  for (uint32_t i = 0; i < 40; i++) {
    const PlaceId here = net_add_place(builder, "here", true);
    const TransId go = net_add_trans(builder, "go");
    last = net_add_place(builder, "there", false);
    net_add_input(builder, here, go);
    net_add_output(builder, go, last);
    if (!i) pair[0] = here, pair[1] = last;
  }
  const Net *net = net_freeze(builder, &err);
  Answer answers[] = {{.places = &last, .n_places = 1}, {.places = pair, .n_places = 2}, {.kind = QUESTION_DEADLOCK}};
  for (uint32_t i = 0; i < 2; i++) be_formula(heap, &answers[i]);
  together_search(heap, net, answers, 3, false);
  CU_ASSERT_EQUAL(answers[0].answer, VERDICT_VIOLATED);
  CU_ASSERT_EQUAL(answers[0].n_run, 1);
  CU_ASSERT_EQUAL(answers[1].answer, VERDICT_UNKNOWN);
  CU_ASSERT_EQUAL(answers[2].answer, VERDICT_UNKNOWN);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  const Net *net;
  Answer *answers;
} Three;

static void search_three(void *argument) {
  const Three *three = argument;
  together_search(three->heap, three->net, three->answers, 3, false);
}

/* What is answered then is right. */
static void memory_may_run_out_together(void) {
  bool done = false;
  for (uint64_t n = 1; !done; n++) {
    Heap *heap = heap_new((size_t)1 << 28);
    Explored explored;
    Asked asked = {0};
    uint64_t state = 7;
    explore(&explored, heap, safe_net(heap, 7));
    while (asked.n < 3) ask_cover(&asked, explored.net, &state);
    for (uint32_t i = 0; i < 3; i++) be_formula(heap, &asked.answers[i]);
    Three three = {heap, explored.net, asked.answers};
    const uint64_t before = heap_count(heap);
    heap_fail_at(heap, n);
    heap_try(heap, search_three, &three);
    done = heap_count(heap) - before < n;
    heap_fail_at(heap, 0);
    for (uint32_t i = 0; i < 3; i++)
      if (asked.answers[i].answer != VERDICT_UNKNOWN) CU_ASSERT_PTR_NULL(compare_formula(&explored, &asked.answers[i]));
    heap_free(heap);
  }
}

/* ---- names ---- */

static Net *named_net(Heap *heap) {
  static const char *const names[] = {"a", "b", "a,b", "twin", "twin", "#2"};
  NetBuilder *builder = net_builder_new(heap);
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) net_add_place(builder, names[i], true);
  net_add_trans(builder, "t");
  Err err;
  return net_freeze(builder, &err);
}

static void places_are_found(const Net *net, const char *names, const char *numbers) {
  Heap *heap = heap_new(0);
  PlaceId *places;
  uint32_t n;
  Err err;
  char got[64] = "";
  CU_ASSERT_TRUE_FATAL(net_find_places(heap, net, names, &places, &n, &err));
  for (uint32_t i = 0; i < n; i++) sprintf(got + strlen(got), "%u ", places[i].v);
  CU_ASSERT_STRING_EQUAL(got, numbers);
  heap_free(heap);
}

static void places_are_not_found(const Net *net, const char *names, const char *message) {
  Heap *heap = heap_new(0);
  PlaceId *places;
  uint32_t n;
  Err err;
  CU_ASSERT_FALSE(net_find_places(heap, net, names, &places, &n, &err));
  CU_ASSERT_STRING_EQUAL(err.text, message);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void names_are_found(void) {
  Heap *heap = heap_new(0);
  Net *net = named_net(heap);
  places_are_found(net, "a", "0 ");
  places_are_found(net, "b,a", "1 0 ");
  places_are_found(net, "a,b", "2 ");
  places_are_found(net, "b,a,b,b", "1 2 ");
  places_are_found(net, "#5,#1", "4 0 ");
  places_are_found(net, "#2", "5 ");
  places_are_not_found(net, "twin", "several places are named 'twin'; '#N' is the N-th one of the file");
  places_are_not_found(net, "a,twin,b", "several places are named 'twin'; '#N' is the N-th one of the file");
  places_are_not_found(net, "a,c,b", "the net has no place 'c'");
  places_are_not_found(net, "a,", "the net has no place ''");
  places_are_not_found(net, "", "the net has no place ''");
  places_are_not_found(net, "#7", "the net has no place '#7'");
  places_are_not_found(net, "#0", "the net has no place '#0'");
  places_are_not_found(net, "#1x", "the net has no place '#1x'");
  places_are_not_found(net, "#99999999999999999999999", "the net has no place '#99999999999999999999999'");
  heap_free(heap);
}

void suite_questions(void) {
  CU_pSuite suite = CU_add_suite("questions", NULL, NULL);
  CU_ADD_TEST(suite, questions_agree_with_reachability);
  CU_ADD_TEST(suite, the_rival_agrees_with_reachability);
  CU_ADD_TEST(suite, the_rival_gives_up);
  CU_ADD_TEST(suite, the_rival_may_win);
  CU_ADD_TEST(suite, memory_may_run_out);
  CU_ADD_TEST(suite, formulas_agree_with_reachability);
  CU_ADD_TEST(suite, formula_is_searched_alone);
  CU_ADD_TEST(suite, many_markings_are_left);
  CU_ADD_TEST(suite, memory_may_run_out_together);
  CU_ADD_TEST(suite, names_are_found);
}
