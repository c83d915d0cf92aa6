/* The components share the places and transitions that are declared as shared: nodes of such a name are one node. An
 * arc may stand before its ends, so the arcs of a component are looked at when it ends. */
#include "petri/tapn.h"

#include "base/intern.h"
#include "base/vec.h"
#include "petri/double_arc.h"
#include "petri/xml.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 256 };

/* What an id of the component that is open stands for. */
typedef struct {
  bool is_place;
  uint32_t number; /* of the net */
} Node;

/* Ids stand in `text` one after the other. */
typedef struct {
  size_t source, n_source, target, n_target;
  uint32_t line;
} Arc;

typedef struct {
  Heap *heap;
  Err *err;
  const char *file;
  uint32_t line;       /* of the element that is being looked at */
  const char *element; /* its name */
  uint32_t depth;      /* open elements */
  uint32_t in_net;     /* the depth inside the component that is open; 0: none is */
  bool is_left_out;    /* it is not active */
  uint32_t n_nets;     /* active ones so far */
  NetBuilder *builder;
  CharVec component, name; /* names: of the component, and of the node that is being looked at; NUL-terminated */
  Intern ids;              /* of the component */
  VEC(Node) nodes;         /* by id */
  VEC(Arc) arcs;           /* of the component */
  CharVec text;            /* of the arcs */
  Intern shared_places;    /* declared */
  U32Vec place_numbers;
  VEC(bool) shared_marked; /* per shared place */
  Intern shared_transitions;
  U32Vec trans_numbers; /* UINT32_MAX: not used so far */
  VEC(ArcKey) keys;     /* of all arcs, with their lines */
} Reader;

/* ---- attributes ---- */

#define FAIL(r, ...) xml_fail((r)->file, (r)->line, (r)->err, __VA_ARGS__)

static bool need(Reader *r, XmlAttributes attributes, const char *name, const XmlAttribute **found) {
  *found = xml_attribute(attributes, name);
  return *found || FAIL(r, "%.100s: the attribute '%s' is missing", r->element, name);
}

/* Is the attribute, blanks left out, one of the two texts, or not there? */
static bool is_harmless(XmlAttributes attributes, const char *name, const char *text, const char *other) {
  char kept[32];
  size_t n = 0;
  const XmlAttribute *a = xml_attribute(attributes, name);
  if (!a) return true;
  for (size_t i = 0; i < a->length; i++) {
    if (strchr(" \t\r\n", a->value[i])) continue;
    if (n + 1 == sizeof kept) return false;
    kept[n++] = a->value[i];
  }
  kept[n] = '\0';
  return strcmp(kept, text) == 0 || strcmp(kept, other) == 0;
}

/* False, with *err, unless the attribute is harmless; `why` says what it would be. */
static bool expect(Reader *r, XmlAttributes attributes, const char *name, const char *text, const char *other,
                   const char *why) {
  if (is_harmless(attributes, name, text, other)) return true;
  const XmlAttribute *a = xml_attribute(attributes, name);
  const int shown = a->length < 100 ? (int)a->length : 100;
  return FAIL(r, "%.100s: %s=\"%.*s\": %s", r->element, name, shown, a->value, why);
}

static bool read_marking(Reader *r, XmlAttributes attributes, bool *marked) {
  if (!expect(r, attributes, "initialMarking", "0", "1", "a place of a 1-safe net holds 0 or 1 token")) return false;
  *marked = !is_harmless(attributes, "initialMarking", "0", "0");
  return expect(r, attributes, "invariant", "<inf", "<inf", "only '< inf', which is no constraint on time, is read");
}

/* ---- names ---- */

static void set_text(Heap *heap, CharVec *text, const char *from, size_t length) {
  vec_clear(text);
  vec_reserve(heap, text, length + 1);
  if (length) memcpy(text->at, from, length);
  text->at[length] = '\0';
  text->n = (uint32_t)length;
}

/* The name that is shown: the attribute "name", or else the id. */
static bool read_name(Reader *r, XmlAttributes attributes) {
  const XmlAttribute *a = xml_attribute(attributes, "name");
  if (!a && !need(r, attributes, "id", &a)) return false;
  if (!a->length || memchr(a->value, '\0', a->length)) return FAIL(r, "%.100s: the name is empty", r->element);
  set_text(r->heap, &r->name, a->value, a->length);
  return true;
}

/* ---- what is shared ---- */

static bool start_shared(Reader *r, XmlAttributes attributes, Intern *shared, U32Vec *numbers, uint32_t number) {
  bool is_new;
  if (!read_name(r, attributes)) return false;
  if (r->n_nets || r->in_net) return FAIL(r, "%.100s: expected before the components", r->element);
  intern_add(shared, r->name.at, r->name.n, &is_new);
  vec_push(r->heap, numbers, number);
  return is_new || FAIL(r, "%.100s '%.200s' is declared twice", r->element, r->name.at);
}

static bool start_shared_place(Reader *r, XmlAttributes attributes) {
  bool marked;
  if (!read_marking(r, attributes, &marked)) return false;
  if (!start_shared(r, attributes, &r->shared_places, &r->place_numbers, net_builder_places(r->builder))) return false;
  net_add_place(r->builder, r->name.at, marked);
  vec_push(r->heap, &r->shared_marked, marked);
  return true;
}

static bool start_shared_transition(Reader *r, XmlAttributes attributes) {
  return start_shared(r, attributes, &r->shared_transitions, &r->trans_numbers, UINT32_MAX);
}

/* ---- nodes ---- */

static bool add_id(Reader *r, XmlAttributes attributes, bool is_place, uint32_t number) {
  bool is_new;
  const XmlAttribute *id;
  if (!need(r, attributes, "id", &id)) return false;
  intern_add(&r->ids, id->value, id->length, &is_new);
  vec_push(r->heap, &r->nodes, ((Node){is_place, number}));
  return is_new || FAIL(r, "%.100s: the id '%.200s' stands in its component twice", r->element,
                        r->ids.strings.at[r->ids.strings.n - 1]);
}

/* What is not shared has the name of its component in front, as in TAPAAL's queries. */
static const char *full_name(Reader *r) {
  const size_t front = r->component.n, n = r->name.n;
  vec_reserve(r->heap, &r->component, n + 2);
  r->component.at[front] = '.';
  memcpy(r->component.at + front + 1, r->name.at, n + 1);
  return r->component.at;
}

static bool start_place(Reader *r, XmlAttributes attributes) {
  bool marked;
  if (!read_name(r, attributes) || !read_marking(r, attributes, &marked)) return false;
  const uint32_t shared = intern_find(&r->shared_places, r->name.at, r->name.n);
  if (shared != INTERN_NONE) {
    if (xml_attribute(attributes, "initialMarking") && marked != r->shared_marked.at[shared])
      return FAIL(r, "place '%.200s': its marking is not the one of the shared place", r->name.at);
    return add_id(r, attributes, true, r->place_numbers.at[shared]);
  }
  const PlaceId place = net_add_place(r->builder, full_name(r), marked);
  return add_id(r, attributes, true, place.v);
}

static bool start_transition(Reader *r, XmlAttributes attributes) {
  if (!read_name(r, attributes) || !expect(r, attributes, "priority", "0", "", "priorities are not read")) return false;
  const uint32_t shared = intern_find(&r->shared_transitions, r->name.at, r->name.n);
  uint32_t number = shared == INTERN_NONE ? UINT32_MAX : r->trans_numbers.at[shared];
  if (number == UINT32_MAX) {
    number = net_add_trans(r->builder, shared == INTERN_NONE ? full_name(r) : r->name.at).v;
    net_set_line(r->builder, (TransId){number}, r->line);
    if (shared != INTERN_NONE) r->trans_numbers.at[shared] = number;
  }
  return add_id(r, attributes, false, number);
}

/* ---- arcs ---- */

static size_t keep(Reader *r, const XmlAttribute *a) {
  const size_t at = r->text.n;
  vec_reserve(r->heap, &r->text, a->length);
  if (a->length) memcpy(r->text.at + at, a->value, a->length);
  r->text.n += (uint32_t)a->length;
  return at;
}

/* A transport arc carries a token's age on, which nobody asks for here. Its number is behind the interval. */
static bool no_time(Reader *r, XmlAttributes attributes) {
  const XmlAttribute *a = xml_attribute(attributes, "inscription");
  const char *colon = a ? memchr(a->value, ':', a->length) : NULL;
  const XmlAttribute interval = {"inscription", a ? a->value : "",
                                 colon ? (size_t)(colon - a->value)
                                 : a   ? a->length
                                       : 0};
  const XmlAttributes alone = {&interval, a != NULL};
  return expect(r, alone, "inscription", "[0,inf)", "1", "only [0,inf), which is no constraint on time, is read");
}

static bool is_arc(Reader *r, XmlAttributes attributes) {
  if (xml_attribute_is(attributes, "type", "tapnInhibitor") || xml_attribute_is(attributes, "type", "inhibitor"))
    return FAIL(r, "arc: inhibitor arcs are not read");
  if (xml_attribute_is(attributes, "type", "transport")) return true;
  return expect(r, attributes, "type", "timed", "normal", "expected timed, normal, transport or tapnInhibitor");
}

static bool start_arc(Reader *r, XmlAttributes attributes) {
  const XmlAttribute *source, *target;
  if (!need(r, attributes, "source", &source) || !need(r, attributes, "target", &target) || !is_arc(r, attributes) ||
      !no_time(r, attributes) || !expect(r, attributes, "weight", "1", "1", "arcs of a 1-safe net have the weight 1"))
    return false;
  Arc arc = {.n_source = source->length, .n_target = target->length, .line = r->line};
  arc.source = keep(r, source);
  arc.target = keep(r, target);
  vec_push(r->heap, &r->arcs, arc);
  return true;
}

/* The node with the id that is kept there. */
static const Node *find_node(Reader *r, size_t at, size_t length) {
  const uint32_t id = intern_find(&r->ids, r->text.at + at, length);
  if (id != INTERN_NONE) return &r->nodes.at[id];
  FAIL(r, "arc: its component has no '%.*s'", (int)(length < 200 ? length : 200), r->text.at + at);
  return NULL;
}

static bool add_arc(Reader *r, const Arc *arc) {
  r->line = arc->line;
  const Node *source = find_node(r, arc->source, arc->n_source);
  const Node *target = source ? find_node(r, arc->target, arc->n_target) : NULL;
  if (!target) return false;
  if (source->is_place == target->is_place)
    return FAIL(r, "arc from a %s to a %s", source->is_place ? "place" : "transition",
                source->is_place ? "place" : "transition");
  const uint32_t place = source->is_place ? source->number : target->number;
  const uint32_t trans = source->is_place ? target->number : source->number;
  vec_push(r->heap, &r->keys, arc_key(source->is_place, place, trans, arc->line));
  if (source->is_place) net_add_input(r->builder, (PlaceId){place}, (TransId){trans});
  else net_add_output(r->builder, (TransId){trans}, (PlaceId){place});
  return true;
}

/* ---- components ---- */

static bool start_net(Reader *r, XmlAttributes attributes) {
  const XmlAttribute *id;
  if (r->depth != 1) return FAIL(r, "net: expected in 'pnml'");
  if (!need(r, attributes, "id", &id)) return false;
  r->in_net = r->depth + 1;
  r->is_left_out = xml_attribute_is(attributes, "active", "false");
  if (r->is_left_out) return true;
  set_text(r->heap, &r->component, id->value, id->length);
  net_set_name(r->builder, r->n_nets++ ? "" : r->component.at);
  return true;
}

static bool end_net(Reader *r) {
  r->in_net = 0;
  for (uint32_t i = 0; i < r->arcs.n; i++)
    if (!add_arc(r, &r->arcs.at[i])) return false;
  vec_clear(&r->arcs);
  vec_clear(&r->text);
  vec_clear(&r->nodes);
  intern_fini(&r->ids);
  intern_init(&r->ids, r->heap);
  return true;
}

static bool start_feature(Reader *r, XmlAttributes attributes) {
  return expect(r, attributes, "isColored", "false", "", "coloured nets are not read") &&
         expect(r, attributes, "isStochastic", "false", "", "stochastic nets are not read");
}

static bool start_colour(Reader *r, XmlAttributes attributes) {
  (void)attributes;
  return FAIL(r, "%.100s: coloured nets are not read", r->element);
}

/* ---- elements ---- */

typedef enum { OF_PNML, OF_NET, OF_PLACE_OR_ARC } Where;

static const struct {
  Where where;
  const char *element;
  bool (*start)(Reader *r, XmlAttributes attributes);
} ROWS[] = {{OF_NET, "arc", start_arc},
            {OF_NET, "place", start_place},
            {OF_NET, "transition", start_transition},
            {OF_PNML, "net", start_net},
            {OF_PNML, "shared-place", start_shared_place},
            {OF_PNML, "shared-transition", start_shared_transition},
            {OF_PNML, "feature", start_feature},
            {OF_PLACE_OR_ARC, "hlinitialMarking", start_colour},
            {OF_PLACE_OR_ARC, "hlinscription", start_colour},
            {OF_PLACE_OR_ARC, "colorinvariant", start_colour},
            {OF_PLACE_OR_ARC, "colorinterval", start_colour}};

/* What else stands in a file (queries, drawings, names of constants) says nothing of the net. */
static bool start_known(Reader *r, XmlAttributes attributes) {
  const Where where = !r->in_net ? OF_PNML : r->depth == r->in_net ? OF_NET : OF_PLACE_OR_ARC;
  if (r->is_left_out || (where == OF_PNML && r->depth != 1)) return true;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (ROWS[i].where == where && strcmp(ROWS[i].element, r->element) == 0) return ROWS[i].start(r, attributes);
  return true;
}

static bool start(void *reader, const char *element, XmlAttributes attributes, uint32_t line) {
  Reader *r = reader;
  r->line = line;
  r->element = element;
  if (r->depth == DEEPEST) return FAIL(r, "%.100s: elements are nested deeper than %d", element, DEEPEST);
  if (!r->depth && strcmp(element, "pnml") != 0)
    return FAIL(r, "the root element is '%.100s', not 'pnml': this is no net of TAPAAL", element);
  if (r->depth && !start_known(r, attributes)) return false;
  r->depth++;
  return true;
}

static bool end(void *reader) {
  Reader *r = reader;
  r->depth--;
  if (!r->in_net || r->depth + 1 != r->in_net) return true;
  r->is_left_out = false;
  return end_net(r);
}

static bool wants(const void *reader) {
  (void)reader;
  return true;
}

static bool wants_no_text(const void *reader) {
  (void)reader;
  return false;
}

static const XmlHandler HANDLER = {"TAPAAL's format", wants, start, wants_no_text, NULL, end};

/* ---- the whole ---- */

/* Behind the XML declaration and comments. */
static const char *first_tag(const char *at, const char *end) {
  if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
  for (;;) {
    while (at < end && strchr(" \t\r\n", *at) && *at) at++;
    const bool comment = end - at >= 4 && memcmp(at, "<!--", 4) == 0;
    if (!comment && !(end - at >= 2 && memcmp(at, "<?", 2) == 0)) return at;
    const char *close = memmem(at, (size_t)(end - at), comment ? "-->" : "?>", comment ? 3 : 2);
    if (!close) return end;
    at = close + (comment ? 3 : 2);
  }
}

bool tapn_recognise(const char *text, size_t length) {
  static const char space[] = "http://www.informatik.hu-berlin.de/top/pnml/ptNetb";
  const char *at = first_tag(text, text + length), *const end = text + length;
  if (end - at < 5 || memcmp(at, "<pnml", 5) != 0) return false;
  const char *close = memchr(at, '>', (size_t)(end - at));
  return close && memmem(at, (size_t)(close - at), space, sizeof space - 1);
}

static Net *finish(Reader *r) {
  NetBuilder *builder = r->builder;
  Err freezing;
  r->builder = NULL;
  Net *net = net_freeze(builder, &freezing);
  if (net) return net;
  r->line = double_arc_find(r->keys.at, r->keys.n);
  FAIL(r, "%.900s", freezing.text);
  return NULL;
}

static void reader_init(Reader *r) {
  r->builder = net_builder_new(r->heap);
  intern_init(&r->ids, r->heap);
  intern_init(&r->shared_places, r->heap);
  intern_init(&r->shared_transitions, r->heap);
}

static void reader_fini(Reader *r) {
  net_builder_free(r->builder);
  intern_fini(&r->ids);
  intern_fini(&r->shared_places);
  intern_fini(&r->shared_transitions);
  vec_fini(r->heap, &r->component);
  vec_fini(r->heap, &r->name);
  vec_fini(r->heap, &r->nodes);
  vec_fini(r->heap, &r->arcs);
  vec_fini(r->heap, &r->text);
  vec_fini(r->heap, &r->place_numbers);
  vec_fini(r->heap, &r->shared_marked);
  vec_fini(r->heap, &r->trans_numbers);
  vec_fini(r->heap, &r->keys);
}

Net *tapn_read(Heap *heap, const InFile *file, Err *err) {
  Reader r = {.heap = heap, .err = err, .file = file->name, .line = 1};
  reader_init(&r);
  Net *net = xml_read(heap, file, &HANDLER, &r, err) ? finish(&r) : NULL;
  reader_fini(&r);
  return net;
}
