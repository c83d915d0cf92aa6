#include "tests/unit/random_threads.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  FILE *out;
  uint64_t seed, draws;
  uint32_t n_globals, n_procs;
  uint32_t first_proc; /* that may be called */
  uint32_t budget;     /* statements */
  bool recursive;
  bool atomic; /* what is put must fit in one */
  bool in_a;   /* proc a is being put; it may be called in atomics, too */
} Gen;

static uint32_t draw(Gen *g, uint32_t n) { return (uint32_t)(hash_word(g->seed * 0x10001 + g->draws++) % n); }
static char global(Gen *g) { return "XYZ"[draw(g, g->n_globals)]; }

static void put_assign(Gen *g) {
  switch (draw(g, 6)) {
  case 0: fprintf(g->out, "%c := %c + %c; ", global(g), global(g), global(g)); break;
  case 1: fprintf(g->out, "%c := %c; ", global(g), global(g)); break;
  case 2:
  case 3: fprintf(g->out, "l := %c; ", global(g)); break;
  default: fprintf(g->out, "%c := 1; ", global(g));
  }
}

static void put_test(Gen *g) {
  switch (draw(g, 8)) {
  case 0: fputs("(true) ", g->out); break;
  case 1: fputs("(false) ", g->out); break;
  case 2: fprintf(g->out, "(%c = %c) ", global(g), global(g)); break;
  case 3: fprintf(g->out, "(%c = 1) ", global(g)); break;
  default: fputs("(nondet) ", g->out);
  }
}

static void put_list(Gen *g, uint32_t most, uint32_t depth);

static void put_if(Gen *g, uint32_t depth) {
  fputs("if ", g->out);
  put_test(g);
  fputs("{ ", g->out);
  put_list(g, 2, depth + 1);
  fputs("} ", g->out);
  if (draw(g, 2)) return;
  fputs("else { ", g->out);
  put_list(g, 2, depth + 1);
  fputs("} ", g->out);
}

static void put_between(Gen *g, const char *open, const char *close, uint32_t most, uint32_t depth) {
  fputs(open, g->out);
  put_list(g, most, depth + 1);
  fputs(close, g->out);
}

static void put_call(Gen *g) {
  if (g->in_a) put_assign(g);
  else if (g->atomic || !draw(g, 8)) fputs("call a; ", g->out);
  else if (g->first_proc < g->n_procs)
    fprintf(g->out, "call p%u; ", g->first_proc + draw(g, g->n_procs - g->first_proc));
  else put_assign(g);
}

static void put_while(Gen *g, uint32_t depth) {
  fputs("while ", g->out);
  put_test(g);
  put_between(g, "{ ", "} ", 2, depth);
}

static void put_atomic(Gen *g, uint32_t depth) {
  g->atomic = true;
  put_between(g, "atomic { ", "} ", 3, depth);
  g->atomic = false;
}

static void put_stmt(Gen *g, uint32_t depth) {
  const uint32_t kind = draw(g, g->recursive ? 24 : 20);
  g->budget--;
  if (kind < 2) fputs(kind || g->atomic ? "skip; " : "acquire(m); ", g->out);
  else if (kind == 2) fprintf(g->out, draw(g, 5) ? "await (%c = 1); " : "await (false); ", global(g));
  else if (kind < 6 && depth < 4) put_if(g, depth);
  else if (kind < 10 && depth < 4 && !g->atomic) put_between(g, "begin ", "end; ", 3, depth);
  else if (kind < 12 && depth < 4 && !g->atomic) put_while(g, depth);
  else if (kind == 12 && depth < 4 && !g->atomic) put_atomic(g, depth);
  else if (kind < 15 || kind >= 20) put_call(g);
  else put_assign(g);
}

static void put_list(Gen *g, uint32_t most, uint32_t depth) {
  for (uint32_t n = draw(g, most + 1); n && g->budget; n--) put_stmt(g, depth);
}

static void put_a(Gen *g) {
  g->budget = 4;
  g->atomic = g->in_a = true;
  put_between(g, "proc a { ", "}\n", 3, 1);
  g->atomic = g->in_a = false;
}

char *random_threads(uint64_t seed, bool recursive) {
  char *text = NULL;
  size_t size = 0;
  Gen gen = {.out = open_memstream(&text, &size), .seed = seed, .recursive = recursive}, *g = &gen;
  if (!g->out) abort();
  g->n_globals = 1 + draw(g, 3);
  g->n_procs = recursive ? 1 + draw(g, 2) : draw(g, 3);
  fputs(draw(g, 3) ? "int X, Y, Z; lock m;\n" : "int X; bool Y := true; int[3] Z; lock m;\n", g->out);
  put_a(g);
  for (uint32_t p = 0; p < g->n_procs; p++) {
    g->first_proc = recursive ? 0 : p + 1;
    g->budget = 6;
    fprintf(g->out, "proc p%u { ", p);
    put_list(g, 4, 0);
    fputs("}\n", g->out);
  }
  g->first_proc = 0;
  for (uint32_t n = 2 + draw(g, 3), t = 0; t < n; t++) {
    const bool copies = n < 3 && !draw(g, 6);
    g->budget = 7;
    if (t) fputs("|| ", g->out);
    if (copies) fputs(n == 2 && t ? "4 * { " : "2 * { ", g->out);
    if (!draw(g, 4)) fputs("local bool l; ", g->out);
    put_list(g, 4, 0);
    if (draw(g, 3)) put_between(g, "begin ", "end ", 3, 0);
    fputs(copies ? "}\n" : "\n", g->out);
  }
  fclose(g->out);
  return text;
}
