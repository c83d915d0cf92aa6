#include "frontend/sml/sml.h"

#include "frontend/sml/held.h"
#include "frontend/sml/lower.h"

#include <string.h>

const char *const SML_WARNINGS[] = {
    "undeclared", "unassigned", "unread", "unused-lock", "unused-define", "unreached-block", "unmarked",
    "held-acquire", "unheld-release", "modulo-wrap", "division-by-zero", NULL,
};

bool sml_recognise(const char *text, size_t length) {
  size_t at = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
  while (at < length && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
  if (at == length) return true;
  const bool pep = length - at >= 3 && !memcmp(text + at, "PEP", 3) &&
                   (length - at == 3 || (unsigned char)text[at + 3] <= ' ');
  const bool utf16 = length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
  return text[at] != '<' && !pep && !utf16;
}

/* One compilation. */
typedef struct {
  Heap *heap;
  const SmlOptions *options;
  Diag *diag;
  Ast ast;
  Symbols symbols;
  Share *share;      /* per global */
  Flow *flows;       /* per written thread */
  ThreadCode *codes; /* likewise */
  Exploration exploration;
} Compiler;

static bool build_flows(Compiler *c) {
  bool good = true;
  for (uint32_t i = 0; i < c->ast.threads.n && good; i++)
    good = flow_build(&c->flows[i], &c->ast, &c->symbols, &c->ast.threads.at[i], c->diag);
  return good;
}

/* Which locks of a thread need a `held` place. */
static void find_held(Compiler *c, ThreadCode *code, bool *needs_place, bool *warned) {
  if (c->ast.globals.n) memset(needs_place, 0, c->ast.globals.n);
  held_analyse(&c->exploration, code->flow, &code->automaton, needs_place, warned);
  for (uint32_t i = 0; i < c->ast.globals.n; i++)
    if (needs_place[i]) vec_push(c->heap, &code->held, i);
}

static void warn_unreached(const Compiler *c) {
  for (uint32_t i = 0; i < c->ast.blocks.n; i++) {
    const Stmt *s = &c->ast.stmts.at[c->ast.blocks.at[i]];
    if (!c->exploration.reached[i])
      diag_add(c->diag, DIAG_WARNING, "unreached-block", s->span.at, s->span.length, "this block is never reached");
  }
}

static bool explore_threads(Compiler *c) {
  bool *needs_place = heap_zeroed(c->heap, c->ast.globals.n), *warned = heap_zeroed(c->heap, c->ast.stmts.n);
  bool good = true;
  for (uint32_t i = 0; i < c->ast.threads.n && good; i++) {
    ThreadCode *code = &c->codes[i];
    good = explore_thread(&c->exploration, code->flow, &c->ast.threads.at[i], &code->automaton);
    if (good) find_held(c, code, needs_place, warned);
  }
  heap_release(c->heap, needs_place);
  heap_release(c->heap, warned);
  return good;
}

static void init_threads(Compiler *c) {
  c->flows = heap_zeroed(c->heap, c->ast.threads.n * sizeof *c->flows);
  c->codes = heap_zeroed(c->heap, c->ast.threads.n * sizeof *c->codes);
  c->share = heap_zeroed(c->heap, c->ast.globals.n * sizeof *c->share);
  for (uint32_t i = 0; i < c->ast.threads.n; i++) {
    flow_init(&c->flows[i], c->heap);
    c->codes[i].flow = &c->flows[i];
    automaton_init(&c->codes[i].automaton, c->heap);
  }
  exploration_init(&c->exploration, &c->ast, &c->symbols, c->share, c->options->granularity, c->diag);
}

static void fini_threads(Compiler *c) {
  for (uint32_t i = 0; i < c->ast.threads.n; i++) {
    flow_fini(&c->flows[i]);
    automaton_fini(&c->codes[i].automaton);
    vec_fini(c->heap, &c->codes[i].held);
  }
  exploration_fini(&c->exploration);
  heap_release(c->heap, c->flows);
  heap_release(c->heap, c->codes);
  heap_release(c->heap, c->share);
}

static Net *compile_threads(Compiler *c) {
  Net *net = NULL;
  init_threads(c);
  if (build_flows(c)) {
    share_decide(&c->ast, &c->symbols, c->flows, c->options->encoding, c->share);
    if (explore_threads(c)) {
      warn_unreached(c);
      net = lower_program(&c->ast, c->share, c->codes, c->options->encoding, c->diag);
    }
  }
  fini_threads(c);
  return net;
}

/* What was tracked is an `int` from now on, or an undeclared local. */
static void abstract_data(Ast *ast) {
  for (uint32_t i = 0; i < ast->globals.n; i++)
    if (ast->globals.at[i].kind == DECL_TRACKED) ast->globals.at[i].kind = DECL_INT;
  for (uint32_t i = 0; i < ast->threads.n; i++) ast->threads.at[i].locals_end = ast->threads.at[i].locals_start;
}

Net *sml_compile(Heap *heap, const SmlOptions *options, Diag *diag) {
  Compiler compiler = {.heap = heap, .options = options, .diag = diag}, *c = &compiler;
  ast_init(&c->ast, heap);
  symbols_init(&c->symbols, heap);
  Net *net = NULL;
  if (check_source(&c->ast, options, &c->symbols, diag)) {
    if (options->abstract_data) abstract_data(&c->ast);
    net = compile_threads(c);
  }
  symbols_fini(&c->symbols);
  ast_fini(&c->ast);
  return net;
}
