#include "ask/checkpoint.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/self.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file: this line, the state, and the hash of all that. */
static const char MAGIC[] = "a checkpoint of tracecheck, 1\n";
enum { HEAD = sizeof MAGIC - 1 };

/* Writing takes no more than this part of the time. */
enum { PART_OF_TIME = 20 };

/* So many bytes at the beginning of a run are looked at to know it again. */
enum { LOOKED_AT = 1 << 16 };

void checkpoint_init(Checkpoint *checkpoint, Heap *heap, const CheckpointOptions *options, const RunSource *source,
                     const MonitorOptions *question) {
  *checkpoint =
      (Checkpoint){.heap = heap, .options = *options, .source = source, .question = question, .carry = {.heap = heap}};
}

void checkpoint_fini(Checkpoint *checkpoint) { carry_fini(&checkpoint->carry); }

/* ---- what must be the same ---- */

static bool same_names(Carry *carry, const OptionList *list) {
  bool same = carry_same(carry, &list->n, sizeof list->n);
  for (uint32_t i = 0; same && i < list->n; i++) same = carry_same(carry, list->at[i], strlen(list->at[i]) + 1);
  return same;
}

static bool same_question(const Checkpoint *checkpoint, Carry *carry) {
  const MonitorOptions *q = checkpoint->question;
  const RunSource *source = checkpoint->source;
  const int32_t all[] = {(int32_t)q->engine,   (int32_t)q->notion,   q->lock_conflicts, q->all,
                         source->trace.format, source->trace.lenient};
  return carry_same(carry, all, sizeof all) && same_names(carry, &source->chosen.atomic) &&
         same_names(carry, &source->chosen.except);
}

static bool identify(Checkpoint *checkpoint, Err *err) {
  const Spool *run = checkpoint->source->inputs;
  struct stat info;
  if (!spool_is_lasting(run))
    return err_set(err, ERR_INPUT,
                   "%s: a checkpoint needs a run in a file: from where it stood it could not be read on", run->name);
  FILE *file = fopen(run->path, "rb");
  if (!file || fstat(fileno(file), &info) != 0) {
    err_set(err, ERR_IO, "%s: %s", run->name, strerror(errno));
    if (file) fclose(file);
    return false;
  }
  char *bytes = heap_alloc(checkpoint->heap, LOOKED_AT);
  const size_t n = fread(bytes, 1, LOOKED_AT, file);
  checkpoint->identity = (RunIdentity){info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, hash_bytes(bytes, n)};
  heap_release(checkpoint->heap, bytes);
  fclose(file);
  return true;
}

/* ---- the state ---- */

static void carry_state(const Checkpoint *checkpoint, Carry *carry) {
  RunInput *input = checkpoint->input;
  carry_vec(carry, &input->chosen.depths);
  carry_value(carry, input->has_transactions);
  monitor_carry(checkpoint->monitor, carry);
  trace_carry(input->reader, carry);
}

static bool refuse(const Checkpoint *checkpoint, Err *err, const char *what) {
  return err_set(err, ERR_INPUT, "%s: %s; without it %s is read from its beginning", checkpoint->options.path, what,
                 checkpoint->source->inputs->name);
}

static bool carry_in(Checkpoint *checkpoint, const InFile *file, Err *err) {
  Carry carry = {.heap = checkpoint->heap, .in = true, .at = HEAD};
  const uint64_t build = self_build();
  uint64_t hash;
  carry.bytes.at = file->text;
  if (file->length < HEAD || memcmp(file->text, MAGIC, HEAD) != 0)
    return refuse(checkpoint, err, "this is no checkpoint");
  if (file->length < HEAD + sizeof hash) return refuse(checkpoint, err, "the checkpoint is damaged");
  carry.bytes.n = (uint32_t)(file->length - sizeof hash);
  memcpy(&hash, file->text + carry.bytes.n, sizeof hash);
  if (hash != hash_bytes(file->text, carry.bytes.n)) return refuse(checkpoint, err, "the checkpoint is damaged");
  if (!carry_same(&carry, &build, sizeof build))
    return refuse(checkpoint, err, "the checkpoint was written by another version of the program");
  if (!same_question(checkpoint, &carry)) return refuse(checkpoint, err, "the checkpoint is of another question");
  if (!carry_same(&carry, &checkpoint->identity, sizeof checkpoint->identity))
    return refuse(checkpoint, err, "the checkpoint is of another run, or the run was changed");
  carry_state(checkpoint, &carry);
  Err fault;
  if (carry.bad || carry.at != carry.bytes.n || !monitor_audit(checkpoint->monitor, &fault))
    return refuse(checkpoint, err, "the checkpoint is damaged");
  checkpoint->n_known = checkpoint->n_kept = checkpoint->input->n_events = monitor_events(checkpoint->monitor);
  return trace_go_on(checkpoint->input->reader, checkpoint->source->inputs->path, err);
}

static bool read_in(Checkpoint *checkpoint, Err *err) {
  InFile file;
  if (!file_read(checkpoint->heap, checkpoint->options.path, &file, err)) return false;
  const bool good = carry_in(checkpoint, &file, err);
  file_release(checkpoint->heap, &file);
  return good;
}

/* Better now than when it is too late. */
static bool can_write(const Checkpoint *checkpoint, Err *err) {
  FILE *file = fopen(checkpoint->options.unfinished, "wb");
  if (!file) return err_set(err, ERR_IO, "%s: %s", checkpoint->options.unfinished, strerror(errno));
  fclose(file);
  unlink(checkpoint->options.unfinished);
  return true;
}

bool checkpoint_begin(Checkpoint *checkpoint, RunInput *input, Monitor *monitor, Err *err) {
  struct stat info;
  checkpoint->input = input;
  checkpoint->monitor = monitor;
  checkpoint->next = clock_seconds() + checkpoint->options.every;
  if (!identify(checkpoint, err) || !can_write(checkpoint, err)) return false;
  if (stat(checkpoint->options.path, &info) != 0 && errno == ENOENT) return true;
  return read_in(checkpoint, err);
}

/* ---- writing ---- */

/* All of it, or the one before stays. Nothing leaves it on the way but the end of the process. */
static bool write_file(const CheckpointOptions *options, const CharVec *bytes, Err *err) {
  FILE *file = fopen(options->unfinished, "wb");
  bool good = file && fwrite(bytes->at, 1, bytes->n, file) == bytes->n;
  if (file && fclose(file) != 0) good = false;
  if (good && rename(options->unfinished, options->path) == 0) return true;
  err_set(err, ERR_IO, "%s", strerror(errno));
  if (file) unlink(options->unfinished);
  return false;
}

static bool carry_out(Checkpoint *checkpoint, Err *err) {
  Carry *carry = &checkpoint->carry;
  const uint64_t build = self_build();
  vec_clear(&carry->bytes);
  carry_same(carry, MAGIC, HEAD);
  carry_same(carry, &build, sizeof build);
  same_question(checkpoint, carry);
  carry_same(carry, &checkpoint->identity, sizeof checkpoint->identity);
  carry_state(checkpoint, carry);
  uint64_t hash = hash_bytes(carry->bytes.at, carry->bytes.n);
  carry_value(carry, hash);
  if (carry->bytes.n > FILE_MOST) return err_set(err, ERR_LIMIT, "it would have more than 1 GB");
  return write_file(&checkpoint->options, &carry->bytes, err);
}

typedef struct {
  Checkpoint *checkpoint;
  Err err;
  bool good;
} Writing;

static void write_body(void *argument) {
  Writing *writing = argument;
  writing->good = carry_out(writing->checkpoint, &writing->err);
}

/* Where there is no memory for it, the run is monitored all the same. */
static void write_now(Checkpoint *checkpoint) {
  Heap *heap = checkpoint->heap;
  Writing writing = {.checkpoint = checkpoint};
  if (!heap_try(heap, write_body, &writing)) {
    heap_explain(heap, heap_why(heap), writing.err.text, sizeof writing.err.text);
    heap_poll(heap);
  }
  if (writing.good) checkpoint->n_kept = monitor_events(checkpoint->monitor);
  snprintf(checkpoint->why, sizeof checkpoint->why, "%.250s", writing.good ? "" : writing.err.text);
}

void checkpoint_step(Checkpoint *checkpoint) {
  const double start = clock_seconds();
  if (trace_has_ended(checkpoint->input->reader)) return;
  if (start < checkpoint->next && heap_asked(checkpoint->heap) == STOP_NOT) return;
  write_now(checkpoint);
  const double end = clock_seconds(), pause = PART_OF_TIME * (end - start), every = checkpoint->options.every;
  checkpoint->next = end + (pause > every && every >= CHECKPOINT_EACH ? pause : every);
}

void checkpoint_remove(const Checkpoint *checkpoint) {
  unlink(checkpoint->options.path);
  unlink(checkpoint->options.unfinished);
}
