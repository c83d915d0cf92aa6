#include "check/groups.h"

void groups_init(Groups *groups, const ThreadFacts *facts) {
  const size_t n = (size_t)facts->net->n_places + 1;
  *groups = (Groups){.heap = facts->heap, .facts = facts};
  groups->group_of = heap_alloc(facts->heap, n * sizeof *groups->group_of);
  groups->next_place = heap_alloc(facts->heap, n * sizeof *groups->next_place);
  for (uint32_t p = 0; p < facts->net->n_places; p++) groups->group_of[p] = groups->next_place[p] = FACT_NONE;
}

void groups_fini(Groups *groups) {
  Heap *heap = groups->heap;
  heap_release(heap, groups->group_of);
  heap_release(heap, groups->next_place);
  vec_fini(heap, &groups->first_place);
  vec_fini(heap, &groups->has_readers);
  heap_release(heap, groups->access_start);
  vec_fini(heap, &groups->accesses);
}

bool groups_add(Groups *groups, const uint32_t *places, uint32_t n, bool has_readers, Err *err) {
  const ThreadFacts *facts = groups->facts;
  const uint32_t group = groups->has_readers.n;
  vec_push(groups->heap, &groups->has_readers, has_readers);
  vec_push(groups->heap, &groups->first_place, FACT_NONE);
  for (uint32_t i = 0; i < n; i++) {
    if (facts->owner[places[i]] != FACT_NONE || groups->group_of[places[i]] != FACT_NONE)
      return err_set(err, ERR_CHECK, "place '%.200s' is private, or of two groups", facts->net->place_name[places[i]]);
    groups->group_of[places[i]] = group;
    groups->next_place[places[i]] = groups->first_place.at[group];
    groups->first_place.at[group] = places[i];
  }
  return true;
}

/* (('g' | 'r') P*)* */
bool groups_read(Lines *lines, Groups *groups, Err *why, Err *err) {
  U32Vec places = {0};
  bool good = true;
  for (bool more = true; good && more;) {
    const bool has_readers = lines_word(lines, "r");
    more = has_readers || lines_word(lines, "g");
    good = !more || (lines_list(lines, groups->heap, "a place", groups->facts->net->n_places, &places, err) &&
                     groups_add(groups, places.at, places.n, has_readers, why));
  }
  vec_fini(groups->heap, &places);
  return good;
}

/* ---- accesses ---- */

/* The place of the group in a list, if there is just one; else PLACE_NONE. */
static PlaceId only_place(const Groups *g, PlaceList places, uint32_t group) {
  PlaceId only = PLACE_NONE;
  for (uint32_t i = 0; i < places.n; i++) {
    if (g->group_of[places.at[i].v] != group) continue;
    if (only.v != PLACE_NONE.v) return PLACE_NONE;
    only = places.at[i];
  }
  return only;
}

/* The place by which t reads the group, or PLACE_NONE if it writes it. */
static PlaceId read_place(const Groups *g, TransId t, uint32_t group) {
  const PlaceId taken = only_place(g, net_pre(g->facts->net, t), group);
  const PlaceId put = only_place(g, net_post(g->facts->net, t), group);
  return g->has_readers.at[group] && taken.v == put.v ? taken : PLACE_NONE;
}

/* The access of t to the group, which is added if it is not there. */
static GroupAccess *find_access(Groups *g, TransId t, uint32_t group) {
  for (uint32_t i = g->access_start[t.v]; i < g->accesses.n; i++)
    if (g->accesses.at[i].group == group) return &g->accesses.at[i];
  const PlaceId read = read_place(g, t, group);
  vec_push(g->heap, &g->accesses, ((GroupAccess){group, false, false, read.v == PLACE_NONE.v, read}));
  return &vec_last(&g->accesses);
}

static void find_accesses(Groups *g) {
  const Net *net = g->facts->net;
  g->access_start = heap_zeroed(g->heap, ((size_t)net->n_trans + 1) * sizeof *g->access_start);
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    heap_poll(g->heap);
    g->access_start[t] = g->accesses.n;
    for (uint32_t i = 0; i < pre.n; i++)
      if (g->group_of[pre.at[i].v] != FACT_NONE) find_access(g, (TransId){t}, g->group_of[pre.at[i].v])->takes = true;
    for (uint32_t i = 0; i < post.n; i++)
      if (g->group_of[post.at[i].v] != FACT_NONE) find_access(g, (TransId){t}, g->group_of[post.at[i].v])->puts = true;
  }
  g->access_start[net->n_trans] = g->accesses.n;
}

/* ---- are they as they should be? ---- */

/* The one thread among the transitions; `many` if there are several, FACT_NONE if none. */
static void join_threads(const ThreadFacts *f, TransList transitions, uint32_t *thread, bool *many) {
  for (uint32_t i = 0; i < transitions.n; i++) {
    const uint32_t other = f->thread_of[transitions.at[i].v];
    *many = *many || (*thread != FACT_NONE && *thread != other);
    *thread = other;
  }
}

static bool reads(const Groups *g, TransId t, PlaceId p) {
  for (uint32_t i = g->access_start[t.v]; i < g->access_start[t.v + 1]; i++)
    if (!g->accesses.at[i].writes && g->accesses.at[i].read.v == p.v) return true;
  return false;
}

/* Is the place, which is private to nobody, in a group if it has to be, and read by one thread at most? */
static bool check_place(const Groups *g, PlaceId p, Err *err) {
  const ThreadFacts *f = g->facts;
  uint32_t thread = FACT_NONE, reader = FACT_NONE;
  bool many = false;
  join_threads(f, net_consumers(f->net, p), &thread, &many);
  join_threads(f, net_producers(f->net, p), &thread, &many);
  if (!many) return true;
  if (g->group_of[p.v] == FACT_NONE)
    return err_set(err, ERR_CHECK, "place '%.200s' is in no group", f->net->place_name[p.v]);
  const TransList takers = net_consumers(f->net, p);
  for (uint32_t i = 0; i < takers.n; i++) {
    if (!reads(g, takers.at[i], p)) continue;
    if (reader != FACT_NONE && reader != f->thread_of[takers.at[i].v])
      return err_set(err, ERR_CHECK, "place '%.200s' is read by two threads", f->net->place_name[p.v]);
    reader = f->thread_of[takers.at[i].v];
  }
  return true;
}

bool groups_judge(Groups *groups, Err *err) {
  const ThreadFacts *f = groups->facts;
  find_accesses(groups);
  for (uint32_t p = 0; p < f->net->n_places; p++) {
    heap_poll(groups->heap);
    if (f->owner[p] == FACT_NONE && !check_place(groups, (PlaceId){p}, err)) return false;
  }
  return true;
}

/* ---- what is left of a group ---- */

/* Is the place unmarked before these effects, as one of another value of its object? */
static bool is_empty(const ThreadFacts *f, FactEffects effects, uint32_t place) {
  const uint32_t value = f->value_of[place];
  for (uint32_t i = 0; value != FACT_NONE && i < effects.n; i++)
    if (effects.at[i].object == thread_facts_object_of(f, value)) return effects.at[i].pre != value;
  return false;
}

bool groups_clears(const Groups *groups, TransId t, const GroupAccess *access) {
  const ThreadFacts *f = groups->facts;
  const FactEffects effects = thread_facts_effects(f, t);
  const PlaceList pre = net_pre(f->net, t);
  if (!access->writes) return false;
  for (uint32_t p = groups->first_place.at[access->group]; p != FACT_NONE; p = groups->next_place[p])
    if (!net_place_list_has(pre, (PlaceId){p}) && !is_empty(f, effects, p)) return false;
  return true;
}
