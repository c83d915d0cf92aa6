/* ternaries.h: `lock = odd ? &a : &b`, said in LLVM's module itself. Only the files that bitcode.h names know LLVM. */
#ifndef FRONTEND_C_TERNARIES_H
#define FRONTEND_C_TERNARIES_H

struct LLVMOpaqueModule;

/* Choices of two addresses, neither of which is NULL, which clang makes selects, become branches: what is known of a
 * condition goes with control (docs/c.md), so that `n = odd ? &x : &y` comes out alike. */
void ternaries_lower(struct LLVMOpaqueModule *module);

#endif
