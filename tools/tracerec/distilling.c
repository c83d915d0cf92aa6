#include "tools/tracerec/distilling.h"

#include "base/file.h"

#include <string.h>

typedef struct {
  Heap *heap;
  const Distilling *job;
  DistilResult *result;
} Writing;

static bool write_log(void *argument, FILE *stream, Err *err) {
  const Writing *w = argument;
  const Distilling *job = w->job;
  const DistilOptions options = {
      .keep_local = job->keep_local, .scratch = job->scratch, .atomic = job->atomic, .except = job->except};
  if (!distil(w->heap, job->raw, stream, &options, w->result, err)) return false;
  if (w->result->pid) return true;
  if (!job->program) return err_set(err, ERR_INPUT, "%s: nothing was recorded", job->raw);
  if (job->struck)
    return err_set(err, ERR_INPUT, "a signal ended %s before it was recorded, or it was not built with `tracerec cc`",
                   job->program);
  return err_set(err, ERR_INPUT, "%s was not recorded; was it built with `tracerec cc`?", job->program);
}

/* The verdict on a run without transactions would be a good one. */
static void say_missing(const DistilResult *result) {
  if (result->missing)
    fprintf(
        stderr,
        "tracerec: warning: no call of %s was recorded; check the name, and that the function is not inlined (-fno-inline)\n",
        result->missing);
  else if (!result->transactions && !result->lost[RAW_LOST_FULL])
    fprintf(
        stderr,
        "tracerec: warning: the log has no transactions: mark them with ATOMIC_BEGIN(\"name\") or --atomic=FUNCTION\n");
}

void distilling_say_lost(const uint32_t lost[RAW_LOST], uint32_t full) {
  static const char *const why[] = {
      [RAW_LOST_SIGNAL] = "events of signal handlers that interrupted another event are missing",
      [RAW_LOST_FULL] = "threads were cut short, because the raw log could not grow: ",
      [RAW_LOST_ORDER] =
          "times the order of two accesses was guessed: a thread did not run for a second, or compiled code copied more than 64 KB at once",
      [RAW_LOST_NAMES] = "names of blocks or libraries are missing, because there are too many"};
  _Static_assert(sizeof why / sizeof *why == RAW_LOST, "each loss has its words");
  for (uint32_t i = 0; i < RAW_LOST; i++)
    if (lost[i])
      fprintf(stderr, "tracerec: warning: %u %s%s\n", lost[i], why[i], i == RAW_LOST_FULL ? strerror((int)full) : "");
}

static void say_warnings(const char *line) {
  for (; line && *line; line += strcspn(line, "\n") + 1)
    fprintf(stderr, "tracerec: warning: %.*s\n", (int)strcspn(line, "\n"), line);
}

bool distilling_write(Heap *heap, const Distilling *job, DistilResult *result, Err *err) {
  *result = (DistilResult){0};
  Writing writing = {heap, job, result};
  const bool good = file_write(heap, job->out, write_log, &writing, err);
  if (good && !job->quiet) {
    distilling_say_lost(result->lost, result->full);
    say_missing(result);
    say_warnings(result->warnings);
  }
  heap_release(heap, result->missing);
  heap_release(heap, result->warnings);
  result->missing = result->warnings = NULL;
  return good;
}
