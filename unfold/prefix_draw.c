#include "unfold/prefix_draw.h"

#include "base/drawing.h"

typedef struct {
  const Prefix *prefix;
  Arena names;
  Drawing drawing;
  DrawId *conditions, *events;
} Picture;

static DrawId add_node(Picture *picture, const char *letter, uint32_t number, const char *shape, const char *label) {
  const DrawId node =
      drawing_add_node(&picture->drawing, DRAW_TOP, arena_format(&picture->names, "%s%u", letter, number + 1));
  drawing_set(&picture->drawing, node, "shape", "%s", shape);
  drawing_set_label(&picture->drawing, node, label);
  return node;
}

static void add_conditions(Picture *picture, uint32_t from, uint32_t to) {
  const Prefix *prefix = picture->prefix;
  for (uint32_t c = from; c < to; c++) {
    const char *name = prefix->net->place_name[prefix->condition_place[c].v];
    const bool initial = prefix->producer[c].v == EVENT_NONE.v;
    const char *label = arena_format(&picture->names, initial ? "\xe2\x97\x8f %s" : "%s", name);
    picture->conditions[c] = add_node(picture, "c", c, "ellipse", label);
  }
}

static void mark_cutoff(Picture *picture, uint32_t e) {
  const EventId corresponding = picture->prefix->corresponding[e];
  drawing_set(&picture->drawing, picture->events[e], "style", "dashed");
  if (corresponding.v == EVENT_NONE.v) {
    drawing_set(&picture->drawing, picture->events[e], "xlabel", "initial marking");
    return;
  }
  const DrawId edge = drawing_add_edge(&picture->drawing, picture->events[e], picture->events[corresponding.v]);
  drawing_set(&picture->drawing, edge, "style", "dashed");
  drawing_set(&picture->drawing, edge, "constraint", "false");
}

static void add_event(Picture *picture, uint32_t e) {
  const Prefix *prefix = picture->prefix;
  picture->events[e] = add_node(picture, "e", e, "box", prefix->net->trans_name[prefix->event_trans[e].v]);
  add_conditions(picture, prefix->post_start[e], prefix->post_start[e + 1]);
  for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
    drawing_add_edge(&picture->drawing, picture->conditions[prefix->pre[i].v], picture->events[e]);
  for (uint32_t c = prefix->post_start[e]; c < prefix->post_start[e + 1]; c++)
    drawing_add_edge(&picture->drawing, picture->events[e], picture->conditions[c]);
  if (prefix->is_cutoff[e]) mark_cutoff(picture, e);
}

bool prefix_write_dot(Heap *heap, const Prefix *prefix, FILE *out, Err *err) {
  Picture picture = {.prefix = prefix};
  arena_init(&picture.names, heap);
  drawing_init(&picture.drawing, heap, prefix->net->name[0] ? prefix->net->name : "prefix");
  picture.conditions = arena_zeroed(&picture.names, prefix->n_conditions, sizeof *picture.conditions);
  picture.events = arena_zeroed(&picture.names, prefix->n_events, sizeof *picture.events);
  add_conditions(&picture, 0, prefix->post_start[0]);
  for (uint32_t e = 0; e < prefix->n_events; e++) add_event(&picture, e);
  const bool good = drawing_write_dot(&picture.drawing, out, err);
  drawing_fini(&picture.drawing);
  arena_fini(&picture.names);
  return good;
}
