/* colouring.h: causal atomicity by explicit search of the coloured token game (docs: "Causal atomicity and its
 * colours"), every token with a colour of its own, nothing summarised, nothing reduced.
 *
 * A state is a marking of the uncoloured net with a colour per token, and which block of which thread was chosen, if
 * any. Rules: tokens are A at first. Once per run a `begin` may be chosen; what it produces is blue. From then on an
 * event of its thread T that takes a yellow token is a violation, and any other one paints what it produces blue,
 * until the block's own `end`, where the run stops. An event of another thread that takes a blue or yellow token
 * paints what it produces yellow, and any other one A. */
#ifndef TESTS_ORACLE_COLOURING_H
#define TESTS_ORACLE_COLOURING_H

#include "petri/net.h"
#include "tests/oracle/answer.h"

/* One answer per block of the notes, after at most `max_states` states. False with *err if the net has no notes, a
 * transition takes nothing, or a place gets a second token; the answers are then untouched. */
bool colouring_search(Heap *heap, const Net *net, uint32_t max_states, Answer *answers, Err *err);

#endif
