/* classes.h: what proofs are about: the threads of a net as automata over shared objects (petri/thread_view.h), those
 * that behave alike once. What holds at the controls of one thread of a class holds at those of all, so everything is
 * computed once for each class, however many threads are in it.
 *
 * A *control* is a local state of a thread: a point of its program with what it knows there. All numbers are from 0,
 * and of classes, controls and steps ascending together: those of one class, and the steps of one control, stand side
 * by side. */
#ifndef PROVE_CLASSES_H
#define PROVE_CLASSES_H

#include "petri/thread_view.h"

/* A class of threads that behave alike. */
typedef struct {
  uint32_t first;    /* its first thread; threads are numbered as in thread_view.h */
  uint32_t n;        /* its threads */
  uint32_t controls; /* where its controls start; the first is its initial one */
} ThreadClass;

/* A shared object. A token that may be absent has two values: TOKEN_PRESENT and TOKEN_ABSENT. */
typedef struct {
  const char *name;
  bool is_token;
  uint32_t n_values, initial;
} ClassObject;

enum { TOKEN_PRESENT = 0, TOKEN_ABSENT = 1 };

/* What a step does to an object: finds `pre`, leaves `post`. !writes: it only looks, side by side with others that do.
 */
typedef struct {
  uint32_t object, pre, post;
  bool writes;
  bool takes, puts; /* a token is there to be taken, and is there afterwards: not so where a token is absent */
} Touch;

/* A step of a thread of a class, from one control to another. */
typedef struct {
  uint32_t from, to;   /* controls */
  TransId transition;  /* of the first thread of the class */
  uint32_t begin, end; /* the blocks of the notes that it begins and ends, or NOTE_NONE */
} ClassStep;

/* What one step touches: a piece of Classes.touches. */
typedef struct {
  const Touch *at;
  uint32_t n;
} TouchList;

/* The classes of a net. All their memory is the heap's. */
typedef struct {
  Heap *heap;
  ThreadView program;
  VEC(ThreadClass) classes; /* one more comes after the last one */
  uint32_t n_classes, n_controls, n_steps, n_objects;
  uint32_t *class_of;   /* per control */
  uint32_t *step_start; /* per control, + 1 */
  ClassStep *steps;
  ClassObject *objects;
  uint32_t *touch_start; /* per transition of the net, + 1 */
  Touch *touches;        /* of a transition: ascending by object, one each */
} Classes;

/* The net must have notes. False, with *err, if a thread is not sequential (ERR_INPUT) or there are too many local
 * states (ERR_LIMIT). On success they must be freed; they refer to the net. */
bool classes_init(Classes *classes, Heap *heap, const Net *net, Err *err);
void classes_fini(Classes *classes);

/* The objects that the step touches, ascending, each once. */
static inline TouchList classes_touches(const Classes *classes, uint32_t step) {
  const uint32_t t = classes->steps[step].transition.v;
  return (TouchList){classes->touches + classes->touch_start[t], classes->touch_start[t + 1] - classes->touch_start[t]};
}

/* The class of the thread that takes a step. */
static inline uint32_t classes_of_step(const Classes *classes, uint32_t step) {
  return classes->class_of[classes->steps[step].from];
}

/* The first step of a class; its last one stands before the first one of the next class. */
static inline uint32_t classes_first_step(const Classes *classes, uint32_t class) {
  return classes->step_start[classes->classes.at[class].controls];
}

/* The class of a thread: they ascend by their first threads. */
uint32_t classes_of_thread(const Classes *classes, uint32_t thread);

/* May two threads, one of each class, be there? Not of a class that is a single thread. */
static inline bool classes_are_two(const Classes *classes, uint32_t one, uint32_t other) {
  return one != other || classes->classes.at[one].n > 1;
}

/* Has some class two threads or more? What is proved holds for any number of them. */
bool classes_have_copies(const Classes *classes);

#endif
