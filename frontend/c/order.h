/* order.h: what is done before what in contexts, as if the functions that calls run stood where they are called. */
#ifndef FRONTEND_C_ORDER_H
#define FRONTEND_C_ORDER_H

#include "frontend/c/dominators.h"
#include "frontend/c/points.h"

/* A value in a context; `context` C_NONE: the object `value`, or nothing at all if that is C_NONE, too. */
typedef struct {
  uint32_t context, value;
} CSpot;

/* Contexts that several calls share have no place: of what is in them nothing is said. Those of `first` are not
 * entered again before they are left. */

/* Whenever control is at an instruction, or behind it if that is a call and `is_result`, has `first` been computed, and
 * is its value still the one that it had when whatever is computed there was? */
bool order_is_behind(const Points *points, const Dominators *dominators, CSpot first, CSpot place, bool is_result);

/* Is `value` computed on each way to `first`, and anew before each time that `first` is? */
bool order_is_ahead(const Points *points, const Dominators *dominators, CSpot value, CSpot first);

/* Of a value that is computed ahead of `first`: where it is used, at an instruction of its own function, has `first`
 * not been computed since? */
bool order_is_still_ahead(const Points *points, CSpot value, CSpot first, uint32_t use);

#endif
