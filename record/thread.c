/* thread.c: the life of the log and of its threads.
 *
 * One process is recorded, the first that finds the raw log unclaimed. A child of fork gives up recording, and so does
 * a program that is executed later: the variable is still there, but the log is taken. */
#include "record/stripe.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUCKETS = 1024, ROOM = 64 /* words of an event at most, mostly */ };

_Thread_local Thread *self __attribute__((tls_model("initial-exec")));
_Thread_local Thread *unfollowed __attribute__((tls_model("initial-exec")));
static _Thread_local bool gone __attribute__((tls_model("initial-exec")));
RawHeader *header;

static Thread **threads; /* by number */
static Thread *unjoined[BUCKETS];
static Thread *ended, **ended_end = &ended;    /* and joined, or detached; guarded, as what follows, by thread_lock */
static Thread *vacant, **vacant_end = &vacant; /* of these the ones that nobody looks at any more, in their order */
static _Atomic uint32_t n_coming;              /* threads that are being created, and have not begun */
static _Atomic uint32_t lookers;               /* at threads of others */
static atomic_flag locked = ATOMIC_FLAG_INIT;  /* guards the buckets, the modules and the names */
static sigset_t unlocked_mask;                 /* the signals that are blocked by who has locked it, without that */
static pthread_key_t key;
static uint64_t nowhere[64]; /* what is written when the log has ended */

extern void *__libc_calloc(size_t, size_t);

sigset_t signals_block(void) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  return old;
}

void signals_restore(sigset_t blocked) { pthread_sigmask(SIG_SETMASK, &blocked, NULL); }

void thread_lock(void) {
  const sigset_t old = signals_block();
  while (atomic_flag_test_and_set(&locked)) syscall(SYS_sched_yield);
  unlocked_mask = old;
}

void thread_unlock(void) {
  const sigset_t old = unlocked_mask;
  atomic_flag_clear(&locked);
  signals_restore(old);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char text[PATH_MAX + 128];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n > 0) syscall(SYS_write, STDERR_FILENO, text, n < (int)sizeof text ? n : (int)sizeof text - 1);
}

/* A thread is not in the log at all. */
static void no_memory(RawHeader *log) {
  log->full = ENOMEM;
  atomic_fetch_add(&log->lost[RAW_LOST_FULL], 1);
}

void thread_lost(RawLost why) { atomic_fetch_add(&header->lost[why], 1); }

static bool has_prefix(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix) text++, prefix++;
  return !*prefix;
}

/* Of the condition variables there is an older version, too. */
void *real_if_any(void **cache, const char *name) {
  void *found = NULL;
  const sigset_t blocked = signals_block();
  if (has_prefix(name, "pthread_cond_")) found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = dlsym(RTLD_NEXT, name);
  signals_restore(blocked);
  __atomic_store_n(cache, found, __ATOMIC_RELAXED);
  return found;
}

void *real(void **cache, const char *name) {
  void *found = real_if_any(cache, name);
  if (found) return found;
  say("tracerec: the C library has no %s\n", name);
  abort();
}

/* --- chunks --- */

/* Does nobody raise the floor, now or later, nor want to know of an event before it begins? */
static bool is_unwatched(const Thread *t) {
  return !t->shown.record && !live_is_on() && !header->live.floor && !header->ring.chunks;
}

/* The list of this chunk is empty. What is kept from one before may be in it, too. */
static void begin_list(Thread *t) {
  memset(t->listed, 0, sizeof t->listed);
  for (uint32_t i = 0; i < KEPT && t->n_kept; i++)
    if (t->kept[i]) stripe_list(t, t->kept[i]);
}

/* Where there is no more space the thread goes on into a place that nobody reads. */
static void set_chunk(Thread *t) {
  const bool unwatched = is_unwatched(t);
  t->at = t->chunk ? t->chunk + 1 : nowhere;
  t->end = t->chunk ? t->chunk + RAW_WORDS : nowhere + sizeof nowhere / sizeof *nowhere;
  t->late = t->chunk && live_is_on() ? t->end - ROOM : t->end;
  t->quick = t->chunk && unwatched ? t->end : NULL;
  t->tail = t->chunk && unwatched ? (RawTail *)(void *)t->end : NULL;
  begin_list(t);
  t->after_read = NULL;
  thread_end_loop(t);
  live_end_segment(t);
  if (!t->chunk) thread_lost(RAW_LOST_FULL);
}

static void push_region(Thread *t, uint32_t slot) {
  thread_push(t, (uint64_t)slot << RAW_REGION_SHIFT | (uint64_t)t->region[slot] << RAW_ADDRESS_SHIFT | RAW_REGION);
}

/* Each chunk can be understood by itself. */
static void push_bases(Thread *t) {
  for (uint32_t i = 0; i < RAW_REGIONS; i++)
    if (t->region[i] != UINT16_MAX) push_region(t, i);
  if (t->code != UINTPTR_MAX) thread_push(t, (uint64_t)t->code << RAW_KIND_BITS | RAW_CODE);
}

/* Chunks before this one may be lost. */
static void begin_ring_chunk(Thread *t) {
  thread_set_clock(t, t->clock + 1);
  memset(t->told, 0, sizeof t->told);
  memset(t->tells, 0, sizeof t->tells);
  memset(t->stacks, 0, sizeof t->stacks);
}

/* A copy of the full chunk goes after the file's end, and the chunk is used again. */
void thread_next_chunk(Thread *t) {
  const int error = errno;
  const sigset_t blocked = signals_block();
  const bool idle = atomic_is_idle(t);
  if (!t->chunk) {
    t->at = nowhere;
    thread_end_loop(t);
  } else if (chunks_keep(t)) {
    header->owned++; /* the copy; that of a thread which ends takes the place of its chunk */
    memset(t->chunk + 1, 0, RAW_CHUNK - sizeof *t->chunk);
    t->chunk[0] += UINT64_C(1) << 32;
    set_chunk(t);
    push_bases(t);
    if (header->ring.chunks) begin_ring_chunk(t);
    if (idle) atomic_next_chunk(t);
    if (UNLIKELY(header->live.floor > t->clock)) live_raise(t);
  } else {
    t->chunk = NULL;
    set_chunk(t);
  }
  signals_restore(blocked);
  errno = error;
}

/* --- addresses --- */

/* Is the line there already? */
static bool has_line(const char *text, const char *line) {
  for (; *text; text++) {
    if (has_prefix(text, line)) return true;
    while (*text != '\n') text++;
  }
  return false;
}

/* The file that was loaded; NULL for what is in none. The program itself has no name, and may be loaded at 0. */
static const char *path_of(const struct dl_phdr_info *info) {
  static char path[PATH_MAX]; /* stacks may be small */
  if (info->dlpi_phdr == (const void *)getauxval(AT_PHDR)) {
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return path;
  }
  if (*info->dlpi_name == '/') return info->dlpi_name;
  return strchr(info->dlpi_name, '/') && realpath(info->dlpi_name, path) ? path : NULL;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *unused) {
  static char line[PATH_MAX + 64];
  struct stat status;
  const char *name = path_of(info);
  (void)size, (void)unused;
  if (!name || stat(name, &status)) return 0;
  const int length = snprintf(
      line, sizeof line, "%llx %llx %llx %s\n", (unsigned long long)info->dlpi_addr, (unsigned long long)status.st_size,
      (unsigned long long)status.st_mtim.tv_sec * 1000000000ull + (unsigned long long)status.st_mtim.tv_nsec, name);
  if (has_line(header->modules, line)) return 0;
  if (length < 0 || header->module_bytes + (uint32_t)length >= RAW_MODULE_BYTES) thread_lost(RAW_LOST_NAMES);
  else {
    memcpy(header->modules + header->module_bytes, line, (size_t)length);
    header->module_bytes += (uint32_t)length;
  }
  return 0;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *loads) {
  (void)size;
  *(unsigned long long *)loads = info->dlpi_adds;
  return 1;
}

/* Code in a new place may be that of a new module. To look at all modules takes much longer than to ask whether there
 * are new ones. */
void thread_code(Thread *t, uintptr_t base) {
  static unsigned long long noted; /* how many had been loaded */
  unsigned long long loads = 0;
  const int error = errno;
  t->code = base;
  thread_push(t, (uint64_t)base << RAW_KIND_BITS | RAW_CODE);
  thread_lock();
  dl_iterate_phdr(count_loads, &loads);
  if (loads != noted) dl_iterate_phdr(note_module, NULL), follow_modules();
  noted = loads;
  thread_unlock();
  errno = error;
}

void thread_region(Thread *t, uintptr_t base) {
  uint32_t slot = thread_slot(t, base);
  if (slot == RAW_REGIONS) {
    slot = (t->slot + 1) % RAW_REGIONS;
    t->region[slot] = (uint16_t)base;
    push_region(t, slot);
  }
  t->slot = slot;
}

/* True, too, if another thread has added one in the meantime. */
bool thread_add_name(const char *name, size_t length, uint32_t n) {
  thread_lock();
  const bool same = header->n_names == n, room = n < RAW_NAMES && length < RAW_NAME_BYTES - header->name_bytes;
  if (same && room) {
    header->name_at[n] = header->name_bytes;
    memcpy(header->names + header->name_bytes, name, length + 1);
    header->name_bytes += (uint32_t)length + 1;
    header->n_names++;
  }
  thread_unlock();
  if (same && !room) thread_lost(RAW_LOST_NAMES);
  return !same || room;
}

/* --- threads --- */

Thread *thread_of_number(uint32_t number) { return __atomic_load_n(&threads[number], __ATOMIC_SEQ_CST); }

void thread_look(void) { atomic_fetch_add(&lookers, 1); }

void thread_look_away(void) { atomic_fetch_sub(&lookers, 1); }

/* What of an ended thread may be another's: who begins to look now does not find it by its number. */
static void find_vacant(void) {
  if (!ended || atomic_load(&lookers)) return;
  *vacant_end = ended;
  vacant_end = ended_end;
  ended = NULL;
  ended_end = &ended;
}

/* One that is no more; NULL: there is none. `live`: nor does the reader look at the first one. */
static Thread *take_vacant(bool live) {
  thread_lock();
  find_vacant();
  Thread *t = vacant && (!live || vacant->shown.over) ? vacant : NULL;
  if (t) vacant = t->next;
  if (!vacant) vacant_end = &vacant;
  thread_unlock();
  return t;
}

static void clear_thread(Thread *t) {
  if (t->last) munmap(t->last, RAW_CHUNK);
  memset(t, 0, sizeof *t);
}

/* A thread of zeros. Where nobody waits for a stripe there is mostly one that is no more. */
static Thread *take_thread(uint32_t number) {
  const bool live = live_is_on();
  Thread *t = number < RAW_MAX_THREADS ? take_vacant(live) : NULL;
  if (t && live) live_renew(t);
  else if (t) clear_thread(t);
  else if (live) t = live_thread();
  return t || number >= RAW_MAX_THREADS ? t : __libc_calloc(1, sizeof *t);
}

void thread_forget(Thread *t) {
  t->next = NULL;
  thread_lock();
  *ended_end = t;
  ended_end = &t->next;
  thread_unlock();
}

Thread *thread_new(void) {
  if (!header || (header->live.recycle && !live_is_on())) return NULL;
  const uint32_t number = atomic_fetch_add(&header->threads, 1);
  Thread *t = take_thread(number);
  if (!t) {
    no_memory(header);
    return NULL;
  }
  t->number = number;
  t->holder = (number + 1) << 1 | STRIPE_HELD;
  t->exact = header->exact;
  t->lean = t->exact && header->live.recycle;
  follow_thread(t);
  t->choosing = choice_is_on();
  t->first_calls = number ? RAW_FIRST_CALLS : 0;
  t->code = UINTPTR_MAX;
  for (uint32_t i = 0; i < RAW_REGIONS; i++) t->region[i] = UINT16_MAX;
  if (!t->chunk) t->chunk = chunks_take(&t->shown.chunk);
  if (t->chunk) t->chunk[0] = number + UINT64_C(1), header->owned++;
  set_chunk(t);
  if (t->shown.record) live_show(t);
  return t;
}

/* It waits for nothing. */
static void show_wait(const Thread *t) {
  RawWait *wait = &header->waits[t->number % RAW_WAITS];
  wait->kind = WAIT_NOT;
  wait->thread = t->number;
  wait->handle = (uint64_t)t->handle;
}

static void find_stack(Thread *t) {
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  if (pthread_attr_getstack(&attributes, &stack, &size) == 0) {
    t->stack = (uintptr_t)stack;
    t->stack_size = size;
  }
  pthread_attr_destroy(&attributes);
}

void thread_begin(Thread *t, void *function) {
  t->tid = (pid_t)syscall(SYS_gettid);
  t->handle = pthread_self();
  t->busy = true;
  thread_set_self(t);
  show_wait(t);
  if (t->number) find_stack(t);
  thread_lock();
  Thread **bucket = &unjoined[((uintptr_t)t->handle >> 12) % BUCKETS];
  t->next = *bucket;
  *bucket = t;
  thread_unlock();
  __atomic_store_n(&threads[t->number], t, __ATOMIC_RELEASE);
  pthread_setspecific(key, t);
  if (header->live.floor > t->clock) t->clock = header->live.floor;
  if (header->ring.chunks && !t->clock) t->clock = 1;
  if (t->clock) thread_set_clock(t, t->clock);
  if (t->stack) stripe_touch_memory(t, t->stack, t->stack_size);
  thread_log(t, RAW_START, (uintptr_t)function, (uintptr_t)function);
  t->busy = false;
}

static Thread **find(pthread_t handle, bool exited) {
  Thread **best = NULL;
  for (Thread **t = &unjoined[((uintptr_t)handle >> 12) % BUCKETS]; *t; t = &(*t)->next)
    if (pthread_equal((*t)->handle, handle) && (*t)->exited == exited && (!best || (*t)->number < (*best)->number))
      best = t;
  return best;
}

Thread *thread_take(pthread_t handle) {
  thread_lock();
  Thread **at = find(handle, true), *t = at ? *at : NULL;
  if (t) *at = t->next;
  thread_unlock();
  return t;
}

void thread_coming(void) { atomic_fetch_add(&n_coming, 1); }
void thread_came(void) { atomic_fetch_sub(&n_coming, 1); }

/* Has it been told, or is it none that is recorded? */
static bool try_detach(pthread_t handle) {
  const bool all_have_come = !atomic_load(&n_coming);
  thread_lock();
  Thread **at = find(handle, false), *t = NULL;
  bool done = true;
  if (at) (*at)->detached = true;
  else if ((at = find(handle, true))) t = *at, *at = t->next;
  else done = all_have_come;
  thread_unlock();
  if (t) thread_forget(t);
  return done;
}

void thread_detach(pthread_t handle) {
  while (!try_detach(handle)) syscall(SYS_sched_yield);
}

/* It has exited. Does nobody join it? */
static bool is_over(Thread *t) {
  thread_lock();
  const bool over = t->detached;
  t->exited = true;
  Thread **at = &unjoined[((uintptr_t)t->handle >> 12) % BUCKETS];
  while (over && *at && *at != t) at = &(*at)->next;
  if (over && *at) *at = t->next;
  thread_unlock();
  return over;
}

/* The memory of the stack may be another thread's from here on. */
static void thread_finish(Thread *t) {
  t->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  if (header->live.floor > t->clock) live_raise(t);
  stripe_release(t);
  if (t->stack) {
    stripe_touch_memory(t, t->stack, t->stack_size);
    thread_log_with(t, RAW_FREE, t->stack, t->code << RAW_CODE_BITS, t->stack_size);
  }
  thread_log(t, RAW_EXIT, 0, t->code << RAW_CODE_BITS);
  readers_leave(t);
  thread_set_self(NULL);
  gone = true;
  __atomic_store_n(&threads[t->number], NULL, __ATOMIC_SEQ_CST);
  chunks_give(t);
  t->busy = false;
  if (is_over(t)) thread_forget(t);
}

void thread_stop(void) {
  Thread *t = self;
  stripe_release(t);
  t->busy = false;
  thread_set_self(NULL);
  gone = true;
}

/* Called in each round of the destructors of thread-specific data; what others do in theirs is to be recorded too. */
static void destructor(void *thread) {
  Thread *t = thread;
  if (t != self) return; /* it was stopped */
  if (++t->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(key, t);
  else thread_finish(t);
}

/* A thread that nobody here has created, or one that is in the middle of an event. */
Thread *thread_enter_slowly(void) {
  if (self) {
    thread_lost(RAW_LOST_SIGNAL);
    return NULL;
  }
  if (!header || gone) return NULL;
  gone = true; /* what thread_new does is not recorded */
  Thread *t = thread_new();
  if (t) thread_begin(t, NULL);
  gone = !t;
  return t;
}

/* --- the process --- */

static void child_of_fork(void) {
  header = NULL;
  thread_set_self(NULL);
  chunks_close();
  say("tracerec: process %d, a child of the recorded one, is not recorded\n", (int)getpid());
}

/* False: nothing is recorded. */
static bool map_log(int file) {
  void *at = mmap(NULL, RAW_FIRST * RAW_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) {
    say("tracerec: process %d is not recorded: there is no memory for its log\n", (int)getpid());
    return false;
  }
  RawHeader *log = at;
  uint32_t nobody = 0;
  if (log->magic != RAW_MAGIC) return false;
  if (!atomic_compare_exchange_strong(&log->pid, &nobody, (uint32_t)getpid())) {
    say("tracerec: process %d is not recorded: the log belongs to process %u\n", (int)getpid(), nobody);
    return false;
  }
  void *table = mmap(NULL, RAW_MAX_THREADS * sizeof *threads, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) {
    no_memory(log);
    return false;
  }
  threads = table;
  header = log;
  chunks_begin();
  return true;
}

static bool open_log(const char *path) {
  const int file = chunks_open(path);
  if (file < 0) return false;
  if (map_log(file)) {
    choice_begin(file);
    return true;
  }
  chunks_close();
  return false;
}

void record_init(void) {
  static bool done;
  if (done || !environ) return; /* gcc calls this before the C library has its variables */
  done = true;
  const char *path = getenv(RAW_VARIABLE);
  if (!path || !open_log(path)) return;
  pthread_key_create(&key, destructor);
  pthread_atfork(NULL, NULL, child_of_fork);
  follow_modules();
  live_begin();
  readers_begin();
  Thread *t = thread_new();
  if (t) thread_begin(t, NULL);
}

__attribute__((constructor)) static void at_start(void) { record_init(); }
