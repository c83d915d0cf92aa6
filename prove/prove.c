#include "prove/prove.h"

#include "petri/safe.h"
#include "prove/certificate.h"
#include "prove/slice.h"
#include "prove/words.h"

/* A block as the threads of one class run it. */
typedef struct {
  uint32_t block, class;
} Occurrence;

typedef struct {
  Heap *heap;
  const ProveOptions *options;
  Proofs *proofs;
  Classes classes;
  Known facts;
  Links links;
  Movers movers;
  Environment environment;
  VEC(Occurrence) occurrences; /* ascending by class, of which each may be entered */
  U32Vec chain;
  U32Vec queue;
  uint64_t *inside;  /* bits held in the block under way */
  uint64_t *visited; /* controls */
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
    if (block != NOTE_NONE && known_is_live(&p->facts, step))
      add_occurrence(p, (Occurrence){block, classes_of_step(&p->classes, step)});
  }
}

/* ---- what is held inside, for people ---- */

static void visit(Prover *p, uint32_t control) {
  if (bitset_has(p->visited, control)) return;
  bitset_add(p->visited, control);
  vec_push(p->heap, &p->queue, control);
  for (size_t i = 0; i < p->facts.held_words; i++) p->inside[i] |= p->facts.held[control * p->facts.held_words + i];
}

static void visit_inside(Prover *p, Occurrence at) {
  const Classes *c = &p->classes;
  for (uint32_t s = c->step_start[c->classes.at[at.class].controls];
       s < c->step_start[c->classes.at[at.class + 1].controls]; s++)
    if (c->steps[s].begin == at.block && known_is_live(&p->facts, s)) visit(p, c->steps[s].to);
  for (uint32_t i = 0; i < p->queue.n; i++)
    for (uint32_t s = c->step_start[p->queue.at[i]]; s < c->step_start[p->queue.at[i] + 1]; s++)
      if (movers_is_inside(&p->facts, s, at.block)) visit(p, c->steps[s].to);
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
  uint32_t *slice = arena_alloc(&p->proofs->arena, ((size_t)n_threads + 1) * sizeof *slice);
  for (uint32_t i = 0; i < n_threads; i++)
    if (bitset_has(classes, classes_of_thread(&p->classes, i))) slice[proof->n_slice++] = i;
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

/* A block is proved if it is for all classes, and by the strongest means that one of them needs. */
static bool prove_block(Prover *p, uint32_t block) {
  BlockProof *proof = &p->proofs->blocks[block];
  ProofKind all = PROVED_BY_MOVERS;
  proof->is_dead = true;
  for (size_t i = 0; i < p->facts.held_words; i++) p->inside[i] = 0;
  for (uint32_t i = 0; all != PROVED_NOT && i < p->occurrences.n; i++) {
    if (p->occurrences.at[i].block != block) continue;
    proof->is_dead = false;
    ProofKind kind;
    if (!prove_occurrence(p, p->occurrences.at[i], proof, &kind)) return false;
    if (kind == PROVED_NOT || all == PROVED_BY_MOVERS) all = kind;
    if (kind == PROVED_BY_MOVERS) visit_inside(p, p->occurrences.at[i]);
  }
  proof->kind = all;
  proof->words = words_of_proof(&p->proofs->arena, &p->facts, all, p->inside);
  if (all == PROVED_NOT && p->options->slice && !slice_block(p, block, proof)) return false;
  return !heap_asked(p->heap);
}

static void prove_blocks(Prover *p) {
  links_init(&p->links, &p->facts);
  movers_init(&p->movers, &p->links);
  environment_init(&p->environment, &p->movers);
  p->inside = heap_zeroed(p->heap, (p->facts.held_words + 1) * sizeof *p->inside);
  p->visited = heap_zeroed(p->heap, (bitset_words(p->classes.n_controls) + 1) * sizeof *p->visited);
  find_occurrences(p);
  bool good = true;
  for (uint32_t b = 0; good && b < p->proofs->n_blocks; b++)
    if (!p->options->blocks || p->options->blocks[b]) good = prove_block(p, b);
  p->proofs->complete = good;
  environment_fini(&p->environment);
  movers_fini(&p->movers);
  links_fini(&p->links);
  heap_release(p->heap, p->inside);
  heap_release(p->heap, p->visited);
  vec_fini(p->heap, &p->occurrences);
  vec_fini(p->heap, &p->chain);
  vec_fini(p->heap, &p->queue);
}

/* ---- the net ---- */

static bool is_safe_by_counting(Heap *heap, const Net *net) {
  bool *proved = heap_zeroed(heap, (size_t)net->n_places + 1);
  const bool safe = net_prove_safe(heap, net, proved);
  heap_release(heap, proved);
  return safe;
}

static bool has_proof(const Proofs *proofs) {
  for (uint32_t b = 0; b < proofs->n_blocks; b++)
    if (proofs->blocks[b].kind != PROVED_NOT) return true;
  return false;
}

static void prove_classes(Prover *p, const Net *net) {
  Err err;
  if (!classes_init(&p->classes, p->heap, net, &err)) {
    p->proofs->why = arena_format(&p->proofs->arena, "%s", err.text);
    p->proofs->complete = true;
    return;
  }
  if (known_init(&p->facts, p->heap, &p->classes)) {
    prove_blocks(p);
    if (p->options->certificate && has_proof(p->proofs))
      certificate_proof(p->options->certificate, &p->facts, p->proofs);
    known_fini(&p->facts);
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
  if (options->is_safe || is_safe_by_counting(heap, net)) {
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
