#include "petri/unit_notes.h"

#include "petri/lookup.h"

static const SrcPos NOWHERE;
static const char *const NO_NAMES[] = {""};

/* A transition belongs to this unit of its input places. */
static uint32_t first_unit(const Net *net, PlaceList places) {
  for (uint32_t i = 0; i < places.n; i++)
    if (net->unit_of[places.at[i].v] != UNIT_NONE) return net->unit_of[places.at[i].v];
  return UNIT_NONE;
}

typedef struct {
  Net *net;
  NoteThread *threads;
  NoteBlock *blocks;
  PlaceNote *places;
  TransNote *transitions;
} UnitNotes;

static void note_nodes(UnitNotes *u) {
  Net *net = u->net;
  for (uint32_t i = 0; i < net->n_units; i++) u->threads[i] = (NoteThread){net->unit_name[i], i, NOWHERE, NOTE_NONE};
  for (uint32_t p = 0; p < net->n_places; p++) {
    const uint32_t unit = net->unit_of[p];
    u->places[p] =
        (PlaceNote){unit == UNIT_NONE ? ROLE_NONE : ROLE_CONTROL, unit, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER};
  }
  for (uint32_t t = 0; t < net->n_trans; t++)
    u->transitions[t] = (TransNote){
        first_unit(net, net_pre(net, (TransId){t})), NOWHERE, net->trans_name[t], NOTE_NONE, NOTE_NONE, false};
}

static bool note_begins(UnitNotes *u, const BlockMarks *marks, Err *err) {
  for (uint32_t i = 0; i < marks->n_begins; i++) {
    TransId t;
    if (!net_find_trans(u->net, marks->begins[i], &t, err)) return false;
    if (u->transitions[t.v].thread == NOTE_NONE)
      return err_set(err, ERR_INPUT, "transition '%.200s' is in no unit and cannot begin a block", marks->begins[i]);
    if (u->transitions[t.v].begin != NOTE_NONE)
      return err_set(err, ERR_INPUT, "transition '%.200s' is named twice as a begin", marks->begins[i]);
    u->transitions[t.v].begin = i;
    u->blocks[i] = (NoteBlock){u->net->trans_name[t.v], NOWHERE, NOWHERE};
  }
  return true;
}

/* The one block that begins in the thread of an end; two of them would leave open which one ends. */
static bool note_ends(UnitNotes *u, const BlockMarks *marks, Err *err) {
  for (uint32_t i = 0; i < marks->n_ends; i++) {
    TransId t;
    if (!net_find_trans(u->net, marks->ends[i], &t, err)) return false;
    uint32_t block = NOTE_NONE;
    for (uint32_t b = 0; b < u->net->n_trans; b++) {
      if (u->transitions[b].begin == NOTE_NONE || u->transitions[b].thread != u->transitions[t.v].thread) continue;
      if (block != NOTE_NONE)
        return err_set(err, ERR_INPUT, "two blocks begin in the unit of '%.200s'; which one does it end?",
                       marks->ends[i]);
      block = u->transitions[b].begin;
    }
    if (block == NOTE_NONE) return err_set(err, ERR_INPUT, "no block begins in the unit of '%.200s'", marks->ends[i]);
    u->transitions[t.v].end = block;
  }
  return true;
}

bool net_add_unit_notes(Net *net, const BlockMarks *marks, Err *err) {
  if (net->notes) return err_set(err, ERR_INPUT, "the net already says where its blocks begin and end");
  if (!net->n_units) return err_set(err, ERR_INPUT, "the net has no NUPN units that could be threads");
  Arena *arena = &net->arena;
  UnitNotes u = {.net = net};
  u.threads = arena_zeroed(arena, net->n_units, sizeof *u.threads);
  u.blocks = arena_zeroed(arena, marks->n_begins, sizeof *u.blocks);
  u.places = arena_zeroed(arena, net->n_places, sizeof *u.places);
  u.transitions = arena_zeroed(arena, net->n_trans, sizeof *u.transitions);
  note_nodes(&u);
  if (!note_begins(&u, marks, err) || !note_ends(&u, marks, err)) return false;
  Notes *notes = arena_zeroed(arena, 1, sizeof *notes);
  *notes = (Notes){.file = "",
                   .n_files = 1,
                   .n_functions = 1,
                   .files = NO_NAMES,
                   .functions = NO_NAMES,
                   .n_threads = net->n_units,
                   .n_blocks = marks->n_begins,
                   .threads = u.threads,
                   .blocks = u.blocks,
                   .places = u.places,
                   .transitions = u.transitions,
                   .access_start = arena_zeroed(arena, (size_t)net->n_trans + 1, sizeof(uint32_t))};
  net->notes = notes;
  return true;
}
