/* A stack of states, one per open element, and one table that says what may stand where. An element that is in no row
 * is skipped with all that is in it, unless it would change what the net means. */
#include "petri/pnml_doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum {
  IN_DOCUMENT,
  IN_PNML,
  IN_NET,
  IN_PAGE,
  IN_PLACE,
  IN_TRANSITION,
  IN_ARC,
  IN_REFERENCE,
  IN_LABEL,
  IN_TEXT,
  IN_NUPN,
  IN_STRUCTURE,
  IN_UNIT,
  IN_UNIT_PLACES,
  IN_UNIT_SUBUNITS,
  IN_NET_NOTES,
  IN_PLACE_NOTES,
  IN_TRANSITION_NOTES,
  IN_NOTE
} State;

#define BIT(state) (1u << (state))

/* ---- beginning, end, errors ---- */

void pnml_doc_init(PnmlDoc *doc, Heap *heap, const char *file, Err *err) {
  *doc = (PnmlDoc){.heap = heap, .err = err, .file = file, .id = INTERN_NONE, .root_unit = INTERN_NONE};
  arena_init(&doc->arena, heap);
  intern_init(&doc->ids, heap);
  intern_init(&doc->unit_ids, heap);
  doc->builder = net_builder_new(heap);
  vec_reserve(heap, &doc->text, 256);
  vec_reserve(heap, &doc->name, 256);
}

void pnml_doc_fini(PnmlDoc *doc) {
  net_builder_free(doc->builder);
  arena_fini(&doc->arena);
  intern_fini(&doc->ids);
  intern_fini(&doc->unit_ids);
  vec_fini(doc->heap, &doc->entries);
  vec_fini(doc->heap, &doc->arcs);
  vec_fini(doc->heap, &doc->name);
  vec_fini(doc->heap, &doc->accesses);
  vec_fini(doc->heap, &doc->values);
  vec_fini(doc->heap, &doc->slots);
  vec_fini(doc->heap, &doc->text);
  vec_fini(doc->heap, &doc->named_units);
  vec_fini(doc->heap, &doc->units);
  vec_fini(doc->heap, &doc->unit_places);
}

bool pnml_doc_fail(PnmlDoc *doc, const char *format, ...) {
  char text[sizeof doc->err->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return xml_fail(doc->file, doc->line, doc->err, "%s", text);
}

/* ---- attributes and ids ---- */

/* The number of an id, which need not have been seen yet. */
static uint32_t id_number(PnmlDoc *doc, const char *id, size_t length) {
  bool is_new;
  const uint32_t number = intern_add(&doc->ids, id, length, &is_new);
  if (is_new) vec_push(doc->heap, &doc->entries, ((IdEntry){ID_UNKNOWN, 0, doc->line}));
  return number;
}

uint32_t pnml_unit_number(PnmlDoc *doc, const XmlAttribute *id) {
  bool is_new;
  const uint32_t number = intern_add(&doc->unit_ids, id->value, id->length, &is_new);
  if (is_new) vec_push(doc->heap, &doc->units, ((PnmlUnit){0, 0, false}));
  return number;
}

static const char *id_text(const PnmlDoc *doc, uint32_t id) { return id == INTERN_NONE ? "" : doc->ids.strings.at[id]; }

/* Begins a node or arc with its own id. */
static bool open_object(PnmlDoc *doc, const char *what, IdKind kind, XmlAttributes attributes) {
  const XmlAttribute *id = xml_attribute(attributes, "id");
  doc->in_nodes = true;
  doc->id = INTERN_NONE;
  if (!id && kind == ID_ARC) return true;
  if (!id || !id->length) return pnml_doc_fail(doc, "a %s without an id", what);
  doc->id = id_number(doc, id->value, id->length);
  IdEntry *entry = &doc->entries.at[doc->id];
  if (entry->kind != ID_UNKNOWN)
    return pnml_doc_fail(doc, "%s '%.200s': that id was already used in line %u", what, id_text(doc, doc->id),
                         entry->line);
  *entry = (IdEntry){kind, 0, doc->line};
  return true;
}

/* ---- nets and pages ---- */

static bool contains(const XmlAttribute *a, const char *word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= a->length; i++)
    if (strncasecmp(a->value + i, word, length) == 0) return true;
  return false;
}

static bool start_net(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *type = xml_attribute(attributes, "type");
  if (doc->has_net) return pnml_doc_fail(doc, "net: a second net in the file; only one is supported");
  doc->has_net = true;
  if (!type || !type->length || contains(type, "ptnet") || contains(type, "pnmlcoremodel") || contains(type, "P/T") ||
      contains(type, "epnml"))
    return true;
  return pnml_doc_fail(doc, "net: its type '%.*s' is not that of a place/transition net, '.../ptnet'",
                       (int)(type->length < 200 ? type->length : 200), type->value);
}

static bool start_page(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  doc->in_nodes = true;
  return true;
}

/* ---- nodes and arcs ---- */

static void clear_node(PnmlDoc *doc) {
  vec_clear(&doc->name);
  vec_clear(&doc->accesses);
  doc->has_exact_name = doc->has_marking = doc->marked = doc->has_role = doc->has_event = false;
  doc->role = NO_PLACE_NOTE;
  doc->event = (TransNote){.thread = NOTE_NONE, .begin = NOTE_NONE, .end = NOTE_NONE};
}

static bool start_place(PnmlDoc *doc, XmlAttributes attributes) {
  clear_node(doc);
  return open_object(doc, "place", ID_PLACE, attributes);
}

static bool start_transition(PnmlDoc *doc, XmlAttributes attributes) {
  clear_node(doc);
  return open_object(doc, "transition", ID_TRANSITION, attributes);
}

static const char *node_name(PnmlDoc *doc) {
  if (!doc->name.n && !doc->has_exact_name) return id_text(doc, doc->id);
  vec_push(doc->heap, &doc->name, '\0');
  return doc->name.at;
}

static void end_place(PnmlDoc *doc) {
  const uint32_t number = net_add_place(doc->builder, node_name(doc), doc->marked).v;
  doc->entries.at[doc->id].number = number;
  if (doc->has_role) notes_set_place(net_builder_notes(doc->builder), number, doc->role);
}

static void end_transition(PnmlDoc *doc) {
  const uint32_t number = net_add_trans(doc->builder, node_name(doc)).v;
  net_set_line(doc->builder, (TransId){number}, doc->entries.at[doc->id].line);
  NotesBuilder *notes = net_builder_notes(doc->builder);
  doc->entries.at[doc->id].number = number;
  if (doc->has_event) notes_set_trans(notes, number, doc->event);
  for (uint32_t i = 0; i < doc->accesses.n; i++) notes_add_access(notes, number, doc->accesses.at[i]);
}

static bool start_reference(PnmlDoc *doc, const char *what, IdKind kind, XmlAttributes attributes) {
  const XmlAttribute *ref = xml_attribute(attributes, "ref");
  if (!open_object(doc, what, kind, attributes)) return false;
  if (!ref) return pnml_doc_fail(doc, "%s '%.200s' has no 'ref'", what, id_text(doc, doc->id));
  const uint32_t target = id_number(doc, ref->value, ref->length);
  doc->entries.at[doc->id].number = target;
  return true;
}

static bool start_reference_place(PnmlDoc *doc, XmlAttributes attributes) {
  return start_reference(doc, "referencePlace", ID_PLACE_REFERENCE, attributes);
}

static bool start_reference_transition(PnmlDoc *doc, XmlAttributes attributes) {
  return start_reference(doc, "referenceTransition", ID_TRANSITION_REFERENCE, attributes);
}

static bool check_arc_type(PnmlDoc *doc, const char *type, size_t length) {
  if (length == 0 || (length == 6 && memcmp(type, "normal", 6) == 0)) return true;
  return pnml_doc_fail(doc, "arc '%.200s' is of type '%.*s'; only normal arcs are supported", id_text(doc, doc->id),
                       (int)(length < 100 ? length : 100), type);
}

static bool start_arc(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *source = xml_attribute(attributes, "source"), *target = xml_attribute(attributes, "target");
  const XmlAttribute *type = xml_attribute(attributes, "type");
  if (!open_object(doc, "arc", ID_ARC, attributes)) return false;
  if (!source || !target)
    return pnml_doc_fail(doc, "arc '%.200s' has no '%s'", id_text(doc, doc->id), source ? "target" : "source");
  if (type && !check_arc_type(doc, type->value, type->length)) return false;
  const uint32_t from = id_number(doc, source->value, source->length),
                 to = id_number(doc, target->value, target->length);
  vec_push(doc->heap, &doc->arcs, ((PnmlArc){from, to, doc->line, doc->id}));
  return true;
}

static bool start_high_level(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  return pnml_doc_fail(doc, "%s: part of a high-level net; only place/transition nets are supported", doc->element);
}

/* ---- labels ---- */

static bool start_label(PnmlDoc *doc, PnmlLabel label) {
  vec_clear(&doc->text);
  doc->has_value = false;
  doc->label = label;
  return true;
}

static bool start_name(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  return start_label(doc, LABEL_NAME);
}

static bool start_marking(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  if (doc->has_marking) return pnml_doc_fail(doc, "place '%.200s' has two initial markings", id_text(doc, doc->id));
  doc->has_marking = true;
  return start_label(doc, LABEL_MARKING);
}

static bool start_weight(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  return start_label(doc, LABEL_WEIGHT);
}

static bool start_arc_type(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *value = xml_attribute(attributes, "value");
  start_label(doc, LABEL_ARC_TYPE);
  return !value || check_arc_type(doc, value->value, value->length);
}

static bool start_text(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  if (doc->has_value) return pnml_doc_fail(doc, "%s: a second one in the same label", doc->element);
  doc->has_value = true;
  vec_clear(&doc->text);
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The label's text without the blanks around it. */
static const char *trimmed_text(const PnmlDoc *doc, size_t *length) {
  const char *from = doc->text.at, *to = from + doc->text.n;
  while (from < to && is_blank(*from)) from++;
  while (from < to && is_blank(to[-1])) to--;
  *length = (size_t)(to - from);
  return from;
}

static bool end_name(PnmlDoc *doc) {
  size_t length;
  const char *text = trimmed_text(doc, &length);
  if (doc->states[doc->depth] == IN_NET) {
    if (!doc->has_exact_net_name) net_set_name(doc->builder, arena_copy(&doc->arena, text, length));
  } else if (!doc->has_exact_name) {
    vec_clear(&doc->name);
    vec_reserve(doc->heap, &doc->name, length + 1);
    if (length) memcpy(doc->name.at, text, length);
    doc->name.n = (uint32_t)length;
  }
  return true;
}

/* 0, 1, or 2 for everything above; false if the text is no number that is written as XML Schema does. One editor writes
 * "Default,1": a number for each kind of token, of which there is one. */
static bool small_number(const char *text, size_t length, bool *negative, uint32_t *number) {
  if (length > 8 && memcmp(text, "Default,", 8) == 0) text += 8, length -= 8;
  *negative = length && *text == '-';
  *number = 0;
  if (length && (*text == '-' || *text == '+')) text++, length--;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *number = *number * 10 + (uint32_t)(text[i] - '0');
    if (*number > 2) *number = 2;
  }
  return length > 0;
}

static bool end_marking(PnmlDoc *doc) {
  size_t length;
  bool negative;
  uint32_t tokens;
  const char *text = trimmed_text(doc, &length), *id = id_text(doc, doc->id);
  const int shown = (int)(length < 50 ? length : 50);
  if (!small_number(text, length, &negative, &tokens))
    return pnml_doc_fail(doc, "place '%.200s': its initial marking '%.*s' is not a number", id, shown, text);
  if (negative && tokens)
    return pnml_doc_fail(doc, "place '%.200s': its initial marking %.*s is negative", id, shown, text);
  if (tokens > 1)
    return pnml_doc_fail(
        doc, "place '%.200s': its initial marking is %.*s, but a place of a 1-safe net holds at most 1 token", id,
        shown, text);
  doc->marked = tokens == 1;
  return true;
}

static bool end_weight(PnmlDoc *doc) {
  size_t length;
  bool negative;
  uint32_t weight;
  const char *text = trimmed_text(doc, &length), *id = id_text(doc, doc->id);
  const int shown = (int)(length < 50 ? length : 50);
  if (!small_number(text, length, &negative, &weight))
    return pnml_doc_fail(doc, "arc '%.200s': its weight '%.*s' is not a number", id, shown, text);
  return (weight == 1 && !negative) ||
         pnml_doc_fail(doc, "arc '%.200s': its weight is %.*s, but arcs of a 1-safe net have the weight 1", id, shown,
                       text);
}

static bool end_label(PnmlDoc *doc) {
  size_t length;
  switch (doc->label) {
  case LABEL_NAME: return end_name(doc);
  case LABEL_MARKING: return end_marking(doc);
  case LABEL_WEIGHT: return end_weight(doc);
  case LABEL_ARC_TYPE: break;
  }
  const char *type = trimmed_text(doc, &length);
  return check_arc_type(doc, type, length);
}

/* ---- units ---- */

static bool is_text(const XmlAttribute *a, const char *text) {
  return a && a->length == strlen(text) && memcmp(a->value, text, a->length) == 0;
}

static bool start_structure(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *root = xml_attribute(attributes, "root"), *safe = xml_attribute(attributes, "safe");
  if (root) doc->root_unit = pnml_unit_number(doc, root);
  if (safe && !is_text(safe, "true") && !is_text(safe, "false"))
    return pnml_doc_fail(doc, "nupn structure: safe=\"%.*s\" is neither true nor false",
                         (int)(safe->length < 50 ? safe->length : 50), safe->value);
  net_set_units_safe(doc->builder, is_text(safe, "true"));
  return true;
}

static bool start_unit(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *id = xml_attribute(attributes, "id");
  if (!id || !id->length) return pnml_doc_fail(doc, "a unit without an id");
  doc->unit = pnml_unit_number(doc, id);
  PnmlUnit *unit = &doc->units.at[doc->unit];
  if (unit->line)
    return pnml_doc_fail(doc, "unit '%.200s': that id was already used in line %u", doc->unit_ids.strings.at[doc->unit],
                         unit->line);
  unit->line = doc->line;
  return true;
}

static bool start_list(PnmlDoc *doc, XmlAttributes attributes) {
  (void)attributes;
  vec_clear(&doc->text);
  return true;
}

static void end_unit_places(PnmlDoc *doc) {
  const char *at = doc->text.at, *const end = at + doc->text.n;
  while (at < end) {
    const char *const word = at;
    while (at < end && !is_blank(*at)) at++;
    if (at > word) {
      const uint32_t place = id_number(doc, word, (size_t)(at - word));
      vec_push(doc->heap, &doc->unit_places, ((UnitPlace){doc->unit, place}));
      doc->units.at[doc->unit].n_places++;
    }
    while (at < end && is_blank(*at)) at++;
  }
}

/* ---- tool specific information ---- */

static void skip_element(PnmlDoc *doc) {
  doc->depth--;
  doc->skipped = 1;
  doc->loses = false;
}

static bool start_tool(PnmlDoc *doc, XmlAttributes attributes) {
  const XmlAttribute *tool = xml_attribute(attributes, "tool"), *version = xml_attribute(attributes, "version");
  uint8_t *state = &doc->states[doc->depth];
  const uint8_t outer = doc->states[doc->depth - 1];
  if (is_text(tool, "causalnet")) {
    if (!is_text(version, "1"))
      return pnml_doc_fail(doc,
                           "toolspecific: annotations of another version of 'causalnet'; only version 1 is supported");
    *state = outer == IN_PLACE ? IN_PLACE_NOTES : outer == IN_TRANSITION ? IN_TRANSITION_NOTES : IN_NET_NOTES;
  } else if (is_text(tool, "nupn") && (outer == IN_NET || outer == IN_PAGE)) {
    *state = IN_NUPN;
  } else {
    skip_element(doc);
  }
  return true;
}

/* Where none of ours may stand: nothing of it gets lost. */
static bool start_tool_elsewhere(PnmlDoc *doc, XmlAttributes attributes) {
  if (is_text(xml_attribute(attributes, "tool"), "causalnet"))
    return pnml_doc_fail(doc, "toolspecific: annotations of 'causalnet' are about nets, places and transitions alone");
  skip_element(doc);
  return true;
}

#define ROLE_STARTER(name, role) \
  static bool name(PnmlDoc *doc, XmlAttributes attributes) { return pnml_note_role(doc, role, attributes); }
ROLE_STARTER(start_none, ROLE_NONE)
ROLE_STARTER(start_control, ROLE_CONTROL)
ROLE_STARTER(start_held, ROLE_HELD)
ROLE_STARTER(start_free_lock, ROLE_LOCK)
ROLE_STARTER(start_copy, ROLE_COPY)

#define ACCESS_STARTER(name, mode) \
  static bool name(PnmlDoc *doc, XmlAttributes attributes) { return pnml_note_access(doc, mode, attributes); }
ACCESS_STARTER(start_read, ACCESS_READ)
ACCESS_STARTER(start_write, ACCESS_WRITE)
ACCESS_STARTER(start_acquire, ACCESS_ACQUIRE)
ACCESS_STARTER(start_release, ACCESS_RELEASE)

/* ---- what may stand where ---- */

typedef struct {
  uint32_t outer; /* BIT()s of the states in which the element may stand */
  const char *element;
  State inner;
  bool (*start)(PnmlDoc *doc, XmlAttributes attributes);
} Row;

#define NET_OR_PAGE (BIT(IN_NET) | BIT(IN_PAGE))
#define NODE (BIT(IN_PLACE) | BIT(IN_TRANSITION))

/* The most frequent first. */
static const Row rows[] = {
    {NET_OR_PAGE, "arc", IN_ARC, start_arc},
    {NET_OR_PAGE, "place", IN_PLACE, start_place},
    {NET_OR_PAGE, "transition", IN_TRANSITION, start_transition},
    {BIT(IN_LABEL), "text", IN_TEXT, start_text},
    {BIT(IN_LABEL), "value", IN_TEXT, start_text},
    {BIT(IN_NET) | NODE, "name", IN_LABEL, start_name},
    {BIT(IN_PLACE), "initialMarking", IN_LABEL, start_marking},
    {BIT(IN_ARC), "inscription", IN_LABEL, start_weight},
    {BIT(IN_ARC), "type", IN_LABEL, start_arc_type},
    {BIT(IN_ARC), "arctype", IN_LABEL, start_arc_type},
    {NET_OR_PAGE | NODE, "toolspecific", IN_NOTE, start_tool},
    {BIT(IN_PNML) | BIT(IN_ARC) | BIT(IN_REFERENCE) | BIT(IN_LABEL), "toolspecific", IN_NOTE, start_tool_elsewhere},
    {NET_OR_PAGE, "referencePlace", IN_REFERENCE, start_reference_place},
    {NET_OR_PAGE, "referenceTransition", IN_REFERENCE, start_reference_transition},
    {NET_OR_PAGE, "page", IN_PAGE, start_page},
    {BIT(IN_PNML), "net", IN_NET, start_net},
    {BIT(IN_DOCUMENT), "pnml", IN_PNML, NULL},
    {NET_OR_PAGE, "declaration", IN_NOTE, start_high_level},
    {BIT(IN_PLACE), "hlinitialMarking", IN_NOTE, start_high_level},
    {BIT(IN_PLACE), "type", IN_NOTE, start_high_level},
    {BIT(IN_TRANSITION), "condition", IN_NOTE, start_high_level},
    {BIT(IN_ARC), "hlinscription", IN_NOTE, start_high_level},

    {BIT(IN_NUPN), "structure", IN_STRUCTURE, start_structure},
    {BIT(IN_STRUCTURE), "unit", IN_UNIT, start_unit},
    {BIT(IN_UNIT), "places", IN_UNIT_PLACES, start_list},
    {BIT(IN_UNIT), "subunits", IN_UNIT_SUBUNITS, start_list},

    {BIT(IN_NET_NOTES), "source", IN_NOTE, pnml_note_source},
    {BIT(IN_NET_NOTES), "function", IN_NOTE, pnml_note_function},
    {BIT(IN_NET_NOTES), "count", IN_NOTE, pnml_note_count},
    {BIT(IN_NET_NOTES), "thread", IN_NOTE, pnml_note_thread},
    {BIT(IN_NET_NOTES), "variable", IN_NOTE, pnml_note_variable},
    {BIT(IN_NET_NOTES), "lock", IN_NOTE, pnml_note_lock},
    {BIT(IN_NET_NOTES), "slot", IN_NOTE, pnml_note_slot},
    {BIT(IN_NET_NOTES), "state", IN_NOTE, pnml_note_state},
    {BIT(IN_NET_NOTES), "block", IN_NOTE, pnml_note_block},
    {BIT(IN_NET_NOTES), "gap", IN_NOTE, pnml_note_gap},
    {BIT(IN_NET_NOTES), "unit", IN_NOTE, pnml_note_unit},
    {BIT(IN_NET_NOTES), "name", IN_NOTE, pnml_note_net_name},
    {BIT(IN_PLACE_NOTES) | BIT(IN_TRANSITION_NOTES), "name", IN_NOTE, pnml_note_name},
    {BIT(IN_PLACE_NOTES), "none", IN_NOTE, start_none},
    {BIT(IN_PLACE_NOTES), "control", IN_NOTE, start_control},
    {BIT(IN_PLACE_NOTES), "held", IN_NOTE, start_held},
    {BIT(IN_PLACE_NOTES), "lock", IN_NOTE, start_free_lock},
    {BIT(IN_PLACE_NOTES), "copy", IN_NOTE, start_copy},
    {BIT(IN_TRANSITION_NOTES), "event", IN_NOTE, pnml_note_event},
    {BIT(IN_TRANSITION_NOTES), "read", IN_NOTE, start_read},
    {BIT(IN_TRANSITION_NOTES), "write", IN_NOTE, start_write},
    {BIT(IN_TRANSITION_NOTES), "acquire", IN_NOTE, start_acquire},
    {BIT(IN_TRANSITION_NOTES), "release", IN_NOTE, start_release},
};

static const Row *find_row(State outer, const char *element) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].outer & BIT(outer) && strcmp(rows[i].element, element) == 0) return &rows[i];
  return NULL;
}

static bool is_one_of(const char *element, const char *const *names) {
  while (*names && strcmp(element, *names) != 0) names++;
  return *names;
}

/* Would the net be another one without it? */
static bool is_missed(const char *element) {
  static const char *const names[] = {"place", "transition",     "arc",         "referencePlace", "referenceTransition",
                                      "page",  "initialMarking", "inscription", "declaration",    NULL};
  return is_one_of(element, names);
}

/* An element that is in no row: an error where it cannot be left out, else it is skipped. */
static bool start_unknown(PnmlDoc *doc, State outer, const char *element) {
  const uint32_t objects = NODE | BIT(IN_ARC) | BIT(IN_REFERENCE);
  const uint32_t notes = BIT(IN_NET_NOTES) | BIT(IN_PLACE_NOTES) | BIT(IN_TRANSITION_NOTES) | BIT(IN_NOTE);
  if (outer == IN_DOCUMENT)
    return pnml_doc_fail(doc, "the root element is '%.100s', not 'pnml': this is not PNML", element);
  if (BIT(outer) & notes) return pnml_doc_fail(doc, "annotation '%.100s': unknown element", element);
  if (BIT(outer) & objects && is_missed(element))
    return pnml_doc_fail(doc, "%.100s: not allowed inside '%.200s'", element, id_text(doc, doc->id));
  doc->skipped = 1;
  doc->loses = BIT(outer) & (NET_OR_PAGE | objects);
  return true;
}

/* A place that is left out is missed by its arcs, if it matters; some tools name places in elements of their own. */
static bool start_skipped(PnmlDoc *doc, const char *element) {
  static const char *const names[] = {"transition", "arc", NULL};
  if (doc->loses && is_one_of(element, names))
    return pnml_doc_fail(doc, "%.100s: inside an element that is not known", element);
  doc->skipped++;
  return true;
}

bool pnml_doc_start(PnmlDoc *doc, const char *element, XmlAttributes attributes, uint32_t line) {
  doc->line = line;
  doc->element = element;
  if (doc->depth + doc->skipped >= PNML_MAX_DEPTH)
    return pnml_doc_fail(doc, "%.100s: elements are nested deeper than %d", element, PNML_MAX_DEPTH);
  if (doc->skipped) return start_skipped(doc, element);
  const State outer = doc->states[doc->depth];
  const Row *row = find_row(outer, element);
  if (!row) return start_unknown(doc, outer, element);
  doc->states[++doc->depth] = (uint8_t)row->inner;
  return !row->start || row->start(doc, attributes);
}

bool pnml_doc_wants_text(const PnmlDoc *doc) {
  const uint32_t collecting = BIT(IN_TEXT) | BIT(IN_UNIT_PLACES) | BIT(IN_UNIT_SUBUNITS);
  const State state = doc->states[doc->depth];
  return !doc->skipped && (BIT(state) & collecting || (state == IN_LABEL && !doc->has_value));
}

void pnml_doc_text(PnmlDoc *doc, const char *text, size_t length) {
  vec_reserve(doc->heap, &doc->text, length);
  memcpy(doc->text.at + doc->text.n, text, length);
  doc->text.n += (uint32_t)length;
}

bool pnml_doc_end(PnmlDoc *doc) {
  size_t length;
  if (doc->skipped) {
    doc->skipped--;
    return true;
  }
  switch ((State)doc->states[doc->depth--]) {
  case IN_LABEL: return end_label(doc);
  case IN_PLACE: end_place(doc); break;
  case IN_TRANSITION: end_transition(doc); break;
  case IN_UNIT_PLACES: end_unit_places(doc); break;
  case IN_UNIT_SUBUNITS: trimmed_text(doc, &length), doc->units.at[doc->unit].has_subunits = length > 0; break;
  case IN_DOCUMENT:
  case IN_PNML:
  case IN_NET:
  case IN_PAGE:
  case IN_ARC:
  case IN_REFERENCE:
  case IN_TEXT:
  case IN_NUPN:
  case IN_STRUCTURE:
  case IN_UNIT:
  case IN_NET_NOTES:
  case IN_PLACE_NOTES:
  case IN_TRANSITION_NOTES:
  case IN_NOTE: break;
  }
  return true;
}
