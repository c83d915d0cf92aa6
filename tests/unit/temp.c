#include "tests/unit/temp.h"

#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char temp_path[TEMP_FILES][96];

static char folder[64];

int temp_begin(void) {
  strcpy(folder, "/tmp/causal-unit-XXXXXX");
  if (!mkdtemp(folder)) return 1;
  for (int i = 0; i < TEMP_FILES; i++) snprintf(temp_path[i], sizeof temp_path[i], "%s/%c", folder, "abc"[i]);
  return 0;
}

int temp_end(void) {
  for (int i = 0; i < TEMP_FILES; i++) unlink(temp_path[i]);
  return rmdir(folder);
}

void temp_put(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fwrite(bytes, 1, length, file);
  fclose(file);
}
