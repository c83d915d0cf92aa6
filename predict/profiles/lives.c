#include "predict/profiles/lives.h"

#include "predict/profiles/schedule.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

void lives_fini(Heap *heap, Lives *lives) {
  vec_fini(heap, &lives->relations);
  vec_fini(heap, &lives->handings);
  vec_fini(heap, &lives->players);
  vec_fini(heap, &lives->strand_runs);
  vec_fini(heap, &lives->strand_threads);
  strands_fini(&lives->order);
}

typedef struct {
  Heap *heap;
  const Lives *lives;
  const Cycle *cycle;
  const uint32_t *players;
} Task;

static const Player *player_of(const Task *task, uint32_t visit) {
  assert(visit < task->cycle->n && task->players[visit] < task->lives->players.n);
  return &task->lives->players.at[task->players[visit]];
}

/* ---- threads of several runs ---- */

/* Which strand a thread of the run that is made comes from, per thread; NONE: none. */
typedef struct {
  Heap *heap;
  const Lives *lives;
  uint32_t *chosen;
  Strand *strands; /* with edges between those that are chosen */
} Mix;

static const Player *find_player(const Mix *mix, uint32_t thread, uint32_t life) {
  const Lives *lives = mix->lives;
  for (uint32_t i = 0; i < lives->players.n; i++)
    if (lives->players.at[i].strand == mix->chosen[thread] && lives->players.at[i].life == life)
      return &lives->players.at[i];
  return NULL;
}

static bool is_chosen(const Mix *mix, uint32_t strand) {
  return mix->chosen[mix->lives->strand_threads.at[strand]] == strand;
}

static void add_edge(Mix *mix, uint32_t strand, uint64_t to, uint32_t from, uint64_t event) {
  assert(strand < mix->lives->order.list.n && (from == NONE || from < mix->lives->order.list.n));
  const StrandEdge edge = {0, to, {from, 0, event}};
  vec_push(mix->heap, &mix->strands[strand].edges, edge);
}

/* The relation of that sort to the thread's player, by a chosen strand. */
static const Relation *find_relation(const Mix *mix, uint32_t thread, uint32_t life, bool joins) {
  const Lives *lives = mix->lives;
  for (uint32_t i = 0; i < lives->relations.n; i++) {
    const Relation *it = &lives->relations.at[i];
    if (it->thread == thread && it->life == life && it->joins == joins && is_chosen(mix, it->strand)) return it;
  }
  return NULL;
}

/* The first event of a player comes after its fork, and the join of the one before; where that is missing, it cannot
 * be. */
static void relate_player(Mix *mix, const Player *player) {
  const Relation *fork = find_relation(mix, player->thread, player->life, false);
  const Relation *join = player->life ? find_relation(mix, player->thread, player->life - 1, true) : NULL;
  if (fork || player->forked)
    add_edge(mix, player->strand, player->first, fork ? fork->strand : NONE, fork ? fork->event : 0);
  if (join || player->life)
    add_edge(mix, player->strand, player->first, join ? join->strand : NONE, join ? join->event : 0);
}

static void relate_to(Mix *mix, const Relation *it, uint32_t strand, uint64_t event) {
  if (strand != it->strand) add_edge(mix, it->strand, it->event, strand, event);
}

/* A join comes after the player and its fork; a fork comes after the player before and its join. Each is forked once.
 */
static bool relate_relation(Mix *mix, const Relation *it) {
  const Relation *fork = find_relation(mix, it->thread, it->life, false);
  const Relation *join = it->life ? find_relation(mix, it->thread, it->life - 1, true) : NULL;
  const Player *player =
      it->joins || it->life ? find_player(mix, it->thread, it->joins ? it->life : it->life - 1) : NULL;
  if (it->odd || (!it->joins && fork != it)) return false;
  if (player) relate_to(mix, it, player->strand, player->last);
  if (it->joins && fork) relate_to(mix, it, fork->strand, fork->event);
  if (!it->joins && join) relate_to(mix, it, join->strand, join->event);
  return true;
}

/* A wait comes after a signal; where that is of a thread that goes another way, it cannot be. */
static void relate_handing(Mix *mix, const Handing *it) {
  if (!is_chosen(mix, it->strand)) return;
  add_edge(mix, it->strand, it->event, is_chosen(mix, it->from.strand) ? it->from.strand : NONE, it->from.event);
}

static int by_event(const void *a, const void *b) {
  const StrandEdge *x = a, *y = b;
  return (x->to > y->to) - (x->to < y->to);
}

static bool mix_edges(Mix *mix) {
  const Lives *lives = mix->lives;
  mix->strands = heap_zeroed(mix->heap, heap_product(mix->heap, lives->order.list.n, sizeof *mix->strands));
  for (uint32_t i = 0; i < lives->players.n; i++)
    if (is_chosen(mix, lives->players.at[i].strand)) relate_player(mix, &lives->players.at[i]);
  for (uint32_t i = 0; i < lives->relations.n; i++)
    if (is_chosen(mix, lives->relations.at[i].strand) && !relate_relation(mix, &lives->relations.at[i])) return false;
  for (uint32_t i = 0; i < lives->handings.n; i++) relate_handing(mix, &lives->handings.at[i]);
  for (uint32_t i = 0; i < mix->lives->order.list.n; i++)
    if (mix->strands[i].edges.n) qsort(mix->strands[i].edges.at, mix->strands[i].edges.n, sizeof(StrandEdge), by_event);
  return true;
}

static void mix_fini(Mix *mix) {
  for (uint32_t i = 0; i < mix->lives->order.list.n; i++) vec_fini(mix->heap, &mix->strands[i].edges);
  heap_release(mix->heap, mix->strands);
  heap_release(mix->heap, mix->chosen);
}

/* Threads that are not in the cycle are those of the run; those that it does not have come from any, with `fill`, or do
 * nothing. */
static void choose(Mix *mix, const Task *task, uint32_t run, bool fill) {
  const Lives *lives = mix->lives;
  uint32_t n = 0;
  for (uint32_t i = 0; i < lives->strand_threads.n; i++)
    if (lives->strand_threads.at[i] >= n) n = lives->strand_threads.at[i] + 1;
  mix->chosen = heap_alloc(mix->heap, heap_product(mix->heap, n, sizeof *mix->chosen));
  for (uint32_t i = 0; i < n; i++) mix->chosen[i] = NONE;
  for (uint32_t i = 0; i < lives->strand_threads.n; i++) {
    uint32_t *chosen = &mix->chosen[lives->strand_threads.at[i]];
    if (lives->strand_runs.at[i] == run || (fill && *chosen == NONE)) *chosen = i;
  }
  for (uint32_t i = 0; i < task->cycle->n; i++) {
    assert(task->cycle->visits[i].thread < n);
    mix->chosen[task->cycle->visits[i].thread] = player_of(task, i)->strand;
  }
}

/* ---- schedules ---- */

/* With these edges, and those of the cycle. */
static bool make_schedule(const Task *task, const Strand *strands, Schedule *schedule) {
  const CycleVisit *visits = task->cycle->visits;
  const uint32_t n = task->cycle->n;
  ScheduleEdge *more = heap_alloc(task->heap, n * sizeof *more);
  ScheduleGoal *goals = heap_alloc(task->heap, (n + 1) * sizeof *goals);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t next = (i + 1) % n, strand = player_of(task, i)->strand;
    more[i] = (ScheduleEdge){player_of(task, next)->strand, visits[next].in, {strand, 0, visits[i].out}};
    goals[i] = (ScheduleGoal){strand, i == 0 || visits[i].out > visits[i].in ? visits[i].out : visits[i].in};
  }
  goals[n] = (ScheduleGoal){player_of(task, 0)->strand, visits[0].in};
  const ScheduleOrder order = {strands, task->lives->order.list.n, more, n};
  const bool good = schedule_make(task->heap, &order, goals, n + 1, schedule);
  for (uint32_t i = 0; i < schedule->n; i++)
    schedule->at[i].thread = task->lives->strand_threads.at[schedule->at[i].thread];
  heap_release(task->heap, more);
  heap_release(task->heap, goals);
  if (!good) vec_clear(schedule);
  return good;
}

/* With what is not in the cycle from that run. */
static bool try_run(const Task *task, uint32_t run, bool fill, Schedule *schedule) {
  Mix mix = {.heap = task->heap, .lives = task->lives};
  choose(&mix, task, run, fill);
  const bool good = mix_edges(&mix) && make_schedule(task, mix.strands, schedule);
  mix_fini(&mix);
  return good;
}

static bool is_one_run(const Task *task) {
  for (uint32_t i = 1; i < task->cycle->n; i++)
    if (player_of(task, i)->run != player_of(task, 0)->run) return false;
  return true;
}

bool lives_schedule(Heap *heap, const Lives *lives, const Cycle *cycle, const uint32_t *players, Schedule *schedule) {
  const Task task = {heap, lives, cycle, players};
  if (is_one_run(&task)) return make_schedule(&task, lives->order.list.at, schedule);
  for (uint32_t i = 0; i < 2 * cycle->n; i++)
    if (try_run(&task, player_of(&task, i / 2)->run, i % 2, schedule)) return true;
  return false;
}
