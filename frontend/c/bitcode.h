/* bitcode.h: from LLVM's bitcode, or its text, to a CModule. No other files know LLVM but those that change its module
 * before (prepare.h, cxx.h, by_value.h, literals.h, copied.h, member_pointers.h, ternaries.h,
 * key_destructors.h). Its C interface alone is used, the same in the versions 14 to 19.
 *
 * The bitcode is to be what clang makes with `-O1 -Xclang -disable-llvm-passes -g`: nothing is optimised then. Here
 * local variables whose address is not used become values (mem2reg), which takes no access to any other memory away. */
#ifndef FRONTEND_C_BITCODE_H
#define FRONTEND_C_BITCODE_H

#include "base/err.h"
#include "base/file.h"
#include "frontend/c/module.h"

/* Fills a module that has been initialised, with what the files, at least one, are linked to. LLVM's own memory is not
 * the heap's. False, with ERR_INPUT, if one is no bitcode, or broken, or defines what another one does. */
bool bitcode_read(const InFile *files, uint32_t n, CModule *module, Err *err);

/* Links the files, and gives the bitcode of that, the heap's. Errors as above. */
bool bitcode_link(Heap *heap, const InFile *files, uint32_t n, CharVec *bytes, Err *err);

/* A name that files of one program share. */
typedef enum {
  SYMBOL_OWN,     /* it is the file's own, or of no use there */
  SYMBOL_NEEDED,  /* another one is to define it: a file, or a library */
  SYMBOL_DEFINED, /* no other one may define it */
  SYMBOL_WEAK,    /* another one may define it, which goes before this one; or does, as well as this one */
  SYMBOL_ALIKE    /* all that define it do so alike: functions of C++'s headers */
} BitcodeSymbolKind;

typedef struct {
  const char *name;
  BitcodeSymbolKind kind;
} BitcodeSymbol;

typedef struct {
  VEC(BitcodeSymbol) all; /* none of its own */
  bool is_run;            /* it has constructors or destructors */
} BitcodeSymbols;

/* Fills what is empty with the symbols of a file, all the heap's. False, with ERR_INPUT, if it is no bitcode. */
bool bitcode_symbols(Heap *heap, const InFile *file, BitcodeSymbols *symbols, Err *err);

/* Does it begin as bitcode does? As a program does that was linked, or an object (ELF)? */
bool bitcode_recognise(const char *text, size_t length);
bool bitcode_is_linked(const char *text, size_t length);

/* What bitcode a program was made with, or an object: adds what its section .llvm_bc has, a path in each line. Nothing,
 * if there is none. False, with ERR_INPUT: it cannot be read. */
bool bitcode_section(Heap *heap, const InFile *program, CharVec *lines, Err *err);

/* The version of LLVM that it was built with: "14". */
const char *bitcode_version(void);

#endif
