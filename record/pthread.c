/* pthread.c: threads, locks, and whatever else makes one thread wait for another; C11 threads, which are the same
 * things in the C library.
 *
 * A lock is logged after it was acquired and before it is released; barriers, semaphores, condition variables and
 * pthread_once before they set others free, and after they were waited for. Stripes are given back before anything
 * that may block. */
#include "record/live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

static __attribute__((noinline)) void pass_gate(Thread *t) {
  t->busy = true;
  follow_gate(t);
  t->busy = false;
}

/* The same before a lock, or the like, that may be held; it is a gate. */
static inline void let_go_for_lock(void) {
  if (!self || self->busy) return;
  if (UNLIKELY(self->followed)) pass_gate(self);
  stripe_release(self);
}

static void record_sync(RawSync what, const volatile void *object, uint64_t count, uintptr_t code) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_touch(t, (uintptr_t)object);
  calls_see(t, code);
  thread_log_with(t, RAW_SYNC, (uintptr_t)object, code, what | count << RAW_COUNT_SHIFT);
  if (UNLIKELY(t->followed)) follow_done(t, RAW_SYNC, (uintptr_t)object, 1, code);
  thread_leave(t);
}

static void record_lock(RawKind kind, const volatile void *lock, uintptr_t code) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_touch(t, (uintptr_t)lock);
  calls_see(t, code);
  thread_log(t, kind, (uintptr_t)lock, code);
  if (UNLIKELY(t->followed)) follow_done(t, kind, (uintptr_t)lock, 1, code);
  thread_leave(t);
}

/* --- what a thread waits for, perhaps without end: for who looks at a run that hangs --- */

static void await(RawWaitKind kind, uint64_t object, uintptr_t code) {
  RawWait *wait = self ? &header->waits[self->number % RAW_WAITS] : NULL;
  if (!wait || wait->thread != self->number) return;
  wait->object = object;
  wait->code = code;
  atomic_store_explicit(&wait->kind, kind, memory_order_release);
}

static void await_object(RawWaitKind kind, const volatile void *object, uintptr_t code) {
  if (kind != WAIT_NOT) await(kind, (uintptr_t)object, code);
}

/* It goes on. */
static void await_nothing(void) {
  RawWait *wait = self ? &header->waits[self->number % RAW_WAITS] : NULL;
  if (wait && wait->thread == self->number) atomic_store_explicit(&wait->kind, WAIT_NOT, memory_order_relaxed);
}

/* Attempts have an end. */
static RawWaitKind wait_of(RawKind kind) {
  return kind == RAW_ACQUIRE ? WAIT_LOCK : kind == RAW_SHARED_ACQUIRE ? WAIT_SHARED : WAIT_NOT;
}

/* --- threads --- */

typedef struct {
  void *(*function)(void *);
  int (*c11_function)(void *);
  void *argument;
  Thread *thread;
  sigset_t mask; /* signals come only when the thread is known */
} Start;

static void *start(void *argument) {
  const Start s = *(Start *)argument;
  __libc_free(argument);
  if (s.thread) {
    thread_begin(s.thread, s.function ? (void *)(uintptr_t)s.function : (void *)(uintptr_t)s.c11_function);
    thread_came();
  }
  pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
  return s.function ? s.function(s.argument) : (void *)(intptr_t)s.c11_function(s.argument);
}

/* The new thread is after all that this one has done. */
static Start *fork_thread(Start from, uintptr_t code) {
  Start *s = __libc_malloc(sizeof *s);
  if (!s) return NULL;
  *s = from;
  Thread *t = thread_enter();
  if (!t) return s;
  if (UNLIKELY(t->followed)) follow_gate(t);
  stripe_release(t);
  s->thread = thread_new();
  if (s->thread) {
    s->thread->clock = t->clock + 1;
    thread_log_with(t, RAW_FORK, 0, code, s->thread->number + UINT64_C(1));
    if (UNLIKELY(t->followed)) follow_done(t, RAW_FORK, 0, 0, code);
  }
  thread_leave(t);
  return s;
}

static int create(pthread_t *handle, const pthread_attr_t *attributes, Start from, uintptr_t code) {
  Start *s = fork_thread(from, code);
  sigset_t all, old, mask;
  bool own_mask = false;
  if (!s) return EAGAIN;
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) {
    pthread_attr_getdetachstate(attributes, &state);
    own_mask = pthread_attr_getsigmask_np(attributes, &mask) == 0;
  }
  if (s->thread) s->thread->detached = state == PTHREAD_CREATE_DETACHED;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  s->mask = own_mask ? mask : old;
  Thread *t = s->thread;
  if (t) thread_coming();
  const int error = REAL(pthread_create)(handle, attributes, start, s);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (error && t) thread_came();
  if (error && t) t->busy = false; /* nobody waits for what it does */
  if (error) __libc_free(s);
  return error;
}

EXPORTED int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
                            void *argument) {
  return create(handle, attributes, (Start){.function = function, .argument = argument}, CALLER());
}

/* After all that the other thread has done. */
static void joined(pthread_t handle, uintptr_t code) {
  Thread *t = thread_enter();
  if (!t) return;
  Thread *other = thread_take(handle);
  stripe_release(t);
  if (other) {
    if (other->clock >= t->clock) thread_set_clock(t, other->clock + 1);
    thread_log_with(t, RAW_JOIN, 0, code, other->number + UINT64_C(1));
    thread_forget(other);
    if (UNLIKELY(t->followed)) follow_done(t, RAW_JOIN, 0, 0, code);
  }
  thread_leave(t);
}

#define JOIN(wait, name, parameters, arguments)               \
  EXPORTED int name parameters {                              \
    thread_let_go();                                          \
    if (wait) await(WAIT_THREAD, (uint64_t)handle, CALLER()); \
    const int error = REAL(name) arguments;                   \
    await_nothing();                                          \
    if (!error) joined(handle, CALLER());                     \
    return error;                                             \
  }

JOIN(true, pthread_join, (pthread_t handle, void **result), (handle, result))
JOIN(false, pthread_tryjoin_np, (pthread_t handle, void **result), (handle, result))
JOIN(false, pthread_timedjoin_np, (pthread_t handle, void **result, const struct timespec *until),
     (handle, result, until))
JOIN(false, pthread_clockjoin_np, (pthread_t handle, void **result, clockid_t clock, const struct timespec *until),
     (handle, result, clock, until))

/* Once it is detached, the handle may be another thread's. */
EXPORTED int pthread_detach(pthread_t handle) {
  if (header) thread_detach(handle);
  return REAL(pthread_detach)(handle);
}

EXPORTED int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
  const int error = create(handle, NULL, (Start){.c11_function = function, .argument = argument}, CALLER());
  return error == 0 ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}

EXPORTED int thrd_join(thrd_t handle, int *result) {
  void *value;
  thread_let_go();
  await(WAIT_THREAD, (uint64_t)handle, CALLER());
  const int error = REAL(pthread_join)(handle, &value);
  await_nothing();
  if (error) return thrd_error;
  joined(handle, CALLER());
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}

EXPORTED int thrd_detach(thrd_t handle) { return pthread_detach(handle) == 0 ? thrd_success : thrd_error; }

/* --- mutexes --- */

/* Only the outermost pair of a recursive mutex is logged; the C library counts. */
static bool is_nested(const pthread_mutex_t *mutex) {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP && mutex->__data.__count > 1;
}

static void acquired(RawKind kind, const pthread_mutex_t *mutex, uintptr_t code) {
  if (!is_nested(mutex)) record_lock(kind, mutex, code);
}

static void releasing(const pthread_mutex_t *mutex, uintptr_t code) {
  if (!is_nested(mutex)) record_lock(RAW_RELEASE, mutex, code);
}

static bool is_taken(const pthread_mutex_t *mutex) { return mutex->__data.__lock; }

#define LOCK(kind, name, parameters, arguments)                         \
  EXPORTED int name parameters {                                        \
    let_go_for_lock();                                                  \
    if (is_taken(mutex)) thread_let_go();                               \
    await_object(wait_of(kind), mutex, CALLER());                       \
    const int error = REAL(name) arguments;                             \
    await_nothing();                                                    \
    if (!error || error == EOWNERDEAD) acquired(kind, mutex, CALLER()); \
    return error;                                                       \
  }

LOCK(RAW_ACQUIRE, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
LOCK(RAW_TRY, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
LOCK(RAW_TRY, pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *until), (mutex, until))
LOCK(RAW_TRY, pthread_mutex_clocklock, (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until),
     (mutex, clock, until))

/* False only for a mutex whose unlock fails: one that checks, and is another thread's. */
static bool will_unlock(const pthread_mutex_t *mutex) {
  const int kind = mutex->__data.__kind & 3;
  return kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_ADAPTIVE_NP ||
         mutex->__data.__owner == (self ? self->tid : 0);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (will_unlock(mutex)) releasing(mutex, CALLER());
  return REAL(pthread_mutex_unlock)(mutex);
}

#define C11(lock) ((pthread_mutex_t *)(void *)(lock))

#define C11_LOCK(kind, name, parameters, arguments)                 \
  EXPORTED int name parameters {                                    \
    let_go_for_lock();                                              \
    if (is_taken(C11(lock))) thread_let_go();                       \
    await_object(wait_of(kind), lock, CALLER());                    \
    const int error = REAL(name) arguments;                         \
    await_nothing();                                                \
    if (error == thrd_success) acquired(kind, C11(lock), CALLER()); \
    return error;                                                   \
  }

C11_LOCK(RAW_ACQUIRE, mtx_lock, (mtx_t * lock), (lock))
C11_LOCK(RAW_TRY, mtx_trylock, (mtx_t * lock), (lock))
C11_LOCK(RAW_TRY, mtx_timedlock, (mtx_t *restrict lock, const struct timespec *restrict until), (lock, until))

EXPORTED int mtx_unlock(mtx_t *lock) {
  if (will_unlock(C11(lock))) releasing(C11(lock), CALLER());
  return REAL(mtx_unlock)(lock);
}

/* --- condition variables: the mutex is released and acquired --- */

typedef struct {
  const void *condition;
  const pthread_mutex_t *mutex;
  uintptr_t code;
  bool woken;
} Waiting;

static Waiting begin_waiting(RawWaitKind wait, const void *condition, const pthread_mutex_t *mutex, uintptr_t code) {
  record_sync(SYNC_WAITING, condition, 0, code);
  releasing(mutex, code);
  thread_let_go();
  await_object(wait, condition, code);
  return (Waiting){condition, mutex, code, false};
}

/* A cancelled wait has the mutex again, too. */
static void waited(void *waiting) {
  const Waiting *w = waiting;
  await_nothing();
  record_sync(w->woken ? SYNC_WOKEN : SYNC_GONE, w->condition, 0, w->code);
  acquired(RAW_ACQUIRE, w->mutex, w->code);
}

#define WAIT(wait, name, parameters, arguments, lock)                 \
  EXPORTED int name parameters {                                      \
    Waiting waiting = begin_waiting(wait, condition, lock, CALLER()); \
    int error;                                                        \
    pthread_cleanup_push(waited, &waiting);                           \
    error = REAL(name) arguments;                                     \
    waiting.woken = error == 0; /* thrd_success, too */               \
    pthread_cleanup_pop(1);                                           \
    return error;                                                     \
  }

WAIT(WAIT_CONDITION, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex), mutex)
WAIT(WAIT_NOT, pthread_cond_timedwait,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until), (condition, mutex, until),
     mutex)
WAIT(WAIT_NOT, pthread_cond_clockwait,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until),
     (condition, mutex, clock, until), mutex)
WAIT(WAIT_CONDITION, cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex), C11(mutex))
WAIT(WAIT_NOT, cnd_timedwait, (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
     (condition, mutex, until), C11(mutex))

#define SYNC_BEFORE(what, name, parameters, object) \
  EXPORTED int name parameters {                    \
    record_sync(what, object, 0, CALLER());         \
    return REAL(name)(object);                      \
  }

SYNC_BEFORE(SYNC_SIGNAL, pthread_cond_signal, (pthread_cond_t * condition), condition)
SYNC_BEFORE(SYNC_BROADCAST, pthread_cond_broadcast, (pthread_cond_t * condition), condition)
SYNC_BEFORE(SYNC_SIGNAL, cnd_signal, (cnd_t * condition), condition)
SYNC_BEFORE(SYNC_BROADCAST, cnd_broadcast, (cnd_t * condition), condition)

/* --- semaphores --- */

EXPORTED int sem_init(sem_t *semaphore, int shared, unsigned value) {
  record_sync(SYNC_SEMAPHORE, semaphore, value, CALLER());
  return REAL(sem_init)(semaphore, shared, value);
}

/* It may be there already. */
EXPORTED sem_t *sem_open(const char *name, int flags, ...) {
  unsigned mode = 0, value = 0;
  int now = 0;
  va_list more;
  va_start(more, flags);
  if (flags & O_CREAT) {
    mode = va_arg(more, unsigned);
    value = va_arg(more, unsigned);
  }
  va_end(more);
  thread_let_go();
  sem_t *semaphore = REAL(sem_open)(name, flags, mode, value);
  if (semaphore != SEM_FAILED && sem_getvalue(semaphore, &now) == 0)
    record_sync(SYNC_OPENED, semaphore, (uint64_t)now, CALLER());
  return semaphore;
}

SYNC_BEFORE(SYNC_POST, sem_post, (sem_t * semaphore), semaphore)

/* What may wait, and has got what it waited for if the result is 0. */
#define AFTER(record, kind, wait, name, parameters, arguments, object) \
  EXPORTED int name parameters {                                       \
    let_go_for_lock();                                                 \
    await_object(wait, object, CALLER());                              \
    const int error = REAL(name) arguments;                            \
    await_nothing();                                                   \
    if (!error) record(kind, object, CALLER());                        \
    return error;                                                      \
  }

static void take(RawSync what, const sem_t *semaphore, uintptr_t code) { record_sync(what, semaphore, 0, code); }

AFTER(take, SYNC_TAKE, WAIT_SEMAPHORE, sem_wait, (sem_t * semaphore), (semaphore), semaphore)
AFTER(take, SYNC_TRY_TAKE, WAIT_NOT, sem_trywait, (sem_t * semaphore), (semaphore), semaphore)
AFTER(take, SYNC_TRY_TAKE, WAIT_NOT, sem_timedwait, (sem_t *restrict semaphore, const struct timespec *restrict until),
      (semaphore, until), semaphore)
AFTER(take, SYNC_TRY_TAKE, WAIT_NOT, sem_clockwait,
      (sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until), (semaphore, clock, until),
      semaphore)

/* --- barriers --- */

EXPORTED int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes,
                                  unsigned count) {
  record_sync(SYNC_BARRIER, barrier, count, CALLER());
  return REAL(pthread_barrier_init)(barrier, attributes, count);
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  record_sync(SYNC_ARRIVE, barrier, 0, CALLER());
  thread_let_go();
  await_object(WAIT_BARRIER, barrier, CALLER());
  const int result = REAL(pthread_barrier_wait)(barrier);
  await_nothing();
  record_sync(SYNC_LEAVE, barrier, 0, CALLER());
  return result;
}

/* --- read-write locks and spin locks --- */

#define RWLOCK(kind, name) AFTER(record_lock, kind, wait_of(kind), name, (pthread_rwlock_t * lock), (lock), lock)
#define RWLOCK_UNTIL(kind, timed, clocked)                                                                            \
  AFTER(record_lock, kind, WAIT_NOT, timed, (pthread_rwlock_t *restrict lock, const struct timespec *restrict until), \
        (lock, until), lock)                                                                                          \
  AFTER(record_lock, kind, WAIT_NOT, clocked,                                                                         \
        (pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until),                    \
        (lock, clock, until), lock)

RWLOCK(RAW_SHARED_ACQUIRE, pthread_rwlock_rdlock)
RWLOCK(RAW_SHARED_TRY, pthread_rwlock_tryrdlock)
RWLOCK_UNTIL(RAW_SHARED_TRY, pthread_rwlock_timedrdlock, pthread_rwlock_clockrdlock)
RWLOCK(RAW_ACQUIRE, pthread_rwlock_wrlock)
RWLOCK(RAW_TRY, pthread_rwlock_trywrlock)
RWLOCK_UNTIL(RAW_TRY, pthread_rwlock_timedwrlock, pthread_rwlock_clockwrlock)
AFTER(record_lock, RAW_ACQUIRE, WAIT_LOCK, pthread_spin_lock, (pthread_spinlock_t * lock), (lock), lock)
AFTER(record_lock, RAW_TRY, WAIT_NOT, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock), lock)

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  const bool written = self && lock->__data.__cur_writer == self->tid;
  record_lock(written ? RAW_RELEASE : RAW_SHARED_RELEASE, lock, CALLER());
  return REAL(pthread_rwlock_unlock)(lock);
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock) {
  record_lock(RAW_RELEASE, lock, CALLER());
  return REAL(pthread_spin_unlock)(lock);
}

/* --- once: what the routine does is before all who return from the call --- */

typedef struct {
  void (*routine)(void);
  void *control;
  uintptr_t code;
} Once;

static _Thread_local Once once;

static void run_once(void) {
  const Once this = once; /* the routine may use another one */
  await_nothing();
  this.routine();
  record_sync(SYNC_DONE, this.control, 0, this.code);
}

static int do_once(pthread_once_t *control, void (*routine)(void), uintptr_t code) {
  thread_let_go();
  once = (Once){routine, control, code};
  await_object(WAIT_ONCE, control, code);
  const int error = REAL(pthread_once)(control, run_once);
  await_nothing();
  record_sync(SYNC_PASSED, control, 0, code);
  return error;
}

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  return do_once(control, routine, CALLER());
}

EXPORTED void call_once(once_flag *control, void (*routine)(void)) {
  do_once((pthread_once_t *)(void *)control, routine, CALLER());
}

/* --- static variables of C++ functions, which are set up once ---
 *
 * The first byte of a guard says that it is done, and compiled code looks at it; the rest is what GNU's library has
 * there, whose functions may stand in for these. */

enum { GUARD_DONE = 1, GUARD_RUNNING = 1 << 8, GUARD_AWAITED = 1 << 16 };

extern int __cxa_guard_acquire(_Atomic int *guard);
extern void __cxa_guard_release(_Atomic int *guard);
extern void __cxa_guard_abort(_Atomic int *guard);

static void wait_for_guard(_Atomic int *guard) {
  const int error = errno;
  syscall(SYS_futex, guard, FUTEX_WAIT_PRIVATE, GUARD_RUNNING | GUARD_AWAITED, NULL);
  errno = error;
}

static void set_guard(_Atomic int *guard, int value) {
  const int error = errno;
  if (atomic_exchange(guard, value) & GUARD_AWAITED) syscall(SYS_futex, guard, FUTEX_WAKE_PRIVATE, INT_MAX);
  errno = error;
}

EXPORTED int __cxa_guard_acquire(_Atomic int *guard) {
  thread_let_go();
  for (;;) {
    int seen = 0;
    if (atomic_compare_exchange_strong(guard, &seen, GUARD_RUNNING)) return 1;
    if (seen & GUARD_DONE) break;
    if (seen == GUARD_RUNNING && !atomic_compare_exchange_strong(guard, &seen, GUARD_RUNNING | GUARD_AWAITED)) continue;
    await_object(WAIT_ONCE, guard, CALLER());
    wait_for_guard(guard);
    await_nothing();
  }
  record_sync(SYNC_PASSED, guard, 0, CALLER());
  return 0;
}

EXPORTED void __cxa_guard_release(_Atomic int *guard) {
  record_sync(SYNC_DONE, guard, 0, CALLER());
  set_guard(guard, GUARD_DONE);
}

EXPORTED void __cxa_guard_abort(_Atomic int *guard) {
  thread_let_go();
  set_guard(guard, 0);
}

/* --- jumps --- */

/* The stack pointer in a jmp_buf is the seventh word, rotated and mixed with a secret of the process. */
static uintptr_t stack_of_jump(const struct __jmp_buf_tag *to) {
  uintptr_t sp = (uintptr_t)to->__jmpbuf[6];
  __asm__("rorq $17, %0\n\txorq %%fs:48, %0" : "+r"(sp));
  return sp;
}

/* The frame of a callback is two words below the stack pointer of the function that calls it; of those that are left it
 * is below that. */
enum { FRAME_BYTES = 2 * sizeof(uintptr_t) };

/* A jump may leave a signal handler that came in the middle of a callback. */
static void jumping(const struct __jmp_buf_tag *to, uintptr_t code) {
  if (self && self->busy) {
    stripe_recover(self);
    self->busy = false;
  }
  await_nothing();
  Thread *t = thread_enter();
  if (!t) return;
  stripe_release(t);
  live_end_block(t);
  calls_leave(t, stack_of_jump(to) - FRAME_BYTES);
  if (UNLIKELY(t->followed)) stress_leave(t, stack_of_jump(to) - FRAME_BYTES);
  thread_log(t, RAW_UNWIND, stack_of_jump(to) - FRAME_BYTES, code);
  thread_leave(t);
}

#define JUMP(name, type)                             \
  EXPORTED _Noreturn void name(type to, int value) { \
    jumping(to, CALLER());                           \
    REAL(name)(to, value);                           \
    __builtin_unreachable();                         \
  }

JUMP(longjmp, jmp_buf)
JUMP(_longjmp, jmp_buf)
JUMP(siglongjmp, sigjmp_buf)
extern _Noreturn void __longjmp_chk(jmp_buf to, int value);
JUMP(__longjmp_chk, jmp_buf)

/* --- what may block for long (sleep.c has more); the rest of the system calls is noticed by those who wait for a
 * stripe --- */

#define BLOCKING(type, name, parameters, arguments) \
  EXPORTED type name parameters {                   \
    thread_let_go();                                \
    return REAL(name) arguments;                    \
  }

EXPORTED void thrd_yield(void) { sched_yield(); }

BLOCKING(int, sched_yield, (void), ())
BLOCKING(ssize_t, read, (int file, void *to, size_t size), (file, to, size))
BLOCKING(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
BLOCKING(int, poll, (struct pollfd * files, nfds_t n, int time), (files, n, time))
BLOCKING(int, select,
         (int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, struct timeval *restrict time),
         (n, r, w, e, time))
BLOCKING(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))
