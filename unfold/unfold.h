/* unfold.h: the complete finite prefix of the unfolding of a 1-safe net.
 *
 * K. L. McMillan, "A technique of state space search based on unfolding" (1995); J. Esparza, S. Roemer, W. Vogler, "An
 * improvement of McMillan's unfolding algorithm" (2002). An event e is a cut-off iff another event e' has the same
 * marking Mark([e']) = Mark([e]), or that is the initial marking, and [e'] < [e] in the chosen order. */
#ifndef UNFOLD_UNFOLD_H
#define UNFOLD_UNFOLD_H

#include "petri/net.h"

/* The order by which an event may be a cut-off. */
typedef enum {
  UNFOLD_ERV, /* total: size, Parikh vector, Foata normal form; compared in this order. Vectors, and levels of the */
              /* normal form, as words of transitions in ascending order: by length, then lexicographically */
  UNFOLD_MCMILLAN /* partial: size alone */
} UnfoldOrder;

/* The number of an event of a prefix, from 0. */
typedef struct {
  uint32_t v;
} EventId;
/* The number of a condition of a prefix, from 0. */
typedef struct {
  uint32_t v;
} ConditionId;
#define EVENT_NONE ((EventId){UINT32_MAX})

/* How the unfolding ended. */
typedef enum {
  UNFOLD_COMPLETE, /* the prefix is complete: what it does not cover cannot be covered */
  UNFOLD_STOPPED, /* with stop_at_targets: every target is covered; stop_at_first: one is; or stop_at has an event. What
                     follows was not looked at */
  UNFOLD_LIMIT,   /* max_events was reached, or the rival was faster */
  UNFOLD_CANCELLED, /* the heap was asked to stop (heap_asked): extensions of the last event may be missing */
  UNFOLD_NOT_SAFE   /* a place can get a second token: no 1-safe net; see unsafe_place */
} UnfoldStatus;

/* What is known while it runs and after: also where memory ran out in the middle. */
typedef struct {
  uint64_t events;     /* cut-offs included */
  uint64_t conditions; /* the initial ones and the outputs of cut-offs included */
  uint64_t cutoffs;
  uint64_t queued; /* possible extensions not yet taken */
} UnfoldCounts;

/* The events until the rival is called for the first time. */
enum { UNFOLD_RIVAL = 1 << 16 };

/* How a net is unfolded, and when to end. What it points to stays the caller's. */
typedef struct {
  UnfoldOrder order;
  uint64_t max_events;    /* 0: no limit */
  const PlaceId *targets; /* places to be covered, each by itself; may be NULL */
  uint32_t n_targets;
  bool stop_at_targets;   /* end as soon as all targets have an event */
  bool stop_at_first;     /* end as soon as one of them has */
  const TransId *stop_at; /* may be NULL: end at the first event of this transition */
  bool (*rival)(
      void *argument);  /* may be NULL: another way to what is wanted, called after UNFOLD_RIVAL events and whenever */
  void *rival_argument; /* there are twice as many as the last time; true: end */
  UnfoldCounts *counts; /* may be NULL: kept up to date */
  void (*progress)(void *argument, const UnfoldCounts *counts); /* may be NULL; called some ten times a second */
  void *progress_argument;
} UnfoldOptions;

/* A prefix: arrays indexed by event and by condition, in the order in which they were added. Owned by itself.
 *
 * Events stand in the order of the size of their local configurations, and of one size those that are no cut-offs come
 * first: so causes, and the corresponding event of a cut-off, always have smaller numbers, and the first event that
 * covers a place has a smallest configuration. Only events that are no cut-offs have successors. */
typedef struct Prefix {
  Heap *heap;
  const Net *net; /* not owned */
  UnfoldStatus status;
  UnfoldCounts counts;
  uint32_t n_events, n_conditions;
  TransId *event_trans; /* per event */
  uint32_t *pre_start;  /* n_events + 1: the preset of e is pre[pre_start[e] ..], ascending */
  ConditionId *pre;
  uint32_t *post_start; /* n_events + 1: the postset of e are the conditions post_start[e] .. post_start[e + 1] - 1; */
                        /* the initial conditions are 0 .. post_start[0] - 1 */
  PlaceId *condition_place; /* per condition */
  EventId *producer;        /* per condition; EVENT_NONE for an initial one */
  EventId
      *corresponding; /* per event: of a cut-off, the e' above, or EVENT_NONE with is_cutoff for the initial marking */
  bool *is_cutoff;    /* per event */
  uint32_t n_targets;
  bool *target_covered; /* n_targets: is there a condition of that place? */
  EventId
      *target_event; /* n_targets: the first event that covers the target; EVENT_NONE if there is none, and also if */
                     /* the initial marking covers it */
  PlaceId unsafe_place; /* UNFOLD_NOT_SAFE: the place of the second token, else PLACE_NONE */
  TransId *
      unsafe_run; /* a firing sequence whose last step puts the second token on unsafe_place, and none before it does */
  uint32_t n_unsafe_run;
} Prefix;

/* NULL, with *err, if the net cannot be unfolded at all: a transition with an empty preset. The same net and options
 * give the same prefix. Leaves the heap_try() where memory runs out. */
Prefix *unfold(Heap *heap, const Net *net, const UnfoldOptions *options, Err *err);
void prefix_free(Prefix *prefix); /* NULL is allowed */

/* The first condition of the place, whose producer's local configuration is a smallest one; false if there is none. */
bool prefix_find_place(const Prefix *prefix, PlaceId place, ConditionId *condition);
/* The first event of the transition, likewise; or EVENT_NONE. */
EventId prefix_find_trans(const Prefix *prefix, TransId trans);

/* Says in `text`, of `room` bytes, why the prefix is not complete: which limit it was; "" if it is complete or was
 * stopped. */
void prefix_explain(const Prefix *prefix, char *text, size_t room);

/* A firing sequence of the net: the transitions of the local configuration [e], each event after its causes; the
 * smallest event first where there is a choice. `run` has room for the configuration's size; returns that size. With
 * run NULL only the size is returned. */
uint32_t prefix_local_run(const Prefix *prefix, EventId e, TransId *run);

/* Checks what every prefix is, whatever the order and the cut-offs (for tests): numbers in range, the initial
 * conditions are the initial marking, presets and postsets carry the places of the transition, each preset is a
 * reachable co-set, no event stands there twice, nothing follows a cut-off, a cut-off's marking is that of its
 * corresponding event, and the counts. False with ERR_CHECK on the first that fails. Time and memory: of the order of
 * n_events * sizes of configurations. */
bool prefix_audit(const Prefix *prefix, Err *err);

#endif
