/* encode.h: a model as a 1-safe net.
 *
 * A place per state. A value of an object has a place for each thread that somewhere tests it, and at least one: while
 * the object has the value, all of them are marked. A test takes and returns the thread's own place, so tests of
 * different threads are concurrent; a change takes all places of the old value and fills all of the new. */
#ifndef COLOUR_ENCODE_H
#define COLOUR_ENCODE_H

#include "colour/model.h"

/* Which places stand for what: state s has place s; value v of object o has those from first_place[value_start[o] + v]
 * to the one before first_place[value_start[o] + v + 1], none if the value is not used. The arrays are the heap's. */
typedef struct {
  uint32_t *value_start, *first_place;
} Encoding;

/* Transition number i of the net is step number i of the model. red_place[k] becomes the place of the value 0 of object
 * red[k], PLACE_NONE if no step produces it. A place named "red" is there in any case; if several blocks have one of
 * their own, each violation marks both. NULL on an error of ours; *encoding is set in any case. */
Net *model_encode(const Model *model, const Net *origin, const uint32_t *red, uint32_t n_red, PlaceId *red_place,
                  Encoding *encoding, Err *err);

#endif
