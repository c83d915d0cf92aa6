/* sml_graph.h: all that a thread of a small program can do, up to a depth of calls: a graph of the states of its
 * machine. From it, by definition: the profiles of the thread; whether the program can go wrong. */
#ifndef TESTS_UNIT_SML_GRAPH_H
#define TESTS_UNIT_SML_GRAPH_H

#include "base/vec.h"
#include "tests/unit/sml_machine.h"

enum { GRAPH_ACCESSES = 12 }; /* 2 * global + write */

typedef struct {
  uint32_t from, to;
  MachineStep step; /* step.then is state `to` */
} GraphEdge;

typedef struct {
  Heap *heap;
  VEC(MachineState) states; /* 0 is the start */
  VEC(GraphEdge) edges;     /* by `from` */
  U32Vec first_edge;        /* per state */
  bool full;                /* there are more than max_states */
} SmlGraph;

void sml_graph_build(SmlGraph *graph, Heap *heap, const Machine *machine, uint32_t thread, uint32_t max_states);
void sml_graph_fini(SmlGraph *graph);

/* Bit y of before[x] and split[x], as predict/thread_profiles.h defines them. */
typedef struct {
  uint32_t before[GRAPH_ACCESSES], split[GRAPH_ACCESSES], made; /* made: those that can be made */
} GraphProfiles;
void sml_graph_profiles(const SmlGraph *graph, GraphProfiles *profiles);

/* The fewest steps in which x and later y can be made, UINT32_MAX if that cannot be; `same`: in one transaction;
 * `split`: and in different events. Without `same`, one access can be both. */
uint32_t sml_graph_distance(const SmlGraph *graph, uint32_t x, uint32_t y, bool same, bool split);

/* Is there a cycle through distinct threads? That follows from the profiles alone. */
bool sml_graph_cycle(const GraphProfiles *const *threads, uint32_t n);

/* Does an interleaving go wrong? Tries all with more and more accesses, up to about `budget` steps. */
bool sml_graph_search(const SmlGraph *const *threads, uint32_t n, uint32_t budget);

#endif
