/* log.h: writes the binary log of docs/traces.md. Numbers here count as they do there: threads from 0, all else from 1. */
#ifndef DISTIL_LOG_H
#define DISTIL_LOG_H

#include "base/heap.h"

#include <stdint.h>
#include <stdio.h>

/* ORDER TraceOp (trace/trace.h) */
typedef enum { LOG_READ, LOG_WRITE, LOG_ACQUIRE, LOG_RELEASE, LOG_FORK, LOG_JOIN, LOG_BEGIN, LOG_END, LOG_START, LOG_EXIT, LOG_FREE } LogOp;
typedef enum { LOG_THREAD_NAME, LOG_OBJECT_NAME, LOG_LABEL_NAME, LOG_LOCATION_NAME } LogName;

typedef struct Log Log;

/* Begins a log for threads 0 to n_threads - 1. Errors of the stream are the caller's to see. */
Log *log_new(Heap *heap, FILE *out, uint32_t n_threads);
void log_name(Log *log, LogName kind, const char *name, size_t length);
void log_comment(Log *log, const char *text);
/* Objects and locations are below 2^31. */
void log_event(Log *log, uint32_t thread, LogOp op, uint32_t object, uint32_t location);

/* Reads and writes of one thread. */
typedef struct {
  uint32_t object;
  uint32_t location_op; /* twice the location, and 1 for a write */
} LogAccess;
void log_accesses(Log *log, uint32_t thread, const LogAccess *accesses, uint32_t n);

/* Ends and frees it; the number of events. */
uint64_t log_end(Log *log);

#endif
