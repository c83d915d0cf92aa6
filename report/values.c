#include "report/values.h"

#include "report/words.h"

#include <assert.h>

/* The place is a copy of a tracked variable. */
static const PlaceNote *tracked_copy(const Net *net, PlaceId p) {
  const PlaceNote *note = &net->notes->places[p.v];
  return note->role == ROLE_COPY && net->notes->objects[note->object].n_values > 0 ? note : NULL;
}

/* The first copy of the object among the places, or NULL. */
static const PlaceNote *copy_of(const Net *net, PlaceList places, uint32_t object) {
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = tracked_copy(net, places.at[i]);
    if (note && note->object == object) return note;
  }
  return NULL;
}

/* The tracked variable with the smallest number from `object` on of which the places have a copy, or NOTE_NONE. */
static uint32_t next_object(const Net *net, PlaceList places, uint32_t object) {
  uint32_t next = NOTE_NONE;
  for (uint32_t i = 0; i < places.n; i++) {
    const PlaceNote *note = tracked_copy(net, places.at[i]);
    if (note && note->object >= object && note->object < next) next = note->object;
  }
  return next;
}

static const char *value_name(Arena *arena, const NoteObject *object, uint32_t value) {
  if (object->is_bool) return value ? "true" : "false";
  return arena_format(arena, "%u", value);
}

const char *values_changed(Arena *arena, const Net *net, TransId t) {
  assert(net->notes && t.v < net->n_trans);
  const char *text = NULL;
  const PlaceList before = net_pre(net, t), after = net_post(net, t);
  for (uint32_t object = next_object(net, after, 0); object != NOTE_NONE;
       object = next_object(net, after, object + 1)) {
    const PlaceNote *old = copy_of(net, before, object), *new = copy_of(net, after, object);
    if (!old || old->value == new->value) continue;
    text =
        arena_format(arena, "%s%s%s = %s", text ? text : "", text ? ", " : "", words_object(arena, net->notes, object),
                     value_name(arena, &net->notes->objects[object], new->value));
  }
  return text;
}
