/* forms.c: the forms of a result that the page shows, in place of libcausal/forms.c, which has others. */
#include "libcausal/result.h"
#include "report/writers.h"

#include <stdlib.h>
#include <string.h>

/* What is passed through heap_try. */
typedef struct {
  CausalResult *result;
  WriteReport *write;
  FILE *out;
  char *text; /* malloc's */
  size_t length;
  char *copy;
  bool good;
} Writing;

static void write_body(void *argument) {
  Writing *writing = argument;
  Err err;
  writing->good = writing->write(&writing->result->report, (TextStyle){0}, writing->out, &err);
}

static void copy_body(void *argument) {
  Writing *writing = argument;
  writing->copy = arena_copy(&writing->result->arena, writing->text, writing->length);
}

/* Into memory that the C library grows. */
static bool write_text(Writing *writing) {
  writing->out = open_memstream(&writing->text, &writing->length);
  if (!writing->out) return false;
  const bool done = heap_try(writing->result->heap, write_body, writing);
  const bool broken = ferror(writing->out);
  return fclose(writing->out) == 0 && !broken && done && writing->good;
}

static WriteReport *writer_of(const char *form) {
  return strcmp(form, "json") == 0 ? json_write : strcmp(form, "html") == 0 ? html_write : text_write;
}

const char *causal_output(CausalResult *result, const char *form, size_t *length) {
  Writing writing = {.result = result, .write = writer_of(form)};
  if (!result || !result->written) return NULL;
  const bool good = write_text(&writing) && heap_try(result->heap, copy_body, &writing);
  free(writing.text);
  if (good && length) *length = writing.length;
  return good ? writing.copy : NULL;
}
