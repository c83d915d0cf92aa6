/* bitcode_inside.h: what the files of bitcode share. */
#ifndef FRONTEND_C_BITCODE_INSIDE_H
#define FRONTEND_C_BITCODE_INSIDE_H

#include "base/demangle.h"
#include "base/intern.h"
#include "frontend/c/bitcode.h"

struct LLVMOpaqueContext;
struct LLVMOpaqueType;
struct LLVMOpaqueValue;

typedef struct {
  CModule *m;
  Heap *heap;
  struct LLVMOpaqueModule *llvm;
  struct LLVMOpaqueTargetData *layout;
  Intern keys; /* LLVM's pointers, as bytes: */
  U32Vec ids;  /* what has which number in the module */
  Intern files;
  CharVec key; /* of one of these */
  Demangler demangler;
  bool strange; /* an operand was met that is not understood */
} BitcodeReader;

/* ---- what LLVM's values are: bitcode.c ---- */

/* Which number LLVM's value, block or function has in the module; C_NONE: none. */
uint32_t bitcode_bound(const BitcodeReader *reader, const void *key);

/* LLVM's name of a value, the module's. */
const char *bitcode_name(BitcodeReader *reader, struct LLVMOpaqueValue *value);

COperand bitcode_operand(BitcodeReader *reader, struct LLVMOpaqueValue *value);

static inline COperand bitcode_integer(int64_t number) { return (COperand){C_INTEGER, C_NONE, number}; }

/* One index of an address: how many bytes it adds where it is constant, else per step. */
typedef struct {
  struct LLVMOpaqueType *type; /* that the next index is into */
  int64_t bytes;
  bool constant;
} BitcodeIndex;

/* The first one goes on by whole values of the type. */
BitcodeIndex bitcode_index(BitcodeReader *reader, struct LLVMOpaqueType *type, struct LLVMOpaqueValue *index,
                           bool first);

/* ---- instructions: bitcode_instruction.c ---- */

/* Reads what it is into the last instruction of the module. */
void bitcode_instruction(BitcodeReader *reader, struct LLVMOpaqueValue *value);

/* Is it a call that does nothing, for the optimiser or the debugger? */
bool bitcode_is_remark(struct LLVMOpaqueValue *value);

/* The last instruction of the module becomes a C_STRANGE. */
void bitcode_be_strange(BitcodeReader *reader, const char *text);

/* The bits of an integer, or an address; 0 of anything else. The bytes that a value of the type has in memory. */
uint64_t bitcode_bits(struct LLVMOpaqueValue *value);
uint64_t bitcode_size(BitcodeReader *reader, struct LLVMOpaqueType *type);

static inline CInstruction *bitcode_last(BitcodeReader *reader) { return &vec_last(&reader->m->instructions); }

/* ---- names of local variables: bitcode_locals.c ---- */

/* A call for the debugger: if it says what a local variable is called that has been read, that is its text. */
void bitcode_local(BitcodeReader *reader, struct LLVMOpaqueValue *remark);

/* ---- files: bitcode_file.c ---- */

/* The module of the first file, with all others linked to it. False as bitcode_read says. */
bool bitcode_link_all(struct LLVMOpaqueContext *context, const InFile *files, uint32_t n,
                      struct LLVMOpaqueModule **module, Err *err);

#endif
