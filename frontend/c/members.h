/* members.h: structures that are copied to where threads find their arguments, as in `args[i] = (Arg){.from = a, .to =
 * b}`: what their members are is stored by each of them as well, in LLVM's module itself. */
#ifndef FRONTEND_C_MEMBERS_H
#define FRONTEND_C_MEMBERS_H

struct LLVMOpaqueValue;

/* Behind each copy of all of a local structure that a function makes, each member that is a number or an address, and
 * of which is known what it is, is stored once more, where it was copied to. */
void members_store(struct LLVMOpaqueValue *function);

#endif
