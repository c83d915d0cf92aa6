/* known_net.h: nets of the literature, where they are there. */
#ifndef TESTS_UNIT_KNOWN_NET_H
#define TESTS_UNIT_KNOWN_NET_H

#include "petri/net.h"

/* $SHARED/nets/NAME.ll_net. NULL, with a printed SKIP, if the file is not there; one that is there must be read, or the
 * test has failed. */
Net *known_net(Heap *heap, const char *name);

#endif
