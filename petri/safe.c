/* A set starts with places that may belong together: a thread's control, a lock with what says who holds it, the values
 * of a copy; or one place. Then it is closed: a transition that puts a token into the set and takes none from it must
 * take one, so one of the places that it takes from, and does not fill again, has to be in the set, too. For a lock
 * these are the control places of whoever holds it. Where there are several, one is chosen; if the set turns out not to
 * be good, the last choice is made anew, a bounded number of times. */
#include "petri/safe.h"

#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>

/* Attempts for a start, per round; the first round is for those that are easy. */
enum { MAX_ATTEMPTS = 64, MORE_ATTEMPTS = 8 };
/* What all rounds may take together. */
enum { STEPS_PER_ARC = 32, MORE_STEPS = 4000000 };

typedef enum { GROUP_CONTROL, GROUP_LOCK, GROUP_COPY, GROUP_UNIT, GROUP_ALONE } GroupKind;

/* Places with the same group, but for `place`, may belong together. */
typedef struct {
  GroupKind kind;
  uint32_t a, b;
  uint32_t place;
} Group;

/* `place` is in the set, and the transition puts a token there; when that came up, it took none from the set. */
typedef struct {
  uint32_t transition, place;
} Demand;

/* The `at`-th best of `n` places was taken. */
typedef struct {
  uint32_t at, n;
} Choice;

typedef struct {
  Heap *heap;
  const Net *net;
  Group *groups;         /* all places, those of a group side by side */
  uint32_t *group;       /* per place: where in `groups` its group starts */
  bool *proved, *member; /* per place; member: of the set under construction */
  bool *dead;            /* per transition: takes two tokens of a good set */
  uint32_t *taken, *put; /* per transition: places of the set that it takes from, and fills */
  U32Vec members, met;   /* the places of the set, the transitions that touch it */
  uint32_t n_marked;     /* members with a token at first */
  VEC(Demand) demands;
  VEC(Choice) choices;
  uint32_t n_chosen; /* of the choices, those that this attempt has come to */
  uint32_t max_attempts;
  uint64_t steps, max_steps;
} Search;

/* ---- groups ---- */

static Group group_of(const Net *net, uint32_t p) {
  if (net->notes) {
    const PlaceNote *note = &net->notes->places[p];
    switch (note->role) {
    case ROLE_NONE: break;
    case ROLE_CONTROL: return (Group){GROUP_CONTROL, note->thread, 0, p};
    case ROLE_HELD:
    case ROLE_LOCK: return (Group){GROUP_LOCK, note->object, 0, p};
    case ROLE_COPY: return (Group){GROUP_COPY, note->object, note->copy, p};
    }
  }
  if (net->n_units && net->unit_of[p] != UNIT_NONE) return (Group){GROUP_UNIT, net->unit_of[p], 0, p};
  return (Group){GROUP_ALONE, p, 0, p};
}

static bool is_control(const Search *s, uint32_t place) {
  const GroupKind kind = s->groups[s->group[place]].kind;
  return kind == GROUP_CONTROL || kind == GROUP_UNIT;
}

static int by_number(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_groups(const Group *x, const Group *y) {
  if (x->kind != y->kind) return by_number(x->kind, y->kind);
  return x->a != y->a ? by_number(x->a, y->a) : by_number(x->b, y->b);
}

static int compare_places(const void *x, const void *y) {
  const Group *a = x, *b = y;
  const int order = compare_groups(a, b);
  return order ? order : by_number(a->place, b->place);
}

static void sort_groups(Search *s) {
  const uint32_t n = s->net->n_places;
  for (uint32_t p = 0; p < n; p++) s->groups[p] = group_of(s->net, p);
  if (n) qsort(s->groups, n, sizeof *s->groups, compare_places);
  for (uint32_t i = 0, first = 0; i < n; i++) {
    if (compare_groups(&s->groups[first], &s->groups[i])) first = i;
    s->group[s->groups[i].place] = first;
  }
}

/* ---- the set ---- */

static void meet(Search *s, uint32_t t) {
  if (!s->taken[t] && !s->put[t]) vec_push(s->heap, &s->met, t);
}

static void add_place(Search *s, uint32_t p) {
  const TransList consumers = net_consumers(s->net, (PlaceId){p}), producers = net_producers(s->net, (PlaceId){p});
  if (s->member[p]) return;
  s->member[p] = true;
  s->n_marked += s->net->marked[p];
  s->steps += (uint64_t)consumers.n + producers.n;
  vec_push(s->heap, &s->members, p);
  for (uint32_t i = 0; i < consumers.n; i++) {
    meet(s, consumers.at[i].v);
    s->taken[consumers.at[i].v]++;
  }
  for (uint32_t i = 0; i < producers.n; i++) {
    meet(s, producers.at[i].v);
    s->put[producers.at[i].v]++;
    if (!s->taken[producers.at[i].v]) vec_push(s->heap, &s->demands, ((Demand){producers.at[i].v, p}));
  }
}

static void clear_set(Search *s) {
  for (uint32_t i = 0; i < s->members.n; i++) s->member[s->members.at[i]] = false;
  for (uint32_t i = 0; i < s->met.n; i++) s->taken[s->met.at[i]] = s->put[s->met.at[i]] = 0;
  vec_clear(&s->members);
  vec_clear(&s->met);
  vec_clear(&s->demands);
  s->n_marked = s->n_chosen = 0;
}

static bool is_good(const Search *s) {
  for (uint32_t i = 0; i < s->met.n; i++) {
    const uint32_t t = s->met.at[i];
    if (!s->dead[t] && s->taken[t] < 2 && s->put[t] > s->taken[t]) return false;
  }
  return s->n_marked <= 1;
}

static void believe_set(Search *s) {
  for (uint32_t i = 0; i < s->members.n; i++) s->proved[s->members.at[i]] = true;
  for (uint32_t i = 0; i < s->met.n; i++) s->dead[s->met.at[i]] |= s->taken[s->met.at[i]] >= 2;
}

/* ---- closing it ---- */

enum { N_RANKS = 3 };

/* The lower, the better. */
static uint32_t rank(const Search *s, uint32_t place, uint32_t demanding) {
  if (s->group[place] == s->group[demanding]) return 0;
  return is_control(s, place) ? 2 : 1;
}

/* Places that the transition takes from and does not fill again, per rank. */
static void count_ranks(Search *s, const Demand *demand, uint32_t n[N_RANKS]) {
  const PlaceList pre = net_pre(s->net, (TransId){demand->transition}),
                  post = net_post(s->net, (TransId){demand->transition});
  s->steps += pre.n;
  for (uint32_t i = 0; i < pre.n; i++)
    if (!net_place_list_has(post, pre.at[i])) n[rank(s, pre.at[i].v, demand->place)]++;
}

static void add_of_rank(Search *s, const Demand *demand, uint32_t wanted, uint32_t number) {
  const PlaceList pre = net_pre(s->net, (TransId){demand->transition}),
                  post = net_post(s->net, (TransId){demand->transition});
  for (uint32_t i = 0; i < pre.n; i++) {
    if (net_place_list_has(post, pre.at[i]) || rank(s, pre.at[i].v, demand->place) != wanted || number--) continue;
    add_place(s, pre.at[i].v);
    return;
  }
}

/* Lets the transition take from the set, by the next choice. */
static bool meet_demand(Search *s, const Demand *demand) {
  uint32_t n[N_RANKS] = {0}, wanted = 0;
  count_ranks(s, demand, n);
  const uint32_t sum = n[0] + n[1] + n[2];
  if (!sum) return false;
  if (s->n_chosen == s->choices.n) vec_push(s->heap, &s->choices, ((Choice){0, sum}));
  uint32_t at = s->choices.at[s->n_chosen++].at;
  assert(at < sum);
  for (; at >= n[wanted]; wanted++) at -= n[wanted];
  add_of_rank(s, demand, wanted, at);
  return true;
}

static bool close_set(Search *s) {
  while (s->demands.n && s->n_marked <= 1) {
    const Demand demand = s->demands.at[--s->demands.n];
    heap_poll(s->heap);
    if (s->dead[demand.transition] || s->taken[demand.transition]) continue;
    if (s->steps > s->max_steps || !meet_demand(s, &demand)) return false;
  }
  return is_good(s);
}

/* The next of the sequences of choices, in lexicographical order; false if there is none. */
static bool choose_anew(Search *s) {
  s->choices.n = s->n_chosen;
  while (s->choices.n && vec_last(&s->choices).at + 1 == vec_last(&s->choices).n) s->choices.n--;
  if (!s->choices.n) return false;
  vec_last(&s->choices).at++;
  return true;
}

/* Is there a good set with these places? */
static bool try_places(Search *s, const Group *at, uint32_t n) {
  bool good = false, more = true;
  vec_clear(&s->choices);
  for (uint32_t attempt = 0; !good && more && attempt < s->max_attempts && s->steps <= s->max_steps; attempt++) {
    for (uint32_t i = 0; i < n; i++) add_place(s, at[i].place);
    good = close_set(s);
    if (good) believe_set(s);
    else more = choose_anew(s);
    clear_set(s);
  }
  return good;
}

/* ---- all places ---- */

static bool all_proved(const Search *s, const Group *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!s->proved[at[i].place]) return false;
  return true;
}

/* Is anything new proved? */
static bool try_group(Search *s, const Group *at, uint32_t n) {
  bool any = false;
  if (all_proved(s, at, n)) return false;
  if (try_places(s, at, n)) return true;
  for (uint32_t i = 0; n > 1 && i < n; i++)
    if (!s->proved[at[i].place]) any |= try_places(s, &at[i], 1);
  return any;
}

static bool try_groups(Search *s) {
  bool any = false;
  for (uint32_t i = 0, n; i < s->net->n_places; i += n) {
    for (n = 1; i + n < s->net->n_places && s->group[s->groups[i + n].place] == i;) n++;
    any |= try_group(s, &s->groups[i], n);
  }
  return any;
}

static void search_init(Search *s) {
  const uint32_t n_places = s->net->n_places, n_trans = s->net->n_trans;
  s->groups = heap_alloc(s->heap, heap_product(s->heap, n_places, sizeof *s->groups));
  s->group = heap_alloc(s->heap, heap_product(s->heap, n_places, sizeof *s->group));
  s->member = heap_zeroed(s->heap, n_places);
  s->dead = heap_zeroed(s->heap, n_trans);
  s->taken = heap_zeroed(s->heap, heap_product(s->heap, n_trans, sizeof *s->taken));
  s->put = heap_zeroed(s->heap, heap_product(s->heap, n_trans, sizeof *s->put));
  s->max_steps = ((uint64_t)s->net->n_inputs + s->net->n_outputs) * STEPS_PER_ARC + MORE_STEPS;
}

static void search_fini(Search *s) {
  heap_release(s->heap, s->groups);
  heap_release(s->heap, s->group);
  heap_release(s->heap, s->member);
  heap_release(s->heap, s->dead);
  heap_release(s->heap, s->taken);
  heap_release(s->heap, s->put);
  vec_fini(s->heap, &s->members);
  vec_fini(s->heap, &s->met);
  vec_fini(s->heap, &s->demands);
  vec_fini(s->heap, &s->choices);
}

/* What a good set shows to be dead may make another one good. */
bool net_prove_safe(Heap *heap, const Net *net, bool *proved) {
  Search s = {.heap = heap, .net = net, .proved = proved};
  for (uint32_t p = 0; p < net->n_places; p++) proved[p] = false;
  search_init(&s);
  sort_groups(&s);
  for (s.max_attempts = 1; s.max_attempts <= MAX_ATTEMPTS; s.max_attempts *= MORE_ATTEMPTS)
    while (!all_proved(&s, s.groups, net->n_places) && try_groups(&s)) continue;
  const bool all = all_proved(&s, s.groups, net->n_places);
  search_fini(&s);
  return all;
}

bool net_is_safe(Heap *heap, const Net *net) {
  bool *proved = heap_zeroed(heap, (size_t)net->n_places + 1);
  const bool safe = net_prove_safe(heap, net, proved);
  heap_release(heap, proved);
  return safe;
}
