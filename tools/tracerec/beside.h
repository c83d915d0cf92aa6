/* beside.h: `tracerec cc --emit=bitcode`: LLVM's bitcode of what is compiled, beside its object. */
#ifndef TOOLS_TRACEREC_BESIDE_H
#define TOOLS_TRACEREC_BESIDE_H

#include "base/compile_words.h"
#include "base/err.h"

/* Which of the words, those behind the compiler's name, are sources; none, if nothing is made of them. */
U32Vec beside_sources(Heap *heap, const Words *words);

/* Makes the bitcode of these sources, of which there is one if the words have -c or -S, and adds the options to `more`
 * with which their objects name it; the header for that is in the folder. What clang cannot compile is left out, with a
 * warning. False, with ERR_IO: there is no c2net, which makes it, or no clang. */
bool beside_make(Heap *heap, const char *folder, const Words *words, const U32Vec *sources, Words *more, Err *err);

/* Runs the program of the first word with all words, of which the last one is NULL. Its exit code, or 128 and the
 * number of the signal that ended it; -1, with errno: it cannot be run. */
int beside_run(const Words *words);

#endif
