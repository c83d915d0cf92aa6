/* net_script.h: nets of other tools, as a test writes them down: places in units or in none, arcs, and the blocks as
 * they are named on the command line.
 *
 *     # a comment
 *     p0 u0 *        a place in unit u0, marked
 *     p1 -           a place in no unit
 *     p0 -> t0       an arc; t0 is a transition from here on
 *     t0 -> p1
 *     --begin=t0     and --end=t0
 *
 * Places come before arcs, each has a line. The numbers of the net's nodes follow the order of the lines. */
#ifndef TESTS_ORACLE_NET_SCRIPT_H
#define TESTS_ORACLE_NET_SCRIPT_H

#include "petri/net.h"

/* The net with notes: its units are the threads. NULL with *err (ERR_INPUT) on a line that is none of these, an unknown
 * node, what net_freeze, net_check_presets and net_add_unit_notes refuse, and if no block is marked. */
Net *net_script(Heap *heap, const char *text, size_t length, Err *err);

#endif
