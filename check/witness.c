/* The judge works in three rounds over the sequence. It plays it, keeps only the causal past of the last step, and
 * plays that again. It looks for the occurrence of the block that is open at the last step and paints what comes after
 * its `begin`: blue in T, yellow elsewhere; an event of T that takes something yellow is e2. If e2 comes before the
 * last step, the sequence is cut there and judged anew. Then the steps are put in an order that is easy to read, and
 * that is judged like any other. Last it picks the chain: a shortest path from `begin` to e2 that leaves T. */
#include "check/witness.h"

#include "check/reorder.h"
#include "check/replay.h"

#include <assert.h>
#include <string.h>

typedef struct {
  Heap *heap;
  const Net *net;
  const Notes *notes;
  uint32_t block, thread;
  bool by_data; /* the chain does not go through locks */
  TransId *run; /* what is left of the sequence; owned */
  uint32_t n;
  Replay replay;  /* of `run` */
  uint32_t begin; /* the step e1 */
  Taint *taint;   /* per step; owned */
} Judge;

static uint32_t thread_of(const Judge *judge, uint32_t step) {
  return judge->notes->transitions[judge->run[step].v].thread;
}

static bool of_thread(const Judge *judge, uint32_t step) { return thread_of(judge, step) == judge->thread; }

static bool same_thread(const Judge *judge, uint32_t a, uint32_t b) {
  return thread_of(judge, a) == thread_of(judge, b) && thread_of(judge, a) != NOTE_NONE;
}

static uint32_t object_of(const Judge *judge, PlaceId place) {
  const PlaceNote *note = &judge->notes->places[place.v];
  return note->role == ROLE_COPY || note->role == ROLE_LOCK ? note->object : NOTE_NONE;
}

static bool is_lock(const Judge *judge, uint32_t object) {
  return object != NOTE_NONE && judge->notes->objects[object].kind == OBJECT_LOCK;
}

/* May the chain go on by that object? Program order is no object's. */
static bool carries(const Judge *judge, uint32_t object) { return !judge->by_data || !is_lock(judge, object); }

/* The numbers of the steps in the causal past of the last one, itself included, ascending, in `kept`; returns how many.
 */
static uint32_t causal_past(const Judge *judge, uint32_t *kept) {
  bool *past = heap_zeroed(judge->heap, judge->n);
  past[judge->n - 1] = true;
  uint32_t n = 0;
  for (uint32_t i = judge->n; i-- > 0;) {
    if (!past[i]) continue;
    const CauseList causes = replay_causes(&judge->replay, i);
    for (uint32_t k = 0; k < causes.n; k++) past[causes.at[k].from] = true;
  }
  for (uint32_t i = 0; i < judge->n; i++)
    if (past[i]) kept[n++] = i;
  heap_release(judge->heap, past);
  return n;
}

/* Plays the first n steps and keeps what the last of them depends on, which is played again. */
static bool cut_run(Judge *judge, uint32_t n, Err *err) {
  replay_fini(&judge->replay);
  judge->n = n;
  if (!replay_run(judge->heap, judge->net, judge->run, judge->n, &judge->replay, err)) return false;
  uint32_t *kept = heap_alloc(judge->heap, heap_product(judge->heap, judge->n, sizeof *kept));
  judge->n = causal_past(judge, kept);
  for (uint32_t i = 0; i < judge->n; i++) judge->run[i] = judge->run[kept[i]];
  heap_release(judge->heap, kept);
  replay_fini(&judge->replay);
  return replay_run(judge->heap, judge->net, judge->run, judge->n, &judge->replay, err);
}

static bool reject(const Judge *judge, Err *err, const char *why) {
  const NoteBlock *block = &judge->notes->blocks[judge->block];
  return err_set(err, ERR_CHECK, "the witness against block '%.200s' (line %u) proves nothing: %s",
                 block->name ? block->name : "", block->begin.line, why);
}

/* Finds T and e1 from the last step: the first `begin` that no `end` follows. What is after a later one is after it. */
static bool find_occurrence(Judge *judge, Err *err) {
  const TransNote *last = &judge->notes->transitions[judge->run[judge->n - 1].v];
  if (last->thread == NOTE_NONE) return reject(judge, err, "its last step belongs to no thread");
  if (last->end == judge->block) return reject(judge, err, "its last step ends the block");
  judge->thread = last->thread;
  bool found = false;
  for (uint32_t i = judge->n - 1; i-- > 0;) {
    const TransNote *note = &judge->notes->transitions[judge->run[i].v];
    if (note->thread != judge->thread) continue;
    if (note->begin == judge->block) {
      judge->begin = i;
      found = true;
    }
    if (note->end == judge->block) break;
  }
  return found || reject(judge, err, "the thread of its last step is not inside the block");
}

static Taint taint_of(const Judge *judge, uint32_t step) {
  const CauseList causes = replay_causes(&judge->replay, step);
  bool blue = step == judge->begin, yellow = false;
  for (uint32_t k = 0; k < causes.n; k++) {
    if (!carries(judge, object_of(judge, causes.at[k].place))) continue;
    blue |= judge->taint[causes.at[k].from] == TAINT_BLUE;
    yellow |= judge->taint[causes.at[k].from] == TAINT_YELLOW;
  }
  if (of_thread(judge, step)) return yellow ? TAINT_RED : blue ? TAINT_BLUE : TAINT_NONE;
  return blue || yellow ? TAINT_YELLOW : TAINT_NONE;
}

/* Paints the steps up to e2, the first red one, which is returned; judge->n if there is none. */
static uint32_t paint(Judge *judge) {
  for (uint32_t i = 0; i < judge->n; i++) judge->taint[i] = TAINT_NONE;
  for (uint32_t i = judge->begin; i < judge->n; i++) {
    judge->taint[i] = taint_of(judge, i);
    if (judge->taint[i] == TAINT_RED) return i;
  }
  return judge->n;
}

/* After this the last step is e2, and the past of it is all there is. */
static bool find_proof(Judge *judge, Err *err) {
  if (!cut_run(judge, judge->n, err)) return false;
  for (;;) {
    if (!find_occurrence(judge, err)) return false;
    const uint32_t red = paint(judge);
    if (red == judge->n)
      return reject(judge, err, "no event of another thread is causally between its begin and its last step");
    if (red == judge->n - 1) return true;
    if (!cut_run(judge, red + 1, err)) return false;
  }
}

static void reorder(Judge *judge) {
  Heap *heap = judge->heap;
  uint32_t *threads = heap_alloc(heap, heap_product(heap, judge->n, sizeof *threads)),
           *order = heap_alloc(heap, heap_product(heap, judge->n, sizeof *order));
  TransId *run = heap_alloc(heap, heap_product(heap, judge->n, sizeof *run));
  for (uint32_t i = 0; i < judge->n; i++) threads[i] = thread_of(judge, i);
  reorder_steps(heap, &judge->replay, threads, judge->taint, order);
  for (uint32_t i = 0; i < judge->n; i++) run[i] = judge->run[order[i]];
  heap_release(heap, judge->run);
  judge->run = run;
  heap_release(heap, threads);
  heap_release(heap, order);
}

static bool judge_run(Judge *judge, Err *err) {
  if (!find_proof(judge, err)) return false;
  reorder(judge);
  return find_proof(judge, err);
}

/* ---- the edges ---- */

/* How the step accesses the object; a change counts before a read. False if its note has no access of it. */
static bool find_mode(const Judge *judge, uint32_t step, uint32_t object, AccessMode *mode) {
  const AccessList accesses = notes_accesses(judge->notes, judge->run[step].v);
  bool found = false;
  for (uint32_t i = 0; i < accesses.n; i++) {
    if (accesses.at[i].object != object || (found && access_changes(*mode))) continue;
    *mode = accesses.at[i].mode;
    found = true;
  }
  return found;
}

/* An access that the notes lack is taken for a write. */
static void name_object(const Judge *judge, const CausalEdge *edge, CausalEdge *named, bool *noted) {
  CausalEdge candidate = *edge;
  candidate.from_mode = candidate.to_mode = ACCESS_WRITE;
  const bool from = find_mode(judge, edge->from, edge->object, &candidate.from_mode);
  const bool to = find_mode(judge, edge->to, edge->object, &candidate.to_mode);
  const bool carried = carries(judge, edge->object);
  const bool better = carried != carries(judge, named->object) ? carried
                      : (from && to) != *noted                 ? from && to
                                                               : edge->object < named->object;
  if (named->object != NOTE_NONE && !better) return;
  *named = candidate;
  *noted = from && to;
}

/* The first of the causes that is on a place of no object; n if there is none. */
static uint32_t find_bare(const Judge *judge, const Cause *at, uint32_t n) {
  uint32_t i = 0;
  while (i < n && object_of(judge, at[i].place) != NOTE_NONE) i++;
  return i;
}

/* The edge for the causes `at`, n of them, which all come from one step. Where the chain goes without locks, a place of
 * no object carries it, and a lock beside it does not. */
static CausalEdge make_edge(const Judge *judge, uint32_t to, const Cause *at, uint32_t n) {
  CausalEdge edge = {.from = at->from, .to = to, .object = NOTE_NONE, .place = at->place};
  if (same_thread(judge, edge.from, to)) return edge;
  const uint32_t bare = find_bare(judge, at, n);
  bool noted = false;
  if (bare < n) edge.place = at[bare].place;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t object = object_of(judge, at[i].place);
    const CausalEdge candidate = {.from = edge.from, .to = to, .object = object, .place = at[i].place};
    if (object != NOTE_NONE && (bare == n || carries(judge, object))) name_object(judge, &candidate, &edge, &noted);
  }
  return edge;
}

static void list_edges(const Judge *judge, Witness *witness) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < judge->n; i++) {
    const CauseList causes = replay_causes(&judge->replay, i);
    for (uint32_t k = 0, same; k < causes.n; k = same) {
      for (same = k + 1; same < causes.n && causes.at[same].from == causes.at[k].from;) same++;
      witness->edges[n++] = make_edge(judge, i, causes.at + k, same - k);
    }
  }
  witness->n_edges = n;
}

/* ---- the chain ---- */

/* The shortest way from e1 to a step: so many changes of thread, so many steps, the last edge. */
typedef struct {
  uint32_t hops, length, edge;
} Way;

#define NO_WAY UINT32_MAX

static bool shorter(const Way *a, const Way *b) {
  return a->hops != b->hops ? a->hops < b->hops : a->length < b->length;
}

static void find_ways(const Judge *judge, const Witness *witness, Way *ways) {
  for (uint32_t i = 0; i < judge->n; i++) ways[i] = (Way){NO_WAY, NO_WAY, NO_WAY};
  ways[judge->begin] = (Way){0, 0, NO_WAY};
  for (uint32_t k = 0; k < witness->n_edges; k++) {
    const CausalEdge *edge = &witness->edges[k];
    const Way *before = &ways[edge->from];
    const bool within = of_thread(judge, edge->from);
    if (before->hops == NO_WAY || (within && edge->to == judge->n - 1)) continue; /* e2 is reached from outside of T */
    if (!carries(judge, edge->object)) continue;
    const bool hop = !same_thread(judge, edge->from, edge->to);
    const Way way = {before->hops + hop, before->length + 1, k};
    if (shorter(&way, &ways[edge->to])) ways[edge->to] = way;
  }
}

/* Follows the way back from e2. */
static void mark_chain(const Judge *judge, Witness *witness) {
  Way *ways = heap_alloc(judge->heap, heap_product(judge->heap, judge->n, sizeof *ways));
  find_ways(judge, witness, ways);
  uint32_t step = judge->n - 1;
  witness->steps[step].role = STEP_BACK;
  while (step != judge->begin) {
    assert(ways[step].edge != NO_WAY);
    CausalEdge *edge = &witness->edges[ways[step].edge];
    edge->on_chain = true;
    witness->steps[step].chain_in = witness->steps[edge->from].chain_out = ways[step].edge;
    const bool from_inside = of_thread(judge, edge->from);
    if (from_inside && !of_thread(judge, step)) {
      witness->steps[step].role = STEP_IN;
      witness->steps[edge->from].role = STEP_OUT;
    } else if (!from_inside) {
      witness->steps[edge->from].role = STEP_CHAIN;
    }
    step = edge->from;
  }
  witness->steps[judge->begin].role = STEP_BEGIN;
  heap_release(judge->heap, ways);
}

/* Paints what comes after the begin by locks alone, but for T, which comes back at e2. */
static void paint_rest(Judge *judge) {
  for (uint32_t i = judge->begin; i < judge->n; i++) {
    const CauseList causes = replay_causes(&judge->replay, i);
    for (uint32_t k = 0; k < causes.n && judge->taint[i] == TAINT_NONE && !of_thread(judge, i); k++)
      if (judge->taint[causes.at[k].from] != TAINT_NONE) judge->taint[i] = TAINT_YELLOW;
  }
}

static void make_witness(const Judge *judge, Witness *witness) {
  Heap *heap = judge->heap;
  *witness = (Witness){.heap = heap, .block = judge->block, .thread = judge->thread, .n_steps = judge->n};
  witness->steps = heap_zeroed(heap, heap_product(heap, judge->n, sizeof *witness->steps));
  for (uint32_t i = 0; i < judge->n; i++) {
    const bool inside = i >= judge->begin && of_thread(judge, i);
    witness->steps[i] =
        (WitnessStep){judge->run[i], thread_of(judge, i), STEP_NONE, judge->taint[i], inside, NOTE_NONE, NOTE_NONE};
  }
  witness->edges = heap_zeroed(heap, heap_product(heap, judge->replay.start[judge->n], sizeof *witness->edges));
  list_edges(judge, witness);
  mark_chain(judge, witness);
}

static bool judge_whole(Judge *judge, bool by_data, const TransId *run, uint32_t n_run, Witness *witness, Err *err) {
  judge->by_data = by_data;
  judge->n = n_run;
  judge->run = heap_alloc(judge->heap, heap_product(judge->heap, n_run, sizeof *judge->run));
  memcpy(judge->run, run, n_run * sizeof *judge->run);
  judge->taint = heap_alloc(judge->heap, heap_product(judge->heap, n_run, sizeof *judge->taint));
  const bool proven = judge_run(judge, err);
  if (proven) {
    paint_rest(judge);
    make_witness(judge, witness);
  }
  replay_fini(&judge->replay);
  heap_release(judge->heap, judge->run);
  heap_release(judge->heap, judge->taint);
  return proven;
}

bool witness_judge(Heap *heap, const Net *net, uint32_t block, const TransId *run, uint32_t n_run, Witness *witness,
                   Err *err) {
  assert(net->notes && block < net->notes->n_blocks);
  Judge judge = {.heap = heap, .net = net, .notes = net->notes, .block = block};
  if (n_run == 0) return reject(&judge, err, "it is empty");
  return judge_whole(&judge, true, run, n_run, witness, &(Err){0}) ||
         judge_whole(&judge, false, run, n_run, witness, err);
}

void witness_fini(Witness *witness) {
  heap_release(witness->heap, witness->steps);
  heap_release(witness->heap, witness->edges);
  *witness = (Witness){0};
}
