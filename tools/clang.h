/* clang.h: from C to LLVM's bitcode, by clang. */
#ifndef TOOLS_CLANG_H
#define TOOLS_CLANG_H

#include "base/err.h"
#include "base/file.h"
#include "base/compile_words.h"

/* Compiles the file, whose path is that in the folder (NULL: the current one), with these options besides. What clang
 * is called the environment variable C2NET_CC says; else it is the one of the LLVM that this program has, or any. The
 * bitcode is the heap's, and is named as the path leads from here. False, with ERR_IO, if there is no clang; with
 * ERR_INPUT, if it cannot compile the file, of which it has said why. */
bool clang_compile(Heap *heap, const char *folder, const char *path, const Words *options, InFile *file, Err *err);

/* Does the bitcode use functions of libstdc++'s library? */
bool clang_needs_model(const InFile *bitcode);

/* The bitcode of what these functions do (frontend/c/model/libstdcxx.cc), where that file is beside this program and
 * clang can compile it; else it is false, and the functions are not known. */
bool clang_model(Heap *heap, InFile *file);

#endif
