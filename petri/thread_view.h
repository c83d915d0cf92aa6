/* thread_view.h: a net with notes, seen as sequential threads that work on shared objects.
 *
 * A place whose neighbours all belong to one thread is private to it. A thread's local states are the reachable sets of
 * its marked private places; all other places make up the objects: a noted variable whose copies are used as
 * docs/net.md says is one object, and every other shared place (a lock; any shared place of a foreign net) is an object
 * of its own, a token that may be absent. What the notes claim is checked: a family of copies that is not used as it
 * should be falls apart into tokens, which is always right, and a thread that is not sequential is an error. */
#ifndef PETRI_THREAD_VIEW_H
#define PETRI_THREAD_VIEW_H

#include "base/vec.h"
#include "petri/net.h"

#define VALUE_ABSENT UINT32_MAX

/* A shared object, as the threads see it. */
typedef struct {
  const char *name;
  bool is_lock;
  bool is_token;     /* may be absent; else it always has a value */
  bool has_readers;  /* has a copy for each reading thread: reads of different threads do not touch each other */
  uint32_t n_values; /* of its data; 1 for a token and for abstracted data */
  uint32_t initial;  /* value, or VALUE_ABSENT */
} ViewObject;

/* What one transition does to one object. `pre` is the value that it takes, VALUE_ABSENT if it only puts a token there;
 * `post` the value that it leaves, VALUE_ABSENT if it only takes the token. !writes: takes and returns the thread's own
 * copy alone. */
typedef struct {
  uint32_t object;
  bool writes;
  uint32_t pre, post;
} ViewAccess;

/* In local state `from` (of the transition's thread) the transition leads to `to`. */
typedef struct {
  TransId transition;
  uint32_t to;
} Move;

/* The whole view. Its net has to outlive it. */
typedef struct {
  Heap *heap;
  Arena arena;
  const Net *net;
  uint32_t n_threads; /* those of the notes, then one for each transition that belongs to none */
  VEC(ViewObject) objects;
  uint32_t *thread_of;          /* per transition */
  uint32_t *access_start;       /* per transition, + 1 */
  VEC(ViewAccess) accesses;     /* of a transition: ascending by object, one each */
  uint32_t *state_start;        /* per thread, + 1: its local states; the first is its initial one */
  VEC(uint32_t) move_start;     /* per local state, + 1 */
  VEC(Move) moves;              /* of a state: ascending by transition */
  VEC(const char *) state_name; /* per local state */
  VEC(uint32_t) place_start;    /* per local state, + 1 */
  VEC(PlaceId) places;          /* of a state: the private places that are marked, ascending */
  uint32_t *place_object;       /* per place: the object that it is a part of, or NOTE_NONE; */
  uint32_t *place_value;        /* and the value of which it holds a token */
  uint32_t *twin;               /* per thread: the first thread with the very same behaviour, maybe itself */
} ThreadView;

/* The net must have notes. False, with *err, if a thread is not sequential or the threads have too many local states.
 * On success the program must be freed; it refers to the net. */
bool thread_view_init(ThreadView *program, Heap *heap, const Net *net, Err *err);
void thread_view_fini(ThreadView *program);

#endif
