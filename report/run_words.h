/* run_words.h: what happens in a run, in plain words. All strings are clean, and live in the arena. */
#ifndef REPORT_RUN_WORDS_H
#define REPORT_RUN_WORDS_H

#include "report/finding.h"
#include "serial/monitor.h"
#include "trace/trace.h"

/* Names, whole; where the run has none: "T3", "#3" (from 0), NULL. */
const char *run_thread(Arena *arena, const TraceNames *names, uint32_t thread);
const char *run_object(Arena *arena, const TraceNames *names, uint32_t object);
const char *run_label(Arena *arena, const TraceNames *names, uint32_t label);
const char *run_location(Arena *arena, const TraceNames *names, uint32_t location);

/* The object of an event of that operation, or the other thread of a fork or join; NULL: there is none. */
const char *run_target(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object);

/* The place in the source; where it is not known, "event 12". */
Place run_place(Arena *arena, const TraceNames *names, uint32_t location, uint64_t event);

/* What follows is for sentences, where long names are cut: "deposit" of a label, "T1". */
const char *run_short_thread(Arena *arena, const TraceNames *names, uint32_t thread);

/* "transaction 'deposit' of T1", "transaction 3 of T1", "T1" for a single event; and without the thread, NULL for a
 * single event. */
const char *run_transaction(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction);
const char *run_transaction_alone(Arena *arena, const TraceNames *names, const MonitorTransaction *transaction);

/* "writes x", "forks T2", "begins" */
const char *run_deed(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object);

/* The same as a name of the event: "write x", "fork T2", "begin" */
const char *run_event(Arena *arena, const TraceNames *names, uint8_t op, uint32_t object);

/* The edge into transaction `to`, as an event there and one before: "writes x here, after T1 has read it at f.c:3". */
const char *run_edge(Arena *arena, const TraceNames *names, const MonitorTransaction *from, const MonitorEdge *edge);

#endif
