#include "report/words.h"

#include "base/text.h"
#include "report/vocabulary.h"

#include <assert.h>
#include <string.h>

enum { LONGEST_NAME = 80, LONGEST_EVENT = 240 };

static const char *clean_name(Arena *arena, const char *name) {
  return text_shorten(arena, text_clean(arena, name), LONGEST_NAME);
}

Place words_place(Arena *arena, const Notes *notes, SrcPos pos) {
  const char *file = notes_file_of(notes, pos), *function = notes->functions[pos.function];
  return (Place){.file = file[0] ? text_clean(arena, file) : NULL,
                 .line = pos.line,
                 .column = pos.column,
                 .function = function[0] ? text_clean(arena, function) : NULL};
}

bool words_have_files(const Net *net) { return net && net->notes && net->notes->n_functions > 1; }

const char *words_block(Arena *arena, const Notes *notes, uint32_t block) {
  assert(block < notes->n_blocks);
  const NoteBlock *note = &notes->blocks[block];
  if (note->name) return arena_format(arena, "block '%s'", clean_name(arena, note->name));
  return note->begin.line ? "block" : arena_format(arena, "block %u", block + 1);
}

const char *words_thread(Arena *arena, const Notes *notes, uint32_t thread) {
  return thread == NOTE_NONE ? "the environment" : clean_name(arena, notes->threads[thread].name);
}

const char *words_event(Arena *arena, const Net *net, TransId t) {
  const char *text = net->notes->transitions[t.v].text;
  return text_shorten(arena, text_clean(arena, text[0] ? text : net->trans_name[t.v]), LONGEST_EVENT);
}

const char *words_object(Arena *arena, const Notes *notes, uint32_t object) {
  assert(object < notes->n_objects);
  return clean_name(arena, notes->objects[object].name);
}

const char *words_access(Arena *arena, const Notes *notes, TransId t, uint32_t object, AccessMode mode) {
  const char *name = words_object(arena, notes, object);
  const AccessList accesses = notes_accesses(notes, t.v);
  bool reads = false;
  for (uint32_t i = 0; i < accesses.n; i++)
    reads |= accesses.at[i].object == object && accesses.at[i].mode == ACCESS_READ;
  const char *before = reads && mode != ACCESS_READ ? "reads and " : "";
  return arena_format(arena, "%s%s %s", before, vocabulary_verb(mode)->does, name);
}

/* ---- the chain ---- */

static const CausalEdge *chain_edge(const Witness *witness, uint32_t edge) {
  return edge == NOTE_NONE ? NULL : &witness->edges[edge];
}

/* Do the edge's steps belong to different threads? */
static bool crosses(const Witness *witness, const CausalEdge *edge) {
  const uint32_t from = witness->steps[edge->from].thread, to = witness->steps[edge->to].thread;
  return from != to || from == NOTE_NONE;
}

/* What the step does with what the edge brings, or with what it takes away; NULL for program order. */
static const char *entering(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *edge) {
  if (!edge || !crosses(witness, edge)) return NULL;
  if (edge->object == NOTE_NONE)
    return arena_format(arena, "takes the token of '%s'", clean_name(arena, net->place_name[edge->place.v]));
  return words_access(arena, net->notes, witness->steps[edge->to].transition, edge->object, edge->to_mode);
}

static const char *leaving(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *edge) {
  if (!edge || !crosses(witness, edge)) return NULL;
  if (edge->object == NOTE_NONE)
    return arena_format(arena, "puts a token on '%s'", clean_name(arena, net->place_name[edge->place.v]));
  return words_access(arena, net->notes, witness->steps[edge->from].transition, edge->object, edge->from_mode);
}

static const char *step_between(Arena *arena, const char *in, const char *out, bool first) {
  if (!in) return out ? arena_format(arena, "then %s", out) : NULL;
  if (out && strcmp(in, out) != 0) return arena_format(arena, "%s, then %s", in, out);
  return arena_format(arena, "%s%s", in, first ? " in between" : ", which depends on it");
}

/* The edge that leaves T. */
static const CausalEdge *first_crossing(const Witness *witness) {
  assert(witness->n_steps > 0);
  const CausalEdge *edge = chain_edge(witness, witness->steps[witness->n_steps - 1].chain_in);
  while (witness->steps[edge->to].role != STEP_IN) edge = chain_edge(witness, witness->steps[edge->from].chain_in);
  return edge;
}

static const char *step_back(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *back,
                             const char *in) {
  const CausalEdge *out = first_crossing(witness);
  if (out->object == NOTE_NONE || out->object != back->object)
    return arena_format(arena, "%s, which depends on it", in);
  return arena_format(arena, "%s %s", in, strcmp(in, leaving(arena, net, witness, out)) ? "afterwards" : "again");
}

const char *words_step(Arena *arena, const Net *net, const Witness *witness, uint32_t step) {
  assert(step < witness->n_steps);
  if (witness->steps[step].role == STEP_NONE) return NULL;
  const CausalEdge *edge_in = chain_edge(witness, witness->steps[step].chain_in);
  const CausalEdge *edge_out = chain_edge(witness, witness->steps[step].chain_out);
  const char *in = entering(arena, net, witness, edge_in), *out = leaving(arena, net, witness, edge_out);
  switch (witness->steps[step].role) {
  case STEP_NONE: break;
  case STEP_BEGIN:
  case STEP_OUT: return out;
  case STEP_IN: return step_between(arena, in, out, true);
  case STEP_CHAIN: return step_between(arena, in, out, false);
  case STEP_BACK: return in ? step_back(arena, net, witness, edge_in, in) : NULL;
  }
  return NULL;
}
