// What less common functions do: each thread has its own state; what is shared they read, write, and call.
// expect: called violated
// expect: counted violated
// expect: own atomic
// expect: packed violated
// expect: state violated
// race: 39 105
// race: 54 106
// race: 54 107
// race: 55 106
// race: 55 107
// race: 61 108
// race: 62 108
// race: 63 108
// race: 69 109
// race: 70 109
#define _GNU_SOURCE
#include "two.h"

#include <dirent.h>
#include <search.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

unsigned long crc32(unsigned long sum, const unsigned char *from, unsigned n);
int compress(unsigned char *to, unsigned long *n, const unsigned char *from, unsigned long from_n);
extern char **environ;

static struct drand48_data shared;
static unsigned char text[16], packed[64];
static unsigned long n_packed;
static int n_called;
static double seen;

static int is_wanted(const struct dirent *unused) {
  (void)unused;
  return ++n_called;
}

/* The function is called for each, and what it does is done. */
static void scan(void) {
  struct dirent **names = NULL;
  ATOMIC_BEGIN("called");
  scandir(".", &names, is_wanted, alphasort);
  scandir(".", &names, is_wanted, NULL);
  ATOMIC_END();
}

static void number(void) {
  double x;
  ATOMIC_BEGIN("state");
  drand48_r(&shared, &x);
  drand48_r(&shared, &x);
  ATOMIC_END();
}

static void count(void) {
  ATOMIC_BEGIN("counted");
  text[0]++;
  crc32(0, text, sizeof text);
  crc32(0, text, sizeof text);
  ATOMIC_END();
}

static void pack(void) {
  ATOMIC_BEGIN("packed");
  compress(packed, &n_packed, text + 1, sizeof text - 1);
  compress(packed, &n_packed, text + 1, sizeof text - 1);
  ATOMIC_END();
}

static int is_same(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void own(void) {
  struct drand48_data state;
  int numbers[4] = {1, 2, 3, 4}, key = 3;
  size_t n = 4;
  double x;
  pid_t child;
  char *arguments[] = {"true", NULL};
  unsigned char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ATOMIC_BEGIN("own");
  srand48_r(1, &state);
  drand48_r(&state, &x);
  const int *found = lfind(&key, numbers, &n, sizeof *numbers, is_same);
  if (found) key = *found;
  mapped = mremap(mapped, 4096, 8192, MREMAP_MAYMOVE);
  mapped[0]++;
  posix_spawn(&child, "true", NULL, NULL, arguments, NULL);
  ATOMIC_END();
}

static void first(void) {
  putenv("A=b");
  scan();
  number();
  count();
  pack();
  own();
}

static void second(void) {
  n_called++;
  srand48_r(7, &shared);
  drand48_r(&shared, &seen);
  text[0]++;
  packed[0]++;
  own();
}
