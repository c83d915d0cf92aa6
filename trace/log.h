/* log.h: the binary log's constants. docs/traces.md has the format. */
#ifndef TRACE_LOG_H
#define TRACE_LOG_H

#define TRACE_MAGIC "CAUSAL\x01\n"
#define TRACE_MAGIC_LENGTH 8

/* The first byte of a record: its kind, for an event the operation, and the event's bits. */
enum { LOG_KIND = 0x0f, LOG_NAME = 11, LOG_COMMENT = 12, LOG_END = 15 };
enum { LOG_THREAD = 0x10, LOG_LOCATION = 0x20, LOG_OBJECT = 0xc0 };
enum { LOG_DIFFERENCE = 0, LOG_SAME = 0x40, LOG_NEXT = 0x80, LOG_PREVIOUS = 0xc0 };

#endif
