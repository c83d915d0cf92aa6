/* process.h: a branching process of a net, built event by event and believed in nothing: each event is checked, from
 * the definition, when it is added (docs/certificates.md, checks 1 and 2).
 *
 * With each event that is no cut-off (a "live" one) goes its concurrency relation, so that what is concurrent to a
 * later event is an intersection of what is known: co(e) = the intersection of co(b) over the preset of e; and co(b) is
 * co of its producer, the other outputs of that, and the outputs of the later events whose co contains b. */
#ifndef CHECK_PROCESS_H
#define CHECK_PROCESS_H

#include "base/vec.h"
#include "petri/net.h"

#define PROCESS_NONE UINT32_MAX

/* Event 0 is none of the net's: it stands for the initial marking, which it produces. */
typedef struct {
  TransId trans;  /* TRANS_NONE: event 0 */
  uint32_t pre;   /* its preset stands in pool[pre ..] */
  uint32_t post;  /* the first of its outputs, which are consecutive, in the order of their places */
  uint32_t depth; /* events on a longest chain of causes up to it, itself included; 0 for event 0 */
  bool is_cutoff;
  uint32_t n_early;
  const uint32_t
      *early; /* n_early live conditions, ascending: those with a smaller number that are concurrent to all */
              /* of its outputs; of a cut-off NULL */
} ProcessEvent;

/* A part of a list of events, the next ones in `next`. */
typedef struct LaterEvents {
  struct LaterEvents *next;
  uint32_t n, at[13];
} LaterEvents;

/* A condition: a token on a place, put there by an event. */
typedef struct {
  uint32_t place, producer;
  uint32_t previous;         /* the last live condition of the same place before it, or PROCESS_NONE */
  uint32_t n_concurrent;     /* live conditions concurrent to it, if it is live itself */
  LaterEvents *first, *last; /* the live events, ascending, in whose `early` it is */
} ProcessCondition;

/* The branching process so far, with what the checks of further events need. */
typedef struct {
  Heap *heap;
  const Net *net;
  VEC(ProcessEvent) events;
  VEC(ProcessCondition) conditions; /* numbered from 0 here, and from 1 in messages */
  U32Vec pool;
  uint64_t n_pairs;   /* of a live event and a condition in its `early` */
  Arena arena;        /* of the lists */
  uint32_t *slots;    /* a hash table of the events but 0, by transition and preset; 0: free */
  uint32_t n_slots;   /* a power of two, more than twice the events */
  uint32_t *first_of; /* per transition: its first event, or 0 */
  uint32_t *newest;   /* per place: its last live condition, or PROCESS_NONE */
  uint32_t *n_live;   /* per place: its live conditions */
  uint32_t *seen;     /* per place: the last round in which it was seen */
  uint32_t round;     /* of looking at places */
  U32Vec found;       /* the co of the current event; of a cut-off perhaps only what is on its output places */
} Process;

/* Event 0 alone. The net must live as long; memory is the heap's, until fini. */
void process_init(Process *process, Heap *heap, const Net *net);
void process_fini(Process *process);

/* The condition after the last output of event e. */
static inline uint32_t process_post_end(const Process *process, uint32_t e) {
  return e + 1 < process->events.n ? process->events.at[e + 1].post : process->conditions.n;
}

/* The size of the preset of event e. */
static inline uint32_t process_n_pre(const Process *process, uint32_t e) {
  return e ? net_pre(process->net, process->events.at[e].trans).n : 0;
}

/* Adds the next event. `pre` are as many conditions as the transition has input places, ascending, all of them there.
 * False, with ERR_CHECK, if that is no event of a branching process of a 1-safe net; then the process is of no more
 * use. */
bool process_add(Process *process, TransId trans, const uint32_t *pre, bool is_cutoff, Err *err);

/* Are two different live conditions concurrent? */
bool process_concurrent(const Process *process, uint32_t a, uint32_t b);

/* The event with the transition and the preset, which is ascending; or PROCESS_NONE. */
uint32_t process_find(const Process *process, TransId trans, const uint32_t *pre);

#endif
