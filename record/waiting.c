/* waiting.c: how a thread waits at a gate (follow.c, split.c, priorities.c): in short naps, between which it looks
 * whether anybody goes on. */
#include "record/stripe.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAP_NS = 2000000, LOOK = 5 /* naps */, LOOKS = 3 };

uint64_t waiting_now(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

void waiting_nap(const _Atomic uint32_t *gate, uint32_t value) {
  syscall(SYS_futex, gate, FUTEX_WAIT_PRIVATE, value, &(struct timespec){0, NAP_NS});
}

void waiting_wake(const _Atomic uint32_t *gate) { syscall(SYS_futex, gate, FUTEX_WAKE_PRIVATE, INT32_MAX); }

/* Reads the n-th word after the first one, from 1, of "202 0x7f... 0x80 ..." */
static uint64_t word_of(const char *text, uint32_t n) {
  uint64_t value = 0;
  for (; n; n--) {
    while (*text && *text != ' ') text++;
    while (*text == ' ') text++;
  }
  if (text[0] == '0' && text[1] == 'x') text += 2;
  for (; (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'f'); text++)
    value = value << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
  return value;
}

/* Does the thread wait for another one, with no end to it by itself: for a lock, a condition, the end of a thread, or
 * at a gate? */
static bool waits_for_others(pid_t tid, const void *gate) {
  char text[256];
  if (!stripe_read_task(tid, "syscall", text, sizeof text)) return false;
  if (!(text[0] == '2' && text[1] == '0' && text[2] == '2' && text[3] == ' ')) return false; /* futex */
  return word_of(text, 4) == 0 || word_of(text, 1) == (uint64_t)(uintptr_t)gate;
}

typedef struct {
  uint64_t inode, offset;
  uint16_t length;
  uint8_t type;
  char name[];
} Entry; /* of a folder, as getdents64 has it */

static bool all_of(const char *entries, long n, pid_t own, const void *gate) {
  for (long at = 0; at < n;) {
    const Entry *entry = (const void *)(entries + at);
    pid_t tid = 0;
    for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++) tid = tid * 10 + (*c - '0');
    if (tid && tid != own && !waits_for_others(tid, gate)) return false;
    at += entry->length;
  }
  return true;
}

/* Do all other threads of the process wait for others? Then nothing will happen any more while this one is held. */
static bool is_stuck(const Thread *t, const void *gate) {
  _Alignas(Entry) char entries[1024];
  const long folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  long n;
  bool all = true;
  while (all && (n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
    all = all_of(entries, n, t->tid, gate);
  syscall(SYS_close, folder);
  return all && n == 0;
}

bool waiting_in_vain(const Thread *t, const _Atomic uint32_t *gate, uint32_t naps, uint32_t *stuck) {
  if (naps % LOOK) return false;
  *stuck = is_stuck(t, gate) ? *stuck + 1 : 0;
  return *stuck >= LOOKS;
}
