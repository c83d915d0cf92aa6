// Gaps: what is put into the environment may be changed later, and memory that is mapped where other memory was.
// expect: n unknown
// gap: 15 gives the library an address that it keeps
// gap: 17 gives the library an address that it keeps
#define _GNU_SOURCE
#include "two.h"

#include <stdlib.h>
#include <sys/mman.h>

static char name[] = "A=b";
static int n;

static void first(void) {
  putenv(name);
  void *other = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *moved = malloc(4096);
  moved = mremap(other, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, moved);
}

static void second(void) {
  ATOMIC_BEGIN("n");
  n++;
  ATOMIC_END();
}
