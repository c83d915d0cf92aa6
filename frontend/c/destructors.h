/* destructors.h: what runs when main has returned, in LLVM's module. */
#ifndef FRONTEND_C_DESTRUCTORS_H
#define FRONTEND_C_DESTRUCTORS_H

#include "base/heap.h"
#include "frontend/c/cxx.h"

/* To be called once main calls the constructors. Destructors of static objects, functions that are marked as
 * destructors, and those that atexit() is given, are called where main returns or calls exit(): those of objects that
 * are there before main does anything in the opposite order, the others, which may be registered at any time, in any
 * order and any number of times, before, between and behind them. Where another function calls exit(), that is how all
 * are called: main may not have begun. What is not understood is told to `lack`. */
void destructors_lower(Heap *heap, struct LLVMOpaqueModule *module, CxxLack *lack, void *data);

#endif
