/* memory.c: the heap, and the C library's functions on memory and strings, whose accesses the compilers do not
 * instrument.
 *
 * Freed memory is logged, because it may come again as something else: its history is not that of the new object. The
 * allocator of the C library is called by its own names, as it is needed before anything can be looked up. */
#include "record/live.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* --- the heap --- */

enum { SIZE_BITS = 40 };

/* After the one who has freed this memory. */
static void *allocated(void *memory, size_t size, uintptr_t code) {
  if (memory && self && !self->busy) {
    Thread *t = thread_enter();
    if (!t) return memory;
    stripe_touch_memory(t, (uintptr_t)memory, malloc_usable_size(memory));
    live_end_era(t);
    if (t->site) code = t->site;
    t->site = 0;
    calls_tell_more(t, code);
    if (size) thread_log_with(t, RAW_ALLOC, (uintptr_t)memory, code, size >> SIZE_BITS ? (size_t)1 << SIZE_BITS : size);
    thread_leave(t);
  }
  return memory;
}

static void freeing(void *memory, uintptr_t code) {
  if (!memory || !self || self->busy) return;
  Thread *t = thread_enter();
  if (!t) return;
  const size_t size = malloc_usable_size(memory);
  stripe_touch_memory(t, (uintptr_t)memory, size);
  live_end_era(t);
  thread_log_with(t, RAW_FREE, (uintptr_t)memory, code, size);
  thread_leave(t);
}

EXPORTED void *malloc(size_t size) { return allocated(__libc_malloc(size), size, CALLER()); }
EXPORTED void *calloc(size_t n, size_t size) { return allocated(__libc_calloc(n, size), n * size, CALLER()); }
EXPORTED void *memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, CALLER());
}
EXPORTED void *aligned_alloc(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, CALLER());
}

EXPORTED int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment) return EINVAL;
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = allocated(found, size, CALLER());
  return 0;
}

EXPORTED void free(void *memory) {
  freeing(memory, CALLER());
  __libc_free(memory);
}

static void copy_bytes(char *to, const char *from, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n)::"memory");
}

/* A block that stays where it is keeps its history; the old place of one that moves is logged as free before it is. */
static void *resize(void *memory, size_t size, uintptr_t code) {
  if (!memory || !size || !self || self->busy) {
    if (memory && !size) freeing(memory, code);
    return memory ? __libc_realloc(memory, size) : allocated(__libc_realloc(memory, size), size, code);
  }
  const size_t room = malloc_usable_size(memory);
  if (size <= room && size >= room / 2) return memory;
  void *other = __libc_malloc(size);
  if (!other) return NULL;
  copy_bytes(other, memory, size < room ? size : room);
  allocated(other, size, code);
  freeing(memory, code);
  __libc_free(memory);
  return other;
}

EXPORTED void *realloc(void *memory, size_t size) { return resize(memory, size, CALLER()); }

EXPORTED void *reallocarray(void *memory, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize(memory, bytes, CALLER());
}

/* C++ takes its memory from the allocator, too; it is asked where. Linked statically its library is none that can be
 * looked up: what it does where there is no memory is lost then. */
static void *had(void *memory) {
  if (!memory) abort();
  return memory;
}

#define NEW(name, parameters, arguments, plainly)                               \
  extern void *name parameters;                                                 \
  EXPORTED void *name parameters {                                              \
    static void *cache;                                                         \
    void *found = __atomic_load_n(&cache, __ATOMIC_RELAXED);                    \
    if (UNLIKELY(!found)) found = real_if_any(&cache, #name);                   \
    if (self && !self->busy) self->site = CALLER();                             \
    return found ? __extension__((__typeof__(&name))found) arguments : plainly; \
  }

NEW(_Znwm, (size_t size), (size), had(malloc(size ? size : 1)))
NEW(_Znam, (size_t size), (size), had(malloc(size ? size : 1)))
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size ? size : 1))
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), malloc(size ? size : 1))
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), had(aligned_alloc(alignment, size)))
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), had(aligned_alloc(alignment, size)))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag),
    aligned_alloc(alignment, size))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag), (size, alignment, tag),
    aligned_alloc(alignment, size))

/* --- memory --- */

/* How many of the n bytes are one event. */
static size_t piece_at(const Thread *t, const void *at, size_t n) {
  const size_t room = PIECE - (uintptr_t)at % PIECE;
  return t && t->exact && room < n ? room : n;
}

/* After accesses that were done here. */
static void leave(Thread *t) {
  if (!t) return;
  stripe_release(t);
  thread_leave(t);
}

static void log_range(Thread *t, RawKind kind, const void *at, size_t n, uintptr_t code) {
  thread_log_with(t, kind, (uintptr_t)at, code, n);
  if (UNLIKELY(t->followed)) follow_done(t, kind, (uintptr_t)at, n, code);
}

/* The bytes of a copy from its front, or, for overlapping memory, from its end, in pieces, each of which is ordered as
 * a whole. */
static void copy(char *to, const char *from, size_t n, bool backwards, uintptr_t code) {
  while (n) {
    Thread *t = thread_enter_access(code);
    size_t piece = piece_at(t, to, n);
    if (backwards && piece < n) piece = ((uintptr_t)to + n - 1) % PIECE + 1;
    char *a = backwards ? to + n - piece : to;
    const char *b = backwards ? from + n - piece : from;
    if (t) {
      if (UNLIKELY(t->followed)) follow_gate(t);
      stripe_take_ranges(t, (uintptr_t)b, piece, (uintptr_t)a, piece);
      calls_see(t, code);
      log_range(t, RAW_READ_RANGE, b, piece, code);
      log_range(t, RAW_WRITE_RANGE, a, piece, code);
    }
    REAL(memmove)(a, b, piece);
    leave(t);
    n -= piece;
    if (!backwards) to += piece, from += piece;
  }
}

/* One range, of which nothing is done here: the accesses come right after. */
static void touch_range(RawKind kind, const void *memory, size_t n, uintptr_t code) {
  for (const char *at = memory; n;) {
    Thread *t = thread_enter_access(code);
    if (!t) return;
    const size_t piece = piece_at(t, at, n);
    if (UNLIKELY(t->followed)) follow_gate(t);
    stripe_take_range(t, (uintptr_t)at, piece);
    calls_see(t, code);
    log_range(t, kind, at, piece, code);
    thread_leave(t);
    at += piece;
    n -= piece;
  }
}

static bool is_recorded(void) { return self && !self->busy; }

static void *record_copy(void *to, const void *from, size_t n, bool backwards, uintptr_t code) {
  copy(to, from, n, backwards, code);
  return to;
}

/* Before the first look-up of the real one, which may copy itself. */
#define PLAIN_COPY(to, from, n) (header ? REAL(memmove)(to, from, n) : (copy_bytes(to, from, n), (to)))

EXPORTED void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  return is_recorded() ? record_copy(to, from, n, false, CALLER()) : PLAIN_COPY(to, from, n);
}

EXPORTED void *memmove(void *to, const void *from, size_t n) {
  return is_recorded() ? record_copy(to, from, n, (uintptr_t)to > (uintptr_t)from, CALLER())
                       : REAL(memmove)(to, from, n);
}

EXPORTED void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  return (char *)(is_recorded() ? record_copy(to, from, n, false, CALLER()) : PLAIN_COPY(to, from, n)) + n;
}

static void *record_set(void *to, int byte, size_t n, uintptr_t code) {
  for (char *at = to; n;) {
    Thread *t = thread_enter_access(code);
    const size_t piece = piece_at(t, at, n);
    if (t) {
      if (UNLIKELY(t->followed)) follow_gate(t);
      stripe_take_range(t, (uintptr_t)at, piece);
      calls_see(t, code);
      log_range(t, RAW_WRITE_RANGE, at, piece, code);
    }
    REAL(memset)(at, byte, piece);
    leave(t);
    at += piece;
    n -= piece;
  }
  return to;
}

EXPORTED void *memset(void *to, int byte, size_t n) {
  return is_recorded() ? record_set(to, byte, n, CALLER()) : REAL(memset)(to, byte, n);
}

extern void *__tsan_memcpy(void *, const void *, size_t), *__tsan_memmove(void *, const void *, size_t),
    *__tsan_memset(void *, int, size_t);
EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t n) { return record_copy(to, from, n, false, CALLER()); }
EXPORTED void *__tsan_memmove(void *to, const void *from, size_t n) {
  return record_copy(to, from, n, (uintptr_t)to > (uintptr_t)from, CALLER());
}
EXPORTED void *__tsan_memset(void *to, int byte, size_t n) { return record_set(to, byte, n, CALLER()); }

extern void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
extern void *__memset_chk(void *, int, size_t, size_t);
EXPORTED void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
  return is_recorded() && n <= room ? record_copy(to, from, n, false, CALLER()) : REAL(__memcpy_chk)(to, from, n, room);
}
EXPORTED void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
  return is_recorded() && n <= room ? record_copy(to, from, n, (uintptr_t)to > (uintptr_t)from, CALLER())
                                    : REAL(__memmove_chk)(to, from, n, room);
}
EXPORTED void *__memset_chk(void *to, int byte, size_t n, size_t room) {
  return is_recorded() && n <= room ? record_set(to, byte, n, CALLER()) : REAL(__memset_chk)(to, byte, n, room);
}

/* Both places are read while they are held. */
static int record_compare(const char *a, const char *b, size_t n, uintptr_t code) {
  int result = 0;
  while (n && !result) {
    Thread *t = thread_enter_access(code);
    const size_t piece = piece_at(t, a, n);
    if (t) {
      if (UNLIKELY(t->followed)) follow_gate(t);
      stripe_take_ranges(t, (uintptr_t)a, piece, (uintptr_t)b, piece);
      calls_see(t, code);
      log_range(t, RAW_READ_RANGE, a, piece, code);
      log_range(t, RAW_READ_RANGE, b, piece, code);
    }
    result = REAL(memcmp)(a, b, piece);
    leave(t);
    a += piece;
    b += piece;
    n -= piece;
  }
  return result;
}

EXPORTED int memcmp(const void *a, const void *b, size_t n) {
  return is_recorded() ? record_compare(a, b, n, CALLER()) : REAL(memcmp)(a, b, n);
}

/* --- strings: read with their NUL, and copied as memory --- */

static size_t length_of(const char *text, size_t most) { return REAL(strnlen)(text, most); }

static void read_text(const char *text, size_t most, uintptr_t code) {
  const size_t n = length_of(text, most);
  touch_range(RAW_READ_RANGE, text, n < most ? n + 1 : n, code);
}

EXPORTED size_t strlen(const char *text) {
  if (is_recorded()) read_text(text, SIZE_MAX, CALLER());
  return length_of(text, SIZE_MAX);
}

EXPORTED char *strcpy(char *restrict to, const char *restrict from) {
  if (!is_recorded()) return REAL(strcpy)(to, from);
  return record_copy(to, from, length_of(from, SIZE_MAX) + 1, false, CALLER());
}

EXPORTED char *strcat(char *restrict to, const char *restrict from) {
  if (!is_recorded()) return REAL(strcat)(to, from);
  read_text(to, SIZE_MAX, CALLER());
  record_copy(to + length_of(to, SIZE_MAX), from, length_of(from, SIZE_MAX) + 1, false, CALLER());
  return to;
}

EXPORTED char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  if (!is_recorded()) return REAL(strncpy)(to, from, n);
  const size_t length = length_of(from, n);
  record_copy(to, from, length < n ? length + 1 : n, false, CALLER());
  if (length < n) record_set(to + length, 0, n - length, CALLER());
  return to;
}

/* As far as they are alike, and one byte more. */
static void compare_texts(const char *a, const char *b, size_t most, uintptr_t code) {
  size_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) n++;
  if (n < most) n++;
  touch_range(RAW_READ_RANGE, a, n, code);
  touch_range(RAW_READ_RANGE, b, n, code);
}

EXPORTED int strcmp(const char *a, const char *b) {
  if (is_recorded()) compare_texts(a, b, SIZE_MAX, CALLER());
  return REAL(strcmp)(a, b);
}

EXPORTED int strncmp(const char *a, const char *b, size_t n) {
  if (is_recorded()) compare_texts(a, b, n, CALLER());
  return REAL(strncmp)(a, b, n);
}
