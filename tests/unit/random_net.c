#include "tests/unit/random_net.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t state;
  const char *without;
} Dice;

static uint32_t roll(Dice *dice, uint32_t n) { return n ? (uint32_t)(hash_word(dice->state++) % n) : 0; }

/* A string, NULL-free, of plain and odd bytes; now and then an odd one that XML would spoil. */
static const char *any_text(Dice *dice, char text[64]) {
  static const char *const odd[] = {"",
                                    " ",
                                    " x",
                                    "x ",
                                    "\t",
                                    "a\r\nb",
                                    "\\",
                                    "\\x41",
                                    "&lt;",
                                    "]]>",
                                    "<a b=\"c\">",
                                    "'",
                                    "\xff",
                                    "\xc3\xa4",
                                    "\xed\xa0\x80",
                                    "\xef\xbf\xbf",
                                    "\xf0\x9f\x98\x80",
                                    "\xc0\x80",
                                    "\x1b[31m",
                                    "\x7f",
                                    "-->",
                                    "\xf8",
                                    "a\\"};
  if (roll(dice, 3) == 0) {
    strcpy(text, odd[roll(dice, sizeof odd / sizeof *odd)]);
  } else {
    const uint32_t length = roll(dice, 20);
    for (uint32_t i = 0; i < length; i++) text[i] = (char)(roll(dice, 2) ? 'a' + roll(dice, 26) : 1 + roll(dice, 255));
    text[length] = '\0';
  }
  for (char *c = text; *c; c++)
    if (strchr(dice->without, *c)) *c = '_';
  return text;
}

/* A name of a node is not empty. */
static const char *any_name(Dice *dice, char text[64]) {
  any_text(dice, text);
  return text[0] ? text : "n";
}

/* Files and functions that the notes have. */
enum { N_FILES = 3, N_FUNCTIONS = 3 };

static SrcPos any_pos(Dice *dice, bool several) {
  SrcPos pos = {.line = roll(dice, 3) * roll(dice, 1000), .column = roll(dice, 80)};
  if (several) pos.file = roll(dice, N_FILES);
  if (several) pos.function = roll(dice, N_FUNCTIONS);
  return pos;
}

/* A number below n, or none. */
static uint32_t any_of(Dice *dice, uint32_t n) { return n && roll(dice, 2) ? roll(dice, n) : NOTE_NONE; }

static void add_slots(NotesBuilder *notes, Dice *dice, uint32_t n_slots, uint32_t n_states, uint32_t n_objects) {
  char text[64];
  for (uint32_t i = 0; i < n_slots; i++) {
    const uint32_t n_values = 2 + roll(dice, 3);
    notes_add_slot(notes,
                   (NoteSlot){any_text(dice, text), n_values, n_values == 2 && roll(dice, 2), any_of(dice, n_objects)});
  }
  for (uint32_t i = 0; i < n_states; i++) {
    const uint16_t values[] = {roll(dice, 2) != 0, roll(dice, 2) != 0, 1};
    const uint32_t slot = roll(dice, n_slots);
    notes_add_state(notes, (NoteState){slot, roll(dice, n_slots - slot + 1), values});
  }
}

static void add_notes(NetBuilder *builder, Dice *dice) {
  NotesBuilder *notes = net_builder_notes(builder);
  const uint32_t n_threads = roll(dice, 4), n_objects = roll(dice, 4), n_blocks = roll(dice, 3);
  const uint32_t n_slots = roll(dice, 4), n_states = n_slots ? roll(dice, 3) : 0;
  char text[64];
  const bool several = roll(dice, 2);
  notes_set_file(notes, any_text(dice, text));
  for (uint32_t i = 1; several && i < N_FILES; i++) notes_add_file(notes, any_text(dice, text));
  for (uint32_t i = 1; several && i < N_FUNCTIONS; i++) notes_add_function(notes, any_text(dice, text));
  for (uint32_t i = 0; i < n_threads; i++)
    notes_add_thread(notes, any_text(dice, text), roll(dice, 3), any_pos(dice, several));
  for (uint32_t i = 0; i < n_objects; i++) {
    const ObjectKind kind = roll(dice, 2) ? OBJECT_LOCK : OBJECT_VARIABLE;
    const uint32_t n_values = roll(dice, 3), object = notes_add_object(notes, any_text(dice, text), kind, n_values);
    if (kind == OBJECT_VARIABLE && n_values == 2 && roll(dice, 2)) notes_set_bool(notes, object);
    if (n_values) notes_set_initial(notes, object, roll(dice, n_values));
  }
  add_slots(notes, dice, n_slots, n_states, n_objects);
  for (uint32_t i = 0; i < n_blocks; i++)
    notes_add_block(notes, roll(dice, 2) ? any_text(dice, text) : NULL, any_pos(dice, several), any_pos(dice, several));
  for (uint32_t i = 1; i < n_blocks; i++) notes_add_gap(notes, any_text(dice, text), any_pos(dice, several));
  for (uint32_t p = 0; p < net_builder_places(builder); p++) {
    PlaceNote note = {ROLE_NONE,     any_of(dice, n_threads), any_of(dice, n_objects),
                      roll(dice, 3), roll(dice, 3),           NOTE_NONE,
                      POINT_OTHER};
    if (note.thread != NOTE_NONE) note.role = note.object != NOTE_NONE ? ROLE_HELD : ROLE_CONTROL;
    else if (note.object != NOTE_NONE) note.role = roll(dice, 2) ? ROLE_LOCK : ROLE_COPY;
    if (note.role == ROLE_CONTROL) note.state = any_of(dice, n_states);
    if (note.role == ROLE_CONTROL) note.point = (ControlPoint)roll(dice, POINT_FAILED + 1);
    notes_set_place(notes, p, note);
  }
  for (uint32_t t = 0; t < net_builder_transitions(builder); t++) {
    if (roll(dice, 4))
      notes_set_trans(notes, t,
                      (TransNote){any_of(dice, n_threads), any_pos(dice, several), any_text(dice, text),
                                  any_of(dice, n_blocks), any_of(dice, n_blocks), roll(dice, 2) == 1});
    for (uint32_t i = roll(dice, 3); n_objects && i > 0; i--)
      notes_add_access(notes, t, (Access){roll(dice, n_objects), (AccessMode)roll(dice, 4)});
  }
}

static void add_units(NetBuilder *builder, Dice *dice) {
  const uint32_t n_units = 1 + roll(dice, 4);
  char text[64];
  for (uint32_t i = 0; i < n_units; i++) net_add_unit(builder, any_text(dice, text));
  for (uint32_t p = 0; p < net_builder_places(builder); p++)
    if (roll(dice, 3)) net_set_unit(builder, (PlaceId){p}, roll(dice, n_units));
  net_set_units_safe(builder, roll(dice, 2));
}

Net *random_net(Heap *heap, uint64_t seed, bool with_notes, const char *without) {
  Dice dice = {seed << 20, without};
  NetBuilder *builder = net_builder_new(heap);
  const uint32_t n_places = roll(&dice, 12), n_trans = roll(&dice, 10);
  char text[64];
  if (roll(&dice, 2)) net_set_name(builder, any_text(&dice, text));
  for (uint32_t p = 0; p < n_places; p++) net_add_place(builder, any_name(&dice, text), roll(&dice, 2));
  for (uint32_t t = 0; t < n_trans; t++) net_add_trans(builder, any_name(&dice, text));
  for (uint32_t p = 0; p < n_places; p++)
    for (uint32_t t = 0; t < n_trans; t++) {
      if (roll(&dice, 4) == 0) net_add_input(builder, (PlaceId){p}, (TransId){t});
      if (roll(&dice, 4) == 0) net_add_output(builder, (TransId){t}, (PlaceId){p});
    }
  if (with_notes && roll(&dice, 2)) add_units(builder, &dice);
  if (with_notes && roll(&dice, 2)) add_notes(builder, &dice);
  Err err;
  Net *net = net_freeze(builder, &err);
  if (!net) {
    fprintf(stderr, "random net %llu: %s\n", (unsigned long long)seed, err.text);
    abort();
  }
  return net;
}

/* ---- comparison ---- */

static bool differ(const char *what, uint32_t i) {
  printf("\n    the nets differ in %s %u\n", what, i);
  return false;
}

static bool same_text(const char *a, const char *b) { return (!a && !b) || (a && b && strcmp(a, b) == 0); }

static bool same_rows(const char *what, const uint32_t *start_a, const PlaceId *a, const uint32_t *start_b,
                      const PlaceId *b, uint32_t n) {
  for (uint32_t t = 0; t <= n; t++)
    if (start_a[t] != start_b[t]) return differ(what, t);
  for (uint32_t k = 0; k < start_a[n]; k++)
    if (a[k].v != b[k].v) return differ(what, k);
  return true;
}

static bool same_structure(const Net *a, const Net *b) {
  if (a->n_places != b->n_places || a->n_trans != b->n_trans) return differ("size", 0);
  for (uint32_t p = 0; p < a->n_places; p++)
    if (a->marked[p] != b->marked[p] || !same_text(a->place_name[p], b->place_name[p])) return differ("place", p);
  for (uint32_t t = 0; t < a->n_trans; t++)
    if (!same_text(a->trans_name[t], b->trans_name[t])) return differ("transition", t);
  return same_rows("presets", a->pre_start, a->pre, b->pre_start, b->pre, a->n_trans) &&
         same_rows("postsets", a->post_start, a->post, b->post_start, b->post, a->n_trans);
}

static bool same_units(const Net *a, const Net *b) {
  if (a->n_units != b->n_units) return differ("units", 0);
  for (uint32_t i = 0; i < a->n_units; i++)
    if (!same_text(a->unit_name[i], b->unit_name[i])) return differ("unit", i);
  for (uint32_t p = 0; a->n_units && p < a->n_places; p++)
    if (a->unit_of[p] != b->unit_of[p]) return differ("unit of place", p);
  return !a->n_units || a->units_safe == b->units_safe || differ("safety of units", 0);
}

static bool same_pos(SrcPos a, SrcPos b) {
  return a.line == b.line && a.column == b.column && a.file == b.file && a.function == b.function;
}

static bool same_names(const char *const *a, uint32_t n_a, const char *const *b, uint32_t n_b) {
  for (uint32_t i = 0; n_a == n_b && i < n_a; i++)
    if (!same_text(a[i], b[i])) return false;
  return n_a == n_b;
}

static bool same_declarations(const Notes *a, const Notes *b) {
  if (!same_names(a->files, a->n_files, b->files, b->n_files)) return differ("files", 0);
  if (!same_names(a->functions, a->n_functions, b->functions, b->n_functions)) return differ("functions", 0);
  if (a->n_threads != b->n_threads || a->n_objects != b->n_objects || a->n_blocks != b->n_blocks)
    return differ("counts", 0);
  for (uint32_t i = 0; i < a->n_threads; i++) {
    const NoteThread *x = &a->threads[i], *y = &b->threads[i];
    if (!same_text(x->name, y->name) || x->group != y->group || !same_pos(x->pos, y->pos)) return differ("thread", i);
  }
  for (uint32_t i = 0; i < a->n_objects; i++) {
    const NoteObject *x = &a->objects[i], *y = &b->objects[i];
    if (!same_text(x->name, y->name) || x->kind != y->kind || x->n_values != y->n_values || x->is_bool != y->is_bool ||
        x->initial != y->initial)
      return differ("object", i);
  }
  if (a->n_slots != b->n_slots || a->n_states != b->n_states) return differ("slots", 0);
  for (uint32_t i = 0; i < a->n_slots; i++) {
    const NoteSlot *x = &a->slots[i], *y = &b->slots[i];
    if (!same_text(x->name, y->name) || x->n_values != y->n_values || x->is_bool != y->is_bool ||
        x->object != y->object)
      return differ("slot", i);
  }
  for (uint32_t i = 0; i < a->n_states; i++) {
    const NoteState *x = &a->states[i], *y = &b->states[i];
    if (x->slot != y->slot || x->n != y->n || (x->n && memcmp(x->values, y->values, x->n * sizeof *x->values) != 0))
      return differ("state", i);
  }
  for (uint32_t i = 0; i < a->n_blocks; i++) {
    const NoteBlock *x = &a->blocks[i], *y = &b->blocks[i];
    if (!same_text(x->name, y->name) || !same_pos(x->begin, y->begin) || !same_pos(x->end, y->end))
      return differ("block", i);
  }
  if (a->n_gaps != b->n_gaps) return differ("gaps", 0);
  for (uint32_t i = 0; i < a->n_gaps; i++)
    if (!same_text(a->gaps[i].what, b->gaps[i].what) || !same_pos(a->gaps[i].pos, b->gaps[i].pos))
      return differ("gap", i);
  return true;
}

static bool same_node_notes(const Net *net, const Notes *a, const Notes *b) {
  for (uint32_t p = 0; p < net->n_places; p++) {
    const PlaceNote *x = &a->places[p], *y = &b->places[p];
    if (x->role != y->role || x->thread != y->thread || x->object != y->object || x->copy != y->copy ||
        x->value != y->value || x->state != y->state)
      return differ("note of place", p);
  }
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const TransNote *x = &a->transitions[t], *y = &b->transitions[t];
    const AccessList i = notes_accesses(a, t), j = notes_accesses(b, t);
    if (x->thread != y->thread || !same_pos(x->pos, y->pos) || !same_text(x->text, y->text) || x->begin != y->begin ||
        x->end != y->end || i.n != j.n)
      return differ("note of transition", t);
    for (uint32_t k = 0; k < i.n; k++)
      if (i.at[k].object != j.at[k].object || i.at[k].mode != j.at[k].mode) return differ("accesses of transition", t);
  }
  return true;
}

bool same_net(const Net *a, const Net *b, bool with_notes) {
  if (!same_structure(a, b)) return false;
  if (!with_notes) return true;
  if (!same_text(a->name, b->name)) return differ("name", 0);
  if (!a->notes != !b->notes) return differ("having notes", 0);
  return same_units(a, b) &&
         (!a->notes || (same_declarations(a->notes, b->notes) && same_node_notes(a, a->notes, b->notes)));
}

char *written_net(Heap *heap, const Net *net, bool (*write)(const Net *net, FILE *out), size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  if (!out || !write(net, out) || fclose(out) != 0) abort();
  char *copy = heap_alloc(heap, *length + 1);
  memcpy(copy, text, *length + 1);
  free(text);
  return copy;
}
