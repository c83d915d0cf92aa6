/* branch.h: the branching process while it grows.
 *
 * It holds only what can still be extended: "live" events (those that are no cut-offs) and their conditions, in arrays
 * of records that are walked without pause. Cut-offs and possible extensions not yet taken are extensions alone: a
 * transition and a preset. The Prefix that callers see is made of both at the end (finish.h).
 *
 * Numbers are plain uint32_t here, in three ranges: extensions, live events and live conditions; NONE is none of them.
 */
#ifndef UNFOLD_BRANCH_H
#define UNFOLD_BRANCH_H

#include "base/vec.h"
#include "petri/net.h"

#define NONE UINT32_MAX

/* The most extensions, so that a number of one fits where it is doubled. */
#define BRANCH_MAX ((uint32_t)1 << 31)

/* What became of an extension: EXT_WAITING in the queue, EXT_LIVE, or else the number of an extension with the same
 * marking that is smaller: then it is a cut-off. */
#define EXT_WAITING UINT32_MAX
#define EXT_LIVE (UINT32_MAX - 1)

/* A possible extension: it becomes an event when its turn comes. Number 0 is no event but stands for the initial
 * marking. */
typedef struct {
  uint32_t trans;
  uint32_t
      pre; /* the preset: pool.at[pre ..], one live condition per place of the transition's preset, in that order */
  uint32_t
      parent; /* the live event from whose outputs it was found, the youngest of its causes; NONE: the initial ones */
  uint32_t marking; /* the number of the marking that its local configuration leads to (marks.h) */
  uint32_t fate;
  uint32_t next; /* waiting: the next one of its size, or NONE; afterwards its number as an event */
} Ext;

/* A live event. The last two fields belong to the current configuration (config.h). */
typedef struct {
  uint32_t trans;
  uint32_t pre;    /* as in Ext */
  uint32_t post;   /* its first condition; they are consecutive, in the order of the transition's postset */
  uint32_t parent; /* as in Ext */
  uint32_t ext;    /* the extension it was */
  uint32_t size;   /* of its local configuration */
  uint32_t depth;  /* events on a longest chain of causes up to it, itself included */
  uint32_t
      height;  /* the length of the trail when this one's local configuration was complete; 0: it is not on the path */
  bool inside; /* is it in the current configuration? */
} Event;

/* A condition of a preset; its producer stands beside it, because it is what one looks for nearly always. */
typedef struct {
  uint32_t condition;
  uint32_t producer; /* live event, or NONE */
} Input;

/* Place and producer are not kept: the conditions of an event are consecutive, in the order of its transition's
 * postset, and where one is needed its producer stands beside it. */
typedef struct {
  uint32_t watchers; /* the first of a list of events that consume it, or NONE; each event is in one such list, see
                        extend.c */
  uint32_t number;   /* as an alternative of the current event, if it is one, see extend.c */
} Condition;

/* The process. All its memory is the heap's. */
typedef struct {
  Heap *heap;
  const Net *net;
  VEC(Ext) exts;
  VEC(Input) pool; /* presets of extensions */
  VEC(Event) events;
  U32Vec epoch;              /* per live event: the last search of extend.c that found it concurrent */
  U32Vec next;               /* per live event: in the list of watchers of a condition of its preset */
  VEC(Condition) conditions; /* first the initial ones */
  U32Vec order;              /* extensions in the order in which they became events */
} Branch;

/* Starts with the initial conditions and extension 0. */
void branch_init(Branch *branch, Heap *heap, const Net *net);
void branch_fini(Branch *branch);

/* The preset of a live event or of an extension. */
static inline const Input *branch_pre(const Branch *branch, uint32_t pre) { return branch->pool.at + pre; }

/* Appends a condition to the pool. */
static inline void branch_push_input(Branch *branch, uint32_t condition, uint32_t producer) {
  vec_push(branch->heap, &branch->pool, ((Input){condition, producer}));
}

/* The depth of an event with this preset. */
uint32_t branch_depth(const Branch *branch, uint32_t trans, uint32_t pre);

/* Makes a live event of an extension, whose local configuration has the size given, and returns its number. */
uint32_t branch_add_event(Branch *branch, uint32_t ext, uint32_t size);

/* Appends to `events` the events of the local configurations of `n` events, without repetition, ascending. */
void branch_past(const Branch *branch, const uint32_t *of, uint32_t n, U32Vec *events);

#endif
