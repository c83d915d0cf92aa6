/* Writing PNML is one pass over the net through a buffer; docs/annotations.md is the form. */
#include "petri/pnml.h"
#include "petri/pnml_text.h"
#include "petri/text_out.h"

#include <string.h>

#define OPEN_NOTES "<toolspecific tool=\"causalnet\" version=\"1\">"
#define CLOSE_NOTES "</toolspecific>"

/* ---- text ---- */

static void put_character(TextOut *out, const char *at, size_t length) {
  switch (*at) {
  case '&': text_out_string(out, "&amp;"); break;
  case '<': text_out_string(out, "&lt;"); break;
  case '>': text_out_string(out, "&gt;"); break;
  case '"': text_out_string(out, "&quot;"); break;
  default: text_out_bytes(out, at, length);
  }
}

static void put_plain(TextOut *out, const char *text) {
  for (size_t n; *text; text += n) {
    n = pnml_char_length(text);
    put_character(out, text, n);
  }
}

static void put_escaped(TextOut *out, const char *text) {
  static const char digits[] = "0123456789ABCDEF";
  for (size_t n; *text; text += n ? n : 1) {
    n = pnml_char_length(text);
    const unsigned char byte = (unsigned char)*text;
    if (byte == '\\') text_out_string(out, "\\\\");
    else if (n) put_character(out, text, n);
    else text_out_bytes(out, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
  }
}

static void put_text_attribute(TextOut *out, const char *name, const char *text) {
  text_out_string(out, " ");
  text_out_string(out, name);
  text_out_string(out, "=\"");
  put_escaped(out, text);
  text_out_string(out, "\"");
}

static void put_attribute(TextOut *out, const char *name, uint32_t number) {
  text_out_string(out, " ");
  text_out_string(out, name);
  text_out_string(out, "=\"");
  text_out_number(out, number);
  text_out_string(out, "\"");
}

/* An attribute that is left out where it has the value that stands for "none". */
static void put_attribute_unless(TextOut *out, const char *name, uint32_t number, uint32_t none) {
  if (number != none) put_attribute(out, name, number);
}

static void put_name(TextOut *out, const char *name) {
  text_out_string(out, "<name><text>");
  if (pnml_is_plain(name)) put_plain(out, name);
  else put_escaped(out, name);
  text_out_string(out, "</text></name>");
}

static void put_exact_name(TextOut *out, const char *name) {
  if (pnml_is_plain(name)) return;
  text_out_string(out, "<name");
  put_text_attribute(out, "exact", name);
  text_out_string(out, "/>");
}

/* ---- annotations ---- */

static void put_position(TextOut *out, SrcPos pos) {
  put_attribute_unless(out, "line", pos.line, 0);
  put_attribute_unless(out, "column", pos.column, 0);
  put_attribute_unless(out, "file", pos.file, 0);
  put_attribute_unless(out, "function", pos.function, 0);
}

static void put_end_position(TextOut *out, SrcPos pos) {
  put_attribute_unless(out, "endline", pos.line, 0);
  put_attribute_unless(out, "endcolumn", pos.column, 0);
  put_attribute_unless(out, "endfile", pos.file, 0);
  put_attribute_unless(out, "endfunction", pos.function, 0);
}

static void put_names(TextOut *out, const char *element, const char *attribute, const char *const *names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    text_out_string(out, element);
    put_text_attribute(out, attribute, names[i]);
    text_out_string(out, "/>\n");
  }
}

static void put_threads(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_threads; i++) {
    text_out_string(out, "<thread");
    put_text_attribute(out, "name", notes->threads[i].name);
    put_attribute(out, "group", notes->threads[i].group);
    put_position(out, notes->threads[i].pos);
    put_attribute_unless(out, "count", notes->threads[i].count, NOTE_NONE);
    text_out_string(out, "/>\n");
  }
}

static void put_objects(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_objects; i++) {
    text_out_string(out, notes->objects[i].kind == OBJECT_LOCK ? "<lock" : "<variable");
    put_text_attribute(out, "name", notes->objects[i].name);
    put_attribute_unless(out, "values", notes->objects[i].n_values, 0);
    put_attribute_unless(out, "bool", notes->objects[i].is_bool, 0);
    put_attribute_unless(out, "initial", notes->objects[i].initial, 0);
    text_out_string(out, "/>\n");
  }
}

static void put_slots(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_slots; i++) {
    text_out_string(out, "<slot");
    put_text_attribute(out, "name", notes->slots[i].name);
    put_attribute(out, "values", notes->slots[i].n_values);
    put_attribute_unless(out, "bool", notes->slots[i].is_bool, 0);
    put_attribute_unless(out, "object", notes->slots[i].object, NOTE_NONE);
    text_out_string(out, "/>\n");
  }
}

static void put_states(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_states; i++) {
    const NoteState *state = &notes->states[i];
    text_out_string(out, "<state");
    put_attribute(out, "slot", state->slot);
    text_out_string(out, " values=\"");
    for (uint32_t v = 0; v < state->n; v++) {
      if (v) text_out_string(out, " ");
      text_out_number(out, state->values[v]);
    }
    text_out_string(out, "\"/>\n");
  }
}

static void put_blocks(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_blocks; i++) {
    const NoteBlock *block = &notes->blocks[i];
    text_out_string(out, "<block");
    if (block->name) put_text_attribute(out, "name", block->name);
    put_position(out, block->begin);
    put_end_position(out, block->end);
    text_out_string(out, "/>\n");
  }
}

static void put_gaps(TextOut *out, const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_gaps; i++) {
    text_out_string(out, "<gap");
    put_text_attribute(out, "what", notes->gaps[i].what);
    put_position(out, notes->gaps[i].pos);
    text_out_string(out, "/>\n");
  }
}

static void put_unit_names(TextOut *out, const Net *net) {
  for (uint32_t i = 0; i < net->n_units; i++) {
    text_out_string(out, "<unit id=\"u");
    text_out_number(out, i);
    text_out_string(out, "\"");
    put_text_attribute(out, "name", net->unit_name[i]);
    text_out_string(out, "/>\n");
  }
}

static void put_net_notes(TextOut *out, const Net *net) {
  const bool odd_name = net->name[0] && !pnml_is_plain(net->name);
  if (!net->notes && !net->n_units && !odd_name) return;
  text_out_string(out, OPEN_NOTES "\n");
  if (odd_name) put_exact_name(out, net->name);
  if (net->notes) {
    put_names(out, "<source", "file", net->notes->files, net->notes->n_files);
    put_names(out, "<function", "name", net->notes->functions + 1, net->notes->n_functions - 1);
    put_names(out, "<count", "name", net->notes->counts, net->notes->n_counts);
    put_threads(out, net->notes);
    put_objects(out, net->notes);
    put_slots(out, net->notes);
    put_states(out, net->notes);
    put_blocks(out, net->notes);
    put_gaps(out, net->notes);
  }
  put_unit_names(out, net);
  text_out_string(out, CLOSE_NOTES "\n");
}

static bool is_noted_place(const PlaceNote *note) {
  return note->role != ROLE_NONE || note->thread != NOTE_NONE || note->object != NOTE_NONE || note->copy ||
         note->value || note->state != NOTE_NONE || note->point;
}

static void put_point(TextOut *out, ControlPoint point) {
  static const char *const points[] = {NULL, "start", "end", "assertion", "failed"}; /* ORDER ControlPoint */
  _Static_assert(sizeof points / sizeof *points == POINT_FAILED + 1, "ORDER ControlPoint");
  if (point) put_text_attribute(out, "point", points[point]);
}

static void put_place_notes(TextOut *out, const Net *net, uint32_t p) {
  static const char *const roles[] = {[ROLE_NONE] = "<none",
                                      [ROLE_CONTROL] = "<control",
                                      [ROLE_HELD] = "<held",
                                      [ROLE_LOCK] = "<lock",
                                      [ROLE_COPY] = "<copy"};
  _Static_assert(sizeof roles / sizeof *roles == ROLE_COPY + 1, "a row for each PlaceRole");
  const PlaceNote *note = net->notes && is_noted_place(&net->notes->places[p]) ? &net->notes->places[p] : NULL;
  if (!note && pnml_is_plain(net->place_name[p])) return;
  text_out_string(out, OPEN_NOTES);
  put_exact_name(out, net->place_name[p]);
  if (note) {
    text_out_string(out, roles[note->role]);
    put_attribute_unless(out, "thread", note->thread, NOTE_NONE);
    put_attribute_unless(out, "object", note->object, NOTE_NONE);
    put_attribute_unless(out, "copy", note->copy, 0);
    put_attribute_unless(out, "value", note->value, 0);
    put_attribute_unless(out, "state", note->state, NOTE_NONE);
    put_point(out, note->point);
    text_out_string(out, "/>");
  }
  text_out_string(out, CLOSE_NOTES);
}

static bool has_place(SrcPos pos) { return pos.line || pos.column || pos.file || pos.function; }

static bool is_noted_trans(const TransNote *note) {
  return note->thread != NOTE_NONE || has_place(note->pos) || note->text[0] || note->begin != NOTE_NONE ||
         note->end != NOTE_NONE || note->sync;
}

static void put_event(TextOut *out, const TransNote *note) {
  text_out_string(out, "<event");
  put_attribute_unless(out, "thread", note->thread, NOTE_NONE);
  put_position(out, note->pos);
  if (note->text[0]) put_text_attribute(out, "text", note->text);
  put_attribute_unless(out, "begin", note->begin, NOTE_NONE);
  put_attribute_unless(out, "end", note->end, NOTE_NONE);
  put_attribute_unless(out, "sync", note->sync, 0);
  text_out_string(out, "/>");
}

static void put_trans_notes(TextOut *out, const Net *net, uint32_t t) {
  static const char *const modes[] = {
      [ACCESS_READ] = "<read", [ACCESS_WRITE] = "<write", [ACCESS_ACQUIRE] = "<acquire", [ACCESS_RELEASE] = "<release"};
  _Static_assert(sizeof modes / sizeof *modes == ACCESS_RELEASE + 1, "a row for each AccessMode");
  const TransNote *note =
      net->notes && is_noted_trans(&net->notes->transitions[t]) ? &net->notes->transitions[t] : NULL;
  const AccessList accesses = net->notes ? notes_accesses(net->notes, t) : (AccessList){NULL, 0};
  if (!note && !accesses.n && pnml_is_plain(net->trans_name[t])) return;
  text_out_string(out, OPEN_NOTES);
  put_exact_name(out, net->trans_name[t]);
  if (note) put_event(out, note);
  for (uint32_t i = 0; i < accesses.n; i++) {
    text_out_string(out, modes[accesses.at[i].mode]);
    put_attribute(out, "object", accesses.at[i].object);
    text_out_string(out, "/>");
  }
  text_out_string(out, CLOSE_NOTES);
}

/* ---- units ---- */

static void put_id(TextOut *out, const char *letter, uint32_t number) {
  text_out_string(out, letter);
  text_out_number(out, number);
}

static void put_unit(TextOut *out, const char *letter, uint32_t number, PlaceList places) {
  text_out_string(out, "<unit id=\"");
  put_id(out, letter, number);
  text_out_string(out, "\"><places>");
  for (uint32_t i = 0; i < places.n; i++) put_id(out, i ? " p" : "p", places.at[i].v);
  text_out_string(out, "</places><subunits/></unit>\n");
}

static uint32_t count_single_places(const Net *net) { return net->n_places - net->unit_start[net->n_units]; }

static void put_root_unit(TextOut *out, const Net *net) {
  const char *letter = "u";
  text_out_string(out, "<unit id=\"root\"><places/><subunits>");
  for (uint32_t unit = 0; unit < net->n_units; unit++, letter = " u") put_id(out, letter, unit);
  for (uint32_t i = 0; i < count_single_places(net); i++) put_id(out, " s", i);
  text_out_string(out, "</subunits></unit>\n");
}

static void put_structure(TextOut *out, const Net *net) {
  text_out_string(out, "<structure");
  put_attribute(out, "units", 1 + net->n_units + count_single_places(net));
  text_out_string(out, " root=\"root\" safe=");
  text_out_string(out, net->units_safe ? "\"true\">\n" : "\"false\">\n");
  put_root_unit(out, net);
  for (uint32_t unit = 0; unit < net->n_units; unit++) put_unit(out, "u", unit, net_unit_places(net, unit));
  for (uint32_t p = 0, i = 0; p < net->n_places; p++)
    if (net->unit_of[p] == UNIT_NONE) put_unit(out, "s", i++, (PlaceList){&(PlaceId){p}, 1});
  text_out_string(out, "</structure>\n");
}

static void put_nupn(TextOut *out, const Net *net) {
  if (!net->n_units) return;
  text_out_string(out, "<toolspecific tool=\"nupn\" version=\"1.1\">\n<size");
  put_attribute(out, "places", net->n_places);
  put_attribute(out, "transitions", net->n_trans);
  text_out_string(out, " arcs=\"");
  text_out_number(out, (uint64_t)net->n_inputs + net->n_outputs);
  text_out_string(out, "\"/>\n");
  put_structure(out, net);
  text_out_string(out, CLOSE_NOTES "\n");
}

/* ---- the net ---- */

static void put_place(TextOut *out, const Net *net, uint32_t p) {
  text_out_string(out, "<place id=\"");
  put_id(out, "p", p);
  text_out_string(out, "\">");
  put_name(out, net->place_name[p]);
  if (net->marked[p]) text_out_string(out, "<initialMarking><text>1</text></initialMarking>");
  put_place_notes(out, net, p);
  text_out_string(out, "</place>\n");
}

static void put_transition(TextOut *out, const Net *net, uint32_t t) {
  text_out_string(out, "<transition id=\"");
  put_id(out, "t", t);
  text_out_string(out, "\">");
  put_name(out, net->trans_name[t]);
  put_trans_notes(out, net, t);
  text_out_string(out, "</transition>\n");
}

static void put_arc(TextOut *out, uint64_t number, const char *from, uint32_t source, const char *to, uint32_t target) {
  text_out_string(out, "<arc id=\"a");
  text_out_number(out, number);
  text_out_string(out, "\" source=\"");
  put_id(out, from, source);
  text_out_string(out, "\" target=\"");
  put_id(out, to, target);
  text_out_string(out, "\"/>\n");
}

static void put_arcs(TextOut *out, const Net *net) {
  uint64_t number = 0;
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    for (uint32_t i = 0; i < pre.n; i++) put_arc(out, number++, "p", pre.at[i].v, "t", t);
    for (uint32_t i = 0; i < post.n; i++) put_arc(out, number++, "t", t, "p", post.at[i].v);
  }
}

bool pnml_write(const Net *net, FILE *stream) {
  TextOut out = {.stream = stream, .heap = net->arena.heap};
  text_out_string(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
                        "<net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n");
  if (net->name[0]) {
    put_name(&out, net->name);
    text_out_string(&out, "\n");
  }
  put_net_notes(&out, net);
  text_out_string(&out, "<page id=\"page\">\n");
  for (uint32_t p = 0; p < net->n_places; p++) put_place(&out, net, p);
  for (uint32_t t = 0; t < net->n_trans; t++) put_transition(&out, net, t);
  put_arcs(&out, net);
  put_nupn(&out, net);
  text_out_string(&out, "</page>\n</net>\n</pnml>\n");
  return text_out_end(&out);
}
