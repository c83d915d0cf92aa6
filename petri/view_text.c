#include "petri/view_text.h"

enum { PLACES_A_LINE = 20 };

static void number_objects(ViewText *view, const bool *numbered) {
  const ThreadView *program = view->program;
  uint32_t n = 0;
  const uint64_t room = (uint64_t)program->objects.n + 1;
  view->number = heap_alloc(view->heap, heap_product(view->heap, room, sizeof *view->number));
  view->value_at = heap_alloc(view->heap, heap_product(view->heap, room, sizeof *view->value_at));
  for (uint32_t o = 0; o < program->objects.n; o++) {
    view->number[o] = numbered[o] ? view->n_objects++ : NOTE_NONE;
    view->value_at[o] = n;
    n += program->objects.at[o].n_values + program->objects.at[o].is_token;
  }
  view->value_at[program->objects.n] = n;
  view->value_places = heap_zeroed(view->heap, heap_product(view->heap, (uint64_t)n + 1, sizeof *view->value_places));
}

static void name_values(ViewText *view) {
  const ThreadView *program = view->program;
  const uint64_t n = view->value_at[program->objects.n];
  view->value_name = heap_zeroed(view->heap, heap_product(view->heap, n + 1, sizeof *view->value_name));
  for (uint32_t o = 0; o < program->objects.n; o++)
    for (uint32_t v = view->value_at[o], named = 0; v < view->value_at[o + 1]; v++)
      if (program->objects.at[o].is_token || view->value_places[v].n) view->value_name[v] = ++named;
}

void view_text_init(ViewText *view, Heap *heap, const ThreadView *program, const bool *numbered,
                    const PlaceId *places) {
  *view = (ViewText){.heap = heap, .program = program, .places = places};
  number_objects(view, numbered);
  for (uint32_t p = 0; p < program->net->n_places; p++) {
    const uint32_t object = program->place_object[p];
    if (object != NOTE_NONE) vec_push(heap, &view->value_places[view->value_at[object] + program->place_value[p]], p);
  }
  name_values(view);
}

void view_text_fini(ViewText *view) {
  for (uint32_t i = 0; i < view->value_at[view->program->objects.n]; i++) vec_fini(view->heap, &view->value_places[i]);
  heap_release(view->heap, view->value_places);
  heap_release(view->heap, view->value_name);
  heap_release(view->heap, view->value_at);
  heap_release(view->heap, view->number);
}

static void put_place(const ViewText *view, TextOut *out, uint32_t place) {
  text_out_item(out, (uint64_t)(view->places ? view->places[place].v : place) + 1);
}

static void put_value(const ViewText *view, TextOut *out, uint32_t object, uint32_t value) {
  const U32Vec *places = &view->value_places[view->value_at[object] + value];
  for (uint32_t i = 0; i < places->n; i++) put_place(view, out, places->at[i]);
}

void view_text_shared(const ViewText *view, TextOut *out) {
  const ThreadView *program = view->program;
  for (uint32_t p = 0, n = 0; p < program->net->n_places; p++) {
    if (program->place_object[p] == NOTE_NONE) continue;
    text_out_string(out, n++ % PLACES_A_LINE ? "" : n == 1 ? "h" : "\nh");
    put_place(view, out, p);
  }
  if (program->objects.n) text_out_string(out, "\n");
}

static void put_object(const ViewText *view, TextOut *out, uint32_t object) {
  const uint32_t n_values = view->value_at[object + 1] - view->value_at[object];
  uint32_t n = 0;
  for (uint32_t v = 0; v < n_values; v++) n += view_text_value(view, object, v) != 0;
  text_out_string(out, "o");
  text_out_item(out, n);
  text_out_string(out, "\n");
  for (uint32_t v = 0; v < n_values; v++) {
    if (!view_text_value(view, object, v)) continue;
    text_out_string(out, "v");
    put_value(view, out, object, v);
    text_out_string(out, "\n");
  }
}

void view_text_objects(const ViewText *view, TextOut *out) {
  for (uint32_t o = 0; o < view->program->objects.n; o++)
    if (view->number[o] != NOTE_NONE) put_object(view, out, o);
}

void view_text_control(const ViewText *view, TextOut *out, uint32_t kind, uint32_t thread, uint32_t state) {
  const ThreadView *program = view->program;
  text_out_string(out, "a");
  text_out_item(out, kind);
  text_out_item(out, (uint64_t)thread + 1);
  for (uint32_t i = program->place_start.at[state]; i < program->place_start.at[state + 1]; i++)
    put_place(view, out, program->places.at[i].v);
  text_out_string(out, "\n");
}

void view_text_groups(const ViewText *view, TextOut *out) {
  const ThreadView *program = view->program;
  for (uint32_t o = 0; o < program->objects.n; o++) {
    text_out_string(out, program->objects.at[o].has_readers ? "r" : "g");
    for (uint32_t v = 0; v < program->objects.at[o].n_values; v++) put_value(view, out, o, v);
    text_out_string(out, "\n");
  }
}
