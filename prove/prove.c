#include "prove/prove.h"

#include "petri/safe.h"
#include "prove/certificate.h"
#include "prove/slice.h"
#include "prove/together.h"
#include "prove/proof_words.h"

/* A block as the threads of one class run it. */
typedef struct {
  uint32_t block, class;
} Occurrence;

typedef struct {
  Heap *heap;
  const ProveOptions *options;
  Proofs *proofs;
  Classes classes;
  Known plain, counting; /* the second one is there if has_counting */
  bool has_counting;
  bool is_open;       /* there may be more threads, and those of each group behave alike, of which some have two */
  const Known *facts; /* the ones of these that are searched with */
  Together together;  /* of the second one */
  Links links;
  Movers movers;
  Environment environment;
  VEC(Occurrence) occurrences; /* ascending by class, of which each may be entered */
  U32Vec chain;
  U32Vec queue;
  uint64_t *inside;   /* bits held in the block under way */
  uint64_t *visited;  /* controls */
  uint64_t *followed; /* objects that the proof of the block under way follows */
} Prover;

/* ---- where blocks are entered ---- */

static void add_occurrence(Prover *p, Occurrence new) {
  for (uint32_t i = p->occurrences.n; i-- > 0 && p->occurrences.at[i].class == new.class;)
    if (p->occurrences.at[i].block == new.block) return;
  vec_push(p->heap, &p->occurrences, new);
}

static void find_occurrences(Prover *p) {
  for (uint32_t step = 0; step < p->classes.n_steps; step++) {
    const uint32_t block = p->classes.steps[step].begin;
    if (block != NOTE_NONE && known_is_live(p->facts, step))
      add_occurrence(p, (Occurrence){block, classes_of_step(&p->classes, step)});
  }
}

/* ---- what is held inside, for people ---- */

static void visit(Prover *p, uint32_t control) {
  const size_t words = p->facts->held_words;
  if (bitset_has(p->visited, control)) return;
  bitset_add(p->visited, control);
  vec_push(p->heap, &p->queue, control);
  for (size_t i = 0; i < words; i++) p->inside[i] |= p->facts->held[control * words + i];
}

static void visit_inside(Prover *p, Occurrence at) {
  const Classes *c = &p->classes;
  for (uint32_t s = classes_first_step(c, at.class); s < classes_first_step(c, at.class + 1); s++)
    if (c->steps[s].begin == at.block && known_is_live(p->facts, s)) visit(p, c->steps[s].to);
  for (uint32_t i = 0; i < p->queue.n; i++)
    for (uint32_t s = c->step_start[p->queue.at[i]]; s < c->step_start[p->queue.at[i] + 1]; s++)
      if (movers_is_inside(p->facts, s, at.block)) visit(p, c->steps[s].to);
  for (uint32_t i = 0; i < p->queue.n; i++) bitset_remove(p->visited, p->queue.at[i]);
  vec_clear(&p->queue);
}

/* ---- the chain's threads ---- */

/* The n-th thread of a class, from 0, or the last one. */
static uint32_t member(const Classes *classes, uint32_t class, uint32_t n) {
  const ThreadView *program = &classes->program;
  uint32_t last = classes->classes.at[class].first;
  for (uint32_t i = last; i < program->n_threads; i++) {
    if (program->twin[i] != classes->classes.at[class].first) continue;
    last = i;
    if (!n--) break;
  }
  return last;
}

static bool add_thread(U32Vec *threads, Heap *heap, uint32_t thread) {
  for (uint32_t i = 0; i < threads->n; i++)
    if (threads->at[i] == thread) return false;
  vec_push(heap, threads, thread);
  return true;
}

/* A thread for each piece of the chain, as long as the classes have some. What is no thread of the notes is left out.
 */
static void keep_chain(Prover *p, Occurrence at, BlockProof *proof) {
  const Classes *c = &p->classes;
  U32Vec threads = {0};
  add_thread(&threads, p->heap, member(c, at.class, 0));
  for (uint32_t i = 0; i < p->chain.n; i++) {
    if (p->chain.at[i] != CHAIN_HANDED) continue;
    const uint32_t class = classes_of_step(c, p->chain.at[i + 1]);
    for (uint32_t n = 0; n < c->classes.at[class].n && c->classes.at[class].first < c->program.net->notes->n_threads;
         n++)
      if (add_thread(&threads, p->heap, member(c, class, n))) break;
  }
  uint32_t *chain = arena_alloc(&p->proofs->arena, (size_t)threads.n * sizeof *chain);
  for (uint32_t i = 0; i < threads.n; i++) chain[i] = threads.at[i];
  proof->chain = chain;
  proof->n_chain = threads.n;
  vec_fini(p->heap, &threads);
}

/* ---- slices ---- */

static void keep_slice(Prover *p, const uint64_t *classes, BlockProof *proof) {
  const ThreadView *program = &p->classes.program;
  const uint32_t n_threads = program->net->notes->n_threads;
  uint32_t *slice = arena_alloc(&p->proofs->arena, ((size_t)program->n_threads + 1) * sizeof *slice), n = 0;
  for (uint32_t i = 0; i < program->n_threads; i++) {
    if (!bitset_has(classes, classes_of_thread(&p->classes, i))) continue;
    slice[n++] = i;
    if (i < n_threads) proof->n_slice++;
    else proof->n_single++;
  }
  proof->slice = slice;
}

/* For all classes that run the block. False if the work was asked to end. */
static bool slice_block(Prover *p, uint32_t block, BlockProof *proof) {
  uint64_t *classes = heap_zeroed(p->heap, (bitset_words(p->classes.n_classes) + 1) * sizeof *classes);
  bool good = true;
  for (uint32_t i = 0; good && i < p->occurrences.n; i++)
    if (p->occurrences.at[i].block == block)
      good = slice_find(&p->environment, p->occurrences.at[i].class, block, classes);
  if (good) keep_slice(p, classes, proof);
  heap_release(p->heap, classes);
  return good;
}

/* ---- block by block ---- */

/* By what it is proved for one class. False if the work was asked to end. */
static bool prove_occurrence(Prover *p, Occurrence at, BlockProof *proof, ProofKind *kind) {
  *kind = PROVED_BY_MOVERS;
  if (p->options->movers && movers_prove(&p->movers, at.class, at.block)) return true;
  *kind = PROVED_NOT;
  if (!p->options->environment) return true;
  vec_clear(&p->chain);
  switch (environment_prove(&p->environment, at.class, at.block, &p->chain)) {
  case ENVIRONMENT_PROVES: *kind = PROVED_BY_ENVIRONMENT; break;
  case ENVIRONMENT_CHAIN: keep_chain(p, at, proof); break;
  case ENVIRONMENT_ASKED: return false;
  }
  return true;
}

/* Makes sets of pairs for the classes of the chain. False if none of them is new. */
static bool refine_chain(Prover *p, uint32_t class) {
  bool any = false;
  for (uint32_t i = 0; i < p->chain.n; i++)
    if (p->chain.at[i] != CHAIN_HANDED)
      any = together_refine(&p->together, class, classes_of_step(&p->classes, p->chain.at[i])) || any;
  if (any) movers_forget(&p->movers);
  return any;
}

/* Would the chain that was found for the class without counters and pairs be found again: are there none that tell
 * something about the class, and none to be had for the chain? */
static bool has_same_chain(Prover *p, uint32_t class, const BlockProof *proof) {
  if (!proof->n_chain || classes_of_thread(&p->classes, proof->chain[0]) != class || p->counting.counters.n)
    return false;
  bool any = false;
  for (uint32_t i = 0; i < proof->n_chain; i++)
    any = together_refine(&p->together, class, classes_of_thread(&p->classes, proof->chain[i])) || any;
  if (any) movers_forget(&p->movers);
  for (uint32_t i = 0; i < p->together.sets.n && !any; i++)
    any = p->together.sets.at[i]->a == class || p->together.sets.at[i]->b == class;
  return !any;
}

/* As prove_occurrence, with counters and pairs. */
static bool prove_together(Prover *p, Occurrence at, BlockProof *proof, ProofKind *kind) {
  *kind = PROVED_NOT;
  if (has_same_chain(p, at.class, proof)) return true;
  for (;;) {
    vec_clear(&p->chain);
    *kind = PROVED_NOT;
    switch (environment_prove(&p->environment, at.class, at.block, &p->chain)) {
    case ENVIRONMENT_PROVES: *kind = PROVED_BY_PAIRS; return true;
    case ENVIRONMENT_CHAIN:
      if (refine_chain(p, at.class)) break;
      keep_chain(p, at, proof);
      return true;
    case ENVIRONMENT_ASKED: return false;
    }
  }
}

/* The sets that may have been asked for the block of the class. */
static void note_used(Prover *p, uint32_t class) {
  for (uint32_t i = 0; i < p->together.sets.n; i++) {
    PairSet *set = p->together.sets.at[i];
    if (set->a != class && set->b != class) continue;
    set->used = true;
    for (uint32_t k = 0; k < set->objects.n; k++) bitset_add(p->followed, set->objects.at[k]);
  }
}

static const char *find_words(Prover *p, uint32_t block, ProofKind kind) {
  Arena *arena = &p->proofs->arena;
  if (kind != PROVED_BY_PAIRS) return proof_words_alone(arena, p->facts, kind, p->inside);
  for (size_t i = 0; i < bitset_words(p->classes.n_objects); i++) p->followed[i] = 0;
  for (uint32_t i = 0; i < p->occurrences.n; i++)
    if (p->occurrences.at[i].block == block) note_used(p, p->occurrences.at[i].class);
  return proof_words_with_pairs(arena, p->facts, p->followed);
}

/* A block is proved if it is for all classes, and by the strongest means that one of them needs. */
static bool prove_block(Prover *p, uint32_t block, bool together) {
  BlockProof *proof = &p->proofs->blocks[block];
  ProofKind all = together ? PROVED_BY_PAIRS : PROVED_BY_MOVERS;
  proof->is_dead = true;
  for (size_t i = 0; i < p->facts->held_words; i++) p->inside[i] = 0;
  for (uint32_t i = 0; all != PROVED_NOT && i < p->occurrences.n; i++) {
    const Occurrence at = p->occurrences.at[i];
    if (at.block != block) continue;
    proof->is_dead = false;
    ProofKind kind;
    if (!(together ? prove_together(p, at, proof, &kind) : prove_occurrence(p, at, proof, &kind))) return false;
    if (kind == PROVED_NOT || all == PROVED_BY_MOVERS) all = kind;
    if (kind == PROVED_BY_MOVERS) visit_inside(p, at);
  }
  proof->kind = all;
  proof->words = find_words(p, block, all);
  proof->is_of_any_number = all != PROVED_NOT && p->is_open && (!together || !p->counting.counters.n);
  if (all != PROVED_NOT) proof->n_chain = 0;
  return !heap_asked(p->heap);
}

/* ---- with which facts ---- */

static void use_facts(Prover *p, const Known *facts) {
  p->facts = facts;
  links_init(&p->links, facts);
  movers_init(&p->movers, &p->links);
  environment_init(&p->environment, &p->movers);
  vec_clear(&p->occurrences);
  find_occurrences(p);
}

static void leave_facts(Prover *p) {
  environment_fini(&p->environment);
  movers_fini(&p->movers);
  links_fini(&p->links);
}

static bool is_left(const Prover *p, uint32_t block) {
  return p->proofs->blocks[block].kind == PROVED_NOT && (!p->options->blocks || p->options->blocks[block]);
}

static bool prove_left(Prover *p, bool together) {
  for (uint32_t b = 0; b < p->proofs->n_blocks; b++)
    if (is_left(p, b) && !prove_block(p, b, together)) return false;
  return true;
}

static bool has_left(const Prover *p) {
  for (uint32_t b = 0; b < p->proofs->n_blocks; b++)
    if (is_left(p, b)) return true;
  return false;
}

/* From here on, with counters and pairs. */
static bool prove_more(Prover *p) {
  if (!p->options->pairs || !has_left(p)) return true;
  if (!known_init_counting(&p->counting, &p->plain)) return false;
  p->has_counting = true;
  leave_facts(p);
  use_facts(p, &p->counting);
  together_init(&p->together, &p->links);
  p->counting.together = &p->together;
  return prove_left(p, true);
}

static bool slice_left(Prover *p) {
  for (uint32_t b = 0; b < p->proofs->n_blocks; b++)
    if (is_left(p, b) && !slice_block(p, b, &p->proofs->blocks[b])) return false;
  return true;
}

static bool has_proof(const Proofs *proofs, ProofKind weakest) {
  for (uint32_t b = 0; b < proofs->n_blocks; b++)
    if (proofs->blocks[b].kind >= weakest) return true;
  return false;
}

/* The sets of pairs that were asked for the slices that go into the certificate. Is there such a slice? */
static bool note_slices(Prover *p) {
  const Net *net = p->classes.program.net;
  bool any = false;
  for (uint32_t b = 0; b < p->proofs->n_blocks; b++) any = any || certificate_has_slice(p->proofs, net, b);
  for (uint32_t i = 0; p->has_counting && i < p->occurrences.n; i++)
    if (certificate_has_slice(p->proofs, net, p->occurrences.at[i].block)) note_used(p, p->occurrences.at[i].class);
  return any;
}

/* With no more facts than are needed. */
static void write_certificate(Prover *p) {
  if (!p->options->certificate) return;
  const bool has_slices = note_slices(p);
  if (!has_slices && !has_proof(p->proofs, PROVED_BY_MOVERS)) return;
  const Known *facts = has_slices || has_proof(p->proofs, PROVED_BY_PAIRS) ? p->facts : &p->plain;
  certificate_proof(p->options->certificate, facts, p->proofs, p->options->every);
}

/* Asked for where a gap says that there may be more of them. */
static bool has_open_groups(const Notes *notes) {
  for (uint32_t i = 0; i < notes->n_gaps; i++)
    if (note_gap_copies(notes->gaps[i].what)) return true;
  return false;
}

/* What is proved without counting holds for any number of threads of a class that has two. */
static bool groups_are_classes(const Classes *classes) {
  const Notes *notes = classes->program.net->notes;
  bool any = false;
  for (uint32_t t = 0; t < notes->n_threads; t++) {
    uint32_t other = 0;
    while (notes->threads[other].group != notes->threads[t].group) other++;
    if (classes_of_thread(classes, t) != classes_of_thread(classes, other)) return false;
    any |= other != t;
  }
  return any;
}

static void prove_blocks(Prover *p) {
  p->is_open = has_open_groups(p->classes.program.net->notes) && groups_are_classes(&p->classes);
  use_facts(p, &p->plain);
  p->inside = heap_zeroed(p->heap, (p->plain.held_words + 1) * sizeof *p->inside);
  p->visited = heap_zeroed(p->heap, (bitset_words(p->classes.n_controls) + 1) * sizeof *p->visited);
  p->followed = heap_zeroed(p->heap, (bitset_words(p->classes.n_objects) + 1) * sizeof *p->followed);
  const bool first = p->options->movers || p->options->environment;
  p->proofs->complete = (!first || prove_left(p, false)) && prove_more(p) && (!p->options->slice || slice_left(p));
  write_certificate(p);
  leave_facts(p);
  if (p->has_counting) together_fini(&p->together);
  if (p->has_counting) known_fini(&p->counting);
  heap_release(p->heap, p->inside);
  heap_release(p->heap, p->visited);
  heap_release(p->heap, p->followed);
  vec_fini(p->heap, &p->occurrences);
  vec_fini(p->heap, &p->chain);
  vec_fini(p->heap, &p->queue);
}

/* ---- the net ---- */

static void prove_classes(Prover *p, const Net *net) {
  Err err;
  if (!classes_init(&p->classes, p->heap, net, &err)) {
    p->proofs->why = arena_format(&p->proofs->arena, "%s", err.text);
    p->proofs->complete = true;
    return;
  }
  if (known_init(&p->plain, p->heap, &p->classes)) {
    prove_blocks(p);
    known_fini(&p->plain);
  }
  classes_fini(&p->classes);
}

static Proofs *proofs_new(Heap *heap, uint32_t n_blocks) {
  Proofs *proofs = heap_alloc(heap, sizeof *proofs);
  *proofs = (Proofs){.n_blocks = n_blocks, .why = ""};
  arena_init(&proofs->arena, heap);
  proofs->blocks = arena_zeroed(&proofs->arena, (size_t)n_blocks + 1, sizeof *proofs->blocks);
  for (uint32_t b = 0; b < n_blocks; b++) proofs->blocks[b].words = "";
  return proofs;
}

Proofs *prove_net(Heap *heap, const Net *net, const ProveOptions *options) {
  Proofs *proofs = proofs_new(heap, net->notes->n_blocks);
  Prover p = {.heap = heap, .options = options, .proofs = proofs};
  if (options->is_safe || net_is_safe(heap, net)) {
    prove_classes(&p, net);
  } else {
    proofs->why = "it is not 1-safe by counting";
    proofs->complete = true;
  }
  return proofs;
}

void prove_free(Proofs *proofs) {
  if (!proofs) return;
  Heap *heap = proofs->arena.heap;
  arena_fini(&proofs->arena);
  heap_release(heap, proofs);
}
