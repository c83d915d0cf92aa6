#include "tools/tracerec/trying.h"

#include "tools/tracerec/distilling.h"
#include "tools/tracerec/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  Heap *heap;
  const Distilling *distilling;
  DistilResult result;
  Err *err;
  bool good;
} Job;

static void make_log(void *argument) {
  Job *job = argument;
  job->good = distilling_write(job->heap, job->distilling, &job->result, job->err);
}

/* The raw log is removed, also where there is no memory, or no time. */
static bool distil_run(Heap *heap, const Trying *trying, const RawFile *raw, Tried *tried, Err *err) {
  const Distilling distilling = {.raw = raw->path,
                                 .program = trying->program[0],
                                 .struck = WIFSIGNALED(tried->status),
                                 .out = trying->log,
                                 .atomic = trying->atomic,
                                 .except = trying->except,
                                 .quiet = trying->quiet};
  Job job = {.heap = heap, .distilling = &distilling, .err = err};
  const bool whole = heap_try(heap, make_log, &job);
  unlink(raw->path);
  close(raw->file);
  if (!whole) heap_pass_on(heap);
  tried->transactions = job.result.transactions;
  return job.good;
}

static bool run(Heap *heap, const Trying *trying, RawHeader *header, Tried *tried, Err *err) {
  RawFile raw;
  const Recording recording = {.out = trying->log,
                               .header = header,
                               .program = trying->program,
                               .prints = trying->prints,
                               .limit = trying->limit};
  *tried = (Tried){.status = 0};
  if (!recording_run_one(&recording, &raw, &tried->status, err)) return false;
  tried->ended = recording_was_ended();
  tried->interrupted = recording_was_interrupted();
  if (tried->ended) hanging_read(heap, raw.path, &tried->hanging);
  if (recording_is_void(&recording, tried->status)) {
    const int why = errno;
    unlink(raw.path);
    close(raw.file);
    return err_set(err, ERR_INPUT, "%s: %s", trying->program[0], strerror(why));
  }
  if (pread(raw.file, header, sizeof *header, 0) != (ssize_t)sizeof *header)
    return err_set(err, ERR_IO, "%s: %s", raw.path, strerror(errno));
  return distil_run(heap, trying, &raw, tried, err);
}

bool trying_run(Heap *heap, const Trying *trying, RawHeader *header, Tried *tried, Err *err) {
  const bool good = run(heap, trying, header, tried, err);
  if (!good) unlink(trying->prints);
  return good;
}

bool trying_monitor(Heap *heap, const char *log, MonitoringResult *result, Err *err) {
  const Spool spool = spool_plain(log);
  const RunSource source = {.inputs = &spool, .n = 1, .trace = {.format = -1}};
  const AskLimits limits = {.allow_empty = true};
  return monitoring_run(heap, &source, &(MonitorOptions){.all = false}, &limits, result, err);
}

void trying_print_status(const Tried *tried) {
  if (tried->ended && tried->hanging.deadlock) printf("a deadlock: the program was ended, since it took too long");
  else if (tried->ended && tried->hanging.all_wait)
    printf("all threads wait: the program was ended, since it took too long");
  else if (tried->ended) printf("the program was ended, since it took too long");
  else if (WIFSIGNALED(tried->status)) printf("the program was ended by signal %d", WTERMSIG(tried->status));
  else printf("the program ended with exit code %d", WEXITSTATUS(tried->status));
}

void trying_print_hanging(const Tried *tried, int indent) {
  const Hanging *h = &tried->hanging;
  for (const char *line = h->lines.at; line && *line; line += strcspn(line, "\n") + 1)
    printf("%*s%.*s\n", indent, "", (int)strcspn(line, "\n"), line);
}

static bool is_plain(const char *word) {
  return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=+,:@%")];
}

static void print_quoted(const char *word) {
  putchar('\'');
  for (; *word; word++)
    if (*word == '\'') fputs("'\\''", stdout);
    else putchar(*word);
  putchar('\'');
}

void trying_print_words(char *const *words) {
  for (; *words; words++) {
    putchar(' ');
    if (is_plain(*words)) fputs(*words, stdout);
    else print_quoted(*words);
  }
}
