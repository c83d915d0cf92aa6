/* net_draw.h: a net as a picture: places are circles, marked ones with a dot, transitions boxes; units are clusters. */
#ifndef PETRI_NET_DRAW_H
#define PETRI_NET_DRAW_H

#include "petri/net.h"

#include <stdio.h>

/* The net in the DOT language, through graphviz; the nodes are called p0, p1, ... and t0, t1, .... A place that loses
 * and gets back its token by a transition has one edge without an arrowhead. False, with ERR_IO, if graphviz fails. */
bool net_write_dot(Heap *heap, const Net *net, FILE *out, Err *err);

#endif
