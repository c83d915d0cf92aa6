/* literals.h: structures that are put together and then assigned, said in LLVM's module itself. Only the files that
 * bitcode.h names know LLVM. */
#ifndef FRONTEND_C_LITERALS_H
#define FRONTEND_C_LITERALS_H

#include "base/heap.h"

struct LLVMOpaqueValue;

/* `args[i] = (Args){.id = i};`: a function stores members in a local variable, and copies it as a whole. Behind the
 * copy each of them is stored once more where it has come to, so that what is found there is known. */
void literals_lower(Heap *heap, struct LLVMOpaqueValue *function);

#endif
