/* cxx_threads_inside.h: what cxx_threads.c and cxx_vectors.c share. */
#ifndef FRONTEND_C_CXX_THREADS_INSIDE_H
#define FRONTEND_C_CXX_THREADS_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

/* as in llvm-c/Types.h, which is not included here so that this header needs no LLVM */
typedef struct LLVMOpaqueModule *LLVMModuleRef;
typedef struct LLVMOpaqueBuilder *LLVMBuilderRef;
typedef struct LLVMOpaqueType *LLVMTypeRef;
typedef struct LLVMOpaqueValue *LLVMValueRef;

typedef struct {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef thread, word; /* std::thread, size_t */
} Lowering;

/* What is done with a function of the module. */
typedef void Lower(const Lowering *l, LLVMValueRef function);

/* ---- looking at instructions ---- */

const char *threads_callee(LLVMValueRef i); /* the name of the function that it calls, or "" */
bool threads_begins(const char *name, const char *with);
bool threads_is(const char *name, const char *other);

/* The constructor of a thread that does something, and the destructor: each has two names. */
bool threads_is_made(const char *name);
bool threads_is_destroyed(const char *name);

/* What comes after the name of std::vector<std::thread>; NULL: it is no member of that. */
const char *threads_member_of_vector(const char *name);

/* Is it a cast that is there to say when the variable begins and ends? And takes it away. */
bool threads_is_for_life(LLVMValueRef user);
void threads_drop_life(LLVMValueRef cast);

/* Is the value one of the call's arguments, and that is the first one alone? */
bool threads_is_first_alone(LLVMValueRef call, LLVMValueRef value);

/* The next local variable from this instruction on, of those that are declared in one block; or NULL. Is it of a class
 * whose name begins so? */
LLVMValueRef threads_next_local(LLVMValueRef i);
bool threads_is_of_class(LLVMValueRef alloca, const char *name);

/* ---- building ---- */

void threads_build_before(const Lowering *l, LLVMValueRef i);
void threads_replace(const Lowering *l, LLVMValueRef old,
                     LLVMValueRef value); /* which may be of another pointer type */
LLVMValueRef threads_element(const Lowering *l, LLVMValueRef table, LLVMValueRef index);
LLVMValueRef threads_number(const Lowering *l, uint64_t n);

/* ---- a thread that is moved to where it stays ---- */

/* What is done with a std::thread that has no name. */
typedef struct {
  LLVMValueRef temporary, made, moved; /* its constructor, and the call that is given it */
} Temporary;

bool threads_is_moved_by(LLVMValueRef call, LLVMValueRef temporary);

/* It is made once and moved once, and nothing else is done but to destroy it. */
bool threads_find_temporary(LLVMValueRef alloca, Temporary *t);

/* From the constructor control goes straight on to where the thread is moved, and other threads cannot tell whether it
 * is made there or here. */
bool threads_goes_straight(const Temporary *t);

/* Makes it in its place, the first operand of the call, which goes. The temporary has no handle. */
void threads_make_in_place(const Lowering *l, const Temporary *t);

/* ---- cxx_vectors.c ---- */

/* Vectors of threads that are local variables, of which all is known that is done with them: they become tables. */
void threads_lower_vectors(const Lowering *l, LLVMValueRef function);

/* Their iterators become addresses. */
void threads_lower_iterators(const Lowering *l, LLVMValueRef function);

#endif
