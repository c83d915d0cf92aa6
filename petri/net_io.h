/* net_io.h: reads a net in whichever format it is. */
#ifndef PETRI_NET_IO_H
#define PETRI_NET_IO_H

#include "petri/pnml.h"

/* Reads PNML. NULL, with ERR_INPUT, on anything else. */
Net *net_read(Heap *heap, const InFile *file, Err *err);

#endif
