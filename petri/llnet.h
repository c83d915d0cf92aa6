/* llnet.h: nets in the low-level net format of the PEP tool.
 *
 *     PEP               the header: these three lines; or PetriBox in the second, or FORMAT_N2 in the third
 *     PTNet
 *     FORMAT_N
 *     DPT w1t1          defaults: DBL, DPL, DTR, DPT; all may be missing; w is the weight of arcs that say none
 *     BL                blocks of nodes: skipped; may be missing
 *     PL                places: number "name" x@y, then fields; M1 is a token at first
 *     1"idle"0@0M1
 *     TR                transitions, likewise
 *     1"go"0@0
 *     TP                arcs from transitions to places
 *     1<1
 *     PT                arcs from places to transitions
 *     1>1
 *     TX                texts: skipped; may be missing
 *
 * After TR may stand PTR, and after PT, PTP and PPT: phantom transitions and their arcs. PEP keeps there the
 * transitions that were synchronised with others, as they were before, for its other views: they are no part of what
 * the net does. They are skipped and counted (Net.n_phantoms); who reads such a net should say so.
 *
 * The sections stand in this order, and each node or arc on a line of its own. A number may be left out where all nodes
 * so far have had their positions, 1, 2, ..., as numbers. A name stands between '"' or between "'", without escapes,
 * and may have any byte in it but that quote and NUL; where it is missing or empty the node is called P1 or T1, by its
 * number. '%' begins a comment that ends with the line. Fields that only say how to draw the net, or what it meant to
 * PEP, are skipped. */
#ifndef PETRI_LLNET_H
#define PETRI_LLNET_H

#include "base/file.h"
#include "petri/net.h"

#include <stdio.h>

/* Writes the net, without its units and notes; it streams. Names are written in a form that every reader of the format
 * takes: control characters become '_', and '"' becomes "'". False if a write failed. */
bool llnet_write(const Net *net, FILE *out);

/* Reads a net; takes time and memory linear in the file. NULL, with ERR_INPUT, "file:line: ...", on anything else than
 * a 1-safe place/transition net: weights and markings above 1, read and reset arcs (RD, RS), inscriptions of high-level
 * nets, numbers used twice, above 2147483647 or of no node, two arcs between the same nodes, missing sections. */
Net *llnet_read(Heap *heap, const InFile *file, Err *err);

#endif
