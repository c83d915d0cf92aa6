/* possible.h: the transitions that may be enabled some time: all places of their presets have had a live condition.
 * Most transitions of a net that was made by a translation are never possible, and they are not looked at again and
 * again. */
#ifndef UNFOLD_POSSIBLE_H
#define UNFOLD_POSSIBLE_H

#include "unfold/config.h"
#include "unfold/regions.h"

/* A possible transition, as one that takes from a place. */
typedef struct {
  uint32_t trans;
  uint32_t watch; /* for extend.c: a place of its preset, the one that was missing when it was looked at last */
} Consumer;

/* Which transitions are possible by now. */
typedef struct {
  const Config *config;
  const Regions *regions;
  uint32_t *waiting; /* per place without a live condition: the first of those transitions that wait for it, or NONE */
  uint32_t *next;    /* per transition: the next one that waits for the same place */
  Consumer *consumers; /* of place p the possible ones, ascending: consumers[Net.consumer_start[p] ..], n_consumers[p]
                          of them */
  uint32_t *n_consumers;
  uint64_t *wanted; /* per place: the regions of the presets of its possible consumers */
} Possible;

/* The configuration is the initial one. */
void possible_init(Possible *possible, const Config *config, const Regions *regions);
void possible_fini(Possible *possible);

/* The first possible consumer of the place; possible->n_consumers[p.v] of them stand there, ascending. */
static inline Consumer *possible_consumers(const Possible *possible, PlaceId p) {
  return possible->consumers + possible->config->branch->net->consumer_start[p.v];
}

/* To be told of every new live event, after the configuration. */
void possible_note_event(Possible *possible, uint32_t e);

#endif
