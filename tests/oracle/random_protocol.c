/* All threads work on X, between an entry and an exit, which are drawn: what one waits for is often what others do.
 * Exits undo what entries did. Then some of it is left out, or is something else, so that both verdicts are frequent.
 */
#include "tests/oracle/random_protocol.h"

#include "base/hash.h"
#include "tests/oracle/drawn_text.h"

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
  DrawnText out;
  uint32_t n_threads, n_values; /* of N and R */
  uint32_t faults;              /* per cent of the lines that are not as they should be */
  bool loops;
} Gen;

/* Any line that may be in an entry or an exit. */
static void put_other(Gen *gen) {
  switch (drawn_number(&gen->out, 8)) {
  case 0: drawn_put(&gen->out, "N := N + 1;\n"); break;
  case 1: drawn_put(&gen->out, "R := R - 1;\n"); break;
  case 2: drawn_put(&gen->out, "R := %u;\n", drawn_number(&gen->out, gen->n_values)); break;
  case 3: drawn_put(&gen->out, "await (R = %u);\n", drawn_number(&gen->out, gen->n_values)); break;
  case 4: drawn_put(&gen->out, "W := %s;\n", drawn_chance(&gen->out, 50) ? "true" : "false"); break;
  case 5:
    drawn_put(&gen->out, "atomic { await (N != %u); N := N + 1 };\n", drawn_number(&gen->out, gen->n_values));
    break;
  case 6: drawn_put(&gen->out, "await (W = F%u or R = 0);\n", drawn_number(&gen->out, 2)); break;
  default:
    drawn_put(&gen->out, "F%u := %s;\n", drawn_number(&gen->out, 2), drawn_chance(&gen->out, 50) ? "true" : "false");
  }
}

/* The line, unless a fault is drawn: then another one, both, or none. */
static void put_line(Gen *gen, const char *line) {
  const uint32_t fault = drawn_chance(&gen->out, gen->faults) ? 1 + drawn_number(&gen->out, 3) : 0;
  if (fault < 2) drawn_put(&gen->out, "%s\n", line);
  if (fault == 1 || fault == 2) put_other(gen);
}

static void put_work(Gen *gen, bool marked) {
  static const char *const accesses[] = {"x := X", "X := 1", "X := x + 1"};
  const uint32_t n = marked ? 2 + drawn_number(&gen->out, 2) : 1 + drawn_number(&gen->out, 2);
  if (marked) drawn_put(&gen->out, "begin\n");
  for (uint32_t i = 0; i < n; i++) drawn_put(&gen->out, "%s;\n", accesses[drawn_number(&gen->out, 3)]);
  if (marked && drawn_chance(&gen->out, gen->faults)) put_other(gen);
  if (marked) drawn_put(&gen->out, "end;\n");
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
  const bool loops = gen->loops && drawn_chance(&gen->out, 60);
  if (loops) drawn_put(&gen->out, "while (true) {\n");
  put_entry(gen, role, thread);
  put_work(gen, marked);
  put_exit(gen, role, thread);
  if (loops) drawn_put(&gen->out, "}\n");
}

/* The roles go in pairs, so that there is somebody for each. */
static Role draw_role(Gen *gen, uint32_t kind, uint32_t thread) {
  switch (kind) {
  case 0: return thread && drawn_chance(&gen->out, 70) ? ROLE_READER : ROLE_WRITER;
  case 1: return thread ? ROLE_COUNTS : ROLE_AWAITS;
  case 2: return thread < 2 ? ROLE_FLAG : ROLE_TURN;
  case 3: return thread && drawn_chance(&gen->out, 70) ? ROLE_LOCKED : ROLE_ALONE;
  case 4: return ROLE_TURN;
  default: return (Role)drawn_number(&gen->out, N_ROLES);
  }
}

void random_protocol(Heap *heap, uint64_t seed, CharVec *text) {
  Gen gen = {.out = {heap, text, hash_word(seed * 2 + ((uint64_t)1 << 41)), 0}};
  const uint32_t kind = drawn_number(&gen.out, 6);
  gen.n_threads = 2 + drawn_number(&gen.out, MAX_THREADS - 1);
  if (kind == 2 && gen.n_threads > 3) gen.n_threads = 3;
  gen.n_values = gen.n_threads + (drawn_chance(&gen.out, 20) ? 1 : 0);
  gen.faults = drawn_chance(&gen.out, 40) ? 0 : 2 + drawn_number(&gen.out, 20);
  gen.loops = gen.n_threads < 4 && drawn_chance(&gen.out, 50);
  drawn_put(&gen.out, "int[%u] N;\nint[%u] R;\nbool W;\nbool F0;\nbool F1;\nint X;\nlock l;\n", gen.n_values,
            gen.n_values);
  for (uint32_t i = 0; i < gen.n_threads; i++) {
    if (i) drawn_put(&gen.out, "||\n");
    const Role role = draw_role(&gen, kind, i);
    const bool copies = i && i + 1 < gen.n_threads && drawn_chance(&gen.out, 30);
    if (copies) drawn_put(&gen.out, "2 * {\n");
    put_thread(&gen, role, i, !i || drawn_chance(&gen.out, 30));
    if (copies) drawn_put(&gen.out, "}\n");
    i += copies;
  }
}
