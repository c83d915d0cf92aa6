// A child of fork() has what is mapped as shared, too.
// expect: counts unknown
// gap: 10 maps memory that may be mapped elsewhere, too
#include "two.h"

#include <sys/mman.h>
#include <unistd.h>

static void first(void) {
  int *const number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    *number = 1;
    _exit(0);
  }
  ATOMIC_BEGIN("counts");
  *number += 1;
  ATOMIC_END();
}

static void second(void) {}
