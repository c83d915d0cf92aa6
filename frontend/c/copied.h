/* copied.h: structures that are copied to a local variable.
 *
 * `Args a = *(Args *)p` copies as many bytes as there are, which says nothing of the members. Each member that is
 * loaded from the variable is stored once more where it was copied to, as it is loaded from the original then. */
#ifndef FRONTEND_C_COPIED_H
#define FRONTEND_C_COPIED_H

#include "base/heap.h"

struct LLVMOpaqueValue;

/* Does so behind each such copy in the function. */
void copied_lower(Heap *heap, struct LLVMOpaqueValue *function);

#endif
