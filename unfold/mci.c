#include "unfold/mci.h"

#include <string.h>

enum { ROOM = 4096 };

/* Numbers on their way to the stream. */
typedef struct {
  FILE *stream;
  uint32_t n;
  int32_t at[ROOM];
} Numbers;

static void flush_numbers(Numbers *out) {
  fwrite(out->at, sizeof *out->at, out->n, out->stream);
  out->n = 0;
}

static void put(Numbers *out, uint32_t number) {
  if (out->n == ROOM) flush_numbers(out);
  out->at[out->n++] = (int32_t)number;
}

/* The numbers of places, transitions and events in the file. */
static uint32_t from_one(uint32_t number) { return number + 1; }
static uint32_t event_or_zero(EventId e) { return e.v == EVENT_NONE.v ? 0 : from_one(e.v); }

/* Per condition the events that take it, as compressed rows. */
typedef struct {
  uint32_t *start, *events;
} Takers;

static Takers find_takers(Heap *heap, const Prefix *prefix) {
  const uint32_t n_arcs = prefix->pre_start[prefix->n_events];
  Takers takers = {heap_zeroed(heap, heap_product(heap, (size_t)prefix->n_conditions + 2, sizeof *takers.start)),
                   heap_alloc(heap, heap_product(heap, n_arcs, sizeof *takers.events))};
  uint32_t *const next = takers.start + 1;
  for (uint32_t i = 0; i < n_arcs; i++) next[prefix->pre[i].v + 1]++;
  for (uint32_t c = 0; c < prefix->n_conditions; c++) next[c + 1] += next[c];
  for (uint32_t e = 0; e < prefix->n_events; e++)
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
      takers.events[next[prefix->pre[i].v]++] = e;
  return takers;
}

static void put_conditions(Numbers *out, const Prefix *prefix, const Takers *takers) {
  for (uint32_t c = 0; c < prefix->n_conditions; c++) {
    put(out, from_one(prefix->condition_place[c].v));
    put(out, event_or_zero(prefix->producer[c]));
    for (uint32_t i = takers->start[c]; i < takers->start[c + 1]; i++) put(out, from_one(takers->events[i]));
    put(out, 0);
  }
}

static void put_cutoffs(Numbers *out, const Prefix *prefix) {
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    if (!prefix->is_cutoff[e]) continue;
    put(out, from_one(e));
    put(out, event_or_zero(prefix->corresponding[e]));
  }
  put(out, 0);
}

static size_t longest(const char *const *names, uint32_t n) {
  size_t length = 0;
  for (uint32_t i = 0; i < n; i++)
    if (strlen(names[i]) > length) length = strlen(names[i]);
  return length;
}

static size_t longest_name(const Net *net) {
  const size_t a = longest(net->place_name, net->n_places), b = longest(net->trans_name, net->n_trans);
  return a > b ? a : b;
}

static void put_names(FILE *out, const char *const *names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) fwrite(names[i], 1, strlen(names[i]) + 1, out);
  putc('\0', out);
}

bool mci_can_hold(const Prefix *prefix) {
  return prefix->n_conditions < INT32_MAX && prefix->n_events < INT32_MAX && longest_name(prefix->net) < INT32_MAX;
}

void mci_write(Heap *heap, const Prefix *prefix, FILE *out) {
  const Net *net = prefix->net;
  Numbers numbers = {.stream = out};
  Takers takers = find_takers(heap, prefix);
  put(&numbers, prefix->n_conditions);
  put(&numbers, prefix->n_events);
  for (uint32_t e = 0; e < prefix->n_events; e++) put(&numbers, from_one(prefix->event_trans[e].v));
  put_conditions(&numbers, prefix, &takers);
  put_cutoffs(&numbers, prefix);
  put(&numbers, 0);
  put(&numbers, net->n_places);
  put(&numbers, net->n_trans);
  put(&numbers, (uint32_t)longest_name(net));
  flush_numbers(&numbers);
  put_names(out, net->place_name, net->n_places);
  put_names(out, net->trans_name, net->n_trans);
  heap_release(heap, takers.start);
  heap_release(heap, takers.events);
}
