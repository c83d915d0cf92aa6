/* run_words.h: what happens in a run, in plain words. All strings are clean, and live in the arena. */
#ifndef REPORT_RUN_WORDS_H
#define REPORT_RUN_WORDS_H

#include "base/arena.h"
#include "serial/monitor.h"
#include "trace/trace.h"

/* "read", "write" and so on: as they are called in JSON. */
const char *run_op(uint8_t op);

/* Names, whole; where the run has none: "T3", "#3" (from 0), NULL. */
const char *run_thread(Arena *arena, const TraceNames *names, uint32_t thread);
const char *run_object(Arena *arena, const TraceNames *names, uint32_t object);
const char *run_label(Arena *arena, const TraceNames *names, uint32_t label);
const char *run_location(Arena *arena, const TraceNames *names, uint32_t location);

/* What follows is for sentences, where long names are cut. The place in the source, or "event 12". */
const char *run_place(Arena *arena, const TraceNames *names, uint32_t location, uint64_t event);

/* "transaction 'deposit' of T1", "transaction 3 of T1", "T1" for a single event. */
const char *run_transaction(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction);

/* The edge into transaction `to`, as an event there and one before: "writes x, after T1 has read it at f.c:3". */
const char *run_edge(Arena *arena, const TraceNames *names, const MonitorTransaction *from, const MonitorEdge *edge);

#endif
