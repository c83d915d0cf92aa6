/* block_input.h: reading what has blocks: a program, or a net. */
#ifndef ASK_BLOCK_INPUT_H
#define ASK_BLOCK_INPUT_H

#include "ask/program_input.h"
#include "petri/unit_notes.h"

/* How an input becomes a net with blocks. */
typedef struct {
  ProgramOptions program; /* program.sml.unmarked is also said of a net */
  BlockMarks marks;       /* of a net without notes */
  const char *const
      *chosen;            /* the blocks of these names, or that begin in the lines of these numbers, are asked about */
  uint32_t n_chosen;      /* 0: all are */
  uint64_t share, shares; /* of those that are asked about, in their order, only each `shares`-th one, beginning with
                             number `share`, from 1; shares 0: all */
} BlockInputOptions;

/* What was read: a net with notes, and the blocks that are asked about. */
typedef struct {
  Net *net;           /* to be freed */
  bool is_program;    /* it was SML */
  uint64_t hash;      /* of the text (base/hash.h), where that was read here */
  const bool *blocks; /* per block of the notes: is it asked about? The heap's; NULL: all are */
} BlockInput;

/* Is it the name of a C or C++ program, or of LLVM's bitcode of one? */
bool block_input_is_of_c(const char *path);

/* Reads SML, PNML or ll_net from the file ("-": stdin); the content says which it is. With SML_UNMARKED_PASSES the
 * units of a net without notes are threads also if no block is marked. False, with *err, if it cannot be read, or
 * (ERR_INPUT) has no such block; the text is empty if program.say() has seen all. */
bool block_input_read(Heap *heap, const char *path, const BlockInputOptions *options, BlockInput *input, Err *err);

/* The same from a text that has been read. */
bool block_input_of_text(Heap *heap, const InFile *file, const BlockInputOptions *options, BlockInput *input, Err *err);

/* The same of a net that has been read from an input of that name, and becomes the result's; on failure it is freed. */
bool block_input_of_net(Heap *heap, Net *net, const char *name, const BlockInputOptions *options, BlockInput *input,
                        Err *err);

/* Sets chosen[b] for the blocks b of the notes that have that name, or begin in the line of that number. False, with
 * ERR_INPUT, if there is none. */
bool block_input_choose(const Net *net, const char *wanted, bool *chosen, Err *err);

#endif
