/* c11.c: C11's <threads.h>, in terms of POSIX threads, whose types it has in glibc and musl. What returns thrd_success,
 * which is 0, does so where its twin returns 0. */
#include "frontend/c/cxx_inside.h"

#include <llvm-c/Core.h>

/* Of glibc and musl; so is PTHREAD_MUTEX_RECURSIVE. */
enum { MTX_RECURSIVE = 1, THRD_BUSY = 1, THRD_TIMEDOUT = 4 };

static LLVMTypeRef integer(const Cxx *c) { return LLVMInt32TypeInContext(c->context); }

/* The same with the same arguments. */
static LLVMValueRef same(Cxx *c, LLVMValueRef old, const char *name) {
  LLVMValueRef arguments[4];
  const unsigned n = LLVMGetNumArgOperands(old);
  for (unsigned i = 0; i < n && i < 4; i++) arguments[i] = LLVMGetOperand(old, i);
  return cxx_call(c, name, LLVMTypeOf(old), arguments, n);
}

#define SAME(function, name) \
  static LLVMValueRef function(Cxx *c, LLVMValueRef old) { return same(c, old, name); }

SAME(detach, "pthread_detach")
SAME(current, "pthread_self")
SAME(equal, "pthread_equal")
SAME(yield, "sched_yield")
SAME(sleep_for, "nanosleep")
SAME(mutex_destroy, "pthread_mutex_destroy")
SAME(mutex_lock, "pthread_mutex_lock")
SAME(mutex_unlock, "pthread_mutex_unlock")
SAME(condition_destroy, "pthread_cond_destroy")
SAME(condition_signal, "pthread_cond_signal")
SAME(condition_broadcast, "pthread_cond_broadcast")
SAME(condition_wait, "pthread_cond_wait")
SAME(condition_timed, "pthread_cond_timedwait")
SAME(once, "pthread_once")
SAME(data_create, "pthread_key_create")
SAME(data_delete, "pthread_key_delete")
SAME(data_set, "pthread_setspecific")
SAME(data_get, "pthread_getspecific")

/* What is not thrd_success has another number than that of POSIX. */
static LLVMValueRef attempt(Cxx *c, LLVMValueRef old, const char *name, unsigned failed) {
  const LLVMValueRef zero = LLVMConstInt(integer(c), 0, false), result = same(c, old, name);
  if (!result) return NULL;
  return LLVMBuildSelect(c->builder, LLVMBuildICmp(c->builder, LLVMIntEQ, result, zero, ""), zero,
                         LLVMConstInt(integer(c), failed, false), "");
}

static LLVMValueRef mutex_try(Cxx *c, LLVMValueRef old) { return attempt(c, old, "pthread_mutex_trylock", THRD_BUSY); }

static LLVMValueRef mutex_timed(Cxx *c, LLVMValueRef old) {
  return attempt(c, old, "pthread_mutex_timedlock", THRD_TIMEDOUT);
}

static LLVMValueRef create(Cxx *c, LLVMValueRef old) {
  LLVMValueRef arguments[] = {LLVMGetOperand(old, 0), LLVMConstNull(c->address), LLVMGetOperand(old, 1),
                              LLVMGetOperand(old, 2)};
  return cxx_call(c, "pthread_create", integer(c), arguments, 4);
}

/* The thread's result is an int. Which one is not known, as of the time. */
static LLVMValueRef join(Cxx *c, LLVMValueRef old) {
  const LLVMValueRef to = LLVMGetOperand(old, 1);
  LLVMValueRef arguments[] = {LLVMGetOperand(old, 0), LLVMConstNull(c->address)};
  const LLVMValueRef joined = cxx_call(c, "pthread_join", integer(c), arguments, 2);
  if (LLVMIsNull(to)) return joined;
  const LLVMValueRef any = cxx_call(c, "llvm.readcyclecounter", c->word, NULL, 0);
  if (any) cxx_store(c, LLVMBuildTrunc(c->builder, any, integer(c), ""), to);
  return joined;
}

static LLVMValueRef leave(Cxx *c, LLVMValueRef old) {
  (void)old;
  return cxx_call(c, "pthread_exit", LLVMVoidTypeInContext(c->context), (LLVMValueRef[]){LLVMConstNull(c->address)}, 1);
}

/* Where the kind is not known to be a plain one, an attribute says it. */
static LLVMValueRef mutex_init(Cxx *c, LLVMValueRef old) {
  const LLVMValueRef lock = LLVMGetOperand(old, 0);
  LLVMValueRef attribute = LLVMConstNull(c->address), kind = LLVMGetOperand(old, 1);
  if (LLVMIsAConstantInt(kind)) kind = LLVMConstInt(integer(c), LLVMConstIntGetZExtValue(kind) & MTX_RECURSIVE, false);
  const bool plain = LLVMIsAConstantInt(kind) && LLVMIsNull(kind);
  if (!plain) {
    attribute = LLVMBuildBitCast(c->builder, LLVMBuildAlloca(c->builder, c->word, ""), c->address, "");
    cxx_call(c, "pthread_mutexattr_settype", integer(c), (LLVMValueRef[]){attribute, kind}, 2);
  }
  LLVMValueRef arguments[] = {lock, attribute};
  return cxx_call(c, "pthread_mutex_init", integer(c), arguments, 2);
}

static LLVMValueRef condition_init(Cxx *c, LLVMValueRef old) {
  LLVMValueRef arguments[] = {LLVMGetOperand(old, 0), LLVMConstNull(c->address)};
  return cxx_call(c, "pthread_cond_init", integer(c), arguments, 2);
}

const CxxRow C11_ROWS[] = {
    {"thrd_create", 3, create},
    {"thrd_join", 2, join},
    {"thrd_exit", 1, leave},
    {"thrd_detach", 1, detach},
    {"thrd_current", 0, current},
    {"thrd_equal", 2, equal},
    {"thrd_yield", 0, yield},
    {"thrd_sleep", 2, sleep_for},
    {"mtx_init", 2, mutex_init},
    {"mtx_destroy", 1, mutex_destroy},
    {"mtx_lock", 1, mutex_lock},
    {"mtx_trylock", 1, mutex_try},
    {"mtx_timedlock", 2, mutex_timed},
    {"mtx_unlock", 1, mutex_unlock},
    {"cnd_init", 1, condition_init},
    {"cnd_destroy", 1, condition_destroy},
    {"cnd_signal", 1, condition_signal},
    {"cnd_broadcast", 1, condition_broadcast},
    {"cnd_wait", 2, condition_wait},
    {"cnd_timedwait", 3, condition_timed},
    {"call_once", 2, once},
    {"tss_create", 2, data_create},
    {"tss_delete", 1, data_delete},
    {"tss_set", 2, data_set},
    {"tss_get", 1, data_get},
};
const size_t C11_N_ROWS = sizeof C11_ROWS / sizeof *C11_ROWS;
