/* The elements of our own annotations; docs/annotations.md has the tables. What is wrong in them is an error, since a
 * verdict hangs on them. */
#include "petri/pnml_doc.h"
#include "petri/pnml_text.h"

#include <string.h>

/* ---- attributes ---- */

/* Only the attributes of that NULL-terminated list may be there. */
static bool only_attributes(PnmlDoc *doc, XmlAttributes attributes, const char *const *allowed) {
  for (uint32_t i = 0; i < attributes.n; i++) {
    const char *const *name = allowed;
    while (*name && strcmp(*name, attributes.at[i].name) != 0) name++;
    if (!*name)
      return pnml_doc_fail(doc, "annotation '%s': unknown attribute '%.100s'", doc->element, attributes.at[i].name);
  }
  return true;
}

/* The number that the digits say, or NOTE_NONE if it is not below that, or if there is anything but digits. */
static uint32_t decimal(const char *digits, size_t n) {
  uint64_t value = n ? 0 : NOTE_NONE;
  for (size_t i = 0; i < n; i++) {
    if (digits[i] < '0' || digits[i] > '9' || value >= NOTE_NONE) return NOTE_NONE;
    value = value * 10 + (uint64_t)(digits[i] - '0');
  }
  return value < NOTE_NONE ? (uint32_t)value : NOTE_NONE;
}

/* A number below NOTE_NONE; `missing` where the attribute is not there. */
static bool number(PnmlDoc *doc, XmlAttributes attributes, const char *name, uint32_t missing, uint32_t *result) {
  const XmlAttribute *a = xml_attribute(attributes, name);
  *result = missing;
  if (!a) return true;
  *result = decimal(a->value, a->length);
  if (*result == NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': %s=\"%.*s\" is not a number", doc->element, name,
                         (int)(a->length < 50 ? a->length : 50), a->value);
  return true;
}

/* The number of something that has been declared: below `end`. */
static bool declared(PnmlDoc *doc, XmlAttributes attributes, const char *name, uint32_t end, uint32_t *result) {
  if (!number(doc, attributes, name, NOTE_NONE, result)) return false;
  if (*result == NOTE_NONE || *result < end) return true;
  return pnml_doc_fail(doc, "annotation '%s': %s=\"%u\", but only %u are declared before", doc->element, name, *result,
                       end);
}

/* A string, NUL-terminated in the arena; NULL where the attribute is not there. */
static bool string(PnmlDoc *doc, XmlAttributes attributes, const char *name, const char **result) {
  const XmlAttribute *a = xml_attribute(attributes, name);
  *result = NULL;
  if (!a) return true;
  CharVec bytes = {0};
  const bool good = pnml_unescape(doc->heap, a->value, a->length, &bytes);
  if (good) *result = arena_copy(&doc->arena, bytes.at, bytes.n);
  vec_fini(doc->heap, &bytes);
  return good ||
         pnml_doc_fail(doc, "annotation '%s': %s=\"%.*s\" has an invalid escape; only \\xHH and \\\\ are allowed",
                       doc->element, name, (int)(a->length < 50 ? a->length : 50), a->value);
}

static bool need_string(PnmlDoc *doc, XmlAttributes attributes, const char *name, const char **result) {
  if (!string(doc, attributes, name, result)) return false;
  return *result || pnml_doc_fail(doc, "annotation '%s': the attribute '%s' is missing", doc->element, name);
}

/* How the attributes of a place are called. */
typedef struct {
  const char *line, *column, *file, *function;
} PlaceNames;

static const PlaceNames PLACE = {"line", "column", "file", "function"};
static const PlaceNames END_PLACE = {"endline", "endcolumn", "endfile", "endfunction"};

/* Number 0 is there always, and meant where the attribute is not there. */
static bool declared_or_0(PnmlDoc *doc, XmlAttributes attributes, const char *name, uint32_t n, uint32_t *result) {
  if (!declared(doc, attributes, name, n ? n : 1, result)) return false;
  if (*result == NOTE_NONE) *result = 0;
  return true;
}

static bool position(PnmlDoc *doc, XmlAttributes attributes, PlaceNames names, SrcPos *pos) {
  return number(doc, attributes, names.line, 0, &pos->line) && number(doc, attributes, names.column, 0, &pos->column) &&
         declared_or_0(doc, attributes, names.file, doc->n_files, &pos->file) &&
         declared_or_0(doc, attributes, names.function, doc->n_functions, &pos->function);
}

/* Annotations of the net come first, so that what the others refer to is known. */
static bool in_time(PnmlDoc *doc) {
  return !doc->in_nodes ||
         pnml_doc_fail(doc, "annotation '%s': it must come before the first page, place and transition", doc->element);
}

/* ---- about the net ---- */

bool pnml_note_source(PnmlDoc *doc, XmlAttributes attributes) {
  const char *file;
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"file", NULL}) ||
      !need_string(doc, attributes, "file", &file))
    return false;
  if (doc->n_files++) notes_add_file(net_builder_notes(doc->builder), file);
  else notes_set_file(net_builder_notes(doc->builder), file);
  return true;
}

bool pnml_note_function(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"name", NULL}) ||
      !need_string(doc, attributes, "name", &name))
    return false;
  doc->n_functions = notes_add_function(net_builder_notes(doc->builder), name) + 1;
  return true;
}

bool pnml_note_count(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"name", NULL}) ||
      !need_string(doc, attributes, "name", &name))
    return false;
  doc->n_counts = notes_add_count(net_builder_notes(doc->builder), name) + 1;
  return true;
}

bool pnml_note_thread(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  uint32_t group, count;
  SrcPos pos;
  static const char *const allowed[] = {"name", "group", "line", "column", "file", "function", "count", NULL};
  if (!in_time(doc) || !only_attributes(doc, attributes, allowed) || !need_string(doc, attributes, "name", &name) ||
      !number(doc, attributes, "group", NOTE_NONE, &group) || !position(doc, attributes, PLACE, &pos) ||
      !declared(doc, attributes, "count", doc->n_counts, &count))
    return false;
  if (group == NOTE_NONE) return pnml_doc_fail(doc, "annotation '%s': the attribute 'group' is missing", doc->element);
  notes_set_count(net_builder_notes(doc->builder), notes_add_thread(net_builder_notes(doc->builder), name, group, pos),
                  count);
  doc->n_threads++;
  return true;
}

/* `values` and `bool`: only what has 2 values, and is a variable, can be called false and true. */
static bool values_of(PnmlDoc *doc, XmlAttributes attributes, bool is_variable, uint32_t *values, uint32_t *is_bool) {
  if (!number(doc, attributes, "values", 0, values) || !number(doc, attributes, "bool", 0, is_bool)) return false;
  if (!*is_bool || (*is_bool == 1 && *values == 2 && is_variable)) return true;
  return pnml_doc_fail(doc, "annotation '%s': bool=\"%u\", but only a variable with 2 values can be bool=\"1\"",
                       doc->element, *is_bool);
}

static bool note_object(PnmlDoc *doc, ObjectKind kind, XmlAttributes attributes) {
  const char *name;
  uint32_t values, is_bool, initial;
  static const char *const allowed[] = {"name", "values", "bool", "initial", NULL};
  if (!in_time(doc) || !only_attributes(doc, attributes, allowed) || !need_string(doc, attributes, "name", &name) ||
      !values_of(doc, attributes, kind == OBJECT_VARIABLE, &values, &is_bool) ||
      !number(doc, attributes, "initial", 0, &initial))
    return false;
  if (initial && initial >= values)
    return pnml_doc_fail(doc, "annotation '%s': initial=\"%u\", but it has %u values", doc->element, initial, values);
  const uint32_t object = notes_add_object(net_builder_notes(doc->builder), name, kind, values);
  if (is_bool) notes_set_bool(net_builder_notes(doc->builder), object);
  notes_set_initial(net_builder_notes(doc->builder), object, initial);
  doc->n_objects++;
  return true;
}

bool pnml_note_variable(PnmlDoc *doc, XmlAttributes attributes) {
  return note_object(doc, OBJECT_VARIABLE, attributes);
}
bool pnml_note_lock(PnmlDoc *doc, XmlAttributes attributes) { return note_object(doc, OBJECT_LOCK, attributes); }

bool pnml_note_slot(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  uint32_t values, is_bool, object;
  static const char *const allowed[] = {"name", "values", "bool", "object", NULL};
  if (!in_time(doc) || !only_attributes(doc, attributes, allowed) || !need_string(doc, attributes, "name", &name) ||
      !values_of(doc, attributes, true, &values, &is_bool) ||
      !declared(doc, attributes, "object", doc->n_objects, &object))
    return false;
  if (!values) return pnml_doc_fail(doc, "annotation '%s': it has no values", doc->element);
  notes_add_slot(net_builder_notes(doc->builder), (NoteSlot){name, values, is_bool != 0, object});
  vec_push(doc->heap, &doc->slots, values);
  return true;
}

/* Collects the numbers of a list, with a blank between them: none is above UINT16_MAX. */
static bool collect_values(PnmlDoc *doc, const XmlAttribute *list) {
  vec_clear(&doc->values);
  for (size_t at = 0, end; at < list->length || (list->length && at == list->length); at = end + 1) {
    for (end = at; end < list->length && list->value[end] != ' ';) end++;
    const uint32_t value = decimal(list->value + at, end - at);
    if (value > UINT16_MAX)
      return pnml_doc_fail(doc, "annotation '%s': values=\"%.*s\" is not a list of numbers", doc->element,
                           (int)(list->length < 50 ? list->length : 50), list->value);
    vec_push(doc->heap, &doc->values, (uint16_t)value);
  }
  return true;
}

bool pnml_note_state(PnmlDoc *doc, XmlAttributes attributes) {
  uint32_t slot;
  const XmlAttribute *values = xml_attribute(attributes, "values");
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"slot", "values", NULL}) ||
      !declared(doc, attributes, "slot", doc->slots.n, &slot) || (values && !collect_values(doc, values)))
    return false;
  if (!values || slot == NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': the attribute '%s' is missing", doc->element,
                         values ? "slot" : "values");
  if (doc->values.n > doc->slots.n - slot)
    return pnml_doc_fail(doc, "annotation '%s': %u values from slot %u on, but only %u slots are declared before",
                         doc->element, doc->values.n, slot, doc->slots.n);
  for (uint32_t i = 0; i < doc->values.n; i++)
    if (doc->values.at[i] >= doc->slots.at[slot + i])
      return pnml_doc_fail(doc, "annotation '%s': the value %u of slot %u, which has %u values", doc->element,
                           doc->values.at[i], slot + i, doc->slots.at[slot + i]);
  notes_add_state(net_builder_notes(doc->builder), (NoteState){slot, doc->values.n, doc->values.at});
  doc->n_states++;
  return true;
}

bool pnml_note_block(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  SrcPos begin, end;
  static const char *const allowed[] = {"name",    "line",      "column",  "file",        "function",
                                        "endline", "endcolumn", "endfile", "endfunction", NULL};
  if (!in_time(doc) || !only_attributes(doc, attributes, allowed) || !string(doc, attributes, "name", &name) ||
      !position(doc, attributes, PLACE, &begin) || !position(doc, attributes, END_PLACE, &end))
    return false;
  notes_add_block(net_builder_notes(doc->builder), name, begin, end);
  doc->n_blocks++;
  return true;
}

bool pnml_note_gap(PnmlDoc *doc, XmlAttributes attributes) {
  const char *what;
  SrcPos pos;
  static const char *const allowed[] = {"what", "line", "column", "file", "function", NULL};
  if (!in_time(doc) || !only_attributes(doc, attributes, allowed) || !need_string(doc, attributes, "what", &what) ||
      !position(doc, attributes, PLACE, &pos))
    return false;
  notes_add_gap(net_builder_notes(doc->builder), what, pos);
  return true;
}

bool pnml_note_unit(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  const XmlAttribute *id = xml_attribute(attributes, "id");
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"id", "name", NULL}) ||
      !need_string(doc, attributes, "name", &name))
    return false;
  if (!id) return pnml_doc_fail(doc, "annotation '%s': the attribute 'id' is missing", doc->element);
  const uint32_t n_known = doc->units.n, unit = pnml_unit_number(doc, id);
  if (unit < n_known)
    return pnml_doc_fail(doc, "annotation 'unit': the unit '%.*s' is named twice",
                         (int)(id->length < 200 ? id->length : 200), id->value);
  vec_push(doc->heap, &doc->named_units, ((NamedUnit){unit, doc->line, name}));
  return true;
}

bool pnml_note_net_name(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  if (!in_time(doc) || !only_attributes(doc, attributes, (const char *const[]){"exact", NULL}) ||
      !need_string(doc, attributes, "exact", &name))
    return false;
  net_set_name(doc->builder, name);
  doc->has_exact_net_name = true;
  return true;
}

/* ---- about a place or a transition ---- */

bool pnml_note_name(PnmlDoc *doc, XmlAttributes attributes) {
  const char *name;
  if (!only_attributes(doc, attributes, (const char *const[]){"exact", NULL}) ||
      !need_string(doc, attributes, "exact", &name))
    return false;
  const size_t length = strlen(name); // NOLINT(clang-analyzer-core.NonNullParamChecker): need_string has seen to it
  vec_clear(&doc->name);
  vec_reserve(doc->heap, &doc->name, length + 1);
  memcpy(doc->name.at, name, length);
  doc->name.n = (uint32_t)length;
  doc->has_exact_name = true;
  return true;
}

static bool point_of(PnmlDoc *doc, XmlAttributes attributes, PlaceRole role, ControlPoint *point) {
  static const char *const points[] = {"", "start", "end", "assertion", "failed"}; /* ORDER ControlPoint */
  _Static_assert(sizeof points / sizeof *points == POINT_FAILED + 1, "ORDER ControlPoint");
  const char *name;
  if (!string(doc, attributes, "point", &name)) return false;
  uint32_t i = name ? POINT_START : POINT_OTHER;
  while (name && i <= POINT_FAILED && strcmp(name, points[i]) != 0) i++;
  if (i > POINT_FAILED) return pnml_doc_fail(doc, "annotation '%s': unknown point '%.50s'", doc->element, name);
  if (i && role != ROLE_CONTROL)
    return pnml_doc_fail(doc, "annotation '%s': only a control place has a point", doc->element);
  *point = (ControlPoint)i;
  return true;
}

bool pnml_note_role(PnmlDoc *doc, PlaceRole role, XmlAttributes attributes) {
  PlaceNote *note = &doc->role;
  if (doc->has_role) return pnml_doc_fail(doc, "annotation '%s': a place with two roles", doc->element);
  if (!only_attributes(doc, attributes,
                       (const char *const[]){"thread", "object", "copy", "value", "state", "point", NULL}) ||
      !declared(doc, attributes, "thread", doc->n_threads, &note->thread) ||
      !declared(doc, attributes, "state", doc->n_states, &note->state) ||
      !declared(doc, attributes, "object", doc->n_objects, &note->object) ||
      !number(doc, attributes, "copy", 0, &note->copy) || !number(doc, attributes, "value", 0, &note->value))
    return false;
  if ((role == ROLE_CONTROL || role == ROLE_HELD) && note->thread == NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': the attribute 'thread' is missing", doc->element);
  if ((role == ROLE_HELD || role == ROLE_LOCK || role == ROLE_COPY) && note->object == NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': the attribute 'object' is missing", doc->element);
  if (role != ROLE_CONTROL && note->state != NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': only a control place has a state", doc->element);
  note->role = role;
  doc->has_role = true;
  return point_of(doc, attributes, role, &note->point);
}

bool pnml_note_event(PnmlDoc *doc, XmlAttributes attributes) {
  static const char *const allowed[] = {"thread", "line",  "column", "file", "function",
                                        "text",   "begin", "end",    "sync", NULL};
  TransNote *note = &doc->event;
  uint32_t sync;
  if (doc->has_event) return pnml_doc_fail(doc, "annotation '%s': a transition with two events", doc->element);
  doc->has_event = true;
  if (!only_attributes(doc, attributes, allowed) || !number(doc, attributes, "sync", 0, &sync)) return false;
  if (sync > 1) return pnml_doc_fail(doc, "annotation '%s': sync=\"%u\" is neither 0 nor 1", doc->element, sync);
  note->sync = sync;
  return declared(doc, attributes, "thread", doc->n_threads, &note->thread) &&
         position(doc, attributes, PLACE, &note->pos) && string(doc, attributes, "text", &note->text) &&
         declared(doc, attributes, "begin", doc->n_blocks, &note->begin) &&
         declared(doc, attributes, "end", doc->n_blocks, &note->end);
}

bool pnml_note_access(PnmlDoc *doc, AccessMode mode, XmlAttributes attributes) {
  uint32_t object;
  if (!only_attributes(doc, attributes, (const char *const[]){"object", NULL}) ||
      !declared(doc, attributes, "object", doc->n_objects, &object))
    return false;
  if (object == NOTE_NONE)
    return pnml_doc_fail(doc, "annotation '%s': the attribute 'object' is missing", doc->element);
  vec_push(doc->heap, &doc->accesses, ((Access){object, mode}));
  return true;
}
