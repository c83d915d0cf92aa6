/* net_input.h: reading a net. */
#ifndef ASK_NET_INPUT_H
#define ASK_NET_INPUT_H

#include "petri/net_io.h"

/* Reads a net from the file ("-": stdin), in the format, or, where that is NULL, in the one that the content
 * shows. NULL, with *err, if it cannot be read. */
Net *net_input_read(Heap *heap, const char *path, const NetFormat *format, Err *err);

#endif
