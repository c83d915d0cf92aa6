/* Possible extensions without a co-relation.
 *
 * The extensions that a new event e brings consume at least one of its conditions, and otherwise conditions concurrent
 * to it. Those are found by playing on from the cut of its local configuration [e]: a live event belongs to a
 * configuration together with e iff all of its preset is in that cut or produced by such events (`find_concurrent`).
 * Each live event watches one condition of its preset and is looked at when that one is found to be concurrent; if
 * another one is missing then, it watches that one from now on. So this takes time for what is concurrent to e, as
 * walking through a stored co-relation would, and hardly any memory. Where that is much, few of it can take part in an
 * extension: then only events are looked at that lead to the regions (regions.h) of the places wanted: those of the
 * presets that e's conditions may be part of, and e's own, which are needed for safety.
 *
 * For a transition, conditions c1 .. cn of its preset are then chosen place by place; places of e's own postset have no
 * choice in a safe net. They can occur together iff the configurations of their producers can be fired on top of [e]
 * with none of them consumed, and so this is what is done (`search`): the chosen places are guarded, and the next
 * choice has to fit. When all are chosen, the extension depends on [e] and on what was fired beyond it, nothing more:
 * that gives its size and its marking from those of e. Places with few conditions to choose from come first.
 *
 * Of a place, only what can come after its condition in the configuration at hand is tried. In a safe net two
 * conditions of a place are never concurrent, so in one configuration each comes after the other. An event that takes a
 * condition and gives it back makes the next one of it: so the conditions to choose from are trees, of which only the
 * part below the current condition is looked at, and nothing below one that does not fit. (Where a place was empty in
 * between, nothing is known.) For a variable that threads read by themselves and write together that saves nine tries
 * out of ten.
 *
 * Most transitions do not get so far, because some place of their preset has no condition at all. The one that was
 * missing the last time is looked at first (both are the watched literals of SAT solvers). And where every transition
 * that could follow takes its tokens from e alone, and no place of e's postset ever had another condition, nothing that
 * is concurrent to e matters, and it is not looked for (`extend_alone`): parts of a net that share nothing do not cost
 * their product.
 *
 * Safety. A configuration C that puts two tokens on a place, smallest in the order, contains no cut-off: e in C could
 * be replaced by its corresponding event, which leads to a smaller one with the same marking. So it is enough to look
 * whether a new live event is concurrent to an older live condition of a place of its postset, and, since markings are
 * compared as sets of places, whether an extension itself puts a second token somewhere. */
#include "unfold/extend.h"

#include "base/bitset.h"

#include <assert.h>
#include <stdlib.h>

enum { FEW = 40, AHEAD = 8 };

void extend_init(Extend *extend, Branch *branch, Config *config, Queue *queue, Limits *limits) {
  Heap *heap = branch->heap;
  const Net *net = branch->net;
  *extend = (Extend){.branch = branch, .config = config, .queue = queue, .limits = limits, .unsafe_place = NONE};
  extend->seen = heap_zeroed(heap, heap_product(heap, net->n_trans, sizeof *extend->seen));
  regions_init(&extend->regions, branch);
  possible_init(&extend->possible, config, &extend->regions);
}

void extend_fini(Extend *extend) {
  Heap *heap = extend->branch->heap;
  heap_release(heap, extend->seen);
  vec_fini(heap, &extend->found);
  vec_fini(heap, &extend->candidates);
  vec_fini(heap, &extend->alternatives);
  vec_fini(heap, &extend->touched);
  vec_fini(heap, &extend->choices);
  vec_fini(heap, &extend->run);
  possible_fini(&extend->possible);
  regions_fini(&extend->regions);
}

/* ---- the net is not safe ---- */

/* The run is what the preset depends on, and then the transition, which puts a second token on the place. */
static bool unsafe_extension(Extend *extend, const Ext *ext, uint32_t place) {
  Branch *branch = extend->branch;
  U32Vec causes = {0};
  vec_clear(&extend->run);
  for (uint32_t i = 0; i < net_pre(branch->net, (TransId){ext->trans}).n; i++) {
    const uint32_t producer = branch->pool.at[ext->pre + i].producer;
    if (producer != NONE) vec_push(branch->heap, &causes, producer);
  }
  branch_past(branch, causes.at, causes.n, &extend->run);
  vec_fini(branch->heap, &causes);
  for (uint32_t i = 0; i < extend->run.n; i++) extend->run.at[i] = branch->events.at[extend->run.at[i]].trans;
  vec_push(branch->heap, &extend->run, ext->trans);
  extend->unsafe_place = place;
  return false;
}

/* The run is what events e and f depend on; both have conditions of the place. It is cut after the first second token.
 */
static bool unsafe_pair(Extend *extend, uint32_t e, uint32_t f) {
  Heap *heap = extend->branch->heap;
  const Net *net = extend->branch->net;
  vec_clear(&extend->run);
  branch_past(extend->branch, (const uint32_t[]){e, f}, 2, &extend->run);
  bool *marked = heap_alloc(heap, net->n_places);
  for (uint32_t p = 0; p < net->n_places; p++) marked[p] = net->marked[p];
  for (uint32_t i = 0; i < extend->run.n && extend->unsafe_place == NONE; i++) {
    const TransId t = {extend->branch->events.at[extend->run.at[i]].trans};
    const PlaceList pre = net_pre(net, t), post = net_post(net, t);
    for (uint32_t k = 0; k < pre.n; k++) marked[pre.at[k].v] = false;
    for (uint32_t k = 0; k < post.n; k++) {
      if (marked[post.at[k].v] && extend->unsafe_place == NONE) extend->unsafe_place = post.at[k].v;
      marked[post.at[k].v] = true;
    }
    extend->run.at[i] = t.v;
    if (extend->unsafe_place != NONE) extend->run.n = i + 1;
  }
  assert(extend->unsafe_place != NONE);
  heap_release(heap, marked);
  return false;
}

/* ---- one extension ---- */

/* The place on which firing the transition in the current marking would put a second token, or NONE. */
static uint32_t second_token(const Extend *extend, uint32_t trans) {
  const Marks *marks = extend->queue->marks;
  for (uint32_t i = marks->effects->start[2 * trans + 1]; i < marks->effects->start[2 * trans + 2]; i++)
    if (marks_has(marks, marks->effects->places[i])) return marks->effects->places[i];
  return NONE;
}

/* The events needed besides the one at hand are fired in the current marking. */
static void fire_others(Extend *extend) {
  for (uint32_t i = extend->height; i < extend->config->trail.n; i++)
    marks_toggle(extend->queue->marks, extend->branch->events.at[extend->config->trail.at[i]].trans);
}

/* The transition with the preset that stands at the end of the pool is a possible extension. It depends on the event at
 * hand and on the events of the trail beyond `height`. */
static bool add_extension(Extend *extend, uint32_t trans, uint32_t pre) {
  Branch *branch = extend->branch;
  Marks *marks = extend->queue->marks;
  const uint32_t e = extend->event, number = branch->exts.n;
  const uint32_t size = (e == NONE ? 0 : branch->events.at[e].size) + (extend->config->trail.n - extend->height) + 1;
  if (number == BRANCH_MAX) heap_give_up(branch->heap);
  const Ext ext = {.trans = trans, .pre = pre, .parent = e, .marking = NONE, .fate = EXT_WAITING, .next = NONE};
  vec_push(branch->heap, &branch->exts, ext);
  fire_others(extend);
  const uint32_t unsafe = second_token(extend, trans);
  if (unsafe != NONE) return unsafe_extension(extend, &ext, unsafe);
  marks_toggle(marks, trans);
  queue_push(extend->queue, number, size);
  marks_load(marks, branch->exts.at[e == NONE ? 0 : branch->events.at[e].ext].marking);
  extend->limits->counts->queued++;
  return true;
}

/* The transition is enabled in the current configuration. */
static bool add_enabled(Extend *extend, uint32_t trans) {
  Branch *branch = extend->branch;
  const PlaceList pre = net_pre(branch->net, (TransId){trans});
  const uint32_t at = branch->pool.n;
  for (uint32_t i = 0; i < pre.n; i++) {
    const PlaceState *place = &extend->config->places[pre.at[i].v];
    branch_push_input(branch, place->cut, place->producer);
  }
  return add_extension(extend, trans, at);
}

/* ---- the conditions concurrent to an event ---- */

/* The parent of an alternative that was made of a condition, which is concurrent to the current event, too. */
static uint32_t parent_of(const Extend *extend, uint32_t place, uint32_t made_of) {
  if (made_of == NONE) return NONE;
  if (extend->config->places[place].cut == made_of) return ALTERNATIVE_BASE;
  const uint32_t parent = extend->branch->conditions.at[made_of].number;
  assert(parent < extend->alternatives.n && extend->alternatives.at[parent].condition == made_of);
  return parent;
}

/* Condition c of place p, output of e, that was made of another one, or (NONE) of none. */
static void add_alternative(Extend *extend, uint32_t c, uint32_t p, uint32_t e, uint32_t made_of) {
  PlaceState *place = &extend->config->places[p];
  const uint32_t parent = parent_of(extend, p, made_of), number = extend->alternatives.n;
  vec_push(extend->branch->heap, &extend->alternatives, ((Alternative){c, e, parent, NONE, NONE}));
  if (place->alternatives == NONE) vec_push(extend->branch->heap, &extend->touched, p);
  uint32_t *const first = parent < number ? &extend->alternatives.at[parent].child : &place->alternatives;
  extend->alternatives.at[number].sibling = *first;
  *first = number;
  extend->branch->conditions.at[c].number = number;
  place->n_alternatives++;
}

/* The outputs of event e, which is concurrent to the one at hand. */
static void add_alternatives(Extend *extend, uint32_t e) {
  const Event *event = &extend->branch->events.at[e];
  const PlaceList pre = net_pre(extend->branch->net, (TransId){event->trans});
  const PlaceList post = net_post(extend->branch->net, (TransId){event->trans});
  const Input *inputs = branch_pre(extend->branch, event->pre);
  for (uint32_t i = 0, k = 0; i < post.n; i++) {
    while (k < pre.n && pre.at[k].v < post.at[i].v) k++;
    const bool taken = k < pre.n && pre.at[k].v == post.at[i].v;
    add_alternative(extend, event->post + i, post.at[i].v, e, taken ? inputs[k].condition : NONE);
  }
}

/* A condition of the preset of event f that is not known to be concurrent to the current event, or NONE. */
static uint32_t missing_condition(const Extend *extend, uint32_t f) {
  const Branch *branch = extend->branch;
  const Event *event = &branch->events.at[f];
  const PlaceList pre = net_pre(branch->net, (TransId){event->trans});
  const Input *inputs = branch_pre(branch, event->pre);
  for (uint32_t i = 0; i < pre.n; i++) {
    if (extend->config->places[pre.at[i].v].cut == inputs[i].condition) continue;
    const uint32_t producer = inputs[i].producer;
    if (producer == NONE || branch->epoch.at[producer] != extend->epoch) return inputs[i].condition;
  }
  return NONE;
}

/* Condition c is concurrent to the current event: its watchers are to be looked at, but for those that lead to nothing
 * that is wanted. Until then they are in no list. */
static void call_watchers(Extend *extend, uint32_t c) {
  Branch *branch = extend->branch;
  for (uint32_t *link = &branch->conditions.at[c].watchers; *link != NONE;) {
    const uint32_t f = *link;
    if (!regions_lead(&extend->regions, f, extend->wanted)) {
      link = &branch->next.at[f];
      continue;
    }
    *link = branch->next.at[f];
    vec_push(branch->heap, &extend->candidates, ((Candidate){f, c}));
    __builtin_prefetch(&branch->events.at[f]);
  }
}

/* Candidate number i is concurrent, too, if nothing else is missing; if something is, it watches that from now on. */
static void look_at(Extend *extend, uint32_t i) {
  Branch *branch = extend->branch;
  const Candidate *at = &extend->candidates.at[i];
  if (i + AHEAD < extend->candidates.n) __builtin_prefetch(branch_pre(branch, branch->events.at[at[AHEAD].event].pre));
  const uint32_t f = at->event, missing = missing_condition(extend, f),
                 watched = missing == NONE ? at->condition : missing;
  branch->next.at[f] = branch->conditions.at[watched].watchers;
  branch->conditions.at[watched].watchers = f;
  if (missing != NONE) return;
  branch->epoch.at[f] = extend->epoch;
  vec_push(branch->heap, &extend->found, f);
  __builtin_prefetch(&branch->conditions.at[branch->events.at[f].post]);
}

/* Conditions of places of which none was ever consumed have no watchers. */
static void visit_cut(Extend *extend) {
  const Config *config = extend->config;
  for (uint32_t w = 0; w < extend->regions.n_words; w++) {
    const uint64_t marked = config->marked[w];
    for (uint64_t rest = marked ? marked & regions_word(&extend->regions, extend->wanted, w) : 0; rest;
         rest &= rest - 1)
      call_watchers(extend, config->places[64 * w + (uint32_t)__builtin_ctzll(rest)].cut);
  }
}

/* Event number i of those found. */
static void call_from(Extend *extend, uint32_t i) {
  const Event *event = &extend->branch->events.at[extend->found.at[i]];
  const uint32_t n = net_post(extend->branch->net, (TransId){event->trans}).n;
  add_alternatives(extend, extend->found.at[i]);
  for (uint32_t c = event->post; c < event->post + n; c++) call_watchers(extend, c);
}

/* Fills the alternatives of all places, for the event whose local configuration is the current one. Causes are found
 * before what they cause. In large prefixes this waits for memory most of the time, so what will be looked at is known
 * and fetched some steps ahead. */
static void find_concurrent(Extend *extend) {
  uint32_t looked_at = 0, called = 0;
  vec_clear(&extend->found);
  vec_clear(&extend->candidates);
  vec_clear(&extend->alternatives);
  visit_cut(extend);
  while (looked_at < extend->candidates.n) {
    for (; looked_at < extend->candidates.n; looked_at++) look_at(extend, looked_at);
    for (; called < extend->found.n; called++) call_from(extend, called);
  }
}

static void forget_concurrent(Extend *extend) {
  while (extend->touched.n) {
    PlaceState *place = &extend->config->places[extend->touched.at[--extend->touched.n]];
    place->alternatives = NONE;
    place->n_alternatives = 0;
  }
}

/* ---- the choices for a transition ---- */

static int by_choices(const void *a, const void *b) {
  const Choice *x = a, *y = b;
  if (x->n_choices != y->n_choices) return x->n_choices < y->n_choices ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* The places with alternatives, those with few first; all others are guarded. */
static void collect_choices(Extend *extend, PlaceList pre) {
  vec_clear(&extend->choices);
  for (uint32_t i = 0; i < pre.n; i++) {
    PlaceState *place = &extend->config->places[pre.at[i].v];
    if (place->alternatives == NONE) {
      place->guarded = true;
      continue;
    }
    const uint32_t n = place->n_alternatives + (place->cut != NONE);
    vec_push(extend->branch->heap, &extend->choices,
             ((Choice){.place = pre.at[i].v, .n_choices = n, .base = place->cut}));
  }
  if (extend->choices.n > 1) qsort(extend->choices.at, extend->choices.n, sizeof(Choice), by_choices);
}

/* The first alternative from a on, of those of the place without an alternative as parent, that can come after `cut`:
 * where that is still the one of the current event, what is made of it; and what is put on the place when it is empty.
 */
static uint32_t next_top(const Extend *extend, const Choice *choice, uint32_t a) {
  while (a != NONE && extend->alternatives.at[a].parent == ALTERNATIVE_BASE && choice->cut != choice->base)
    a = extend->alternatives.at[a].sibling;
  return a;
}

/* The alternative after a and all that is made of it. */
static uint32_t after(const Extend *extend, const Choice *choice, uint32_t a) {
  for (;;) {
    const Alternative *at = &extend->alternatives.at[a];
    if (at->parent >= extend->alternatives.n) return next_top(extend, choice, at->sibling);
    if (at->sibling != NONE) return at->sibling;
    if (at->parent == choice->under)
      return next_top(extend, choice, extend->config->places[choice->place].alternatives);
    a = at->parent;
  }
}

/* Of two conditions of a place one comes after the other in any configuration that has both. */
static void begin_choice(Extend *extend, Choice *choice) {
  const PlaceState *place = &extend->config->places[choice->place];
  choice->height = extend->config->trail.n;
  choice->cut = place->cut;
  choice->under =
      place->cut == NONE || place->cut == choice->base ? NONE : extend->branch->conditions.at[place->cut].number;
  choice->next = choice->under == NONE ? NONE : extend->alternatives.at[choice->under].child;
  if (choice->next == NONE) choice->next = next_top(extend, choice, place->alternatives);
  choice->begun = false;
}

/* Makes the alternative part of the cut, if what was chosen before allows it. */
static bool fit(Extend *extend, uint32_t a) {
  const uint32_t producer = extend->alternatives.at[a].producer;
  return !extend->branch->events.at[producer].inside && config_add(extend->config, producer);
}

/* Takes the next condition that fits in place of the one chosen before; false if there is none. What is made of one
 * that does not fit does not fit either. */
static bool next_choice(Extend *extend, Choice *choice) {
  bool *const guarded = &extend->config->places[choice->place].guarded;
  *guarded = false;
  config_undo(extend->config, choice->height);
  if (!choice->begun && choice->cut != NONE) *guarded = true;
  choice->begun = true;
  while (!*guarded && choice->next != NONE) {
    const uint32_t a = choice->next, child = extend->alternatives.at[a].child;
    *guarded = fit(extend, a);
    choice->next = *guarded && child != NONE ? child : after(extend, choice, a);
  }
  return *guarded;
}

/* All ways to choose the preset of a transition, each place of which has a condition. */
static bool search(Extend *extend, uint32_t trans) {
  const PlaceList pre = net_pre(extend->branch->net, (TransId){trans});
  uint32_t level = 0;
  bool safe = true;
  collect_choices(extend, pre);
  if (extend->choices.n == 0) safe = add_enabled(extend, trans);
  else begin_choice(extend, &extend->choices.at[0]);
  while (level < extend->choices.n) {
    if (!safe || limits_tick(extend->limits, 1) || !next_choice(extend, &extend->choices.at[level])) {
      if (level-- == 0) break;
    } else if (level + 1 < extend->choices.n) {
      begin_choice(extend, &extend->choices.at[++level]);
    } else {
      safe = add_enabled(extend, trans);
    }
  }
  config_undo(extend->config, extend->height);
  for (uint32_t i = 0; i < pre.n; i++) extend->config->places[pre.at[i].v].guarded = false;
  return safe;
}

/* ---- the transitions of an event ---- */

/* Is the transition looked at for the first time in this search? */
static bool is_first_look(Extend *extend, uint32_t trans) {
  if (extend->seen[trans] == extend->epoch) return false;
  extend->seen[trans] = extend->epoch;
  return true;
}

static bool is_available(const Extend *extend, uint32_t p) {
  const PlaceState *place = &extend->config->places[p];
  return (place->cut & place->alternatives) != NONE;
}

/* Has every place of the preset a condition? If not, one that has none is watched. */
static bool is_complete(const Extend *extend, uint32_t trans, uint32_t *watch) {
  const PlaceList pre = net_pre(extend->branch->net, (TransId){trans});
  for (uint32_t i = 0; i < pre.n; i++) {
    if (is_available(extend, pre.at[i].v)) continue;
    *watch = pre.at[i].v;
    return false;
  }
  return true;
}

static bool extend_from_place(Extend *extend, PlaceId p) {
  Consumer *const consumers = possible_consumers(&extend->possible, p);
  for (uint32_t i = 0; i < extend->possible.n_consumers[p.v]; i++) {
    Consumer *const consumer = &consumers[i];
    if (!is_available(extend, consumer->watch) || !is_first_look(extend, consumer->trans)) continue;
    if (is_complete(extend, consumer->trans, &consumer->watch) && !search(extend, consumer->trans)) return false;
  }
  return true;
}

/* The regions of the presets that the event's conditions may be part of, and of these conditions' own places. */
static uint64_t wanted_regions(const Extend *extend, PlaceList post) {
  uint64_t wanted = regions_of(&extend->regions, post);
  for (uint32_t i = 0; i < post.n; i++) wanted |= extend->possible.wanted[post.at[i].v];
  return wanted;
}

/* Regions are worth their cost where on average more events are found than FEW. */
static void note_found(Extend *extend) {
  extend->n_found += extend->found.n;
  if (extend->regions.started || extend->n_found < FEW * ((uint64_t)extend->event + 1)) return;
  regions_start(&extend->regions);
}

static bool extend_in_context(Extend *extend, uint32_t e, PlaceList post) {
  config_switch(extend->config, e);
  extend->wanted = wanted_regions(extend, post);
  extend->height = extend->config->trail.n;
  find_concurrent(extend);
  bool safe = true;
  for (uint32_t i = 0; i < post.n && safe; i++) {
    const uint32_t other = extend->config->places[post.at[i].v].alternatives;
    if (other == NONE) continue;
    safe = unsafe_pair(extend, e, extend->alternatives.at[other].producer);
  }
  note_found(extend);
  limits_tick(extend->limits, extend->found.n);
  for (uint32_t i = 0; i < post.n && safe && !extend->limits->stopped; i++)
    safe = extend_from_place(extend, post.at[i]);
  forget_concurrent(extend);
  return safe;
}

/* ---- events that need not know what is concurrent to them ---- */

/* Does the transition need tokens of other places than those of the list? */
static bool needs_others(const Extend *extend, uint32_t trans, PlaceList places) {
  const PlaceList pre = net_pre(extend->branch->net, (TransId){trans});
  if (pre.n > places.n) return true;
  for (uint32_t i = 0; i < pre.n; i++)
    if (!net_place_list_has(places, pre.at[i])) return true;
  return false;
}

/* Can the conditions of an event with this postset occur together with others of their places, or be consumed together
 * with conditions of other places? A search of its own. */
static bool needs_context(Extend *extend, PlaceList post) {
  for (uint32_t i = 0; i < post.n; i++)
    if (extend->config->places[post.at[i].v].n_live > 1) return true;
  extend->epoch++;
  for (uint32_t i = 0; i < post.n; i++) {
    const Consumer *consumers = possible_consumers(&extend->possible, post.at[i]);
    for (uint32_t k = 0; k < extend->possible.n_consumers[post.at[i].v]; k++)
      if (is_first_look(extend, consumers[k].trans) && needs_others(extend, consumers[k].trans, post)) return true;
  }
  return false;
}

/* The transition consumes only what event e has produced. */
static bool add_successor(Extend *extend, uint32_t e, uint32_t trans) {
  Branch *branch = extend->branch;
  const PlaceList pre = net_pre(branch->net, (TransId){trans});
  const PlaceList post = net_post(branch->net, (TransId){branch->events.at[e].trans});
  const uint32_t at = branch->pool.n;
  for (uint32_t i = 0, k = 0; i < pre.n; i++) {
    while (post.at[k].v != pre.at[i].v) k++;
    branch_push_input(branch, branch->events.at[e].post + k, e);
  }
  return add_extension(extend, trans, at);
}

/* None of the transitions needs others. */
static bool extend_alone(Extend *extend, uint32_t e, PlaceList post) {
  extend->height = extend->config->trail.n;
  for (uint32_t i = 0; i < post.n; i++) {
    const Consumer *consumers = possible_consumers(&extend->possible, post.at[i]);
    for (uint32_t k = 0; k < extend->possible.n_consumers[post.at[i].v]; k++) {
      const uint32_t t = consumers[k].trans;
      if (is_first_look(extend, t) && !add_successor(extend, e, t)) return false;
    }
  }
  return true;
}

bool extend_event(Extend *extend, uint32_t e) {
  const Event *event = &extend->branch->events.at[e];
  const PlaceList post = net_post(extend->branch->net, (TransId){event->trans});
  extend->event = e;
  config_note_event(extend->config, e);
  regions_note_event(&extend->regions, e);
  possible_note_event(&extend->possible, e);
  marks_load(extend->queue->marks, extend->branch->exts.at[event->ext].marking);
  const bool in_context = needs_context(extend, post);
  extend->epoch++;
  return in_context ? extend_in_context(extend, e, post) : extend_alone(extend, e, post);
}

bool extend_initial(Extend *extend) {
  const Net *net = extend->branch->net;
  uint32_t unused;
  extend->event = NONE;
  for (uint32_t t = 0; t < net->n_trans; t++)
    if (is_complete(extend, t, &unused) && !add_enabled(extend, t)) return false;
  return true;
}
