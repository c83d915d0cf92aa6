/* temp.h: files for the tests of a suite, in a folder of their own. */
#ifndef TESTS_UNIT_TEMP_H
#define TESTS_UNIT_TEMP_H

#include <stddef.h>

enum { TEMP_FILES = 3 };

/* Paths of files that a test may make; those of the suite that is running. */
extern char temp_path[TEMP_FILES][96];

/* For CU_add_suite: make the folder, and remove it with the files. */
int temp_begin(void);
int temp_end(void);

/* Makes the file. */
void temp_put(const char *path, const void *bytes, size_t length);

#endif
