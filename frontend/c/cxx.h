/* cxx.h: what programs in C++ do that those in C do not, said in terms of C, in LLVM's module itself. Only bitcode.c,
 * prepare.c, by_value.c and this know LLVM. */
#ifndef FRONTEND_C_CXX_H
#define FRONTEND_C_CXX_H

/* LLVMModuleRef and LLVMValueRef are pointers to these. */
struct LLVMOpaqueModule;
struct LLVMOpaqueValue;

/* Tells of something that the module does and that is not followed: `what` of a function, or NULL. */
typedef void CxxLack(void *data, struct LLVMOpaqueValue *function, const char *what);

/* To be called after the pass that makes calls of what may be left by an exception, and before any other. Calls of
 * std::thread and std::condition_variable that libstdc++ has the code of become those of POSIX threads in it. */
void cxx_lower(struct LLVMOpaqueModule *module, CxxLack *lack, void *data);

#endif
