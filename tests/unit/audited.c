#include "tests/unit/audited.h"

#include <stdio.h>
#include <string.h>

/*                                               r  w  acq rel fork join begin end start exit free */
static const SerialShape SHAPES[] = {{3, 3, 2, 60, {8, 6, 4, 4, 1, 1, 4, 3, 0, 1, 1}, false},
                                     {4, 2, 2, 100, {12, 10, 2, 2, 1, 1, 2, 1, 1, 0, 1}, true},
                                     {8, 6, 3, 120, {6, 5, 5, 4, 2, 1, 4, 3, 1, 1, 1}, true}};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

uint32_t audited_run(uint64_t seed, TraceEvent *events) {
  const SerialShape *shape = &SHAPES[seed % N_SHAPES];
  serial_random(seed, shape, events);
  for (uint32_t i = 0; i < shape->events; i++) events[i].location = i % 7;
  return shape->events;
}

void expect_sound(bool good, const Err *err, uint64_t seed) {
  if (!good) printf("\nseed %llu: %s\n", (unsigned long long)seed, err->text);
  CU_ASSERT_TRUE(good);
}

void expect_fault(bool good, const Err *err, const char *what) {
  if (good || !strstr(err->text, what)) printf("\n%s, not %s\n", good ? "accepted" : err->text, what);
  CU_ASSERT_TRUE(!good && strstr(err->text, what) != NULL);
}
