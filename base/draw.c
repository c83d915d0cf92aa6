#include "base/draw.h"

#include "base/hash.h"
#include "base/text.h"

#include <assert.h>
#include <graphviz/gvc.h>
#include <graphviz/gvplugin_textlayout.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *clean_copy(Drawing *drawing, const char *text) { return text_clean(&drawing->arena, text); }

static DrawId add_item(Drawing *drawing, DrawItem item) {
  vec_push(drawing->arena.heap, &drawing->items, item);
  return (DrawId){drawing->items.n - 1};
}

void drawing_init(Drawing *drawing, Heap *heap, const char *name) {
  *drawing = (Drawing){0};
  arena_init(&drawing->arena, heap);
  add_item(drawing, (DrawItem){.kind = DRAW_GRAPH, .name = clean_copy(drawing, name)});
}

void drawing_fini(Drawing *drawing) {
  Heap *heap = drawing->arena.heap;
  vec_fini(heap, &drawing->items);
  vec_fini(heap, &drawing->attributes);
  arena_fini(&drawing->arena);
}

DrawId drawing_add_cluster(Drawing *drawing, DrawId parent, const char *name) {
  name = arena_format(&drawing->arena, "cluster_%s", clean_copy(drawing, name));
  return add_item(drawing, (DrawItem){.kind = DRAW_CLUSTER, .name = name, .parent = parent.v});
}

DrawId drawing_add_node(Drawing *drawing, DrawId parent, const char *name) {
  return add_item(drawing, (DrawItem){.kind = DRAW_NODE, .name = clean_copy(drawing, name), .parent = parent.v});
}

DrawId drawing_add_edge(Drawing *drawing, DrawId from, DrawId to) {
  assert(drawing->items.at[from.v].kind == DRAW_NODE && drawing->items.at[to.v].kind == DRAW_NODE);
  return add_item(drawing, (DrawItem){.kind = DRAW_EDGE, .from = from.v, .to = to.v});
}

static void add_attribute(Drawing *drawing, DrawId item, const char *name, const char *value) {
  name = arena_copy(&drawing->arena, name, strlen(name));
  vec_push(drawing->arena.heap, &drawing->attributes, ((DrawAttribute){item.v, name, value}));
}

void drawing_set(Drawing *drawing, DrawId item, const char *name, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *value = arena_zeroed(&drawing->arena, length < 0 ? 1 : (size_t)length + 1, 1);
  if (length > 0) vsnprintf(value, (size_t)length + 1, format, again);
  va_end(again);
  add_attribute(drawing, item, name, value);
}

/* A label is an escString with HTML entities: \ and & are special. */
void drawing_set_label(Drawing *drawing, DrawId item, const char *text) {
  const char *clean = clean_copy(drawing, text);
  const size_t length = strlen(clean);
  char *value = arena_zeroed(&drawing->arena, length + 1, 5), *to = value;
  for (const char *at = clean; *at; at++) {
    if (*at == '&')
      to = stpcpy(to, "&amp;");
    else if (*at == '\\')
      to = stpcpy(to, "\\\\");
    else
      *to++ = *at;
  }
  add_attribute(drawing, item, "label", value);
}

/* ---- graphviz. It allocates by itself: nothing of the Heap may be asked for while a graph is open. ---- */

/* What gvFreeContext forgets: the text of the list of plugins (gvconfig, through gmalloc), and the names that an unknown engine
 * is compared with. Asked for by LeakSanitizer alone. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:gvconfig\nleak:gmalloc\nleak:gvplugin_list\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif

/* cgraph wants char * for strings that it only reads. */
static char *lend(const char *text) { return (char *)(uintptr_t)text; }

/* Numbers of objects by their names. graphviz writes clusters in the order of these numbers, and its own numbers are addresses: the
 * same drawing would not always give the same bytes. Here they are given in the order of the first mention. */
typedef struct {
  Agraph_t *graph;
  char **name;       /* of number 2 * i is name[i], graphviz's own copy; odd numbers have none; room for what the drawing */
                     /* names and some more */
  uint32_t *slots;   /* open addressing: i, or 0 */
  size_t n, room, mask;
  IDTYPE unnamed;
} Names;

typedef struct {
  Agdisc_t disc; /* first: graphviz gives back this address */
  Agiddisc_t ids;
  Names names;
} Discipline;

static void *names_open(Agraph_t *graph, Agdisc_t *disc) {
  Names *names = &((Discipline *)(void *)disc)->names;
  names->graph = graph;
  return names;
}
static char *names_print(void *state, int kind, IDTYPE id) { return (void)kind, id % 2 ? NULL : ((Names *)state)->name[id / 2]; }
static void names_forget(void *state, int kind, IDTYPE id) { (void)state, (void)kind, (void)id; }
static long names_reserve(void *state, int kind, IDTYPE id) { return (void)state, (void)kind, (void)id, 0; }
static void names_close(void *state) { (void)state; }
static void names_register(void *state, int kind, void *object) { (void)state, (void)kind, (void)object; }

static uint32_t *find_name(const Names *names, const char *name) {
  size_t i = hash_bytes(name, strlen(name)) & names->mask;
  while (names->slots[i] && strcmp(names->name[names->slots[i]], name) != 0) i = (i + 1) & names->mask;
  return &names->slots[i];
}

/* 0: there is none, and none is to be made, or there is no room for it. */
static long names_map(void *state, int kind, char *name, IDTYPE *id, int create) {
  Names *names = state;
  (void)kind;
  if (!name) return *id = names->unnamed += 2, create;
  uint32_t *slot = find_name(names, name);
  if (!*slot) {
    if (!create || names->n == names->room) return 0;
    *slot = (uint32_t)names->n;
    names->name[names->n++] = agstrdup(names->graph, name);
  }
  *id = 2 * (IDTYPE)*slot;
  return 1;
}

enum { SPARE_NAMES = 64 };

static void discipline_init(Discipline *d, const Drawing *drawing) {
  Heap *heap = drawing->arena.heap;
  const size_t room = (size_t)drawing->items.n + SPARE_NAMES;
  size_t n_slots = 2;
  while (n_slots < 2 * room) n_slots *= 2;
  *d = (Discipline){.disc = {&AgMemDisc, &d->ids, &AgIoDisc}, .names = {.n = 1, .room = room, .mask = n_slots - 1, .unnamed = 1}};
  d->ids = (Agiddisc_t){names_open, names_map, names_reserve, names_forget, names_print, names_close, names_register};
  d->names.name = heap_zeroed(heap, heap_product(heap, room, sizeof *d->names.name));
  d->names.slots = heap_zeroed(heap, heap_product(heap, n_slots, sizeof *d->names.slots));
}

static void discipline_fini(Discipline *d, Heap *heap) {
  heap_release(heap, d->names.name);
  heap_release(heap, d->names.slots);
}

static void *add_object(Agraph_t *graph, const DrawItem *item, void **objects) {
  switch (item->kind) {
  case DRAW_GRAPH: return graph;
  case DRAW_CLUSTER: return agsubg(objects[item->parent], lend(item->name), 1);
  case DRAW_NODE: return agnode(objects[item->parent], lend(item->name), 1);
  case DRAW_EDGE: return agedge(graph, objects[item->from], objects[item->to], NULL, 1);
  }
  return NULL;
}

/* NULL if graphviz fails. `objects` has room for each item. */
static Agraph_t *make_graph(const Drawing *drawing, Discipline *discipline, void **objects) {
  Agraph_t *graph = agopen(lend(drawing->items.at[0].name), Agdirected, &discipline->disc);
  bool good = graph != NULL;
  for (uint32_t i = 0; good && i < drawing->items.n; i++) {
    objects[i] = add_object(graph, &drawing->items.at[i], objects);
    good = objects[i] != NULL;
  }
  for (uint32_t i = 0; good && i < drawing->attributes.n; i++) {
    const DrawAttribute *a = &drawing->attributes.at[i];
    good = agsafeset(objects[a->item], lend(a->name), lend(a->value), lend("")) == 0;
  }
  if (good || !graph) return graph;
  agclose(graph);
  return NULL;
}

/* An engine that cannot measure text, but is preferred to every other: then graphviz falls back on its own tables of font
 * metrics. The engine it would take else, pango, makes the drawing depend on the fonts of the machine, takes ten times as
 * long to start, leaks, and reads freed memory when a process draws twice (as of 2.43). */
typedef struct {
  gvtextlayout_engine_t engine;
  gvplugin_installed_t types[2];
  gvplugin_api_t apis[2];
  gvplugin_library_t library;
  lt_symlist_t builtins[2];
} NoFonts;

static GVC_t *context_without_fonts(NoFonts *none) {
  enum { BEST = 1000 };
  *none = (NoFonts){.engine = {NULL}};
  none->types[0] = (gvplugin_installed_t){0, "textlayout", BEST, &none->engine, NULL};
  none->apis[0] = (gvplugin_api_t){API_textlayout, none->types};
  none->library = (gvplugin_library_t){lend("none"), none->apis};
  none->builtins[0] = (lt_symlist_t){"gvplugin_none_LTX_library", &none->library};
  return gvContextPlugins(none->builtins, true);
}

static bool render_svg(Agraph_t *graph, FILE *out, Err *err) {
  NoFonts none;
  GVC_t *context = context_without_fonts(&none);
  if (!context) return err_set(err, ERR_IO, "graphviz does not start");
  const char *engine = agget(graph, lend("layout"));
  char *data = NULL;
  unsigned length = 0;
  const bool laid_out = gvLayout(context, graph, engine ? engine : "dot") == 0;
  const bool good = laid_out && gvRenderData(context, graph, "svg", &data, &length) == 0 && data;
  if (good) fwrite(data, 1, length, out);
  if (data) gvFreeRenderData(data);
  if (laid_out) gvFreeLayout(context, graph);
  gvFreeContext(context);
  return good || err_set(err, ERR_IO, laid_out ? "graphviz cannot write SVG" : "graphviz cannot lay out the drawing");
}

static bool write_dot(Agraph_t *graph, FILE *out, Err *err) {
  return agwrite(graph, out) == 0 || err_set(err, ERR_IO, "graphviz cannot write the drawing");
}

static int say_nothing(char *message) { return (void)message, 0; }

static bool with_graph(const Drawing *drawing, bool (*write)(Agraph_t *, FILE *, Err *), FILE *out, Err *err) {
  Heap *heap = drawing->arena.heap;
  void **objects = heap_zeroed(heap, heap_product(heap, drawing->items.n, sizeof *objects));
  Discipline discipline;
  discipline_init(&discipline, drawing);
  const agusererrf before = agseterrf(say_nothing);
  Agraph_t *graph = make_graph(drawing, &discipline, objects);
  const bool good = graph ? write(graph, out, err) : err_set(err, ERR_IO, "graphviz cannot build the drawing");
  if (graph) agclose(graph);
  agseterrf(before);
  discipline_fini(&discipline, heap);
  heap_release(heap, objects);
  return good;
}

bool drawing_write_dot(const Drawing *drawing, FILE *out, Err *err) { return with_graph(drawing, write_dot, out, err); }
bool drawing_write_svg(const Drawing *drawing, FILE *out, Err *err) { return with_graph(drawing, render_svg, out, err); }
