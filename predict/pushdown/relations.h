/* relations.h: the profiles of a thread's program, regular or recursive (A. Farzan and P. Madhusudan, TACAS 2009,
 * Lemma 4).
 *
 * The paper makes a finite automaton of the pushdown system, in cubic time. Here it takes time linear in the
 * control, for each 64 accesses: blocks end where they begin, and data is abstract, so what can follow on a node is
 * what can be reached from it in a graph. A word that leads from one access to another first returns from some of
 * the calls that are under way, and then makes some that it does not return from; calls that are returned from are
 * steps over the call. Which calls are under way is free: each that can be reached and leads here can be. */
#ifndef PREDICT_PUSHDOWN_RELATIONS_H
#define PREDICT_PUSHDOWN_RELATIONS_H

#include "program/control.h"
#include "predict/thread_profiles.h"

/* The relations of one program, thread by thread. */
typedef struct {
  Heap *heap;
  const Control *control;
  U32Vec nodes;       /* those that the thread under way can reach; the first is where it starts */
  uint32_t *index_of; /* per node of the control: where it is in `nodes`, or CONTROL_NONE */
} Relations;

/* No thread is under way. `control` outlives the relations; memory is the heap's until fini. */
void relations_init(Relations *relations, Heap *heap, const Control *control);
void relations_fini(Relations *relations);

/* Fills relations->nodes: those that a thread which starts with the proc can reach. Valid until the next call. */
void relations_reach(Relations *relations, uint32_t proc);

/* The profiles of that thread, for the accesses of the globals that are marked in objects[0 .. n_objects - 1]. All
 * accesses of one kind, read or write, to a global are one; its place is 2 * object + write. Made of pieces of the
 * heap, to be given back by relations_release. */
ThreadProfiles relations_find(Relations *relations, uint32_t proc, const bool *objects, uint32_t n_objects);
void relations_release(Heap *heap, ThreadProfiles *profiles);

#endif
