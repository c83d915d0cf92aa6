#include "petri/net_draw.h"

#include "base/drawing.h"

typedef struct {
  const Net *net;
  Arena arena;
  Drawing drawing;
  DrawId *units, *places;
} Picture;

static const char *numbered(Picture *picture, const char *letter, uint32_t number) {
  return arena_format(&picture->arena, "%s%u", letter, number);
}

static void add_units(Picture *picture) {
  for (uint32_t u = 0; u < picture->net->n_units; u++) {
    picture->units[u] = drawing_add_cluster(&picture->drawing, DRAW_TOP, numbered(picture, "u", u));
    drawing_set_label(&picture->drawing, picture->units[u], picture->net->unit_name[u]);
    drawing_set(&picture->drawing, picture->units[u], "style", "rounded");
    drawing_set(&picture->drawing, picture->units[u], "color", "gray60");
  }
}

static DrawId cluster(const Picture *picture, uint32_t unit) {
  return unit == UNIT_NONE ? DRAW_TOP : picture->units[unit];
}

static void add_places(Picture *picture) {
  const Net *net = picture->net;
  for (uint32_t p = 0; p < net->n_places; p++) {
    const DrawId parent = cluster(picture, net->n_units ? net->unit_of[p] : UNIT_NONE);
    const char *label = arena_format(&picture->arena, net->marked[p] ? "\xe2\x97\x8f %s" : "%s", net->place_name[p]);
    picture->places[p] = drawing_add_node(&picture->drawing, parent, numbered(picture, "p", p));
    drawing_set(&picture->drawing, picture->places[p], "shape", "circle");
    drawing_set_label(&picture->drawing, picture->places[p], label);
  }
}

/* The unit of all those of its places that are in one; UNIT_NONE if there are none, or several. */
static uint32_t unit_of_transition(const Net *net, TransId t) {
  const PlaceList lists[] = {net_pre(net, t), net_post(net, t)};
  uint32_t unit = UNIT_NONE;
  for (uint32_t k = 0; net->n_units && k < 2; k++)
    for (uint32_t i = 0; i < lists[k].n; i++) {
      const uint32_t of_place = net->unit_of[lists[k].at[i].v];
      if (of_place != UNIT_NONE && unit != UNIT_NONE && of_place != unit) return UNIT_NONE;
      if (of_place != UNIT_NONE) unit = of_place;
    }
  return unit;
}

static void add_arcs(Picture *picture, TransId t, DrawId node) {
  const PlaceList pre = net_pre(picture->net, t), post = net_post(picture->net, t);
  for (uint32_t i = 0; i < pre.n; i++) {
    const DrawId edge = drawing_add_edge(&picture->drawing, picture->places[pre.at[i].v], node);
    if (net_place_list_has(post, pre.at[i])) drawing_set(&picture->drawing, edge, "dir", "none");
  }
  for (uint32_t i = 0; i < post.n; i++)
    if (!net_place_list_has(pre, post.at[i])) drawing_add_edge(&picture->drawing, node, picture->places[post.at[i].v]);
}

static void add_transitions(Picture *picture) {
  const Net *net = picture->net;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const DrawId parent = cluster(picture, unit_of_transition(net, (TransId){t}));
    const DrawId node = drawing_add_node(&picture->drawing, parent, numbered(picture, "t", t));
    drawing_set(&picture->drawing, node, "shape", "box");
    drawing_set_label(&picture->drawing, node, net->trans_name[t]);
    add_arcs(picture, (TransId){t}, node);
  }
}

bool net_write_dot(Heap *heap, const Net *net, FILE *out, Err *err) {
  Picture picture = {.net = net};
  arena_init(&picture.arena, heap);
  drawing_init(&picture.drawing, heap, net->name[0] ? net->name : "net");
  picture.units = arena_zeroed(&picture.arena, net->n_units, sizeof *picture.units);
  picture.places = arena_zeroed(&picture.arena, net->n_places, sizeof *picture.places);
  add_units(&picture);
  add_places(&picture);
  add_transitions(&picture);
  const bool good = drawing_write_dot(&picture.drawing, out, err);
  drawing_fini(&picture.drawing);
  arena_fini(&picture.arena);
  return good;
}
