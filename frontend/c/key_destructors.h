/* key_destructors.h: what runs at the end of a thread for what it has kept by pthread_setspecific, in LLVM's module. */
#ifndef FRONTEND_C_KEY_DESTRUCTORS_H
#define FRONTEND_C_KEY_DESTRUCTORS_H

#include "base/heap.h"

struct LLVMOpaqueModule;

/* To be called once threads and their data are said in POSIX's terms. Functions of the program that pthread_key_create
 * is given are called at the ends of all threads, any number of times and in any order, with anything that the thread
 * has kept: where a function returns that threads begin with, and where pthread_exit is called. Where it is not known
 * which ones these are, nothing is done: then such a key is a gap, as one is whose destructor is not known. */
void key_destructors_lower(Heap *heap, struct LLVMOpaqueModule *module);

#endif
