#include "ask/rival.h"

#include <assert.h>

enum {
  MAX_MARKINGS = 1 << 22,
  FIRST_PORTION = 1 << 22 /* as long as the unfolder takes until it lets the rival go on for the first time */
};

void rival_init(Rival *rival, Heap *heap, const Net *net, const Answer *question) {
  *rival = (Rival){.heap = heap, .net = net, .question = question, .status = STATES_MORE, .portion = FIRST_PORTION};
  if (question->kind == QUESTION_FORMULA) states_formula_init(&rival->formula, heap, question->formula);
}

void rival_fini(Rival *rival) {
  if (rival->begun) states_fini(&rival->states);
  if (!rival->ended && rival->heap) states_formula_fini(&rival->formula, rival->heap);
  rival->begun = false;
  rival->ended = true;
}

/* A StatesGoal. */
static bool is_answer(const void *argument, const States *states) {
  const Rival *rival = argument;
  const Answer *question = rival->question;
  switch (question->kind) {
  case QUESTION_COVER:
    for (uint32_t i = 0; i < question->n_places; i++)
      if (!marks_has(&states->marks, question->places[i].v)) return false;
    return true;
  case QUESTION_FIRE:
    for (uint32_t i = 0; i < states->enabled.n; i++)
      if (states->enabled.at[i] == question->trans.v) return true;
    return false;
  case QUESTION_DEADLOCK: return states_is_dead(NULL, states);
  case QUESTION_FORMULA: return states_satisfy(&rival->formula, states);
  case QUESTION_STATES:
  case QUESTION_OTHER: break; /* they have none */
  }
  return false;
}

static void explore(void *argument) {
  Rival *rival = argument;
  if (!rival->begun) {
    limits_init(&rival->limits, rival->heap, &rival->unlimited);
    states_init(&rival->states, rival->heap, rival->net, &rival->limits, MAX_MARKINGS);
    rival->begun = true;
  }
  rival->status = states_explore(&rival->states, is_answer, rival, rival->portion);
}

bool rival_go_on(void *argument) {
  Rival *rival = argument;
  if (rival->ended) return false;
  if (!heap_try(rival->heap, explore, rival)) {
    if (heap_why(rival->heap) != STOP_MEMORY) heap_pass_on(rival->heap);
    rival->status = STATES_FULL;
  }
  switch (rival->status) {
  case STATES_MORE: rival->portion *= 2; return false;
  case STATES_ALL:
  case STATES_FOUND: return true;
  case STATES_UNSAFE: /* the unfolder will see it, too, and say it */
  case STATES_FULL:
  case STATES_STOPPED: break;
  }
  rival_fini(rival);
  return false;
}

void rival_take(const Rival *rival, Answer *answer) {
  assert(!rival->ended && (rival->status == STATES_ALL || rival->status == STATES_FOUND));
  answer->answer = VERDICT_HOLDS;
  if (rival->status == STATES_ALL) return;
  const States *states = &rival->states;
  const uint32_t n = states_run(states, states->at, NULL), more = answer->kind == QUESTION_FIRE;
  answer->run = heap_alloc(rival->heap, heap_product(rival->heap, (uint64_t)n + more, sizeof *answer->run));
  answer->n_run = states_run(states, states->at, answer->run) + more;
  if (more) answer->run[n] = answer->trans;
  answer->shortest = true;
  answer->answer = VERDICT_VIOLATED;
}
