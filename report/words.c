#include "report/words.h"

#include "base/text.h"

#include <string.h>

static const char *const VERBS[] = {"reads", "writes", "acquires", "releases"}; /* ORDER AccessMode */

const char *verdict_name(Verdict verdict) {
  static const char *const NAMES[] = {"atomic", "violated", "unknown"}; /* ORDER Verdict */
  return NAMES[verdict];
}

const char *words_position(Arena *arena, const Notes *notes, SrcPos pos) {
  const bool named = notes->file[0] != '\0';
  if (!named && !pos.line) return "";
  const char *file = named ? text_clean(arena, notes->file) : "<unknown>";
  if (!pos.line) return arena_format(arena, "%s: ", file);
  return arena_format(arena, "%s:%u:%u: ", file, pos.line, pos.column);
}

const char *words_block(Arena *arena, const Notes *notes, uint32_t block) {
  const NoteBlock *note = &notes->blocks[block];
  if (note->name) return arena_format(arena, "block '%s'", text_clean(arena, note->name));
  return note->begin.line ? "block" : arena_format(arena, "block %u", block + 1);
}

const char *words_thread(Arena *arena, const Notes *notes, uint32_t thread) {
  return thread == NOTE_NONE ? "the environment" : text_clean(arena, notes->threads[thread].name);
}

const char *words_event(Arena *arena, const Net *net, TransId t) {
  const char *text = net->notes->transitions[t.v].text;
  return text_clean(arena, text[0] ? text : net->trans_name[t.v]);
}

const char *words_object(Arena *arena, const Notes *notes, uint32_t object) {
  return text_clean(arena, notes->objects[object].name);
}

const char *words_access(Arena *arena, const Notes *notes, TransId t, uint32_t object, AccessMode mode) {
  const char *name = words_object(arena, notes, object);
  const AccessList accesses = notes_accesses(notes, t.v);
  bool reads = false;
  for (uint32_t i = 0; i < accesses.n; i++) reads |= accesses.at[i].object == object && accesses.at[i].mode == ACCESS_READ;
  return arena_format(arena, "%s%s %s", reads && mode != ACCESS_READ ? "reads and " : "", VERBS[mode], name);
}

/* ---- the chain ---- */

const CausalEdge *witness_edge_in(const Witness *witness, uint32_t step) {
  for (uint32_t i = 0; i < witness->n_edges; i++)
    if (witness->edges[i].on_chain && witness->edges[i].to == step) return &witness->edges[i];
  return NULL;
}

const CausalEdge *witness_edge_out(const Witness *witness, uint32_t step) {
  for (uint32_t i = 0; i < witness->n_edges; i++)
    if (witness->edges[i].on_chain && witness->edges[i].from == step) return &witness->edges[i];
  return NULL;
}

bool witness_crosses(const Witness *witness, const CausalEdge *edge) {
  const uint32_t from = witness->steps[edge->from].thread, to = witness->steps[edge->to].thread;
  return from != to || from == NOTE_NONE;
}

/* What the step does with what the edge brings, or with what it takes away; NULL for program order. */
static const char *entering(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *edge) {
  if (!edge || !witness_crosses(witness, edge)) return NULL;
  if (edge->object == NOTE_NONE)
    return arena_format(arena, "takes the token of '%s'", text_clean(arena, net->place_name[edge->place.v]));
  return words_access(arena, net->notes, witness->steps[edge->to].transition, edge->object, edge->to_mode);
}

static const char *leaving(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *edge) {
  if (!edge || !witness_crosses(witness, edge)) return NULL;
  if (edge->object == NOTE_NONE)
    return arena_format(arena, "puts a token on '%s'", text_clean(arena, net->place_name[edge->place.v]));
  return words_access(arena, net->notes, witness->steps[edge->from].transition, edge->object, edge->from_mode);
}

static const char *step_between(Arena *arena, const char *in, const char *out, bool first) {
  if (!in) return out ? arena_format(arena, "then %s", out) : NULL;
  if (out && strcmp(in, out) != 0) return arena_format(arena, "%s, then %s", in, out);
  return arena_format(arena, "%s%s", in, first ? " in between" : ", which depends on it");
}

static const CausalEdge *edge_leaving_thread(const Witness *witness) {
  for (uint32_t i = 0; i < witness->n_edges; i++) {
    const CausalEdge *edge = &witness->edges[i];
    const StepRole role = witness->steps[edge->to].role;
    if (edge->on_chain && role == STEP_IN) return edge;
  }
  return NULL;
}

static const char *step_back(Arena *arena, const Net *net, const Witness *witness, const CausalEdge *back, const char *in) {
  const CausalEdge *out = edge_leaving_thread(witness);
  if (!out || out->object == NOTE_NONE || out->object != back->object) return arena_format(arena, "%s, which depends on it", in);
  return arena_format(arena, "%s %s", in, strcmp(in, leaving(arena, net, witness, out)) ? "afterwards" : "again");
}

const char *words_step(Arena *arena, const Net *net, const Witness *witness, uint32_t step) {
  if (witness->steps[step].role == STEP_NONE) return NULL;
  const CausalEdge *edge_in = witness_edge_in(witness, step), *edge_out = witness_edge_out(witness, step);
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
