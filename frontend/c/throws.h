/* throws.h: which exceptions end the process, in LLVM's module. */
#ifndef FRONTEND_C_THROWS_H
#define FRONTEND_C_THROWS_H

#include "base/heap.h"

/* LLVMModuleRef is a pointer to this. */
struct LLVMOpaqueModule;

/* To be called while the module has its invokes. A throw that no handler can see ends the process, and nothing else is
 * done then: it becomes a call of abort(). So does what says only that there is not enough memory, which is taken not
 * to happen. All other throws stay as they are. */
void throws_lower(Heap *heap, struct LLVMOpaqueModule *module);

#endif
