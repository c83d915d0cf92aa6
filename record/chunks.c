/* chunks.c: the file of the log, and what threads write in.
 *
 * Each thread writes in a chunk of its own, which is mapped. When that is full a copy goes to another place of the
 * file, and the thread writes in it again. When a thread ends the same is done with what there is, and its chunk is the
 * next thread's: many short threads take no more than their words. The file grows by steps, and the tail of a chunk
 * that nobody has written is a hole.
 *
 * Of a log of bounded size (RawRing) the copies go round. All that was overwritten has clocks up to `lost`, since each
 * chunk begins with a higher clock than the one before had; and above it nothing is missing, since it is the floor for
 * all threads (thread_begin_event). While somebody reads, a copy is not overwritten before it was read. */
#include "record/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HIGH_FILE = 1000, STEP = 256 /* chunks */, AFTER = 8 /* words that a jump may have left behind an event */ };

/* A chunk that is no thread's: its first word is 0. */
typedef struct Free {
  uint64_t zero;
  struct Free *next;
  uint32_t number;
} Free;

static int file = -1;
static char file_path[PATH_MAX];
static dev_t device;   /* of the file, */
static ino_t inode;    /* which the program may close */
static uint32_t grown; /* chunks that the file has room for */
static Free *spare;    /* guarded by thread_lock, as what follows */
static uint64_t *ends; /* of RawRing.chunks: their last clocks */

/* --- the file --- */

/* Its number is a high one: the lower ones are what the program expects of its own files. */
static int open_file(void) {
  struct stat status;
  const int low = (int)syscall(SYS_openat, AT_FDCWD, file_path, O_RDWR | O_CLOEXEC);
  if (low < 0) return -1;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, HIGH_FILE);
  if (high >= 0) syscall(SYS_close, low);
  const int opened = high >= 0 ? high : low;
  syscall(SYS_flock, opened, LOCK_SH | LOCK_NB); /* it is being written */
  if (fstat(opened, &status) == 0 && (!inode || (status.st_dev == device && status.st_ino == inode))) {
    device = status.st_dev;
    inode = status.st_ino;
    return opened;
  }
  syscall(SYS_close, opened);
  return -1;
}

int chunks_open(const char *path) {
  if (strlen(path) >= sizeof file_path) return -1;
  strcpy(file_path, path);
  return file = open_file();
}

/* A program that closes all files has closed this one, too, and its number may be another's by now. */
static bool is_open(void) {
  struct stat status;
  return fstat(file, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

void chunks_close(void) {
  if (is_open()) syscall(SYS_close, file); /* and its lock */
}

/* Why is reported later. Beyond the limit of a file's size (ulimit -f) there is a signal, too, which is none of the
 * program's. All signals are blocked. */
static bool fail(void) {
  const int error = errno;
  header->full = (uint32_t)error;
  sigset_t size;
  sigemptyset(&size);
  sigaddset(&size, SIGXFSZ);
  if (error == EFBIG) syscall(SYS_rt_sigtimedwait, &size, NULL, &(struct timespec){0, 0}, sizeof(uint64_t));
  errno = error;
  return false;
}

/* The end of a step; within the limit, if that is not below the chunk itself. */
static uint32_t step_after(uint32_t number) {
  struct rlimit limit;
  const uint64_t to = number + (uint64_t)STEP;
  const uint64_t most = getrlimit(RLIMIT_FSIZE, &limit) ? UINT64_MAX : limit.rlim_cur / RAW_CHUNK;
  return (uint32_t)(most >= to ? to : most > number ? most : number + (uint64_t)1);
}

/* Is there room for the chunk in the file? It is never made smaller, since it grows nowhere else. */
static bool grow(int to, uint32_t number) {
  const uint32_t end = step_after(number);
  if (number < grown) return true;
  if (ftruncate(to, (off_t)end * RAW_CHUNK)) return fail();
  grown = end;
  return true;
}

/* The file, with room for the chunk; -1: there is none. It is locked. */
static int file_for_locked(uint32_t number) {
  if (!is_open()) file = open_file();
  return grow(file, number) ? file : -1;
}

static int file_for(uint32_t number) {
  thread_lock();
  const int found = file_for_locked(number);
  thread_unlock();
  return found;
}

/* --- what threads write in --- */

/* Its disk space is asked for first: a page that cannot be written kills the program. */
uint64_t *chunks_map(uint32_t *number) {
  *number = atomic_fetch_add(&header->chunks, 1);
  const off_t at = (off_t)*number * RAW_CHUNK;
  const sigset_t blocked = signals_block();
  const int to = file_for(*number);
  bool room = to >= 0 && (fallocate(to, 0, at, RAW_CHUNK) == 0 || fail());
  if (to >= 0 && !room && (errno == EOPNOTSUPP || errno == ENOSYS))
    room = syscall(SYS_pwrite64, to, "", (size_t)1, at + RAW_CHUNK - 1) == 1 || fail();
  signals_restore(blocked);
  if (!room) return NULL;
  void *map = mmap(NULL, RAW_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, to, at);
  if (map != MAP_FAILED) return map;
  fail();
  return NULL;
}

uint64_t *chunks_take(uint32_t *number) {
  thread_lock();
  Free *found = spare;
  if (found) spare = found->next;
  thread_unlock();
  if (!found) return chunks_map(number);
  *number = found->number;
  memset(found, 0, sizeof *found);
  return (void *)found;
}

/* --- copies --- */

/* Not through the C library, whose pwrite is a point of cancellation. */
static bool write_part(int to, const uint64_t *chunk, uint32_t number, size_t from, size_t end) {
  const off_t at = (off_t)number * RAW_CHUNK;
  for (size_t done = from; done < end;) {
    const long n = syscall(SYS_pwrite64, to, (const char *)chunk + done, end - done, at + (off_t)done);
    if (n <= 0 && errno != EINTR) return fail();
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static bool write_bytes(const uint64_t *chunk, uint32_t number, size_t size) {
  const int to = file_for(number);
  return to >= 0 && write_part(to, chunk, number, 0, size);
}

/* The place in the ring of a copy that ends with this clock. What was there is lost from now on. It is locked. */
static uint32_t next_place(uint64_t clock) {
  RawRing *ring = &header->ring;
  const uint64_t count = ring->count++;
  uint64_t *end = &ends[count % ring->chunks];
  if (count >= ring->chunks && *end > ring->lost) ring->lost = *end;
  if (count >= ring->chunks) raw_raise(&header->live.floor, ring->lost + 1);
  *end = clock;
  return ring->first + (uint32_t)(count % ring->chunks);
}

/* It is locked, so that nobody comes round meanwhile. The place is nobody's until its first word says whose it is. */
static bool write_over(const Thread *t, uint32_t number) {
  static const uint64_t nobody;
  const int to = file_for_locked(number);
  return to >= 0 && write_part(to, &nobody, number, 0, sizeof nobody) &&
         write_part(to, t->chunk, number, sizeof nobody, RAW_CHUNK) &&
         write_part(to, t->chunk, number, 0, sizeof nobody);
}

/* Locks, when the next place may be written. */
static void lock_place(Thread *t) {
  thread_lock();
  for (uint32_t naps = 1; live_is_on() && !live_has_place(); naps++) {
    thread_unlock();
    live_starve(t, naps);
    thread_lock();
  }
  t->starved = false;
}

static bool keep_in_ring(Thread *t) {
  errno = ENOMEM;
  if (!ends) return fail();
  lock_place(t);
  const uint32_t number = next_place(t->clock);
  const bool good = write_over(t, number);
  thread_unlock();
  if (good && live_is_on()) live_announce(number);
  return good;
}

/* Keeps as many bytes of the thread's chunk, from its begin. */
static bool keep(Thread *t, size_t size) {
  if (header->ring.chunks) return keep_in_ring(t);
  return write_bytes(t->chunk, atomic_fetch_add(&header->chunks, 1), size);
}

bool chunks_keep(Thread *t) {
  uint32_t number;
  if (!live_is_on() || header->ring.chunks) return !header->live.recycle && keep(t, RAW_CHUNK);
  if (!live_chunk(t, &number)) return !header->live.recycle && write_bytes(t->chunk, number, RAW_CHUNK);
  if (!write_bytes(t->chunk, number, RAW_CHUNK)) return false;
  live_announce(number);
  return true;
}

/* --- the end of a thread --- */

/* The bytes to keep. What follows the events is zero, and one zero is kept: the rest is not read. */
static size_t end_words(Thread *t) {
  const uint64_t *end = t->chunk + RAW_WORDS;
  for (uint32_t i = 0; i < AFTER && t->at + i < end; i++) t->at[i] = 0;
  const size_t size = (size_t)(t->at + 1 - t->chunk) * sizeof *t->at;
  return size < RAW_CHUNK ? size : RAW_CHUNK;
}

/* First it is nobody's, so that nothing is there twice. */
static void clear(Thread *t, size_t size) {
  *(volatile uint64_t *)t->chunk = 0;
  atomic_signal_fence(memory_order_seq_cst);
  memset(t->chunk, 0, size);
  memset(t->chunk + RAW_WORDS, 0, sizeof(RawTail));
  Free *freed = (void *)t->chunk;
  freed->number = t->shown.chunk;
  thread_lock();
  freed->next = spare;
  spare = freed;
  thread_unlock();
}

void chunks_give(Thread *t) {
  if (!t->chunk) return;
  const int error = errno;
  const sigset_t blocked = signals_block();
  const size_t size = t->shown.record && !header->ring.chunks ? 0 : end_words(t);
  if (t->shown.record && header->live.recycle) t->last = t->chunk; /* the reader may not have read it yet */
  else if (size && keep(t, size)) clear(t, size);
  else munmap(t->chunk, RAW_CHUNK);
  t->chunk = NULL;
  signals_restore(blocked);
  errno = error;
}

void chunks_begin(void) {
  if (!header->ring.chunks) return;
  void *at = mmap(NULL, header->ring.chunks * sizeof *ends, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ends = at == MAP_FAILED ? NULL : at;
}
