/* double_arc.h: for readers: which arc of a file repeats another one, once net_freeze has said that one does. */
#ifndef PETRI_DOUBLE_ARC_H
#define PETRI_DOUBLE_ARC_H

#include <stdbool.h>
#include <stdint.h>

/* An arc: a number for its two ends and its direction, and where it stands in the file (a line or an index). */
typedef struct {
  uint64_t ends;
  uint32_t where;
} ArcKey;

/* `place` and `trans` are less than NET_MAX_NODES. */
static inline ArcKey arc_key(bool is_input, uint32_t place, uint32_t trans, uint32_t where) {
  return (ArcKey){(uint64_t)is_input << 63 | (uint64_t)place << 32 | trans, where};
}

/* Of the arcs that repeat one further up, the `where` of the first; UINT32_MAX if there is none. The keys
 * are sorted on the way. */
uint32_t double_arc_find(ArcKey *keys, uint32_t n);

#endif
