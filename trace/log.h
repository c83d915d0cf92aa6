/* log.h: the binary log's constants. docs/traces.md has the format. */
#ifndef TRACE_LOG_H
#define TRACE_LOG_H

#define TRACE_MAGIC "CAUSAL\x02\n"
#define TRACE_MAGIC_LENGTH 8

/* The low four bits of a record's first byte: its kind, for a short event the operation. */
enum { LOG_KIND = 0x0f, LOG_NAME = 11, LOG_COMMENT = 12, LOG_EVENT = 13, LOG_END = 15 };

/* A short event is a word: the operation, the thread, the differences of location and object. */
enum { LOG_WORD = 4, LOG_OP_BITS = 4, LOG_THREAD_BITS = 10, LOG_LOCATION_BITS = 7, LOG_OBJECT_BITS = 11 };

#endif
