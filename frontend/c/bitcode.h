/* bitcode.h: from LLVM's bitcode, or its text, to a CModule. No other files know LLVM but those that change its module
 * before (prepare.h, cxx.h, by_value.h). Its C interface alone is used, the same in the versions 14 to 19.
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

/* Does it begin as bitcode does? As a program does that was linked, or an object (ELF)? */
bool bitcode_recognise(const char *text, size_t length);
bool bitcode_is_linked(const char *text, size_t length);

/* What bitcode a program was made with, or an object: adds what its section .llvm_bc has, a path in each line. Nothing,
 * if there is none. False, with ERR_INPUT: it cannot be read. */
bool bitcode_section(Heap *heap, const InFile *program, CharVec *lines, Err *err);

/* The version of LLVM that it was built with: "14". */
const char *bitcode_version(void);

#endif
