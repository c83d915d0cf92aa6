#include "ask/commuting.h"

#include "base/sort.h"

#include <assert.h>

/* What a use is, in sets: its own number, and those of the others. */
enum { OTHER_READS = 1, OTHER_WRITES = 2, CALL_READS = 4, CALL_WRITES = 8, OTHERS = OTHER_READS | OTHER_WRITES };

bool commuting_is_asked(const Commuting *commuting) {
  for (uint32_t i = 0; commuting->by && i < commuting->by->all.n; i++)
    if (commuting->by->all.at[i].kind == SUPPRESS_COMMUTES) return true;
  return false;
}

void commuting_restart(Commuting *c) {
  vec_clear(&c->entries);
  vec_clear(&c->threads);
}

/* ---- calls ---- */

/* The first entry that names the function, + 1, or 0. All are asked, lest one seems unused. */
static uint32_t ask_entries(Commuting *c, const char *name) {
  uint32_t first = 0;
  for (uint32_t i = c->by ? c->by->all.n : 0; i-- > 0;) {
    Suppression *entry = &c->by->all.at[i];
    if (entry->kind != SUPPRESS_COMMUTES || !suppressions_match(entry, name)) continue;
    entry->used = true;
    first = i + 1;
  }
  return first;
}

static uint32_t entry_of(Commuting *c, const TraceNames *names, uint32_t label) {
  if (label == TRACE_NONE) return 0;
  if (label >= c->entries.n) vec_resize_zeroed(c->heap, &c->entries, label + 1);
  if (!c->entries.at[label]) c->entries.at[label] = ask_entries(c, trace_name(names, TRACE_LABEL_NAME, label)) + 1;
  return c->entries.at[label] - 1;
}

static CommutingThread *thread_at(Commuting *c, uint32_t number) {
  if (number >= c->threads.n) vec_resize_zeroed(c->heap, &c->threads, number + 1);
  return &c->threads.at[number];
}

static void open_call(Commuting *c, const TraceNames *names, CommutingThread *thread, uint32_t label) {
  thread->depth++;
  if (thread->call) return;
  thread->call = entry_of(c, names, label);
  thread->since = thread->depth;
  c->met |= thread->call != 0;
}

uint32_t commuting_step(Commuting *c, const TraceNames *names, const TraceEvent *event) {
  CommutingThread *thread = thread_at(c, event->thread);
  if (event->op == TRACE_BEGIN) open_call(c, names, thread, event->object);
  const uint32_t call = thread->call;
  if (event->op == TRACE_EXIT) thread->depth = thread->call = 0;
  if (event->op == TRACE_END && thread->depth) {
    if (thread->call && thread->since == thread->depth) thread->call = 0;
    thread->depth--;
  }
  return call;
}

/* ---- looking at the run ---- */

static bool is_access(const TraceEvent *event) {
  return event->op == TRACE_READ || event->op == TRACE_WRITE || event->op == TRACE_UPDATE;
}

static void meet(Commuting *c, uint32_t call, const TraceEvent *event) {
  if (!call || !is_access(event)) return;
  if (event->object >= c->objects.n) vec_resize_zeroed(c->heap, &c->objects, event->object + 1);
  CommutingObject *object = &c->objects.at[event->object];
  if (object->calls && object->calls != call) object->calls = COMMUTING_SEVERAL;
  else object->calls = call;
  object->written |= event->op != TRACE_READ;
}

/* After a join the number stands for a new thread, or may do so. */
static uint32_t strand_of(Commuting *c, uint32_t number) {
  CommutingThread *thread = thread_at(c, number);
  if (!thread->strand) thread->strand = strands_add(&c->order) + 1;
  return thread->strand - 1;
}

/* From where one thread is to where the other one is from now on. */
static void add_edge(Commuting *c, uint32_t from, uint32_t to) {
  const uint32_t early = strand_of(c, from), late = strand_of(c, to);
  const StrandEdge edge = {.at = ++c->threads.at[to].at, .from = {early, c->threads.at[from].at++, 0}};
  strands_add_edge(&c->order, late, &edge);
}

static void note_use(Commuting *c, const CommutingUse *use) {
  const uint32_t pair = pairs_add(c->heap, &c->pairs, use->object, use->strand);
  if (pair == c->newest.n) vec_push(c->heap, &c->newest, UINT32_MAX);
  uint32_t *newest = &c->newest.at[pair];
  if (*newest != UINT32_MAX && c->uses.at[*newest].at == use->at) {
    c->uses.at[*newest].kinds |= use->kinds;
    return;
  }
  *newest = c->uses.n;
  vec_push(c->heap, &c->uses, *use);
}

static bool is_in_question(const Commuting *c, uint32_t object) {
  return object < c->objects.n && c->objects.at[object].written && c->objects.at[object].calls != COMMUTING_SEVERAL;
}

static void order(Commuting *c, uint32_t call, const TraceEvent *event) {
  if (event->op == TRACE_FORK && event->object != event->thread) add_edge(c, event->thread, event->object);
  if (event->op == TRACE_JOIN && event->object != event->thread) {
    add_edge(c, event->object, event->thread);
    thread_at(c, event->object)->strand = 0;
    thread_at(c, event->object)->at = 0;
  }
  if (!is_access(event) || !is_in_question(c, event->object)) return;
  const uint32_t strand = strand_of(c, event->thread), kind = event->op == TRACE_READ ? OTHER_READS : OTHER_WRITES;
  note_use(c, &(CommutingUse){event->object, strand, c->threads.at[event->thread].at,
                              call ? kind * (CALL_READS / OTHER_READS) : kind});
}

void commuting_look(Commuting *c, uint32_t call, const TraceEvent *event) {
  if (c->phase == COMMUTING_MEETING) meet(c, call, event);
  if (c->phase == COMMUTING_ORDERING) order(c, call, event);
}

/* ---- what becomes of the variables ---- */

static int by_object(uint32_t a, uint32_t b, const void *context) {
  const Commuting *c = context;
  const uint32_t x = c->uses.at[a].object, y = c->uses.at[b].object;
  return (x > y) - (x < y);
}

static bool is_before(Commuting *c, const CommutingUse *a, const CommutingUse *b) {
  return strands_before(&c->order, b->strand, b->at, a->strand) > a->at;
}

/* Is each use of the one kind ordered with all of the other kind, in other strands? */
static bool are_ordered(Commuting *c, const uint32_t *uses, uint32_t n, uint32_t kind, uint32_t other) {
  for (uint32_t i = 0; i < n; i++) {
    const CommutingUse *a = &c->uses.at[uses[i]];
    heap_poll(c->heap);
    for (uint32_t k = 0; k < n && a->kinds & kind; k++) {
      const CommutingUse *b = &c->uses.at[uses[k]];
      if (b->kinds & other && a->strand != b->strand && !is_before(c, a, b) && !is_before(c, b, a)) return false;
    }
  }
  return true;
}

static bool are_of_one_strand(const Commuting *c, const uint32_t *uses, uint32_t n, uint32_t kind) {
  uint32_t strand = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    if (!(c->uses.at[uses[i]].kinds & kind)) continue;
    if (strand != UINT32_MAX && strand != c->uses.at[uses[i]].strand) return false;
    strand = c->uses.at[uses[i]].strand;
  }
  return true;
}

static bool decide(Commuting *c, const uint32_t *uses, uint32_t n, uint8_t *how) {
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < n; i++) kinds |= c->uses.at[uses[i]].kinds;
  c->plain = c->plain && !(kinds & OTHERS);
  if (!(kinds & OTHERS)) *how = COMMUTING_ALONE;
  else if (are_ordered(c, uses, n, OTHER_READS, CALL_WRITES)) *how = COMMUTING_READS;
  else if (are_of_one_strand(c, uses, n, OTHER_READS) && are_ordered(c, uses, n, OTHER_WRITES, CALL_READS))
    *how = COMMUTING_SWAPPED;
  else return false;
  return true;
}

static void refuse(Commuting *c, const TraceNames *names, uint32_t object) {
  const bool several = c->objects.at[object].calls == COMMUTING_SEVERAL;
  snprintf(c->why, sizeof c->why, "calls commute that write '%.60s', which %s",
           trace_name(names, TRACE_OBJECT_NAME, object),
           several ? "calls of other functions that commute access, too"
                   : "other threads read at the same time outside of such calls");
}

/* Some of several functions, one of them writing? */
static bool refuse_several(Commuting *c, const TraceNames *names) {
  for (uint32_t i = 0; i < c->objects.n && !c->why[0]; i++)
    if (c->objects.at[i].written && c->objects.at[i].calls == COMMUTING_SEVERAL) refuse(c, names, i);
  return c->why[0];
}

static void decide_all(Commuting *c, const TraceNames *names) {
  const uint32_t n = c->uses.n;
  uint32_t *uses = heap_alloc(c->heap, heap_product(c->heap, n + 1, sizeof *uses));
  for (uint32_t i = 0; i < n; i++) uses[i] = i;
  sort_numbers(uses, n, by_object, c);
  c->plain = true;
  for (uint32_t i = 0, end = 0; i < n && !c->why[0]; i = end) {
    const uint32_t object = c->uses.at[uses[i]].object;
    while (end < n && c->uses.at[uses[end]].object == object) end++;
    if (!decide(c, uses + i, end - i, &c->objects.at[object].how)) refuse(c, names, object);
  }
  heap_release(c->heap, uses);
}

static void forget_uses(Commuting *c) {
  strands_fini(&c->order);
  c->order = (Strands){.heap = c->heap};
  vec_fini(c->heap, &c->uses);
  vec_fini(c->heap, &c->newest);
  pairs_fini(c->heap, &c->pairs);
  c->pairs = (Pairs){0};
}

bool commuting_looked(Commuting *c, const TraceNames *names) {
  commuting_restart(c);
  c->order.heap = c->heap;
  if (c->phase == COMMUTING_MEETING && c->met && !refuse_several(c, names)) {
    c->phase = COMMUTING_ORDERING;
    return true;
  }
  if (c->phase == COMMUTING_ORDERING) decide_all(c, names);
  c->phase = COMMUTING_KNOWN;
  forget_uses(c);
  return false;
}

/* ---- the run itself ---- */

bool commuting_tell(const Commuting *c, uint32_t call, TraceEvent *event) {
  if (event->object >= c->objects.n || !is_access(event)) return false;
  switch ((CommutingHow)c->objects.at[event->object].how) {
  case COMMUTING_AS_IT_IS: return false;
  case COMMUTING_ALONE:
    event->op = TRACE_START;
    event->object = TRACE_NONE;
    break;
  case COMMUTING_READS:
    if (call) event->op = TRACE_READ;
    break;
  case COMMUTING_SWAPPED:
    if (!call) event->op = TRACE_WRITE;
    else if (event->op == TRACE_READ) event->op = TRACE_START, event->object = TRACE_NONE;
    else event->op = TRACE_READ;
    break;
  }
  return call;
}

void commuting_fini(Commuting *c) {
  forget_uses(c);
  vec_fini(c->heap, &c->entries);
  vec_fini(c->heap, &c->threads);
  vec_fini(c->heap, &c->objects);
}
