/* cxx_inside.h: what calls become in LLVM's module; of cxx.c and c11.c alone. */
#ifndef FRONTEND_C_CXX_INSIDE_H
#define FRONTEND_C_CXX_INSIDE_H

#include "frontend/c/cxx.h"

#include <stdbool.h>
#include <stddef.h>

/* as in llvm-c/Types.h, which is not included here so that this header needs no LLVM */
typedef struct LLVMOpaqueModule *LLVMModuleRef;
typedef struct LLVMOpaqueContext *LLVMContextRef;
typedef struct LLVMOpaqueBuilder *LLVMBuilderRef;
typedef struct LLVMOpaqueType *LLVMTypeRef;
typedef struct LLVMOpaqueValue *LLVMValueRef;

typedef struct {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder; /* before the call that is replaced */
  LLVMTypeRef address, word;
  CxxLack *lack;
  void *data;
  bool unwinds; /* there is something to be done when a function is left by one */
} Cxx;

/* Builds what the call does; returns its value, or NULL: it has none that matters. */
typedef LLVMValueRef CxxBuild(Cxx *c, LLVMValueRef old);

typedef struct {
  const char *name; /* or how it begins, before a '*', or a '?', which is one letter: of a type that is a number */
  unsigned n_arguments;
  CxxBuild *build;
} CxxRow;

/* C11's threads. */
extern const CxxRow C11_ROWS[];
extern const size_t C11_N_ROWS;

/* A value at an address, and the way back. */
LLVMValueRef cxx_load(const Cxx *c, LLVMTypeRef type, LLVMValueRef from);
void cxx_store(const Cxx *c, LLVMValueRef value, LLVMValueRef to);

/* A call of a function of C, declared as it is in the module, or by its arguments, 4 at most; what it returns, or NULL:
 * another function has that name, which is a lack. */
LLVMValueRef cxx_call(const Cxx *c, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n);

#endif
