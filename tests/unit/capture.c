#include "tests/unit/capture.h"

#include <stdlib.h>
#include <unistd.h>

Capture capture_begin(FILE *stream) {
  Capture capture = {.stream = stream, .file = tmpfile()};
  if (!capture.file) abort();
  fflush(stream);
  capture.saved = dup(fileno(stream));
  dup2(fileno(capture.file), fileno(stream));
  return capture;
}

void capture_end(Capture *capture, char *text, size_t size) {
  fflush(capture->stream);
  dup2(capture->saved, fileno(capture->stream));
  close(capture->saved);
  rewind(capture->file);
  text[fread(text, 1, size - 1, capture->file)] = '\0';
  fclose(capture->file);
}
