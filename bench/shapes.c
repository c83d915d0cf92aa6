/* shapes.c: SML programs of ordinary shapes in any size, to time the checker on.
 *
 *     shapes NAME THREADS [STATEMENTS [SEED]]
 *
 * prints the program of that name, one of the table below. "-once" at the end of a name: threads that end. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is wanted. */
typedef struct {
  uint32_t n_threads, n_statements;
  uint64_t random;
  const char *open, *close; /* around the body of a thread */
} Shape;

static uint32_t below(Shape *s, uint32_t n) {
  s->random = s->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((s->random >> 33) % n);
}

static void declare(const char *kind, char letter, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) printf("%s%c%u", !i ? kind : ", ", letter, i);
  puts(";");
}

static void begin_thread(const Shape *s, uint32_t i) { printf("%s%s", i ? "||\n" : "", s->open); }
static void end_thread(const Shape *s) { puts(s->close); }

/* ---- 50 locks; each has four variables ---- */

enum { LOCKS = 50, PER_LOCK = 4 };
typedef enum { WELL, NESTED, FORGOTTEN, WRONG, READERS } Locking;

static void use(Shape *s, uint32_t lock, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = lock * PER_LOCK + below(s, PER_LOCK);
    printf(below(s, 2) ? "t := v%u; " : "v%u := t + 1; ", v);
  }
}

/* Under one lock, or under two or three that are taken in ascending order. */
static void section(Shape *s, uint32_t lock, uint32_t depth, uint32_t n) {
  printf("acquire(l%u); ", lock);
  use(s, lock, n);
  if (depth && lock + 1 < LOCKS) section(s, lock + 1 + below(s, LOCKS - lock - 1), depth - 1, n);
  printf("release(l%u); ", lock);
}

/* The first thread's lock is forgotten between two uses, or is another thread's. */
static void faulty(Locking locking) {
  if (locking == FORGOTTEN) printf("acquire(l0); t := v0; release(l0); acquire(l0); v0 := t + 1; release(l0) ");
  else printf("acquire(l1); t := v0; v0 := t + 1; release(l1) ");
}

static void locked(Shape *s, Locking locking) {
  declare("int ", 'v', LOCKS * PER_LOCK);
  declare("lock ", 'l', LOCKS);
  for (uint32_t i = 0; i < s->n_threads; i++) {
    const uint32_t lock = i % LOCKS, depth = locking == NESTED ? 2 : 0;
    begin_thread(s, i);
    printf("begin:b%u ", i);
    if (i == 0 && (locking == FORGOTTEN || locking == WRONG)) faulty(locking);
    else if (locking == READERS && i % 4 == 3) printf("t := v%u ", below(s, LOCKS * PER_LOCK));
    else section(s, lock, depth, 3);
    printf("end; ");
    for (uint32_t done = 5; done < s->n_statements; done += 5) section(s, below(s, LOCKS), 0, 3);
    if (i % LOCKS == 0 && i) section(s, 0, 0, 4);
    printf("skip ");
    end_thread(s);
  }
}

static void well(Shape *s) { locked(s, WELL); }
static void nested(Shape *s) { locked(s, NESTED); }
static void forgotten(Shape *s) { locked(s, FORGOTTEN); }
static void wrong(Shape *s) { locked(s, WRONG); }
static void readers(Shape *s) { locked(s, READERS); }

/* ---- others ---- */

/* Two templates; the first one gives up its lock in the middle. */
static void templates(Shape *s) {
  puts("int v0, v1; lock l0, l1;");
  begin_thread(s, 0);
  puts("skip");
  end_thread(s);
  printf("||\n%u * { %s begin:bad acquire(l0); t := v0; release(l0); acquire(l0); v0 := t + 1; release(l0) end %s }\n",
         s->n_threads / 2, s->open, s->close);
  printf("||\n%u * { %s begin:good acquire(l1); t := v1; v1 := t + 1; release(l1) end %s }\n", s->n_threads / 2,
         s->open, s->close);
}

/* A list of as many nodes: the lock of the next one is taken before that of this one is given up. */
static void hand_over_hand(Shape *s) {
  enum { NODES = 20 };
  declare("int ", 'v', NODES);
  declare("lock ", 'l', NODES);
  for (uint32_t i = 0; i < s->n_threads; i++) {
    begin_thread(s, i);
    printf("begin:walk%u acquire(l0); ", i);
    for (uint32_t k = 0; k + 1 < NODES; k++) printf("t := v%u; acquire(l%u); release(l%u); ", k, k + 1, k);
    printf("v%u := t + 1; release(l%u) end ", NODES - 1, NODES - 1);
    end_thread(s);
  }
}

/* Each stage takes from the slot before it and puts into the one behind it; a flag says whether a slot is full. */
static void pipeline(Shape *s) {
  declare("int ", 'v', s->n_threads);
  declare("bool ", 'f', s->n_threads);
  for (uint32_t i = 0; i < s->n_threads; i++) {
    begin_thread(s, i);
    if (i) printf("await (f%u); begin:take%u x := v%u; y := v%u end; f%u := false; ", i - 1, i, i - 1, i - 1, i - 1);
    if (i + 1 < s->n_threads)
      printf("await (f%u = false); begin:put%u v%u := x; v%u := x + 1 end; f%u := true ", i, i, i, i, i);
    else printf("skip ");
    end_thread(s);
  }
}

static void philosophers(Shape *s) {
  declare("int ", 'v', s->n_threads);
  declare("lock ", 'l', s->n_threads);
  for (uint32_t i = 0; i < s->n_threads; i++) {
    const uint32_t k = (i + 1) % s->n_threads, first = i < k ? i : k, second = i < k ? k : i;
    begin_thread(s, i);
    printf("begin:eat%u acquire(l%u); acquire(l%u); v%u := v%u + 1; v%u := v%u + 1; release(l%u); release(l%u) end ", i,
           first, second, i, k, k, i, second, first);
    end_thread(s);
  }
}

/* The first thread makes all values, then says so; the others wait for that. */
static void publish(Shape *s) {
  enum { VALUES = 20 };
  declare("int ", 'v', VALUES);
  puts("bool ready;");
  printf("begin:make ");
  for (uint32_t k = 0; k < VALUES; k++) printf("v%u := 1; v%u := v%u + 1; ", k, k, k);
  puts("end; ready := true");
  for (uint32_t i = 1; i < s->n_threads; i++) {
    begin_thread(s, i);
    const uint32_t a = below(s, VALUES), b = below(s, VALUES);
    printf("await (ready); begin:use%u t := v%u; u := v%u end ", i, a, b);
    end_thread(s);
  }
}

/* A flag for each pair of threads says which of the two owns the pair's value. */
static void ownership(Shape *s) {
  declare("int ", 'v', s->n_threads / 2);
  declare("bool ", 'f', s->n_threads / 2);
  for (uint32_t i = 0; i < s->n_threads / 2; i++) {
    begin_thread(s, i);
    printf("await (f%u = false); begin:mine%u v%u := v%u + 1; v%u := v%u * 2 end; f%u := true ", i, i, i, i, i, i, i);
    end_thread(s);
    begin_thread(s, 1);
    printf("await (f%u); begin:yours%u t := v%u; v%u := t + 3 end; f%u := false ", i, i, i, i, i);
    end_thread(s);
  }
}

/* All but two threads read while nobody writes; a counter says how many do. */
static void read_write(Shape *s) {
  printf("int[%u] n; bool w; int X, Y;\n", s->n_threads);
  for (uint32_t i = 0; i < s->n_threads; i++) {
    begin_thread(s, i);
    if (i >= 2) printf("atomic { await (w = false); n := n + 1 }; begin:read%u t := X; u := Y end; n := n - 1 ", i);
    else
      printf("atomic { await (w = false && n = 0); w := true }; begin:write%u X := 1; Y := X + 1 end; w := false ", i);
    end_thread(s);
  }
}

/* One thread goes on when all others have come. */
static void barrier(Shape *s) {
  printf("int[%u] n; int X;\nawait (n = %u); begin:after X := 1; X := 2 end\n", s->n_threads, s->n_threads - 1);
  for (uint32_t i = 1; i < s->n_threads; i++) puts("|| x := X; n := n + 1");
}

/* G. L. Peterson's lock for any number of threads: on each level the last one to come waits. */
static void filter(Shape *s) {
  const uint32_t n = s->n_threads;
  for (uint32_t i = 0; i < n; i++) printf("int[%u] level%u; int[%u] last%u; ", n, i, n, i);
  puts("int X;");
  for (uint32_t i = 0; i < n; i++) {
    begin_thread(s, i);
    for (uint32_t k = 1; k < n; k++) {
      printf("level%u := %u; last%u := %u; await (last%u != %u", i, k, k, i, k, i);
      printf(" || (");
      for (uint32_t j = 0, some = 0; j < n; j++)
        if (j != i) printf("%slevel%u < %u", some++ ? " && " : "", j, k);
      printf(")); ");
    }
    printf("begin:b%u t := X; X := t + 1 end; level%u := 0 ", i, i);
    end_thread(s);
  }
}

/* ---- the table ---- */

static const struct {
  const char *name;
  void (*print)(Shape *);
} SHAPES[] = {
    {"well", well},           {"nested", nested},       {"forgotten", forgotten},
    {"wrong", wrong},         {"readers", readers},     {"templates", templates},
    {"hand", hand_over_hand}, {"pipeline", pipeline},   {"philosophers", philosophers},
    {"publish", publish},     {"ownership", ownership}, {"read-write", read_write},
    {"barrier", barrier},     {"filter", filter},
};

static int usage(void) {
  fputs("usage: shapes NAME[-once] THREADS [STATEMENTS [SEED]], NAME one of", stderr);
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) fprintf(stderr, " %s", SHAPES[i].name);
  fputc('\n', stderr);
  return 3;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5) return usage();
  const size_t length = strlen(argv[1]);
  const bool once = length > 5 && !strcmp(argv[1] + length - 5, "-once");
  Shape shape = {.n_threads = (uint32_t)atoi(argv[2]),
                 .n_statements = argc > 3 ? (uint32_t)atoi(argv[3]) : 20,
                 .random = argc > 4 ? (uint64_t)atoi(argv[4]) : 1,
                 .open = once ? "" : "while (true) { ",
                 .close = once ? "" : "}"};
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
    if (strncmp(argv[1], SHAPES[i].name, length - (once ? 5 : 0)) || SHAPES[i].name[length - (once ? 5 : 0)]) continue;
    SHAPES[i].print(&shape);
    return fflush(stdout) ? 1 : 0;
  }
  return usage();
}
