/* engine.h: what an engine is to the monitor, which takes care of nesting, of locks, and of who has begun. */
#ifndef SERIAL_ENGINE_H
#define SERIAL_ENGINE_H

#include "base/carry.h"
#include "serial/calls.h"
#include "serial/findings.h"
#include "serial/mentioned.h"
#include "serial/monitor.h"

/* What an access does: it conflicts with writes, if it reads, and with all else as well, if it writes; a wait comes
 * after what a write would conflict with, and nothing comes after it. */
typedef enum { ENGINE_READS, ENGINE_WRITES, ENGINE_WAITS } EngineAccess;

/* An engine: what it does at each event. `state` is its own, from `new` to `free`. */
typedef struct {
  void *(*new)(Heap *heap, const MonitorOptions *options, Findings *findings);
  void (*free)(void *state);
  /* At the first event of a thread, and at the first one after its fork or join: before the call for it, but after that
   * of a begin. */
  void (*start)(void *state, const TraceEvent *event, uint64_t index);
  void (*begin)(void *state, const TraceEvent *event, uint64_t index,
                uint32_t ordinal);                                   /* of an outermost transaction */
  void (*end)(void *state, const TraceEvent *event, uint64_t index); /* likewise; or the exit of its thread */
  void (*access)(void *state, const TraceEvent *event, uint64_t index, EngineAccess how);
  void (*fork)(void *state, const TraceEvent *event, uint64_t index);
  void (*join)(void *state, const TraceEvent *event, uint64_t index);
  void (*free_object)(void *state, uint32_t object);
  void (*finish)(void *state, uint64_t index); /* may be NULL */
  MonitorSize (*size)(const void *state);      /* may be NULL */
  /* May be NULL. Takes the events in front, all of threads that have started, that are nothing, or reads and writes
   * that need no more than a look; returns how many. Before it, `room` has been called with numbers above all objects
   * and threads. */
  uint32_t (*run)(void *state, const TraceEvent *events, uint32_t n, uint64_t index);
  void (*room)(void *state, uint32_t n_threads, uint32_t n_objects);
  bool (*audit)(const void *state, Err *err); /* may be NULL */
  /* What it knows anything of; then that a thread which it does not mention, and whose number may come again, is a new
   * one. Objects that it does not mention are new ones in any case. Both may be NULL: it knows something of all. */
  void (*mention)(const void *state, Mentioned *mentioned);
  void (*renew_thread)(void *state, uint32_t thread);
  /* As monitor_follows, monitor_note and monitor_divide (serial/monitor.h). All three may be NULL. */
  bool (*follows)(const void *state, uint32_t thread);
  void (*note)(void *state, const TraceEvent *event, uint64_t index);
  void (*divide)(void *state, uint32_t from, uint32_t to);
  /* All of its state, between two events; on the way in it is new, and `room` was called as on the way out. May be
   * NULL. */
  void (*carry)(void *state, Carry *carry);
} Engine;

extern const Engine engine_scg, engine_scg_causal, engine_cg, engine_vc, engine_vc_causal;

/* serial/calls.h. It is made by calls_new, not by its `new`; gets all begins and ends, nested ones and surplus ones
 * too, and finds nothing. */
extern const Engine engine_calls;
void *calls_new(Heap *heap, Calls *calls);

#endif
