/* play.h: a predicted run, event by event, in numbers and names of its own, and the cycle in it as a monitor would tell
 * it. */
#ifndef PREDICT_PLAY_H
#define PREDICT_PLAY_H

#include "base/arena.h"
#include "predict/cycle.h"
#include "serial/monitor.h"
#include "trace/trace.h"

/* In a recorded run a number may stand for several threads or variables, one after another; here each has a number, and
 * a name of its own ("T1#2" is what T1 stood for after its join); a group of signals and the waits for it are a
 * hand-over by themselves. Nothing is freed; where a thread is in a cycle by an
 * event that frees, it does nothing there (TRACE_START). */
typedef struct PlayMaker PlayMaker;
typedef struct {
  Heap *heap;
  const TraceNames *names;
  TraceNames *own_names;  /* the same; NULL: they are the maker's */
  const PlayMaker *maker; /* of what was recorded; or NULL, and then these are */
  VEC(TraceEvent) events; /* the events */
  U32Vec origin;          /* per event: its number in what was recorded; of a program: the step that it belongs to */
} Play;

/* Recorded events, of one run or of several one after another: numbers are unified, `runs` are the first events of all
 * but the first. */
typedef struct {
  const TraceEvent *events;
  uint64_t n;
  const uint64_t *runs;
  uint32_t n_runs; /* with the first */
  const TraceNames *names;
  bool handovers; /* they count; else they are left out, as what frees is */
} Recorded;

/* For many plays of what was recorded: all have the same numbers and names. It takes four bytes for each event; each
 * play takes four more for each of its own. */
PlayMaker *play_maker_new(Heap *heap,
                          const Recorded *recorded); /* its events outlive the maker, all else its plays' making */
void play_maker_free(PlayMaker *maker);              /* NULL is allowed; not before its plays */

/* Plays the schedule, all of whose events are there; it is one for the cycle. */
void play_init(Play *play, PlayMaker *maker, const Schedule *schedule, const Cycle *cycle);
void play_fini(Play *play);

/* The event at that index, below play->origin.n; whose it is; and from there on the next ones, at most n: how many. */
TraceEvent play_event(const Play *play, uint32_t index);
uint32_t play_thread(const Play *play, uint32_t index);
uint32_t play_events(const Play *play, uint32_t index, TraceEvent *events, uint32_t n);

/* The index of the event with that origin. */
uint32_t play_find(const Play *play, uint64_t origin);

/* The cycle, whose visits are in events of the play: transaction 0 is split. Where a thread is entered in one
 * transaction and left in a later one, both are in it. Indices are those of the play. What it points to is the arena's.
 */
MonitorFinding play_finding(const Play *play, Arena *arena, const Cycle *cycle);

#endif
