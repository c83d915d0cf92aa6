/* net_input.h: reading a net. */
#ifndef ASK_NET_INPUT_H
#define ASK_NET_INPUT_H

#include "petri/net_io.h"

/* Reads a net from the file ("-": stdin), in the format, or, where that is NULL, in the one that the content
 * shows. NULL, with *err, if it cannot be read. */
Net *net_input_read(Heap *heap, const char *path, const NetFormat *format, Err *err);

/* False, with ERR_INPUT, if numbers of threads were left open in the net (petri/instance.h); `what` needs to know them.
 */
bool net_input_expect_closed(const Net *net, const char *what, Err *err);

#endif
