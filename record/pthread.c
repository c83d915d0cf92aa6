/* pthread.c: threads, locks, and whatever else makes one thread wait for another; C11 threads, which are the same
 * things in the C library.
 *
 * A lock is logged after it was acquired and before it is released. Read locks, barriers, semaphores and pthread_once
 * order events, but are none themselves: the log has no operation for them. Stripes are given back before anything that
 * may block. */
#include "record/runtime.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

/* Before something that may block. */
static void let_go(void) {
  if (self && !self->busy) stripe_release(self);
}

static void order(const volatile void *object) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_touch(t, (uintptr_t)object);
  thread_leave(t);
}

static void record_lock(RawKind kind, const volatile void *lock, uintptr_t code) {
  Thread *t = thread_enter();
  if (!t) return;
  stripe_touch(t, (uintptr_t)lock);
  thread_log(t, kind, (uintptr_t)lock, code);
  thread_leave(t);
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
  if (s.thread) thread_begin(s.thread, s.function ? (void *)(uintptr_t)s.function : (void *)(uintptr_t)s.c11_function);
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
  stripe_release(t);
  s->thread = thread_new();
  if (s->thread) {
    s->thread->clock = t->clock + 1;
    thread_log_with(t, RAW_FORK, 0, code, s->thread->number + UINT64_C(1));
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
  const int error = REAL(pthread_create)(handle, attributes, start, s);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
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
  const Thread *other = thread_take(handle);
  stripe_release(t);
  if (other) {
    if (other->clock >= t->clock) thread_set_clock(t, other->clock + 1);
    thread_log_with(t, RAW_JOIN, 0, code, other->number + UINT64_C(1));
  }
  thread_leave(t);
}

#define JOIN(name, parameters, arguments)   \
  EXPORTED int name parameters {            \
    let_go();                               \
    const int error = REAL(name) arguments; \
    if (!error) joined(handle, CALLER());   \
    return error;                           \
  }

JOIN(pthread_join, (pthread_t handle, void **result), (handle, result))
JOIN(pthread_tryjoin_np, (pthread_t handle, void **result), (handle, result))
JOIN(pthread_timedjoin_np, (pthread_t handle, void **result, const struct timespec *until), (handle, result, until))
JOIN(pthread_clockjoin_np, (pthread_t handle, void **result, clockid_t clock, const struct timespec *until),
     (handle, result, clock, until))

EXPORTED int pthread_detach(pthread_t handle) {
  const int error = REAL(pthread_detach)(handle);
  if (!error && header) thread_detach(handle);
  return error;
}

EXPORTED int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
  const int error = create(handle, NULL, (Start){.c11_function = function, .argument = argument}, CALLER());
  return error == 0 ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}

EXPORTED int thrd_join(thrd_t handle, int *result) {
  void *value;
  let_go();
  if (REAL(pthread_join)(handle, &value)) return thrd_error;
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

static void acquired(const pthread_mutex_t *mutex, uintptr_t code) {
  if (!is_nested(mutex)) record_lock(RAW_ACQUIRE, mutex, code);
}

static void releasing(const pthread_mutex_t *mutex, uintptr_t code) {
  if (!is_nested(mutex)) record_lock(RAW_RELEASE, mutex, code);
}

#define LOCK(name, parameters, arguments)                         \
  EXPORTED int name parameters {                                  \
    let_go();                                                     \
    const int error = REAL(name) arguments;                       \
    if (!error || error == EOWNERDEAD) acquired(mutex, CALLER()); \
    return error;                                                 \
  }

LOCK(pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
LOCK(pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
LOCK(pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *until), (mutex, until))
LOCK(pthread_mutex_clocklock, (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until),
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

#define C11_LOCK(name, parameters, arguments)                 \
  EXPORTED int name parameters {                              \
    let_go();                                                 \
    const int error = REAL(name) arguments;                   \
    if (error == thrd_success) acquired(C11(lock), CALLER()); \
    return error;                                             \
  }

C11_LOCK(mtx_lock, (mtx_t * lock), (lock))
C11_LOCK(mtx_trylock, (mtx_t * lock), (lock))
C11_LOCK(mtx_timedlock, (mtx_t *restrict lock, const struct timespec *restrict until), (lock, until))

EXPORTED int mtx_unlock(mtx_t *lock) {
  if (will_unlock(C11(lock))) releasing(C11(lock), CALLER());
  return REAL(mtx_unlock)(lock);
}

/* --- condition variables: the mutex is released and acquired --- */

typedef struct {
  const pthread_mutex_t *mutex;
  uintptr_t code;
} Waiting;

/* A cancelled wait has the mutex again, too. */
static void waited(void *waiting) {
  const Waiting *w = waiting;
  acquired(w->mutex, w->code);
}

#define WAIT(name, parameters, arguments, lock) \
  EXPORTED int name parameters {                \
    Waiting waiting = {lock, CALLER()};         \
    int error;                                  \
    order(condition);                           \
    releasing(lock, waiting.code);              \
    pthread_cleanup_push(waited, &waiting);     \
    error = REAL(name) arguments;               \
    pthread_cleanup_pop(1);                     \
    order(condition);                           \
    return error;                               \
  }

WAIT(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex), mutex)
WAIT(pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until),
     (condition, mutex, until), mutex)
WAIT(pthread_cond_clockwait,
     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until),
     (condition, mutex, clock, until), mutex)
WAIT(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex), C11(mutex))
WAIT(cnd_timedwait, (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
     (condition, mutex, until), C11(mutex))

/* --- what orders, before or after the call --- */

#define AFTER(good, type, name, parameters, arguments, object) \
  EXPORTED type name parameters {                              \
    let_go();                                                  \
    const type result = REAL(name) arguments;                  \
    if (good) order(object);                                   \
    return result;                                             \
  }

#define BEFORE(type, name, parameters, arguments, object) \
  EXPORTED type name parameters {                         \
    order(object);                                        \
    return REAL(name) arguments;                          \
  }

BEFORE(int, pthread_cond_signal, (pthread_cond_t * condition), (condition), condition)
BEFORE(int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition), condition)
BEFORE(int, cnd_signal, (cnd_t * condition), (condition), condition)
BEFORE(int, cnd_broadcast, (cnd_t * condition), (condition), condition)

BEFORE(int, sem_post, (sem_t * semaphore), (semaphore), semaphore)
AFTER(result == 0, int, sem_wait, (sem_t * semaphore), (semaphore), semaphore)
AFTER(result == 0, int, sem_trywait, (sem_t * semaphore), (semaphore), semaphore)
AFTER(result == 0, int, sem_timedwait, (sem_t *restrict semaphore, const struct timespec *restrict until),
      (semaphore, until), semaphore)
AFTER(result == 0, int, sem_clockwait,
      (sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until), (semaphore, clock, until),
      semaphore)

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier) {
  order(barrier);
  const int result = REAL(pthread_barrier_wait)(barrier);
  order(barrier);
  return result;
}

/* --- read-write locks and spin locks --- */

AFTER(result == 0, int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), lock)
AFTER(result == 0, int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock), lock)
AFTER(result == 0, int, pthread_rwlock_timedrdlock,
      (pthread_rwlock_t *restrict lock, const struct timespec *restrict until), (lock, until), lock)
AFTER(result == 0, int, pthread_rwlock_clockrdlock,
      (pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until), (lock, clock, until),
      lock)

#define SPIN_LOCK(name, parameters, arguments)            \
  EXPORTED int name parameters {                          \
    let_go();                                             \
    const int error = REAL(name) arguments;               \
    if (!error) record_lock(RAW_ACQUIRE, lock, CALLER()); \
    return error;                                         \
  }

SPIN_LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
SPIN_LOCK(pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))
SPIN_LOCK(pthread_rwlock_timedwrlock, (pthread_rwlock_t *restrict lock, const struct timespec *restrict until),
          (lock, until))
SPIN_LOCK(pthread_rwlock_clockwrlock,
          (pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict until),
          (lock, clock, until))
SPIN_LOCK(pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
SPIN_LOCK(pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (self && lock->__data.__cur_writer == self->tid) record_lock(RAW_RELEASE, lock, CALLER());
  else order(lock);
  return REAL(pthread_rwlock_unlock)(lock);
}

EXPORTED int pthread_spin_unlock(pthread_spinlock_t *lock) {
  record_lock(RAW_RELEASE, lock, CALLER());
  return REAL(pthread_spin_unlock)(lock);
}

/* --- once: what the routine does is before all who return from the call --- */

static _Thread_local void (*once_routine)(void);
static _Thread_local void *once_control;

static void run_once(void) {
  void *control = once_control; /* the routine may use another one */
  once_routine();
  order(control);
}

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  let_go();
  once_routine = routine;
  once_control = control;
  const int error = REAL(pthread_once)(control, run_once);
  order(control);
  return error;
}

EXPORTED void call_once(once_flag *control, void (*routine)(void)) {
  pthread_once((pthread_once_t *)(void *)control, routine);
}

/* --- jumps --- */

/* The stack pointer in a jmp_buf is the seventh word, rotated and mixed with a secret of the process. */
static uintptr_t stack_of_jump(const struct __jmp_buf_tag *to) {
  uintptr_t sp = (uintptr_t)to->__jmpbuf[6];
  __asm__("rorq $17, %0\n\txorq %%fs:48, %0" : "+r"(sp));
  return sp;
}

/* A jump may leave a signal handler that came in the middle of a callback. */
static void jumping(const struct __jmp_buf_tag *to, uintptr_t code) {
  if (self && self->busy) {
    stripe_recover(self);
    self->busy = false;
  }
  Thread *t = thread_enter();
  if (!t) return;
  stripe_release(t);
  thread_log(t, RAW_UNWIND, stack_of_jump(to), code);
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

/* --- what may block for long; the rest of the system calls is noticed by those who wait for a stripe --- */

#define BLOCKING(type, name, parameters, arguments) \
  EXPORTED type name parameters {                   \
    let_go();                                       \
    return REAL(name) arguments;                    \
  }

EXPORTED void thrd_yield(void) { sched_yield(); }

BLOCKING(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
BLOCKING(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
         (clock, flags, time, rest))
BLOCKING(int, usleep, (useconds_t time), (time))
BLOCKING(unsigned, sleep, (unsigned time), (time))
BLOCKING(int, thrd_sleep, (const struct timespec *time, struct timespec *rest), (time, rest))
BLOCKING(int, sched_yield, (void), ())
BLOCKING(ssize_t, read, (int file, void *to, size_t size), (file, to, size))
BLOCKING(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
BLOCKING(int, poll, (struct pollfd * files, nfds_t n, int time), (files, n, time))
BLOCKING(int, select,
         (int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, struct timeval *restrict time),
         (n, r, w, e, time))
BLOCKING(pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))
