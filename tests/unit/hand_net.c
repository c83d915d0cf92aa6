#include "tests/unit/hand_net.h"

#include <stdio.h>
#include <stdlib.h>

static const PlaceNote CONTROL = {ROLE_CONTROL, NOTE_NONE, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER};

static PlaceId new_place(Hand *hand, const char *name, bool marked, PlaceNote note) {
  const PlaceId place = net_add_place(hand->net, name, marked);
  notes_set_place(hand->notes, place.v, note);
  return place;
}

static PlaceId new_point(Hand *hand, uint32_t thread, bool marked) {
  char name[40];
  snprintf(name, sizeof name, "T%u_%u", thread + 1, hand->n_places++);
  PlaceNote note = CONTROL;
  note.thread = thread;
  return new_place(hand, name, marked, note);
}

void hand_start(Hand *hand, Heap *heap, const char *file) {
  *hand = (Hand){.net = net_builder_new(heap)};
  hand->notes = net_builder_notes(hand->net);
  notes_set_file(hand->notes, file);
}

uint32_t hand_thread(Hand *hand, const char *name, uint32_t group, uint32_t line) {
  const uint32_t thread = notes_add_thread(hand->notes, name, group, (SrcPos){.line = line, .column = 1});
  hand->at[thread] = new_point(hand, thread, true);
  return hand->n_threads++;
}

uint32_t hand_variable(Hand *hand, const char *name) {
  const uint32_t object = notes_add_object(hand->notes, name, OBJECT_VARIABLE, 0);
  for (uint32_t t = 0; t < hand->n_threads; t++) {
    char copy[40];
    snprintf(copy, sizeof copy, "%.20s_%u", name, t + 1);
    hand->copy[object][t] =
        new_place(hand, copy, true, (PlaceNote){ROLE_COPY, NOTE_NONE, object, t, 0, NOTE_NONE, POINT_OTHER});
  }
  hand->name[object] = name;
  return hand->n_objects++;
}

uint32_t hand_lock(Hand *hand, const char *name) {
  const uint32_t object = notes_add_object(hand->notes, name, OBJECT_LOCK, 0);
  const PlaceId place =
      new_place(hand, name, true, (PlaceNote){ROLE_LOCK, NOTE_NONE, object, 0, 0, NOTE_NONE, POINT_OTHER});
  for (uint32_t t = 0; t < hand->n_threads; t++) hand->copy[object][t] = place;
  hand->name[object] = name;
  return hand->n_objects++;
}

uint32_t hand_block(Hand *hand, const char *name, uint32_t line, uint32_t column, uint32_t end) {
  return notes_add_block(hand->notes, name, (SrcPos){.line = line, .column = column},
                         (SrcPos){.line = end, .column = column});
}

static TransId add_event(Hand *hand, uint32_t thread, PlaceId to, TransNote note) {
  const TransId t = net_add_trans(hand->net, note.text);
  net_add_input(hand->net, hand->at[thread], t);
  net_add_output(hand->net, t, to);
  notes_set_trans(hand->notes, t.v, note);
  hand->at[thread] = to;
  return t;
}

TransId hand_jump(Hand *hand, uint32_t thread, uint32_t line, const char *text, PlaceId to) {
  return add_event(hand, thread, to,
                   (TransNote){thread, {.line = line, .column = 3}, text, NOTE_NONE, NOTE_NONE, false});
}

TransId hand_event(Hand *hand, uint32_t thread, uint32_t line, const char *text) {
  return hand_jump(hand, thread, line, text, new_point(hand, thread, false));
}

TransId hand_begin(Hand *hand, uint32_t thread, uint32_t line, uint32_t block) {
  return add_event(hand, thread, new_point(hand, thread, false),
                   (TransNote){thread, {.line = line, .column = 3}, "begin", block, NOTE_NONE, false});
}

TransId hand_end(Hand *hand, uint32_t thread, uint32_t line, uint32_t block) {
  return add_event(hand, thread, new_point(hand, thread, false),
                   (TransNote){thread, {.line = line, .column = 3}, "end", NOTE_NONE, block, false});
}

void hand_read(Hand *hand, TransId t, uint32_t thread, uint32_t object) {
  net_add_input(hand->net, hand->copy[object][thread], t);
  net_add_output(hand->net, t, hand->copy[object][thread]);
  notes_add_access(hand->notes, t.v, (Access){object, ACCESS_READ});
}

void hand_write(Hand *hand, TransId t, uint32_t object) {
  for (uint32_t i = 0; i < hand->n_threads; i++) {
    net_add_input(hand->net, hand->copy[object][i], t);
    net_add_output(hand->net, t, hand->copy[object][i]);
  }
  notes_add_access(hand->notes, t.v, (Access){object, ACCESS_WRITE});
}

void hand_acquire(Hand *hand, TransId t, uint32_t object) {
  net_add_input(hand->net, hand->copy[object][0], t);
  notes_add_access(hand->notes, t.v, (Access){object, ACCESS_ACQUIRE});
}

void hand_release(Hand *hand, TransId t, uint32_t object) {
  net_add_output(hand->net, t, hand->copy[object][0]);
  notes_add_access(hand->notes, t.v, (Access){object, ACCESS_RELEASE});
}

Net *hand_finish(Hand *hand) {
  Err err;
  Net *net = net_freeze(hand->net, &err);
  if (!net || !net_audit(net, &err)) {
    fprintf(stderr, "hand-made net: %s\n", err.text);
    abort();
  }
  return net;
}

/* ---- Figure 5 ---- */

static void first_thread(Hand *hand, uint32_t Y, uint32_t l, uint32_t block) {
  hand_begin(hand, 0, 3, block);
  hand_acquire(hand, hand_event(hand, 0, 4, "acquire(l)"), l);
  hand_write(hand, hand_event(hand, 0, 5, "Y := 5"), Y);
  hand_write(hand, hand_event(hand, 0, 6, "Y := 3"), Y);
  hand_release(hand, hand_event(hand, 0, 7, "release(l)"), l);
  hand_end(hand, 0, 8, block);
}

Net *figure5a(Heap *heap, const char *block_name) {
  Hand hand;
  hand_start(&hand, heap, "figure5a.sml");
  hand_thread(&hand, "T1", 0, 3);
  hand_thread(&hand, "T2", 1, 10);
  const uint32_t Y = hand_variable(&hand, "Y"), l = hand_lock(&hand, "l");
  first_thread(&hand, Y, l, hand_block(&hand, block_name, 3, 3, 8));
  hand_read(&hand, hand_event(&hand, 1, 10, "x := Y - 2"), 1, Y);
  return hand_finish(&hand);
}

Net *figure5b(Heap *heap) {
  Hand hand;
  hand_start(&hand, heap, "figure5b.sml");
  hand_thread(&hand, "T1", 0, 3);
  hand_thread(&hand, "T2", 1, 10);
  const uint32_t Y = hand_variable(&hand, "Y"), l = hand_lock(&hand, "l");
  first_thread(&hand, Y, l, hand_block(&hand, NULL, 3, 3, 8));
  hand_acquire(&hand, hand_event(&hand, 1, 10, "acquire(l)"), l);
  hand_read(&hand, hand_event(&hand, 1, 11, "x := Y - 2"), 1, Y);
  hand_release(&hand, hand_event(&hand, 1, 12, "release(l)"), l);
  return hand_finish(&hand);
}
