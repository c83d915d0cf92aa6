/* c.h: from LLVM's bitcode of a C program to a net with notes. docs/c.md says what is modelled. */
#ifndef FRONTEND_C_C_H
#define FRONTEND_C_C_H

#include "base/file.h"
#include "frontend/c/effects.h"
#include "petri/net.h"
#include "program/program.h"

/* The most threads for one call that creates them. */
enum { C_MOST_COPIES = 64 };

/* Something that the program may do and what is read of it may not. */
typedef struct {
  const char *file, *what; /* "a.c", "is compiled in several ways" */
} COmission;

/* How a program is read. */
typedef struct {
  uint32_t copies;           /* of a thread that is created in a loop; at least 1 */
  const char *const *atomic; /* names of functions each call of which is a block */
  uint32_t n_atomic;
  bool functions;           /* the calls of all functions are blocks */
  bool plain;               /* the program has no OP_SELECT: it is to be shaped (program/shape.h) */
  const EffectVec *library; /* what functions do that are not defined; NULL: nothing more than is known */
  const COmission *omissions;
  uint32_t n_omissions;
} COptions;

/* The program of these files of bitcode, at least one, which is to be freed with program_fini(), and its net, which the
 * heap has, unless `net` is NULL. What it may do and the files may not is in its gaps, and in the notes of the net
 * (NoteGap). It is read as closely as its size allows (precision.h). False, with ERR_INPUT, if a file is no bitcode,
 * there is no main, a function of `atomic` is not there, or it is too large. */
bool c_program(Heap *heap, const InFile *files, uint32_t n, const COptions *options, Program *program, Net **net,
               Err *err);

#endif
