#include "report/writers.h"

#include <assert.h>
#include <string.h>

#define WRITER(name, function, brief, says_errors) {name, function, brief, says_errors},
#define NAME(name, function, brief, says_errors) name,

static const Writer TABLE[] = {WRITERS(WRITER)};
enum { N_WRITERS = sizeof TABLE / sizeof *TABLE };

const Writer *writers_table(uint32_t *n) {
  *n = N_WRITERS;
  return TABLE;
}

const char *const *writers_names(void) {
  static const char *const NAMES[] = {WRITERS(NAME) NULL};
  return NAMES;
}

uint32_t writers_number(const char *name) {
  for (uint32_t i = 0; i < N_WRITERS; i++)
    if (strcmp(TABLE[i].name, name) == 0) return i;
  assert(false && "there is no such writer");
  return 0;
}

const Writer *writers_find(const char *name) { return &TABLE[writers_number(name)]; }
