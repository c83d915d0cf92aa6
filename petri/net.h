/* net.h: a 1-safe place/transition net: built once, then frozen into flat arrays and never changed again.
 *
 * Places and transitions are numbered from 0 in the order in which they were added, and every list of them is in
 * ascending order, whatever the order of the arcs in a file: what is computed from a net does not depend on that. */
#ifndef PETRI_NET_H
#define PETRI_NET_H

#include "base/arena.h"
#include "base/err.h"
#include "petri/notes.h"

#include <stdbool.h>
#include <stdint.h>

/* The number of a place, from 0. */
typedef struct {
  uint32_t v;
} PlaceId;
/* The number of a transition, from 0. */
typedef struct {
  uint32_t v;
} TransId;

#define PLACE_NONE ((PlaceId){UINT32_MAX})
#define TRANS_NONE ((TransId){UINT32_MAX})

/* The most places, and the most transitions, of a net; the most arcs are 2^32 - 2. */
#define NET_MAX_NODES ((uint32_t)1 << 30)

/* Read-only views of a part of the net's arrays. */
typedef struct {
  const PlaceId *at;
  uint32_t n;
} PlaceList;
typedef struct {
  const TransId *at;
  uint32_t n;
} TransList;

#define UNIT_NONE UINT32_MAX

/* The net. Free it with net_free; from then on no list or name of it may be used. */
typedef struct Net {
  Arena arena;      /* owns all that follows */
  const char *name; /* "" if it has none */
  uint32_t n_places, n_trans;
  uint32_t n_inputs, n_outputs; /* arcs place -> transition, transition -> place */

  /* Compressed rows: of transition t the presets stand in pre[pre_start[t] .. pre_start[t + 1] - 1], and so on. */
  const uint32_t *pre_start, *post_start; /* n_trans + 1 each */
  const PlaceId *pre, *post;
  const uint32_t *consumer_start, *producer_start; /* n_places + 1 each */
  const TransId *consumers, *producers;

  const bool *marked;                                /* n_places: holds a token at first */
  const char *const *place_name, *const *trans_name; /* as written in the file; not empty, not always unique */
  const char *const *place_id, *const *trans_id;     /* what the file calls them besides, each once; NULL: that was not
                                                        asked     for (net_read_with_ids), or there is no such thing */
  uint32_t n_phantoms; /* phantom transitions of the file (petri/llnet.h), which are no part of the net */
  const uint32_t
      *trans_line; /* n_trans: where the transition stands in the file, from 1; 0 if the net is from no file */

  /* NUPN units, if the file had any: the unit of each place or UNIT_NONE. unit_of is NULL if n_units is 0.
   * units_safe: the file says that no unit ever holds two tokens. A hint only. */
  uint32_t n_units;
  const uint32_t *unit_of;
  const uint32_t *unit_start; /* n_units + 1: the places of unit u are unit_places[unit_start[u] ..], ascending */
  const PlaceId *unit_places;
  const char *const *unit_name;
  bool units_safe;

  const Notes *notes; /* what the net means as a program, or NULL; owned by the arena */
} Net;

/* The places that a transition takes from, and puts to; the transitions that take from a place, and put to it. Each
 * list is ascending and belongs to the net. */
static inline PlaceList net_pre(const Net *net, TransId t) {
  return (PlaceList){net->pre + net->pre_start[t.v], net->pre_start[t.v + 1] - net->pre_start[t.v]};
}
static inline PlaceList net_post(const Net *net, TransId t) {
  return (PlaceList){net->post + net->post_start[t.v], net->post_start[t.v + 1] - net->post_start[t.v]};
}
static inline TransList net_consumers(const Net *net, PlaceId p) {
  return (TransList){net->consumers + net->consumer_start[p.v],
                     net->consumer_start[p.v + 1] - net->consumer_start[p.v]};
}
static inline TransList net_producers(const Net *net, PlaceId p) {
  return (TransList){net->producers + net->producer_start[p.v],
                     net->producer_start[p.v + 1] - net->producer_start[p.v]};
}
/* The places of a unit, less than n_units. */
static inline PlaceList net_unit_places(const Net *net, uint32_t unit) {
  return (PlaceList){net->unit_places + net->unit_start[unit], net->unit_start[unit + 1] - net->unit_start[unit]};
}

/* Is p one of a list's places? Binary search. */
bool net_place_list_has(PlaceList list, PlaceId p);

/* Has each transition an input place? If not, it could fire without end: such a net is not 1-safe, or has no finite
 * prefix. False then, with ERR_INPUT naming the transition and its line in the file. */
bool net_check_presets(const Net *net, const char *file, Err *err);

void net_free(Net *net); /* NULL is allowed */

/* Checks every invariant above (orders, ranges, both directions of each arc, the notes); for tests and after reading.
 * False with ERR_CHECK on the first that fails. */
bool net_audit(const Net *net, Err *err);

/* ---- building ---- */

/* A net while it is built. It ends with net_freeze or net_builder_free. */
typedef struct NetBuilder NetBuilder;

/* A net without nodes and without a name. */
NetBuilder *net_builder_new(Heap *heap);
void net_builder_free(NetBuilder *builder); /* NULL is allowed */

/* The numbers of the nodes are 0, 1, ... in the order of these calls. The names are copied. More than NET_MAX_NODES
 * of them leaves the heap_try(). */
PlaceId net_add_place(NetBuilder *builder, const char *name, bool marked);
TransId net_add_trans(NetBuilder *builder, const char *name);
void net_add_input(NetBuilder *builder, PlaceId from, TransId to);
void net_add_output(NetBuilder *builder, TransId from, PlaceId to);
void net_set_line(NetBuilder *builder, TransId trans, uint32_t line); /* from 1 */
void net_set_marked(NetBuilder *builder, PlaceId place, bool marked); /* instead of what it was added with */
void net_set_name(NetBuilder *builder, const char *name);             /* of the net; copied */
void net_set_phantoms(NetBuilder *builder, uint32_t n);               /* Net.n_phantoms */

/* A unit, by its number, from 0 in the order of these calls; the name is copied. Then the unit of a place, and
 * whether the file calls the units safe; without these calls it does not. */
uint32_t net_add_unit(NetBuilder *builder, const char *name);
void net_set_unit(NetBuilder *builder, PlaceId place, uint32_t unit);
void net_set_units_safe(NetBuilder *builder, bool safe);

/* How many nodes have been added so far. */
uint32_t net_builder_places(const NetBuilder *builder);
uint32_t net_builder_transitions(const NetBuilder *builder);

/* The notes under construction; they start empty, and become the net's once anything was added to them. */
NotesBuilder *net_builder_notes(NetBuilder *builder);

/* Freezes the net and frees the builder, on failure too (then NULL). Fails, with ERR_INPUT naming the nodes, on an arc
 * that was added twice, which would be an arc of weight 2, and on notes that do not fit the net. */
Net *net_freeze(NetBuilder *builder, Err *err);

#endif
