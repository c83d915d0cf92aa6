/* From each element all steps are taken back that lead to what is above it: what could be before such a step has to be
 * above some element, too. A step is left out that makes nothing of what an element asks for: it leads from above it.
 */
#include "check/upward_judge.h"

#include "petri/notes.h"

typedef struct {
  const UpwardClaim *claim;
  const ThreadFacts *facts;
  const Positions *positions;
  Elements *elements;
  uint32_t block;
  Err *err;
  U32Vec *leavers;  /* per position: the steps from there */
  U32Vec *makers;   /* per number of an element: the steps that lead there: to that position, or to that value from
                       another one */
  U32Vec *putters;  /* per item: the steps that put the chain there */
  uint64_t *inside; /* positions of the block's thread from its begin on */
  uint64_t *asked, *meets; /* per pair of kinds: is it known whether threads may be there, and may they? */
  uint32_t *stamp, round;  /* per step */
  uint32_t *count;         /* per class; all 0 between elements */
  U32Vec now, before, all; /* an element's numbers; those before a step; and with T and who carries the chain */
} Upward;

void upward_claim_init(UpwardClaim *claim, const ThreadFacts *facts) {
  *claim = (UpwardClaim){.heap = facts->heap, .facts = facts};
  groups_init(&claim->groups, facts);
  positions_init(&claim->positions, facts);
  elements_init(&claim->elements, facts->heap);
}

void upward_claim_fini(UpwardClaim *claim) {
  groups_fini(&claim->groups);
  positions_fini(&claim->positions);
  elements_fini(&claim->elements);
}

/* ---- numbers and steps ---- */

static bool is_position(const Upward *u, uint32_t number) { return number < positions_count(u->positions); }
static uint32_t value_of(const Upward *u, uint32_t number) { return number - positions_count(u->positions); }
static uint32_t number_of(const Upward *u, uint32_t value) { return upward_value(u->claim, value); }

static const PositionStep *step_at(const Upward *u, uint32_t step) { return &u->positions->steps.at[step]; }
static TransId transition_of(const Upward *u, uint32_t step) {
  return positions_transition(u->positions, step_at(u, step));
}
static FactEffects effects_of(const Upward *u, uint32_t step) {
  return thread_facts_effects(u->facts, transition_of(u, step));
}
static GroupAccesses accesses_of(const Upward *u, uint32_t step) {
  return groups_accesses(&u->claim->groups, transition_of(u, step));
}
static bool begins(const Upward *u, uint32_t step) {
  return u->facts->net->notes->transitions[transition_of(u, step).v].begin == u->block;
}
static bool ends(const Upward *u, uint32_t step) {
  return u->facts->net->notes->transitions[transition_of(u, step).v].end == u->block;
}

static uint64_t count_numbers(const Upward *u) {
  return (uint64_t)positions_count(u->positions) + u->facts->value_size.n;
}

static uint32_t count_items(const Upward *u) { return 2 * u->claim->groups.has_readers.n; }

static void list_steps(Upward *u) {
  Heap *heap = u->facts->heap;
  u->leavers = heap_zeroed(heap, heap_product(heap, count_numbers(u) + 1, sizeof *u->leavers));
  u->makers = heap_zeroed(heap, heap_product(heap, count_numbers(u) + 1, sizeof *u->makers));
  u->putters = heap_zeroed(heap, heap_product(heap, (uint64_t)count_items(u) + 1, sizeof *u->putters));
  for (uint32_t s = 0; s < u->positions->steps.n; s++) {
    const FactEffects effects = effects_of(u, s);
    const GroupAccesses accesses = accesses_of(u, s);
    vec_push(heap, &u->leavers[step_at(u, s)->from], s);
    vec_push(heap, &u->makers[step_at(u, s)->to], s);
    for (uint32_t i = 0; i < effects.n; i++)
      if (effects.at[i].pre != effects.at[i].post) vec_push(heap, &u->makers[number_of(u, effects.at[i].post)], s);
    for (uint32_t i = 0; i < accesses.n; i++)
      if (accesses.at[i].puts) vec_push(heap, &u->putters[2 * accesses.at[i].group + accesses.at[i].writes], s);
  }
}

static void forget_steps(Upward *u) {
  Heap *heap = u->facts->heap;
  for (uint64_t i = 0; i < count_numbers(u); i++) {
    vec_fini(heap, &u->leavers[i]);
    vec_fini(heap, &u->makers[i]);
  }
  for (uint32_t i = 0; i < count_items(u); i++) vec_fini(heap, &u->putters[i]);
  heap_release(heap, u->leavers);
  heap_release(heap, u->makers);
  heap_release(heap, u->putters);
}

static void enter(Upward *u, U32Vec *queue, uint32_t position) {
  if (bitset_has(u->inside, position)) return;
  bitset_add(u->inside, position);
  vec_push(u->facts->heap, queue, position);
}

static void find_inside(Upward *u) {
  U32Vec queue = {0};
  for (uint32_t s = 0; s < u->positions->steps.n; s++)
    if (begins(u, s)) enter(u, &queue, step_at(u, s)->to);
  for (uint32_t i = 0; i < queue.n; i++) {
    const U32Vec *leavers = &u->leavers[queue.at[i]];
    for (uint32_t k = 0; k < leavers->n; k++)
      if (!ends(u, leavers->at[k])) enter(u, &queue, step_at(u, leavers->at[k])->to);
  }
  vec_fini(u->facts->heap, &queue);
}

/* ---- what there can be ---- */

static bool kinds_meet(Upward *u, uint32_t kind, uint32_t other) {
  const uint64_t at = (uint64_t)kind * u->facts->n_kinds + other, bit = (uint64_t)1 << at % 64;
  if (!(u->asked[at / 64] & bit)) {
    u->asked[at / 64] |= bit;
    if (thread_facts_meet_alone(u->facts, kind, other)) u->meets[at / 64] |= bit;
  }
  return u->meets[at / 64] & bit;
}

/* May a thread be at a control of the kind while the value is? */
static bool kind_allows(const Upward *u, uint32_t kind, uint32_t value) {
  const uint32_t object = thread_facts_object_of(u->facts, value);
  if (value == u->facts->initial.at[object] && thread_facts_holds(u->facts, kind, object)) return false;
  return thread_facts_allows(u->facts, kind, value);
}

/* Two numbers that are not those of one configuration. */
static bool contradict(Upward *u, uint32_t one, uint32_t other) {
  const U32Vec *kinds = &u->positions->kind;
  if (is_position(u, one) && is_position(u, other)) return !kinds_meet(u, kinds->at[one], kinds->at[other]);
  if (is_position(u, one)) return !kind_allows(u, kinds->at[one], value_of(u, other));
  if (is_position(u, other)) return !kind_allows(u, kinds->at[other], value_of(u, one));
  return thread_facts_object_of(u->facts, value_of(u, one)) == thread_facts_object_of(u->facts, value_of(u, other));
}

/* With T, and who carries the chain. */
static void list_all(Upward *u, ElementKey key, const U32Vec *numbers) {
  Heap *heap = u->facts->heap;
  vec_clear(&u->all);
  for (uint32_t i = 0; i < numbers->n; i++) vec_push(heap, &u->all, numbers->at[i]);
  if (key.kind != UPWARD_BEFORE) vec_push(heap, &u->all, key.at);
  if (key.kind == UPWARD_CARRIED) vec_push(heap, &u->all, key.item);
}

/* Are there more threads in a class than it has? */
static bool is_crowded(Upward *u) {
  const Positions *p = u->positions;
  bool crowded = false;
  for (uint32_t i = 0; i < u->all.n; i++) {
    if (!is_position(u, u->all.at[i])) continue;
    const uint32_t class = p->class.at[u->all.at[i]];
    crowded = ++u->count[class] > p->most.at[class] || crowded;
  }
  for (uint32_t i = 0; i < u->all.n; i++)
    if (is_position(u, u->all.at[i])) u->count[p->class.at[u->all.at[i]]] = 0;
  return crowded;
}

/* Is there a configuration like that, as far as the facts tell? */
static bool can_be(Upward *u, ElementKey key, const U32Vec *numbers) {
  list_all(u, key, numbers);
  for (uint32_t i = 0; i < u->all.n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (contradict(u, u->all.at[i], u->all.at[k])) return false;
  return !is_crowded(u);
}

/* Do runs start above it? */
static bool is_initial(const Upward *u, const Element *element) {
  bool initial = element->key.kind == UPWARD_BEFORE;
  for (uint32_t i = 0; i < element->n; i++) {
    const uint32_t number = element->numbers[i];
    initial = initial &&
              (is_position(u, number) ? u->positions->is_initial[number]
                                      : u->facts->initial.at[thread_facts_object_of(u->facts, value_of(u, number))] ==
                                            value_of(u, number));
  }
  return initial;
}

/* Those of u->before, with that key: are they above an element, or of no configuration? `step` leads from there. */
static bool is_covered(Upward *u, uint32_t step, ElementKey key) {
  const Element before = {key, u->before.at, u->before.n};
  return elements_cover(u->elements, before) || !can_be(u, key, &u->before) ||
         err_set(u->err, ERR_CHECK, "before '%.200s' there can be what is above no element",
                 u->facts->net->trans_name[transition_of(u, step).v]);
}

/* ---- one step back ---- */

static void remove_at(U32Vec *numbers, uint32_t i) {
  for (; i + 1 < numbers->n; i++) numbers->at[i] = numbers->at[i + 1];
  numbers->n--;
}

static void insert(Heap *heap, U32Vec *numbers, uint32_t number) {
  vec_push(heap, numbers, number);
  uint32_t i = numbers->n - 1;
  for (; i > 0 && numbers->at[i - 1] > number; i--) numbers->at[i] = numbers->at[i - 1];
  numbers->at[i] = number;
}

/* The object gets the value that it had before. False if it has another one after it. */
static bool undo_effect(Upward *u, const FactEffect *effect) {
  uint32_t i = 0;
  while (i < u->before.n && (is_position(u, u->before.at[i]) ||
                             thread_facts_object_of(u->facts, value_of(u, u->before.at[i])) != effect->object))
    i++;
  if (i < u->before.n && value_of(u, u->before.at[i]) != effect->post) return false;
  if (i < u->before.n) remove_at(&u->before, i);
  insert(u->facts->heap, &u->before, number_of(u, effect->pre));
  return true;
}

/* Is the thread that takes the step one of those in the numbers? */
typedef struct {
  bool before, behind;
} Counted;

static const Counted NEVER = {false, false}, BEFORE = {true, false}, BEHIND = {false, true}, ALWAYS = {true, true};

/* u->before becomes the least with which the step leads to what is above u->now. False if there is nothing. */
static bool undo(Upward *u, uint32_t step, Counted counted) {
  const FactEffects effects = effects_of(u, step);
  Heap *heap = u->facts->heap;
  vec_clear(&u->before);
  for (uint32_t i = 0; i < u->now.n; i++) vec_push(heap, &u->before, u->now.at[i]);
  for (uint32_t i = 0; counted.behind && i < u->before.n; i++)
    if (u->before.at[i] == step_at(u, step)->to) {
      remove_at(&u->before, i);
      break;
    }
  for (uint32_t i = 0; i < effects.n; i++)
    if (!undo_effect(u, &effects.at[i])) return false;
  if (counted.before) insert(heap, &u->before, step_at(u, step)->from);
  return true;
}

/* Before the step, T and the chain are as the key says. */
static bool go_back(Upward *u, uint32_t step, Counted counted, uint32_t kind, uint32_t at, uint32_t item) {
  return !undo(u, step, counted) || is_covered(u, step, (ElementKey){kind, at, item});
}

/* May another thread than the one at that position take the step? */
static bool passes(const Upward *u, uint32_t step, uint32_t at) {
  return thread_facts_pass_alone(u->facts, step_at(u, step)->kind, u->positions->kind.at[at]);
}

static bool puts_on(const Upward *u, uint32_t step, uint32_t item) {
  const GroupAccesses accesses = accesses_of(u, step);
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].puts && 2 * accesses.at[i].group + accesses.at[i].writes == item) return true;
  return false;
}

/* Would it take the chain from there? */
static bool clears(const Upward *u, uint32_t step, uint32_t item) {
  const GroupAccesses accesses = accesses_of(u, step);
  for (uint32_t i = 0; i < accesses.n; i++)
    if (accesses.at[i].group == item / 2)
      return groups_clears(&u->claim->groups, transition_of(u, step), &accesses.at[i]);
  return false;
}

/* The thread has taken the chain from an item, where T or another one had put it; not both read. */
static bool pick_up(Upward *u, uint32_t step, Counted counted, uint32_t at) {
  const GroupAccesses accesses = accesses_of(u, step);
  for (uint32_t i = 0; i < accesses.n; i++)
    for (uint32_t wrote = accesses.at[i].writes ? 0 : 1; accesses.at[i].takes && wrote < 2; wrote++) {
      const uint32_t item = 2 * accesses.at[i].group + wrote;
      if (!go_back(u, step, counted, UPWARD_PASSED, at, item) || !go_back(u, step, counted, UPWARD_LEFT, at, item))
        return false;
    }
  return true;
}

/* ---- from each kind of element ---- */

/* A thread has taken a step that has nothing to do with the chain. */
static bool is_aside(const Upward *u, uint32_t step, ElementKey key) {
  if (key.kind != UPWARD_BEFORE && !passes(u, step, key.at)) return false;
  return key.kind != UPWARD_PASSED || !clears(u, step, key.item);
}

static bool before_aside(Upward *u, ElementKey key) {
  u->round++;
  for (uint32_t i = 0; i < u->now.n; i++) {
    const U32Vec *makers = &u->makers[u->now.at[i]];
    for (uint32_t m = 0; m < makers->n; m++) {
      const uint32_t step = makers->at[m];
      if (u->stamp[step] == u->round) continue;
      u->stamp[step] = u->round;
      if (is_aside(u, step, key) && !go_back(u, step, ALWAYS, key.kind, key.at, key.item)) return false;
    }
  }
  return true;
}

/* T has come to where it is. */
static bool before_own(Upward *u, ElementKey key) {
  const bool left = key.kind == UPWARD_LEFT;
  const U32Vec *makers = &u->makers[key.at];
  for (uint32_t m = 0; m < makers->n; m++) {
    const uint32_t step = makers->at[m], from = step_at(u, step)->from;
    const bool puts = !left || puts_on(u, step, key.item);
    if (begins(u, step) && puts && !go_back(u, step, BEFORE, UPWARD_BEFORE, 0, 0)) return false;
    if (ends(u, step) || !bitset_has(u->inside, from)) continue;
    if (puts && !go_back(u, step, NEVER, UPWARD_WITH_T, from, 0)) return false;
    if (left && !clears(u, step, key.item) && !go_back(u, step, NEVER, UPWARD_LEFT, from, key.item)) return false;
  }
  return true;
}

/* Who put the chain there has carried it, or picked it up with the same step. */
static bool before_passed(Upward *u, ElementKey key) {
  const U32Vec *putters = &u->putters[key.item];
  for (uint32_t i = 0; i < putters->n; i++) {
    const uint32_t step = putters->at[i];
    if (!passes(u, step, key.at)) continue;
    if (!go_back(u, step, BEHIND, UPWARD_CARRIED, key.at, step_at(u, step)->from) || !pick_up(u, step, ALWAYS, key.at))
      return false;
  }
  return before_aside(u, key);
}

static bool before_carried(Upward *u, ElementKey key) {
  const U32Vec *makers = &u->makers[key.item];
  for (uint32_t m = 0; m < makers->n; m++) {
    const uint32_t step = makers->at[m];
    if (!passes(u, step, key.at)) continue;
    if (!go_back(u, step, NEVER, UPWARD_CARRIED, key.at, step_at(u, step)->from) || !pick_up(u, step, BEFORE, key.at))
      return false;
  }
  return before_aside(u, key);
}

static bool judge_element(Upward *u, const Element *element) {
  vec_clear(&u->now);
  for (uint32_t i = 0; i < element->n; i++) vec_push(u->facts->heap, &u->now, element->numbers[i]);
  switch ((UpwardKind)element->key.kind) {
  case UPWARD_BEFORE: return before_aside(u, element->key);
  case UPWARD_WITH_T:
  case UPWARD_LEFT: return before_own(u, element->key);
  case UPWARD_PASSED: return before_passed(u, element->key);
  case UPWARD_CARRIED: return before_carried(u, element->key);
  case UPWARD_KINDS: break;
  }
  return true;
}

/* ---- the whole ---- */

/* T takes the step, and the chain with it. */
static bool judge_return(Upward *u, uint32_t step) {
  const GroupAccesses accesses = accesses_of(u, step);
  const FactEffects effects = effects_of(u, step);
  vec_clear(&u->before);
  for (uint32_t i = 0; i < effects.n; i++) insert(u->facts->heap, &u->before, number_of(u, effects.at[i].pre));
  for (uint32_t i = 0; i < accesses.n; i++)
    for (uint32_t wrote = accesses.at[i].writes ? 0 : 1; accesses.at[i].takes && wrote < 2; wrote++) {
      const ElementKey key = {UPWARD_PASSED, step_at(u, step)->from, 2 * accesses.at[i].group + wrote};
      if (!is_covered(u, step, key)) return false;
    }
  return true;
}

static bool judge_returns(Upward *u) {
  for (uint32_t s = 0; s < u->positions->steps.n; s++)
    if (bitset_has(u->inside, step_at(u, s)->from) && !ends(u, s) && !judge_return(u, s)) return false;
  return true;
}

static bool judge_elements(Upward *u) {
  for (uint32_t i = 0; i < elements_count(u->elements); i++) {
    const Element element = elements_at(u->elements, i);
    heap_poll(u->facts->heap);
    if (is_initial(u, &element)) return err_set(u->err, ERR_CHECK, "runs start above an element of the set");
    if (!judge_element(u, &element)) return false;
  }
  return true;
}

/* Two places that are swapped are of one group. */
static bool judge_swaps(const Upward *u, const uint32_t *place) {
  const Groups *groups = &u->claim->groups;
  for (uint32_t p = 0; p < u->facts->net->n_places; p++)
    if (groups->group_of[p] != groups->group_of[place[p]])
      return err_set(u->err, ERR_CHECK, "place '%.200s' is not of the group of those like it",
                     u->facts->net->place_name[p]);
  return true;
}

static bool judge(Upward *u) {
  list_steps(u);
  find_inside(u);
  const bool good = judge_returns(u) && judge_elements(u);
  forget_steps(u);
  return good;
}

bool upward_judge(UpwardClaim *claim, uint32_t block, const bool *many, const uint32_t *place, Err *err) {
  Heap *heap = claim->heap;
  const uint64_t n_kinds = claim->facts->n_kinds;
  Upward u = {.claim = claim,
              .facts = claim->facts,
              .positions = &claim->positions,
              .elements = &claim->elements,
              .block = block,
              .err = err};
  if (!groups_judge(&claim->groups, err) || !judge_swaps(&u, place) ||
      !positions_judge(&claim->positions, &claim->groups, many, err))
    return false;
  const size_t n = positions_count(&claim->positions);
  u.inside = heap_zeroed(heap, (bitset_words((uint32_t)n) + 1) * sizeof *u.inside);
  u.asked = heap_zeroed(heap, heap_product(heap, n_kinds * n_kinds / 64 + 1, sizeof *u.asked));
  u.meets = heap_zeroed(heap, heap_product(heap, n_kinds * n_kinds / 64 + 1, sizeof *u.meets));
  u.stamp = heap_zeroed(heap, ((size_t)claim->positions.steps.n + 1) * sizeof *u.stamp);
  u.count = heap_zeroed(heap, (n + 1) * sizeof *u.count);
  const bool good = judge(&u);
  heap_release(heap, u.inside);
  heap_release(heap, u.asked);
  heap_release(heap, u.meets);
  heap_release(heap, u.stamp);
  heap_release(heap, u.count);
  vec_fini(heap, &u.now);
  vec_fini(heap, &u.before);
  vec_fini(heap, &u.all);
  return good;
}
