/* capture.h: what a function writes on a standard stream, for tests. */
#ifndef TESTS_UNIT_CAPTURE_H
#define TESTS_UNIT_CAPTURE_H

#include <stdio.h>

typedef struct {
  FILE *stream, *file;
  int saved;
} Capture;

/* From now on the stream (stdout or stderr) goes to a temporary file ... */
Capture capture_begin(FILE *stream);
/* ... until here: what was written, NUL-terminated and cut to size - 1 bytes. */
void capture_end(Capture *capture, char *text, size_t size);

#endif
