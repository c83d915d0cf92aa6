#include "base/drawing.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/library.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <graphviz/gvc.h>
#include <graphviz/gvplugin_textlayout.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
void drawing_set_text(Drawing *drawing, DrawId item, const char *name, const char *text) {
  const char *clean = clean_copy(drawing, text);
  const size_t length = strlen(clean);
  char *value = arena_zeroed(&drawing->arena, length + 1, 5), *to = value;
  for (const char *at = clean; *at; at++) {
    if (*at == '&') to = stpcpy(to, "&amp;");
    else if (*at == '\\') to = stpcpy(to, "\\\\");
    else *to++ = *at;
  }
  add_attribute(drawing, item, name, value);
}

void drawing_set_label(Drawing *drawing, DrawId item, const char *text) {
  drawing_set_text(drawing, item, "label", text);
}

/* ---- graphviz, in a process of its own: nothing of the Heap may be asked for there ---- */

/* What is used of it: cgraph's names, which libgvc brings along, and its own. */
#define GRAPHVIZ(X)   \
  X(AgMemDisc)        \
  X(AgIoDisc)         \
  X(Agdirected)       \
  X(agstrdup)         \
  X(agopen)           \
  X(agsubg)           \
  X(agnode)           \
  X(agedge)           \
  X(agsafeset)        \
  X(agget)            \
  X(agwrite)          \
  X(agseterrf)        \
  X(gvContextPlugins) \
  X(gvLayout)         \
  X(gvRenderData)

typedef struct {
  GRAPHVIZ(LIBRARY_POINTER)
} Graphviz;

static bool load_graphviz(Graphviz *library) {
  Err unseen;
  const LibraryName names[] = {GRAPHVIZ(LIBRARY_NAME)};
  return library_load(LIBGVC, names, sizeof names / sizeof *names, &unseen);
}

/* cgraph wants char * for strings that it only reads. */
static char *lend(const char *text) { return (char *)(uintptr_t)text; }

/* Numbers of objects by their names. graphviz writes clusters in the order of these numbers, and its own numbers are
 * addresses: the same drawing would not always give the same bytes. Here they are given in the order of the first
 * mention. */
typedef struct {
  const Graphviz *library;
  Agraph_t *graph;
  char **name; /* of number 2 * i is name[i], graphviz's own copy; odd numbers have none; room for what the drawing */
               /* names and some more */
  uint32_t *slots; /* open addressing: i, or 0 */
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
static char *names_print(void *state, int kind, IDTYPE id) {
  return (void)kind, id % 2 ? NULL : ((Names *)state)->name[id / 2];
}
static void names_forget(void *state, int kind, IDTYPE id) { (void)state, (void)kind, (void)id; }
static long names_reserve(void *state, int kind, IDTYPE id) { return (void)state, (void)kind, (void)id, 0; }
static void names_close(void *state) { (void)state; }
static void names_register(void *state, int kind, void *object) { (void)state, (void)kind, (void)object; }

static uint32_t *find_name(const Names *names, const char *name) {
  size_t i = (size_t)hash_bytes(name, strlen(name)) & names->mask;
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
    names->name[names->n++] = names->library->agstrdup(names->graph, name);
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
  *d = (Discipline){.names = {.n = 1, .room = room, .mask = n_slots - 1, .unnamed = 1}};
  d->ids = (Agiddisc_t){names_open, names_map, names_reserve, names_forget, names_print, names_close, names_register};
  d->names.name = heap_zeroed(heap, heap_product(heap, room, sizeof *d->names.name));
  d->names.slots = heap_zeroed(heap, heap_product(heap, n_slots, sizeof *d->names.slots));
}

/* Before, it has only its memory. */
static void discipline_begin(Discipline *d, const Graphviz *library) {
  d->names.library = library;
  d->disc = (Agdisc_t){library->AgMemDisc, &d->ids, library->AgIoDisc};
}

static void discipline_fini(Discipline *d, Heap *heap) {
  heap_release(heap, d->names.name);
  heap_release(heap, d->names.slots);
}

static void *add_object(const Graphviz *library, Agraph_t *graph, const DrawItem *item, void **objects) {
  switch (item->kind) {
  case DRAW_GRAPH: return graph;
  case DRAW_CLUSTER: return library->agsubg(objects[item->parent], lend(item->name), 1);
  case DRAW_NODE: return library->agnode(objects[item->parent], lend(item->name), 1);
  case DRAW_EDGE: return library->agedge(graph, objects[item->from], objects[item->to], NULL, 1);
  }
  return NULL;
}

/* NULL if graphviz fails. `objects` has room for each item. */
static Agraph_t *make_graph(const Graphviz *library, const Drawing *drawing, Discipline *discipline, void **objects) {
  Agraph_t *graph = library->agopen(lend(drawing->items.at[0].name), *library->Agdirected, &discipline->disc);
  bool good = graph != NULL;
  for (uint32_t i = 0; good && i < drawing->items.n; i++) {
    objects[i] = add_object(library, graph, &drawing->items.at[i], objects);
    good = objects[i] != NULL;
  }
  for (uint32_t i = 0; good && i < drawing->attributes.n; i++) {
    const DrawAttribute *a = &drawing->attributes.at[i];
    good = library->agsafeset(objects[a->item], lend(a->name), lend(a->value), lend("")) == 0;
  }
  return good ? graph : NULL;
}

/* An engine that cannot measure text, but is preferred to every other: then graphviz falls back on its own tables of
 * font metrics. The engine it would take else, pango, makes the drawing depend on the fonts of the machine, takes ten
 * times as long to start, leaks, and reads freed memory when a process draws twice (as of 2.43). */
typedef struct {
  gvtextlayout_engine_t engine;
  gvplugin_installed_t types[2];
  gvplugin_api_t apis[2];
  gvplugin_library_t library;
  lt_symlist_t builtins[2];
} NoFonts;

static GVC_t *context_without_fonts(const Graphviz *library, NoFonts *none) {
  enum { BEST = 1000 };
  *none = (NoFonts){.engine = {NULL}};
  none->types[0] = (gvplugin_installed_t){0, "textlayout", BEST, &none->engine, NULL};
  none->apis[0] = (gvplugin_api_t){API_textlayout, none->types};
  none->library = (gvplugin_library_t){lend("none"), none->apis};
  none->builtins[0] = (lt_symlist_t){"gvplugin_none_LTX_library", &none->library};
  return library->gvContextPlugins(none->builtins, true);
}

/* What can go wrong in the process that draws: its exit code. */
typedef enum { DRAWN, NO_LIBRARY, NO_GRAPH, NO_START, NO_LAYOUT, NO_SVG, NO_DOT, NO_PIPE, N_DRAW_FAULTS } DrawFault;

static DrawFault render_svg(const Graphviz *library, Agraph_t *graph, FILE *out) {
  NoFonts none;
  GVC_t *context = context_without_fonts(library, &none);
  if (!context) return NO_START;
  const char *engine = library->agget(graph, lend("layout"));
  char *data = NULL;
  unsigned length = 0;
  if (library->gvLayout(context, graph, engine ? engine : "dot") != 0) return NO_LAYOUT;
  if (library->gvRenderData(context, graph, "svg", &data, &length) != 0 || !data) return NO_SVG;
  fwrite(data, 1, length, out);
  return DRAWN;
}

static DrawFault write_dot(const Graphviz *library, Agraph_t *graph, FILE *out) {
  return library->agwrite(graph, out) == 0 ? DRAWN : NO_DOT;
}

typedef DrawFault DrawWriter(const Graphviz *library, Agraph_t *graph, FILE *out);

static int say_nothing(char *message) { return (void)message, 0; }

/* What the drawing process works with: allocated before it starts. */
typedef struct {
  const Drawing *drawing;
  DrawWriter *write;
  Discipline discipline;
  void **objects;
} Job;

static DrawFault draw_with(const Graphviz *library, Job *job, FILE *out) {
  library->agseterrf(say_nothing);
  discipline_begin(&job->discipline, library);
  Agraph_t *graph = make_graph(library, job->drawing, &job->discipline, job->objects);
  return graph ? job->write(library, graph, out) : NO_GRAPH;
}

/* In the drawing process, which has nothing to give back. */
_Noreturn static void draw_and_exit(Job *job, int pipe_end) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  FILE *out = fdopen(pipe_end, "wb");
  Graphviz library;
  DrawFault fault = !out ? NO_PIPE : load_graphviz(&library) ? draw_with(&library, job, out) : NO_LIBRARY;
  if (out && fflush(out) != 0) fault = NO_PIPE;
  _exit((int)fault);
}

/* Who draws after he was asked to stop has so much time. */
#define LAST_SECONDS 0.15

/* Copies what comes through the pipe, until its end. False if it takes too long. */
static bool copy_picture(const Heap *heap, int pipe_end, FILE *out) {
  struct pollfd waiting = {.fd = pipe_end, .events = POLLIN};
  char bytes[1 << 14];
  double until = 0;
  for (;;) {
    if (heap_asked(heap) != STOP_NOT && until == 0) until = clock_seconds() + LAST_SECONDS;
    if (until > 0 && clock_seconds() > until) return false;
    if (poll(&waiting, 1, 20) <= 0) continue;
    const ssize_t n = read(pipe_end, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) return true;
    if (n > 0) fwrite(bytes, 1, (size_t)n, out);
  }
}

/* What we draw is sound: it is the system that lacks something, memory most likely. The answer does not depend on the
 * picture. */
static bool not_drawn(const char *call, int why, Err *err) {
  return err_set(err, ERR_LIMIT, "not drawn: %s: %s", call, strerror(why));
}

static bool judge_end(const Heap *heap, bool in_time, int status, Err *err) {
  static const char *const FAULTS[] = {NULL,
                                       "graphviz cannot be loaded: " LIBGVC " is not installed, or memory is short",
                                       "graphviz cannot build the drawing",
                                       "graphviz does not start",
                                       "graphviz cannot lay out the drawing",
                                       "graphviz cannot write SVG",
                                       "graphviz cannot write the drawing",
                                       "the picture could not be transferred"}; /* ORDER DrawFault */
  _Static_assert(sizeof FAULTS / sizeof *FAULTS == N_DRAW_FAULTS, "a text for each fault");
  char why[100];
  if (!in_time) {
    heap_explain(heap, heap_asked(heap), why, sizeof why);
    return err_set(err, ERR_LIMIT, "not drawn: %s", why);
  }
  if (WIFSIGNALED(status))
    return err_set(err, ERR_LIMIT, "not drawn: graphviz was killed by signal %d, most likely for lack of memory",
                   WTERMSIG(status));
  const int fault = WEXITSTATUS(status);
  if (fault == DRAWN) return true;
  return err_set(err, ERR_LIMIT, "not drawn: %s", fault < N_DRAW_FAULTS ? FAULTS[fault] : "graphviz failed");
}

/* graphviz takes its time, cannot be interrupted, and crashes where memory runs out: all this is the other process's.
 */
static bool draw_elsewhere(Job *job, FILE *out, Err *err) {
  const Heap *heap = job->drawing->arena.heap;
  int ends[2], status;
  if (pipe(ends) != 0) return not_drawn("pipe", errno, err);
  fflush(NULL); /* else it would be written twice */
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    draw_and_exit(job, ends[1]);
  }
  const int why = errno;
  close(ends[1]);
  const bool in_time = pid < 0 || copy_picture(heap, ends[0], out);
  close(ends[0]);
  if (pid < 0) return not_drawn("fork", why, err);
  if (!in_time) kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return not_drawn("waitpid", errno, err);
  return judge_end(heap, in_time, status, err);
}

static bool draw(const Drawing *drawing, DrawWriter *write, FILE *out, Err *err) {
  Heap *heap = drawing->arena.heap;
  Job job = {.drawing = drawing, .write = write};
  job.objects = heap_zeroed(heap, heap_product(heap, drawing->items.n, sizeof *job.objects));
  discipline_init(&job.discipline, drawing);
  const bool good = draw_elsewhere(&job, out, err);
  discipline_fini(&job.discipline, heap);
  heap_release(heap, job.objects);
  return good;
}

bool drawing_write_dot(const Drawing *drawing, FILE *out, Err *err) { return draw(drawing, write_dot, out, err); }
bool drawing_write_svg(const Drawing *drawing, FILE *out, Err *err) { return draw(drawing, render_svg, out, err); }
