/* trace.h: runs of concurrent programs, as sequences of events. docs/traces.md has the formats.
 *
 * A run is read once, from the front, in batches; what is kept does not grow with its length, only with the threads,
 * objects and locations that it names. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/carry.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

/* What an event does. */
typedef enum {
  TRACE_READ, /* object: a variable */
  TRACE_WRITE,
  TRACE_ACQUIRE, /* object: a lock */
  TRACE_RELEASE,
  TRACE_FORK, /* object: the number of the other thread */
  TRACE_JOIN,
  TRACE_BEGIN,  /* of a transaction; object: its label, or TRACE_NONE. Nested ones belong to the outermost */
  TRACE_END,    /* object: TRACE_NONE */
  TRACE_START,  /* of a thread, before all else that it does, if it is there at all; object: TRACE_NONE */
  TRACE_EXIT,   /* of a thread, after all else that it does; object: TRACE_NONE */
  TRACE_FREE,   /* object: a variable, of which no history counts any more; its number may come again as that of another
                   one */
  TRACE_UPDATE, /* object: a variable, which is read and then written; nothing comes between the two */
  TRACE_SHARED_ACQUIRE, /* object: a lock, as the following four: a reader's part of it */
  TRACE_SHARED_RELEASE,
  TRACE_TRY,        /* a TRACE_ACQUIRE by an attempt that would not have waited; those that failed are no events */
  TRACE_SHARED_TRY, /* likewise */
  TRACE_SIGNAL,     /* object: a hand-over. The signals since the last wait are its group; a wait comes after all of */
  TRACE_WAIT        /* the group: in this run, and in every run that is predicted from it */
} TraceOp;          /* ORDER TraceOp: docs/traces.md, trace/ */

enum { TRACE_OPS = TRACE_WAIT + 1 };

/* What the object of an operation is. */
typedef enum {
  TRACE_ON_VARIABLE,
  TRACE_ON_LOCK,
  TRACE_ON_HANDOVER,
  TRACE_ON_THREAD,
  TRACE_ON_LABEL,
  TRACE_ON_NOTHING,
  TRACE_SORTS
} TraceSort;
extern const uint8_t TRACE_SORT[TRACE_OPS]; /* a TraceSort. ORDER TraceOp */

#define TRACE_NONE UINT32_MAX

/* Threads, objects (variables, locks and hand-overs, in one sequence), labels and locations are numbered from 0, in the
 * order in which they are met. */
typedef struct {
  uint32_t thread;
  uint32_t object;   /* as above */
  uint32_t location; /* in the source, or TRACE_NONE */
  uint8_t op;        /* TraceOp */
} TraceEvent;

/* The formats, in the order in which they are tried on a file. A new one is a row here and a file with its TraceMethods
 * (trace/kinds.h): ROW(the TraceFormat; its name in options, and at the end of a file's name; its TraceMethods; what
 * messages call it; what its lines look like, or ""). */
#define TRACE_FORMATS(ROW)                                              \
  ROW(TRACE_STD, "std", trace_std, "STD", "THREAD|OP(OBJECT)|LOCATION") \
  ROW(TRACE_CSV, "csv", trace_csv, "CSV", "")                           \
  ROW(TRACE_ROADRUNNER, "rr", trace_roadrunner, "RoadRunner text", "")  \
  ROW(TRACE_BINARY, "bin", trace_binary, "a binary log", "")

#define TRACE_FORMAT_VALUE(format, name, methods, title, line) format,
#define TRACE_FORMAT_NAME(format, name, methods, title, line) name,
#define TRACE_FORMAT_ONE(format, name, methods, title, line) +1
#define TRACE_FORMAT_ROOM(format, name, methods, title, line) +sizeof title + sizeof line + sizeof ", nor ()"

/* The formats, in the order of the table. */
typedef enum { TRACE_FORMATS(TRACE_FORMAT_VALUE) } TraceFormat;
enum { TRACE_N_FORMATS = 0 TRACE_FORMATS(TRACE_FORMAT_ONE) };

/* The names in options, by TraceFormat, each with a comma after it: for an array of choices. */
#define TRACE_FORMAT_NAMES TRACE_FORMATS(TRACE_FORMAT_NAME)

/* "STD, CSV, ... or a binary log". */
enum { TRACE_LIST_ROOM = 0 TRACE_FORMATS(TRACE_FORMAT_ROOM) };
void trace_format_list(char room[TRACE_LIST_ROOM]);

/* What numbers stand for. Strings live as long as the names, those of a reader as long as the reader, and are "" where
 * there is no name. */
typedef enum {
  TRACE_THREAD_NAME,
  TRACE_OBJECT_NAME,
  TRACE_LABEL_NAME,
  TRACE_LOCATION_NAME,
  TRACE_NAME_KINDS
} TraceNameKind;

/* The names of threads, objects, labels and locations, by number. */
typedef struct TraceNames TraceNames;
/* A run that is open for reading. */
typedef struct TraceReader TraceReader;

/* How a run is read. */
typedef struct {
  int format;   /* a TraceFormat, or -1: detected from the content */
  bool lenient; /* skip and count lines that are wrong; else the first one is an error */
  bool calls;   /* trace_calls is asked */
  bool where;   /* trace_where is */
} TraceOptions;

/* Opens a run; "-" is stdin. What is packed with gzip or zstd is unpacked on the way. NULL, with *err, if it cannot be
 * read or is in none of the formats. The reader is the heap's. */
TraceReader *trace_open(Heap *heap, const char *path, const TraceOptions *options, Err *err);
void trace_close(TraceReader *reader); /* NULL is allowed */

/* The next events, at most TRACE_BATCH, valid until the next call; their number is in *n, 0 at the end of the run.
 * False, with ERR_INPUT ("file:line: what was expected") or ERR_IO, on a fault; the events before it have been given
 * then. */
enum { TRACE_BATCH = 4096 };
bool trace_next(TraceReader *reader, const TraceEvent **events, uint32_t *n, Err *err);

/* From event number `at` of the last batch on, the thread's events at the location are in a function that was called
 * from these places, the innermost first; TRACE_NONE: not known. */
enum { TRACE_CALLERS = 3 };
typedef struct {
  uint32_t at, thread, location, n;
  uint32_t callers[TRACE_CALLERS];
} TraceCalls;

/* Those of the last batch, in the order of `at`, with TraceOptions.calls. Only binary logs have any. */
const TraceCalls *trace_calls(const TraceReader *reader, uint32_t *n);

/* In which of the recorded program's files things are: its executable and its libraries. Modules count from 0. */
enum { TRACE_ID_BYTES = 32 };
typedef struct {
  uint8_t id[TRACE_ID_BYTES]; /* its GNU build-id */
  uint32_t n;
} TraceModule;

/* Events of the operation at the location have this return address; there may be several. */
typedef struct {
  uint32_t location, op, module;
  uint64_t code; /* from where the module was loaded, as all of these */
} TraceCode;

typedef struct {
  uint32_t object, module;
  uint64_t at, size;
} TraceObject;

typedef struct {
  VEC(TraceModule) modules;
  VEC(TraceCode) codes;
  VEC(TraceObject) objects;
} TraceWhere;

/* What was read of that so far, with TraceOptions.where. Only binary logs have any. */
const TraceWhere *trace_where(const TraceReader *reader);

/* What was asked for, or detected. */
TraceFormat trace_format(const TraceReader *reader);
uint64_t trace_skipped(const TraceReader *reader); /* lines, with `lenient` */

/* After the end: does the file break off, so that what was read is its first part? A binary log that has no end, packed
 * data that is cut short. Worth a warning. */
bool trace_cut_short(const TraceReader *reader);

/* What of the run is in its log, as far as it was read. What is not violated in a part of the run is unknown. */
enum { TRACE_PART_ROOM = 256 };
typedef struct {
  bool late;                  /* the log begins in the middle of the run: what was held then, or was to be waited for,
                               * is not known */
  char what[TRACE_PART_ROOM]; /* accesses were left out: in words, which are there; "": all are */
} TracePart;

/* Only binary logs say it. It lives as long as the reader. */
const TracePart *trace_part(const TraceReader *reader);

/* A long run may have ever new threads and variables. Of what has ended, or was freed, the name is forgotten: nothing
 * more of it is asked for, and its number is given to another one, or to another one of the same name. To be called
 * when all events that were given have been used. `kind` is TRACE_THREAD_NAME or TRACE_OBJECT_NAME. Only in some
 * formats can names be forgotten. */
bool trace_can_forget(const TraceReader *reader);
void trace_forget(TraceReader *reader, TraceNameKind kind, uint32_t number);

/* Has all of its input been read? */
bool trace_has_ended(const TraceReader *reader);

/* Between two batches, before the input has ended: what is known of the run so far, and where in the input that is;
 * carried into a reader of the same run, which has just been opened, with the same options. After the way in, and
 * before anything else, trace_go_on lets it read on from there. */
void trace_carry(TraceReader *reader, Carry *carry);
/* False, with *err, if the input cannot be read, or is shorter. */
bool trace_go_on(TraceReader *reader, const char *path, Err *err);

/* The reader's names, which become more while it reads. */
const TraceNames *trace_names(const TraceReader *reader);

/* The names of a kind, numbered from 0; `number` is less than their count. */
uint32_t trace_name_count(const TraceNames *names, TraceNameKind kind);
uint64_t trace_name_total(const TraceNames *names, TraceNameKind kind); /* with those that were forgotten */
const char *trace_name(const TraceNames *names, TraceNameKind kind, uint32_t number);

/* Names of a run that comes from no file: each kind is numbered from 0, in the order of adding. A name may come twice.
 */
TraceNames *trace_names_new(Heap *heap);
void trace_names_free(TraceNames *names);                                          /* NULL is allowed */
uint32_t trace_names_add(TraceNames *names, TraceNameKind kind, const char *name); /* its number; copied */

/* Writing. Events come in the order of the run. */
typedef struct TraceWriter TraceWriter;
TraceWriter *trace_writer_new(Heap *heap, FILE *out, TraceFormat format,
                              const TraceNames *names); /* names: NULL is allowed */
/* Before the first event: what of the run is there. Texts do not say it. */
void trace_write_part(TraceWriter *writer, const TracePart *part);
/* The next events, in the order of the run. After one that cannot be written nothing more is. */
void trace_write(TraceWriter *writer, const TraceEvent *events, uint32_t n);
/* Ends the file and frees the writer. False if the format cannot represent something that the run has (then *err says
 * what). Errors of the stream are the caller's to see. */
bool trace_writer_end(TraceWriter *writer, Err *err);

#endif
