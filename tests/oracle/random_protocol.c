/* All threads work on X, between an entry and an exit, which are drawn: what one waits for is often what others do.
 * Exits undo what entries did. Then some of it is left out, or is something else, so that both verdicts are frequent.
 */
#include "tests/oracle/random_protocol.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_THREADS = 5, MAX_LINE = 200 };

/* How a thread gets to X. */
typedef enum {
  ROLE_READER, /* counts itself, while there is no writer */
  ROLE_WRITER, /* waits until nobody counts */
  ROLE_COUNTS, /* counts up behind X */
  ROLE_AWAITS, /* until all have counted */
  ROLE_FLAG,   /* Peterson's lock, of two */
  ROLE_LOCKED, /* counts under a lock */
  ROLE_ALONE,  /* waits under the lock until nobody counts */
  ROLE_TURN,   /* waits for its turn, and gives it away */
  N_ROLES
} Role;

typedef struct {
  Heap *heap;
  CharVec *text;
  uint64_t seed, draws;
  uint32_t n_threads, n_values; /* of N and R */
  uint32_t faults;              /* per cent of the lines that are not as they should be */
  bool loops;
} Gen;

static uint32_t draw(Gen *gen, uint32_t n) { return (uint32_t)(hash_word(gen->seed + gen->draws++) % n); }
static bool chance(Gen *gen, uint32_t per_cent) { return draw(gen, 100) < per_cent; }

__attribute__((format(printf, 2, 3))) static void put(Gen *gen, const char *format, ...) {
  char text[MAX_LINE];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (int i = 0; i < length; i++) vec_push(gen->heap, gen->text, text[i]);
}

/* Any line that may be in an entry or an exit. */
static void put_other(Gen *gen) {
  switch (draw(gen, 8)) {
  case 0: put(gen, "N := N + 1;\n"); break;
  case 1: put(gen, "R := R - 1;\n"); break;
  case 2: put(gen, "R := %u;\n", draw(gen, gen->n_values)); break;
  case 3: put(gen, "await (R = %u);\n", draw(gen, gen->n_values)); break;
  case 4: put(gen, "W := %s;\n", chance(gen, 50) ? "true" : "false"); break;
  case 5: put(gen, "atomic { await (N != %u); N := N + 1 };\n", draw(gen, gen->n_values)); break;
  case 6: put(gen, "await (W = F%u or R = 0);\n", draw(gen, 2)); break;
  default: put(gen, "F%u := %s;\n", draw(gen, 2), chance(gen, 50) ? "true" : "false");
  }
}

/* The line, unless a fault is drawn: then another one, both, or none. */
static void put_line(Gen *gen, const char *line) {
  const uint32_t fault = chance(gen, gen->faults) ? 1 + draw(gen, 3) : 0;
  if (fault < 2) put(gen, "%s\n", line);
  if (fault == 1 || fault == 2) put_other(gen);
}

static void put_work(Gen *gen, bool marked) {
  static const char *const accesses[] = {"x := X", "X := 1", "X := x + 1"};
  const uint32_t n = marked ? 2 + draw(gen, 2) : 1 + draw(gen, 2);
  if (marked) put(gen, "begin\n");
  for (uint32_t i = 0; i < n; i++) put(gen, "%s;\n", accesses[draw(gen, 3)]);
  if (marked && chance(gen, gen->faults)) put_other(gen);
  if (marked) put(gen, "end;\n");
}

static void put_entry(Gen *gen, Role role, uint32_t thread) {
  char line[MAX_LINE];
  const uint32_t me = thread % 2;
  switch (role) {
  case ROLE_READER: put_line(gen, "atomic { await (!W); R := R + 1 };"); break;
  case ROLE_WRITER: put_line(gen, "atomic { await (R = 0 && !W); W := true };"); break;
  case ROLE_COUNTS: break;
  case ROLE_AWAITS:
    snprintf(line, sizeof line, "await (N = %u);", gen->n_values - 1);
    put_line(gen, line);
    break;
  case ROLE_FLAG:
    snprintf(line, sizeof line, "F%u := true;", me);
    put_line(gen, line);
    snprintf(line, sizeof line, "W := %s;", me ? "true" : "false");
    put_line(gen, line);
    snprintf(line, sizeof line, "await (!F%u or W = %s);", 1 - me, me ? "false" : "true");
    put_line(gen, line);
    break;
  case ROLE_LOCKED:
    put_line(gen, "acquire(l);");
    put_line(gen, "R := R + 1;");
    put_line(gen, "release(l);");
    break;
  case ROLE_ALONE:
    put_line(gen, "acquire(l);");
    put_line(gen, "await (R = 0);");
    break;
  case ROLE_TURN:
    snprintf(line, sizeof line, "await (N = %u);", thread % gen->n_values);
    put_line(gen, line);
    break;
  case N_ROLES: break;
  }
}

static void put_exit(Gen *gen, Role role, uint32_t thread) {
  char line[MAX_LINE];
  switch (role) {
  case ROLE_READER:
  case ROLE_LOCKED: put_line(gen, "R := R - 1;"); break;
  case ROLE_WRITER: put_line(gen, "W := false;"); break;
  case ROLE_COUNTS:
  case ROLE_TURN: put_line(gen, "N := N + 1;"); break;
  case ROLE_AWAITS: break;
  case ROLE_FLAG:
    snprintf(line, sizeof line, "F%u := false;", thread % 2);
    put_line(gen, line);
    break;
  case ROLE_ALONE: put_line(gen, "release(l);"); break;
  case N_ROLES: break;
  }
}

static void put_thread(Gen *gen, Role role, uint32_t thread, bool marked) {
  const bool loops = gen->loops && chance(gen, 60);
  if (loops) put(gen, "while (true) {\n");
  put_entry(gen, role, thread);
  put_work(gen, marked);
  put_exit(gen, role, thread);
  if (loops) put(gen, "}\n");
}

/* The roles go in pairs, so that there is somebody for each. */
static Role draw_role(Gen *gen, uint32_t kind, uint32_t thread) {
  switch (kind) {
  case 0: return thread && chance(gen, 70) ? ROLE_READER : ROLE_WRITER;
  case 1: return thread ? ROLE_COUNTS : ROLE_AWAITS;
  case 2: return thread < 2 ? ROLE_FLAG : ROLE_TURN;
  case 3: return thread && chance(gen, 70) ? ROLE_LOCKED : ROLE_ALONE;
  case 4: return ROLE_TURN;
  default: return (Role)draw(gen, N_ROLES);
  }
}

void random_protocol(Heap *heap, uint64_t seed, CharVec *text) {
  Gen gen = {.heap = heap, .text = text, .seed = hash_word(seed * 2 + ((uint64_t)1 << 41))};
  const uint32_t kind = draw(&gen, 6);
  gen.n_threads = 2 + draw(&gen, MAX_THREADS - 1);
  if (kind == 2 && gen.n_threads > 3) gen.n_threads = 3;
  gen.n_values = gen.n_threads + (chance(&gen, 20) ? 1 : 0);
  gen.faults = chance(&gen, 40) ? 0 : 2 + draw(&gen, 20);
  gen.loops = gen.n_threads < 4 && chance(&gen, 50);
  put(&gen, "int[%u] N;\nint[%u] R;\nbool W;\nbool F0;\nbool F1;\nint X;\nlock l;\n", gen.n_values, gen.n_values);
  for (uint32_t i = 0; i < gen.n_threads; i++) {
    if (i) put(&gen, "||\n");
    const Role role = draw_role(&gen, kind, i);
    const bool copies = i && i + 1 < gen.n_threads && chance(&gen, 30);
    if (copies) put(&gen, "2 * {\n");
    put_thread(&gen, role, i, !i || chance(&gen, 30));
    if (copies) put(&gen, "}\n");
    i += copies;
  }
}
