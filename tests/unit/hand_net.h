/* hand_net.h: small programs, written down by hand as nets with notes, for tests: a control place per point, a copy of
 * each variable per thread (the paper's Figure 4). All threads first, then variables and locks, then events. */
#ifndef TESTS_UNIT_HAND_NET_H
#define TESTS_UNIT_HAND_NET_H

#include "petri/net.h"

enum { HAND_THREADS = 8, HAND_OBJECTS = 8 };

typedef struct {
  NetBuilder *net;
  NotesBuilder *notes;
  uint32_t n_threads, n_objects, n_places;
  PlaceId at[HAND_THREADS];                 /* where the thread is now */
  PlaceId copy[HAND_OBJECTS][HAND_THREADS]; /* of a lock: all the same */
  const char *name[HAND_OBJECTS];
} Hand;

void hand_start(Hand *hand, Heap *heap, const char *file);
uint32_t hand_thread(Hand *hand, const char *name, uint32_t group, uint32_t line);
uint32_t hand_variable(Hand *hand, const char *name);
uint32_t hand_lock(Hand *hand, const char *name);
uint32_t hand_block(Hand *hand, const char *name, uint32_t line, uint32_t column, uint32_t end);

/* The next event of the thread, on a line (column 3), which moves it to a new control place; accesses come after it. */
TransId hand_event(Hand *hand, uint32_t thread, uint32_t line, const char *text);
TransId hand_begin(Hand *hand, uint32_t thread, uint32_t line, uint32_t block);
TransId hand_end(Hand *hand, uint32_t thread, uint32_t line, uint32_t block);
/* As hand_event, but to a control place that is there already. */
TransId hand_jump(Hand *hand, uint32_t thread, uint32_t line, const char *text, PlaceId to);

void hand_read(Hand *hand, TransId t, uint32_t thread, uint32_t object);
void hand_write(Hand *hand, TransId t, uint32_t object);
void hand_acquire(Hand *hand, TransId t, uint32_t object);
void hand_release(Hand *hand, TransId t, uint32_t object);

Net *hand_finish(Hand *hand); /* never NULL: a fault here aborts the tests */

/* Figure 5(a) of the paper, and 5(b). Block 0, transitions in this order: */
enum {
  F5_BEGIN,
  F5_ACQUIRE,
  F5_FIRST,
  F5_SECOND,
  F5_RELEASE,
  F5_END,
  F5_READ,
  F5_ACQUIRE2 = F5_READ,
  F5_READ2,
  F5_RELEASE2
};
Net *figure5a(Heap *heap, const char *block_name);
Net *figure5b(Heap *heap);

#endif
