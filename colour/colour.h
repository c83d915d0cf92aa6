/* colour.h: from the net of a program to a coloured net in which a place `red` can be marked iff a marked block is not
 * causally atomic (A. Farzan, P. Madhusudan, "Causal Atomicity", CAV 2006, section 4), and back from a firing sequence
 * of the coloured net to one of the program's net. docs/colours.md has the construction and why it is right. */
#ifndef COLOUR_COLOUR_H
#define COLOUR_COLOUR_H

#include "petri/net.h"

#include <stdio.h>

/* The ways to colour a net. */
typedef enum {
  COLOURING_CHAIN, /* one token travels along one causal chain */
  COLOURING_FULL,  /* every token has a colour */
  COLOURING_ENTRY  /* no colours: red is marked where a block begins */
} Colouring;

/* What is coloured, and how. */
typedef struct {
  Colouring colouring;
  bool reduce;        /* make the net smaller before it is encoded */
  const bool *blocks; /* per block of the notes: check it? NULL: all */
  bool by_data; /* of COLOURING_CHAIN: red shows only chains that do not go through locks; it proves nothing atomic */
} ColourOptions;

/* How often something can have different colours before colour_net gives up, per event. */
#define COLOUR_MAX_VARIANTS (1u << 20)

/* A coloured net, and the way back from it to the net that it was made of. */
typedef struct Coloured Coloured;

/* The net must have notes. NULL, with *err, if a thread is not sequential (ERR_INPUT), or an event has too many colour
 * variants (ERR_LIMIT). `net` must outlive the result. */
Coloured *colour_net(Heap *heap, const Net *net, const ColourOptions *options, Err *err);
void colour_free(Coloured *coloured); /* NULL is allowed */

/* The coloured net, owned by `coloured`. */
const Net *colour_result_net(const Coloured *coloured);

/* The place that is marked when the block is found not to be atomic; PLACE_NONE if no event can do that, or the block
 * was not to be checked. */
PlaceId colour_result_red(const Coloured *coloured, uint32_t block);

/* A firing sequence of the program's net that does what `run` does in the coloured net: same events in the same order,
 * with the steps that the reductions took out put back in. *steps belongs to the heap. False, with ERR_CHECK, if there
 * is none, which would be an error of ours. */
bool colour_expand_run(const Coloured *coloured, const TransId *run, uint32_t n_run, TransId **steps, uint32_t *n_steps,
                       Err *err);

/* Of COLOURING_CHAIN: writes why the coloured net can mark the red place of a block, of those that are named in
 * `blocks`, if it is not causally atomic: facts about threads, the coloured net, and what its places stand for, in the
 * form of docs/certificates.md, up to the prefix, which has to follow if one of them has a red place. With `places`,
 * per place of the program's net, it is about another net, in which they have these numbers: one whose runs are runs of
 * the program's net. False, with ERR_CHECK and nothing written, if the coloured net is seen to do less than it should,
 * which would be an error of ours. Errors of the stream are not looked at. */
bool colour_certify(const Coloured *coloured, const bool *blocks, const PlaceId *places, FILE *out, Err *err);

#endif
