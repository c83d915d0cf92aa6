/* net_input.h: reading what has blocks: a program, or a net. */
#ifndef ASK_NET_INPUT_H
#define ASK_NET_INPUT_H

#include "ask/program_input.h"
#include "petri/unit_notes.h"

typedef struct {
  ProgramOptions program; /* program.sml.unmarked is also said of a net */
  BlockMarks marks;       /* of a net without notes */
} NetInputOptions;

/* Reads SML, PNML or ll_net from the file ("-": stdin); the content says which it is. With SML_UNMARKED_PASSES the units of a net
 * without notes are threads also if no block is marked. NULL, with *err, if it cannot be read; the text is empty if program.say() has
 * seen all. */
Net *net_input_read(Heap *heap, const char *path, const NetInputOptions *options, Err *err);

#endif
