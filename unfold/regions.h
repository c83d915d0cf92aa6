/* regions.h: where an event leads, in one word, so that a search can leave out what cannot lead to where it looks.
 *
 * The places are divided into at most 64 regions, as they are mentioned by the transitions one after the other: what belongs
 * together stands together in a net. The regions of an event are those in which it, or a live event that it is a cause of,
 * has conditions. */
#ifndef UNFOLD_REGIONS_H
#define UNFOLD_REGIONS_H

#include "unfold/branch.h"

enum { REGIONS = 64 };

typedef struct {
  Branch *branch;
  uint8_t *of;       /* per place: its region */
  size_t n_words;    /* of a set of places */
  uint64_t *leading; /* per region a bitset: the places of which a live event consumes a condition and leads to that region */
  U32Vec work;       /* scratch */
} Regions;

void regions_init(Regions *regions, Branch *branch);
void regions_fini(Regions *regions);

/* To be told of every new live event. */
void regions_note_event(Regions *regions, uint32_t e);

static inline uint64_t regions_bit(const Regions *regions, PlaceId p) { return (uint64_t)1 << regions->of[p.v]; }

/* The set of regions of a list of places. */
uint64_t regions_of(const Regions *regions, PlaceList places);

#endif
