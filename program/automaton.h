/* automaton.h: the control of one thread: states and what leads from one to another.
 *
 * A state is a place of the thread's flow with the values of what the thread alone knows: its tracked locals, the
 * objects that only it uses, and, with GRANULARITY_ACCESS, the values that the operation under way has read so far. An
 * edge is one outcome of one event; it may lead from any state to any. Only what can be reached from the start,
 * whatever the other threads write, is there. All copies of a written thread share one automaton. */
#ifndef PROGRAM_AUTOMATON_H
#define PROGRAM_AUTOMATON_H

#include "program/share.h"
#include "petri/notes.h"

/* The most outcomes that one event may have in one state, values of the objects that it reads or writes included. */
#define AUTOMATON_MAX_OUTCOMES 4096

/* The most states, and the most edges, of a thread; and the most values in all of its states together. */
#define AUTOMATON_MAX_STATES 4000000
#define AUTOMATON_MAX_CELLS 64000000

/* A state, but for its values. */
typedef struct {
  uint32_t op;    /* of Flow.ops */
  uint32_t phase; /* reads of objects that the operation has done so far, each an event of its own */
} State;

/* A variable with a known value that only this thread sees. */
typedef struct {
  const char *name;
  uint32_t n_values, initial;
  bool is_bool;
  uint32_t object; /* of Program.objects; PROGRAM_NONE: it is a local */
} Slot;

/* What an event does to a variable that is shared. `before` and `after` are its values if it is tracked in places,
 * else 0. */
typedef struct {
  uint32_t object; /* of Program.objects */
  uint16_t before, after;
  bool read, written;
} Touch;

/* What an edge is the outcome of. */
typedef enum {
  EDGE_PLAIN,
  EDGE_TRUE,
  EDGE_FALSE, /* the outcomes of an OP_TEST */
  EDGE_READ   /* one read of an operation, that of Program.items[item] */
} EdgeKind;

/* One outcome of one event. */
typedef struct {
  uint32_t from, to; /* states */
  uint32_t op;       /* of Flow.ops; of an OP_SELECT what it leads to */
  EdgeKind kind;
  uint32_t item;                 /* EDGE_READ */
  uint32_t touches, n_touches;   /* of Automaton.touches; each object once */
  uint32_t accesses, n_accesses; /* of Automaton.accesses; in source order, none twice */
} Edge;

/* The control of a thread. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  VEC(Slot) slots;
  uint32_t n_temporaries; /* values per state after those of the slots: what was read */
  VEC(State) states;      /* state 0 is the start */
  VEC(uint16_t) values;   /* of state s: from s * (slots.n + n_temporaries) on; unused temporaries are 0 */
  VEC(Edge) edges;        /* ascending by `from`, then in the order of the outcomes' values */
  VEC(Touch) touches;
  VEC(Access) accesses;
} Automaton;

/* An empty one, for explore_thread; what is in it comes from the heap. */
void automaton_init(Automaton *automaton, Heap *heap);
void automaton_fini(Automaton *automaton);

/* Where the edges of each state start: those of s are edges[result[s]] .. edges[result[s + 1] - 1]. The caller's, of
 * the automaton's heap. */
uint32_t *automaton_edges_of(const Automaton *automaton);

/* The values of a state: one for each slot, then the temporaries. Valid until a state is added. */
static inline const uint16_t *automaton_values(const Automaton *automaton, uint32_t state) {
  return automaton->values.at + (size_t)state * (automaton->slots.n + automaton->n_temporaries);
}

#endif
