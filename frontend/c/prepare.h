/* prepare.h: what is done to LLVM's module before it is read (bitcode.h): calls that an exception may leave, what C++
 * does, and structures that are passed by value are said in terms of C; constructors are called where main begins;
 * local variables become values; loops that create threads, a few in number, are unrolled, and structures that are
 * assigned where threads are created are stored member by member, too (literals.h). */
#ifndef FRONTEND_C_PREPARE_H
#define FRONTEND_C_PREPARE_H

#include "base/err.h"
#include "base/file.h"
#include "base/heap.h"
#include "frontend/c/cxx.h"

/* Does all that; what is not followed is told to `lack`. False, with ERR_INPUT, if LLVM cannot do it; `file` is for the
 * message. */
bool prepare_module(Heap *heap, const InFile *file, struct LLVMOpaqueModule *module, CxxLack *lack, void *data,
                    Err *err);

#endif
