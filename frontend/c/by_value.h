/* by_value.h: structures that are passed by value, said in LLVM's module itself. Only bitcode.c, prepare.c, cxx.c
 * and this know LLVM. */
#ifndef FRONTEND_C_BY_VALUE_H
#define FRONTEND_C_BY_VALUE_H

#include "frontend/c/cxx.h"

/* Where a call passes the address of a structure of which the callee is to have a copy (LLVM's "byval"), the caller
 * makes that copy: it is read there, and at no other time. One among variable arguments is a lack. */
void by_value_lower(struct LLVMOpaqueModule *module, CxxLack *lack, void *data);

#endif
