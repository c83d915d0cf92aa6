/* tapn.h: nets in the format of TAPAAL, ".tapn", as far as they say nothing of time. docs/net_formats.md has what is
 * read of it. */
#ifndef PETRI_TAPN_H
#define PETRI_TAPN_H

#include "base/file.h"
#include "petri/net.h"

/* Is the first tag of the text, one byte a character, a <pnml> of TAPAAL's namespace? */
bool tapn_recognise(const char *text, size_t length);

/* Reads a net, its components put together. NULL, with ERR_INPUT, "file:line: ...", on anything else than a 1-safe
 * place/transition net: intervals but [0,inf), invariants but < inf, inhibitor arcs, priorities, weights and markings
 * above 1, coloured and stochastic nets. */
Net *tapn_read(Heap *heap, const InFile *file, Err *err);

#endif
