/* Each question but those about deadlocks and formulas has an unfolding that ends as soon as it is answered; where the
 * answer is no, that one is complete, and the questions after it are answered from it. An unfolding that becomes large
 * has a rival (rival.h), which may have the answer first. Several formulas are searched for together at first
 * (together.h). */
#include "ask/questions.h"

#include "ask/counting.h"
#include "ask/rival.h"
#include "ask/together.h"
#include "base/clock.h"
#include "check/run_proof.h"
#include "petri/complement.h"
#include "petri/goal.h"
#include "petri/lookup.h"
#include "unfold/deadlock.h"

#include <stdio.h>
#include <string.h>

/* What is passed through heap_try: memory may run out at any point, and what was known then stays known. */
typedef struct {
  Heap *heap;
  const Net *net;
  const QuestionOptions *options;
  const AskLimits *limits;
  Answer *answers;
  uint32_t n_answers;
  QuestionResult *result;
  Net *goal;   /* while it is unfolded */
  Rival rival; /* of the unfolding for the current question, if it may have one */
  bool has_rival;
  bool together; /* the formulas have been searched for together */
  double start;
  Err *err;
  bool good;
} Run;

static bool fail(Run *run) {
  run->good = false;
  return false;
}

/* ---- unfolding ---- */

static bool refusal_replayed(Run *run);

static void show(void *argument, const UnfoldCounts *counts) {
  const Run *run = argument;
  ask_show(run->limits, run->heap, counts->events, counts);
}

/* Unfolds until what is wanted of it is known. The prefix is the result's. False if that is all that can be done. */
static bool unfold_until(Run *run, const Net *net, UnfoldOptions wanted) {
  const QuestionOptions *options = run->options;
  UnfoldOptions u = wanted;
  u.order = options->order;
  u.max_events = run->limits->max_events;
  u.progress = show;
  u.progress_argument = run;
  u.counts = &run->result->counts;
  u.rival = run->has_rival ? rival_go_on : NULL;
  u.rival_argument = &run->rival;
  prefix_free(run->result->prefix);
  run->result->prefix = NULL;
  Prefix *prefix = run->result->prefix = unfold(run->heap, net, &u, run->err);
  if (!prefix) return fail(run);
  prefix_explain(prefix, run->result->why, sizeof run->result->why);
  run->result->complete = prefix->status == UNFOLD_COMPLETE;
  if (prefix->status == UNFOLD_NOT_SAFE) refusal_replayed(run);
  return prefix->status == UNFOLD_COMPLETE || prefix->status == UNFOLD_STOPPED;
}

/* ---- what was found ---- */

static bool plays(RunProof *proof, const TransId *run, uint32_t n_run, Err *err) {
  for (uint32_t i = 0; i < n_run; i++)
    if (!run_proof_step(proof, run[i], err)) return false;
  return true;
}

static bool proves(const RunProof *proof, const Answer *answer, Err *err) {
  if (!run_proof_safe(proof, err)) return false;
  switch (answer->kind) {
  case QUESTION_COVER: return run_proof_covers(proof, answer->places, answer->n_places, err);
  case QUESTION_FIRE: return run_proof_fires(proof, answer->trans, err);
  case QUESTION_DEADLOCK: return run_proof_deadlock(proof, err);
  case QUESTION_FORMULA: return run_proof_satisfies(proof, answer->formula, err);
  case QUESTION_STATES:
  case QUESTION_OTHER: break; /* they have no run */
  }
  return false;
}

/* Replays the answer's run; does it lead where it should? */
static bool replayed(Run *run, const Answer *answer) {
  RunProof proof;
  run_proof_init(&proof, run->heap, run->net);
  const bool good = plays(&proof, answer->run, answer->n_run, run->err) && proves(&proof, answer, run->err);
  run_proof_fini(&proof);
  return good || fail(run);
}

/* The same for a run that shows that the net is not 1-safe. */
static bool refusal_replayed(Run *run) {
  const Prefix *prefix = run->result->prefix;
  RunProof proof;
  run_proof_init(&proof, run->heap, run->net);
  const bool good = plays(&proof, prefix->unsafe_run, prefix->n_unsafe_run, run->err) &&
                    run_proof_unsafe(&proof, prefix->unsafe_place, run->err);
  run_proof_fini(&proof);
  return good || fail(run);
}

/* Yes: after the local configuration of the event, less its last step where that is the goal; EVENT_NONE: at first. */
static bool found(Run *run, Answer *answer, EventId event, bool goal) {
  const uint32_t n = event.v == EVENT_NONE.v ? 0 : prefix_local_run(run->result->prefix, event, NULL);
  answer->run = heap_alloc(run->heap, heap_product(run->heap, n, sizeof *answer->run));
  if (n) prefix_local_run(run->result->prefix, event, answer->run);
  answer->n_run = goal ? n - 1 : n;
  answer->shortest = true;
  if (!replayed(run, answer)) return false;
  answer->answer = VERDICT_VIOLATED;
  return true;
}

/* ---- the questions ---- */

static bool whole_prefix(Run *run) { return run->result->complete || unfold_until(run, run->net, (UnfoldOptions){0}); }

static bool is_refused(const Run *run) {
  return !run->result->prefix || run->result->prefix->status == UNFOLD_NOT_SAFE;
}

/* The first condition of any of the places; false if there is none. */
static bool find_any(const Prefix *prefix, const PlaceId *places, uint32_t n, ConditionId *first) {
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    ConditionId condition = {0};
    if (!prefix_find_place(prefix, places[i], &condition) || (any && condition.v > first->v)) continue;
    *first = condition;
    any = true;
  }
  return any;
}

/* Can one of the places be marked? */
static bool cover_any(Run *run, Answer *answer, const PlaceId *places, uint32_t n) {
  const UnfoldOptions wanted = {.targets = places, .n_targets = n, .stop_at_first = n > 0};
  const bool decided = run->result->complete || unfold_until(run, run->net, wanted);
  ConditionId condition = {0};
  if (is_refused(run)) return false;
  if (find_any(run->result->prefix, places, n, &condition))
    return found(run, answer, run->result->prefix->producer[condition.v], false);
  if (decided) answer->answer = VERDICT_HOLDS;
  return decided;
}

/* The prefix of the net with a goal is that of the net, but for the goal's event, which is the last one. */
static void forget_goal(Run *run) {
  Prefix *prefix = run->result->prefix;
  if (prefix->status == UNFOLD_STOPPED) {
    prefix->n_events--;
    prefix->n_conditions--;
    prefix->counts.events--;
    prefix->counts.conditions--;
    run->result->counts = prefix->counts;
  }
  prefix->net = run->net;
  net_free(run->goal);
  run->goal = NULL;
}

static bool cover_several(Run *run, Answer *answer) {
  run->goal = net_with_goal(run->heap, run->net, answer->places, answer->n_places);
  const TransId goal = {run->net->n_trans};
  bool good = unfold_until(run, run->goal, (UnfoldOptions){.stop_at = &goal});
  const Prefix *prefix = run->result->prefix;
  if (!prefix) return false;
  const EventId event = prefix_find_trans(prefix, goal);
  if (event.v != EVENT_NONE.v) good = found(run, answer, event, true);
  else if (good) answer->answer = VERDICT_HOLDS;
  forget_goal(run);
  return good;
}

static bool fire(Run *run, Answer *answer) {
  const bool decided = run->result->complete || unfold_until(run, run->net, (UnfoldOptions){.stop_at = &answer->trans});
  if (is_refused(run)) return false;
  const EventId event = prefix_find_trans(run->result->prefix, answer->trans);
  if (event.v != EVENT_NONE.v) return found(run, answer, event, false);
  if (decided) answer->answer = VERDICT_HOLDS;
  return decided;
}

static void explain_search(Run *run, const Deadlock *found, const char *what) {
  char limit[160];
  if (found->why[0]) memcpy(limit, found->why, sizeof limit);
  else heap_explain(run->heap, heap_asked(run->heap), limit, sizeof limit);
  snprintf(run->result->why, sizeof run->result->why, "%.120s during the search for %s", limit, what);
}

/* So many formulas may have searches of their own where little is to be done. */
enum { FEW_FORMULAS = 32 };

/* Once for all formulas. False: an answer did not stand up to its replay. */
static bool search_together(Run *run) {
  if (run->together) return true;
  run->together = true;
  together_search(run->heap, run->net, run->answers, run->n_answers, run->options->brief);
  for (uint32_t i = 0; i < run->n_answers; i++) {
    const Answer *a = &run->answers[i];
    if (a->kind == QUESTION_FORMULA && a->answer == VERDICT_VIOLATED && !replayed(run, a)) return false;
  }
  return true;
}

static uint32_t count_open(const Run *run) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < run->n_answers; i++) n += run->answers[i].answer == VERDICT_UNKNOWN;
  return n;
}

/* Or a marking in which the formula holds. */
static bool search_markings(Run *run, Answer *answer) {
  const Formula *formula = answer->kind == QUESTION_FORMULA ? answer->formula : NULL;
  const DeadlockOptions options = {.any = run->options->any_deadlock, .formula = formula};
  const bool brief = formula && run->options->brief;
  if (!whole_prefix(run)) {
    if (brief && run->good && !is_refused(run) && !heap_asked(run->heap)) search_together(run);
    return false;
  }
  if (formula && !search_together(run)) return false;
  if (answer->answer != VERDICT_UNKNOWN || (brief && count_open(run) > FEW_FORMULAS)) return true;
  const Deadlock found = deadlock_find(run->result->prefix, &options);
  answer->run = found.run;
  answer->n_run = found.n_run;
  answer->shortest = found.shortest;
  if (found.answer == DEADLOCK_FOUND && !replayed(run, answer)) return false;
  answer->answer = found.answer == DEADLOCK_FOUND  ? VERDICT_VIOLATED
                   : found.answer == DEADLOCK_NONE ? VERDICT_HOLDS
                                                   : VERDICT_UNKNOWN;
  if (found.answer == DEADLOCK_UNKNOWN) explain_search(run, &found, formula ? "such a marking" : "a deadlock");
  return found.answer != DEADLOCK_UNKNOWN;
}

/* A formula that says that one of some places is marked holds as soon as the unfolding comes to one. */
static bool satisfy(Run *run, Answer *answer) {
  const Formula *formula = answer->formula;
  const FormulaPart *sum = &formula->parts.at[0];
  const bool is_any = formula->parts.n == 1 && sum->kind == FORMULA_SUM && sum->bound == 1;
  return is_any ? cover_any(run, answer, formula->places.at + sum->first, sum->n_summands)
                : search_markings(run, answer);
}

/* The unfolder sees, too, that a net is not 1-safe, and has a way to say it. */
static bool count(Run *run, Answer *answer) {
  Counting counting;
  if (!net_check_presets(run->net, "the net", run->err)) return fail(run);
  counting_markings(run->heap, run->net, run->limits, answer->most ? answer->most : UINT32_MAX, &counting);
  if (counting.status == STATES_UNSAFE) return whole_prefix(run), false;
  answer->n_markings = counting.n;
  if (counting.status == STATES_ALL) answer->answer = VERDICT_HOLDS;
  else memcpy(run->result->why, counting.why, sizeof counting.why);
  return counting.status == STATES_ALL;
}

static bool decide_by_prefix(Run *run, Answer *answer) {
  switch (answer->kind) {
  case QUESTION_COVER:
    return answer->n_places == 1 ? cover_any(run, answer, answer->places, 1) : cover_several(run, answer);
  case QUESTION_FIRE: return fire(run, answer);
  case QUESTION_DEADLOCK: return search_markings(run, answer);
  case QUESTION_FORMULA: return satisfy(run, answer);
  case QUESTION_STATES: return count(run, answer);
  case QUESTION_OTHER: return true;
  }
  return false;
}

/* Has the search of the markings the answer, and not the prefix? */
static bool rival_won(const Run *run) {
  const StatesStatus status = run->rival.status;
  return run->has_rival && !run->rival.ended && (status == STATES_ALL || status == STATES_FOUND);
}

/* A prefix that is wanted for itself is unfolded without a rival. */
static bool decide(Run *run, Answer *answer) {
  run->has_rival = !run->options->whole_prefix && answer->kind != QUESTION_STATES && answer->kind != QUESTION_OTHER;
  rival_init(&run->rival, run->heap, run->net, answer);
  bool decided = decide_by_prefix(run, answer);
  if (run->good && rival_won(run)) {
    rival_take(&run->rival, answer);
    run->result->why[0] = '\0';
    decided = answer->answer == VERDICT_HOLDS || replayed(run, answer);
  }
  rival_fini(&run->rival);
  return decided;
}

/* Is the whole prefix wanted, besides the answers? */
static bool wants_prefix(const Run *run) {
  bool fire = false, no = false;
  for (uint32_t i = 0; i < run->n_answers; i++) {
    fire |= run->answers[i].kind == QUESTION_FIRE;
    no |= run->answers[i].answer == VERDICT_HOLDS && run->answers[i].kind != QUESTION_STATES;
  }
  return !run->n_answers || (run->options->whole_prefix && !fire) || (run->options->proof && no);
}

/* ---- the proof that formulas do not hold ---- */

static bool never_holds(const Answer *answer) {
  return answer->kind == QUESTION_FORMULA && answer->answer == VERDICT_HOLDS;
}

/* Are there such formulas? Lists the places that some of them wants unmarked. */
static bool list_complements(Run *run) {
  QuestionResult *result = run->result;
  bool *wanted = heap_zeroed(run->heap, (size_t)run->net->n_places + 1), any = false;
  for (uint32_t i = 0; i < run->n_answers; i++) {
    if (!never_holds(&run->answers[i])) continue;
    formula_find_unmarked(run->answers[i].formula, wanted);
    any = true;
  }
  result->complements = heap_alloc(run->heap, ((size_t)run->net->n_places + 1) * sizeof *result->complements);
  for (uint32_t p = 0; p < run->net->n_places; p++)
    if (wanted[p]) result->complements[result->n_complements++] = (PlaceId){p};
  heap_release(run->heap, wanted);
  return any;
}

static void prove_formulas(void *argument) {
  Run *run = argument;
  QuestionResult *result = run->result;
  const UnfoldOptions options = {.order = run->options->order, .max_events = run->limits->max_events};
  if (!run->options->proof || !result->complete || !list_complements(run)) return;
  result->complemented = net_with_complements(run->heap, run->net, result->complements, result->n_complements);
  Prefix *prefix = unfold(run->heap, result->complemented, &options, run->err);
  if (!prefix) {
    fail(run);
  } else if (prefix->status == UNFOLD_COMPLETE) {
    result->proof = prefix;
  } else {
    prefix_free(prefix);
  }
}

static void body(void *argument) {
  Run *run = argument;
  for (uint32_t i = 0; i < run->n_answers; i++)
    if (run->answers[i].answer == VERDICT_UNKNOWN && !decide(run, &run->answers[i])) return;
  if (wants_prefix(run)) whole_prefix(run);
  if (run->good) heap_try(run->heap, prove_formulas, run); /* what a limit ends is no proof, and changes no answer */
}

bool questions_answer(Heap *heap, const Net *net, const QuestionOptions *options, const AskLimits *limits,
                      Answer *answers, uint32_t n_answers, QuestionResult *result, Err *err) {
  *result = (QuestionResult){.heap = heap};
  for (uint32_t i = 0; i < n_answers; i++) answers[i].answer = VERDICT_UNKNOWN;
  Run run = {.heap = heap,
             .net = net,
             .options = options,
             .limits = limits,
             .answers = answers,
             .n_answers = n_answers,
             .result = result,
             .start = clock_seconds(),
             .err = err,
             .good = true};
  if (!heap_try(heap, body, &run))
    heap_explain_after(heap, heap_why(heap), result->counts.events, "events", result->why, sizeof result->why);
  net_free(run.goal);
  rival_fini(&run.rival);
  result->seconds = clock_seconds() - run.start;
  result->bytes = heap_peak(heap);
  if (!run.good) questions_fini(result);
  return run.good;
}

void questions_fini(QuestionResult *result) {
  prefix_free(result->prefix);
  prefix_free(result->proof);
  net_free(result->complemented);
  heap_release(result->heap, result->complements);
  *result = (QuestionResult){.heap = result->heap};
}

Verdict questions_verdict(const Answer *answers, uint32_t n_answers, const QuestionResult *result) {
  VerdictTally tally = {0};
  verdict_count(&tally, result->why[0] ? VERDICT_UNKNOWN : VERDICT_HOLDS);
  for (uint32_t i = 0; i < n_answers; i++) verdict_count(&tally, answers[i].answer);
  return verdict_join(&tally);
}

bool questions_parse_cover(Heap *heap, const Net *net, const char *text, Answer *answer, Err *err) {
  PlaceId *places;
  *answer = (Answer){.kind = QUESTION_COVER, .text = text};
  if (net_find_places(heap, net, text, &places, &answer->n_places, err)) return answer->places = places, true;
  if (!strpbrk(text, " !()+<>=\"")) return false;
  Formula *formula = heap_zeroed(heap, sizeof *formula);
  answer->kind = QUESTION_FORMULA;
  answer->formula = formula;
  return formula_parse(heap, net, text, formula, err);
}
