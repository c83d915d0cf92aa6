/* shares.c: shares SEED: prints a C program, for tests/refine.sh, in which as many threads as it is told go through
 * parts of an array that are computed by numbers of 8 bits without a sign, as programs do, or nearly so, or somehow.
 * With -DENUMERATE it tries all there can be, and ends with 1 if two threads are ever to the same element. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

#define ANY(words) ((words)[below(sizeof(words) / sizeof *(words))])

/* A part as programs have it: how long it is, the rest, where it begins and ends. */
typedef struct {
  const char *texts[4];
} Share;

static const Share SHARES[] = {
    {{"DIVIDED(n, threads)", "REST(n, threads)", "t * q", "t + (T)1 == threads ? n : (T)((t + (T)1) * q)"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "t * q", "from + q"}},
    {{"DIVIDED(n + threads - (T)1, threads)", "REST(n, threads)", "t * q", "from + q > n ? n : (T)(from + q)"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "t * q + (t < r ? t : r)", "from + q + (t < r ? (T)1 : (T)0)"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "DIVIDED(n * t, threads)", "DIVIDED(n * (t + (T)1), threads)"}},
    {{"DIVIDED(n, threads) + (T)(REST(n, threads) != 0)", "REST(n, threads)", "t * q < n ? (T)(t * q) : n",
      "from + q < n ? (T)(from + q) : n"}},
    {{"DIVIDED(n, (T)4)", "REST(n, (T)4)", "t * q", "from + q"}},
    {{"n & (T)15", "n >> 2", "t * (T)16", "from + q"}},
    {{"n - threads", "REST(n, threads)", "t > (T)0 ? (T)(t - (T)1) : t", "from + (T)1"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "at", "(at += q)"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "at", "(at += q + (T)(t < r))"}},
    {{"DIVIDED(n, threads)", "REST(n, threads)", "at", "(at += t < r ? (T)(q + (T)1) : q)"}},
    {{"DIVIDED(n, threads)", "n - (T)1", "t", "n"}},
};

/* What is printed in place of what. */
static const char *const FAULTS[][2] = {
    {"+ (T)1", "+ (T)2"}, {"+ (T)1", "- (T)1"}, {"<", "<="},
    {"- (T)1", ""},       {"t * ", "(T)3 * "},  {", threads)", ", (T)(threads - (T)1))"},
    {"REST", "DIVIDED"},  {"q", "(q + (T)1)"},  {"(T)1", "(T)0"},
    {"threads", "n"},     {"<", ">"},           {"==", "!="},
    {"r)", "q)"},         {"q +", "q -"},
};

static const char *const INDICES[] = {"i",       "i",         "i",        "i",        "i",        "i + t",
                                      "i * q",   "t * q + i", "i - from", "i / (T)2", "i * (T)2", "i * threads + t",
                                      "i & (T)7"};

static const char *const LOOPS[] = {"T i = from; i < to; i++",
                                    "T i = from; i < to; i++",
                                    "T i = from; i < to; i++",
                                    "T i = from; i < to; i++",
                                    "T i = from; i <= to FEW; i++",
                                    "T i = to; i > from; i--",
                                    "T i = to; i-- > from;",
                                    "T i = from; to > i; ++i",
                                    "T i = from; i != to FEW; i++",
                                    "T i = from; i < to FEW; i += threads",
                                    "T i = from; i < to FEW; i += q",
                                    "T i = to; from < i; i--",
                                    "T i = t; i < n FEW; i += threads",
                                    "T i = t; i <= q FEW; i += threads",
                                    "T i = from; i < to FEW; i += (T)4",
                                    "T i = t; i < n FEW; i += (T)6"};

static const char *const CHANGES[] = {"",
                                      "",
                                      "if (TO_OF(t) > n) TO_OF(t) = n",
                                      "if (t == threads - (T)1) TO_OF(t) = n",
                                      "if (t) FROM_OF(t)--",
                                      "if (FROM_OF(t) > (T)3) FROM_OF(t) = (T)3"};

/* With a fault at one of the places where it may be, or without. */
static void print_text(const char *text, bool faulty) {
  const char *const *fault = FAULTS[below(sizeof FAULTS / sizeof *FAULTS)];
  uint32_t places = 0;
  for (const char *at = text; (at = strstr(at, fault[0])); at++) places++;
  uint32_t place = faulty && places ? below(places) + 1 : 0;
  for (const char *at = text; *at;) {
    const bool here = strncmp(at, fault[0], strlen(fault[0])) == 0;
    if (here && place && !--place) printf("%s", fault[1]), at += strlen(fault[0]);
    else putchar(*at++);
  }
}

/* Some number of those that are there. */
static void print_some(const char *const *names, uint32_t n, int depth) {
  static const char *const SIGNS[] = {"+", "+", "-", "*", "*"}, *const TESTS[] = {"<", "<=", ">", ">=", "==", "!="},
                           *const DIVISIONS[] = {"DIVIDED", "REST"};
  const uint32_t kind = depth ? below(10) : 0;
  if (kind < 2) {
    if (below(3)) printf("%s", names[below(n)]);
    else printf("(T)%u", below(6) ? below(4) : below(256));
    return;
  }
  printf("%s(", kind < 4 ? ANY(DIVISIONS) : "(T)");
  print_some(names, n, depth - 1);
  printf(" %s ", kind < 4 ? "," : kind < 8 ? ANY(SIGNS) : ANY(TESTS));
  print_some(names, n, depth - 1);
  if (kind == 9) {
    printf(" ? ");
    print_some(names, n, depth - 1);
    printf(" : ");
    print_some(names, n, depth - 1);
  }
  printf(")");
}

static void print_share(void) {
  static const char *const NAMES[] = {"n", "threads", "t", "q", "r", "from"}, *const MACROS[] = {"Q", "R", "FROM",
                                                                                                 "TO"};
  const Share *share = &SHARES[below(sizeof SHARES / sizeof *SHARES)];
  const bool somehow = below(5) == 0;
  static const uint32_t KNOWN[] = {2, 2, 5, 6};
  for (int i = 0; i < 4; i++) {
    printf("#define %s (T)(", MACROS[i]);
    if (somehow) print_some(NAMES, KNOWN[i], 2);
    else print_text(share->texts[i], below(3) == 0);
    printf(")\n");
  }
}

static const char *const THREADS = "typedef struct {\n  T t, q, from, to;\n} Args;\n"
                                   "static Args args[256];\n"
                                   "#define FROM_OF(t) args[t].from\n#define TO_OF(t) args[t].to\n"
                                   "static void *run(void *argument) {\n"
                                   "#ifdef TABLE\n"
                                   "  const Args *a = argument;\n"
                                   "  const T t = a->t, q = a->q, from = a->from, to = a->to;\n"
                                   "#else\n"
                                   "  T at = 0;\n"
                                   "  const T t = (T)(long)argument, q = Q, r = R, from = FROM, to = TO;\n"
                                   "  (void)r, (void)at;\n"
                                   "#endif\n"
                                   "  (void)t, (void)q;\n"
                                   "  ATOMIC_BEGIN(\"share\");\n"
                                   "  for (LOOP) data[(T)(INDEX)] += 1;\n"
                                   "  ATOMIC_END();\n"
                                   "  return NULL;\n}\n"
                                   "int main(int argc, char **argv) {\n"
                                   "  pthread_t ids[256];\n"
                                   "  if (argc != 3) return 3;\n"
                                   "  n = (T)atol(argv[1]), threads = (T)atol(argv[2]);\n"
                                   "#ifdef TABLE\n"
                                   "  const T q = Q, r = R;\n"
                                   "  T at = 0;\n"
                                   "  (void)r, (void)at;\n"
                                   "#endif\n"
                                   "  for (T t = 0; t < threads; t++) {\n"
                                   "#ifdef TABLE\n"
                                   "    args[t].t = t;\n"
                                   "    args[t].q = q;\n"
                                   "    args[t].from = FROM;\n"
                                   "    const T from = args[t].from;\n"
                                   "    (void)from;\n"
                                   "    args[t].to = TO;\n"
                                   "    CHANGE;\n"
                                   "    pthread_create(&ids[t], NULL, run, &args[t]);\n"
                                   "#else\n"
                                   "    pthread_create(&ids[t], NULL, run, (void *)(long)t);\n"
                                   "#endif\n"
                                   "  }\n"
                                   "  return 0;\n}\n";

/* A division by 0 ends a thread; or all, where main divides. */
static const char *const TRIES =
    "#define FROM_OF(t) from\n#define TO_OF(t) to\n"
    "static jmp_buf end;\n"
    "static T divisor(T by) {\n  if (!by) longjmp(end, 1);\n  return by;\n}\n"
    "#define DIVIDED(a, b) ((T)((a) / divisor(b)))\n#define REST(a, b) ((T)((a) % divisor(b)))\n"
    "static T at;\n"
    "static int owner[256];\n"
    "static int meet(unsigned thread) {\n"
    "#ifndef TABLE\n"
    "  at = 0;\n"
    "#endif\n"
    "  const T t = (T)thread, q = Q, r = R;\n"
    "  T from = FROM, to = TO;\n"
    "  unsigned steps = 0;\n"
    "  (void)r, (void)q, (void)steps;\n"
    "#ifdef TABLE\n"
    "  CHANGE;\n"
    "#endif\n"
    "  for (LOOP) {\n"
    "    int *of = &owner[(unsigned)(T)(INDEX)];\n"
    "    if (*of && *of != (int)thread + 1) return 1;\n"
    "    *of = (int)thread + 1;\n"
    "  }\n"
    "  return 0;\n}\n"
    "int main(void) {\n"
    "  for (volatile unsigned all = 0; all < 256 * 256; all++) {\n"
    "    n = (T)(all / 256), threads = (T)all;\n"
    "    memset(owner, 0, sizeof owner);\n"
    "    at = 0;\n"
    "    for (volatile unsigned t = 0; t < all % 256; t++) {\n"
    "      if (setjmp(end)) {\n"
    "#ifdef TABLE\n"
    "        break;\n"
    "#else\n"
    "        continue;\n"
    "#endif\n"
    "      }\n"
    "      if (meet(t)) {\n"
    "        printf(\"%u of %u threads, n = %u\\n\", t, all % 256, all / 256);\n"
    "        return 1;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  return 0;\n}\n";

int main(int argc, char **argv) {
  if (argc != 2) return 3;
  state = strtoull(argv[1], NULL, 10) * 2 + 1;
  for (int i = 0; i < 8; i++) below(2);
  printf("#include <causal.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <stdio.h>\n"
         "#include <stdlib.h>\n#include <string.h>\n"
         "typedef unsigned _BitInt(8) T;\nstatic T n, threads;\nstatic unsigned char data[256];\n");
  if (below(2)) printf("#define TABLE\n");
  print_share();
  printf("#define INDEX %s\n#define LOOP %s\n#define CHANGE %s\n", ANY(INDICES), ANY(LOOPS), ANY(CHANGES));
  printf("#ifdef ENUMERATE\n#define FEW && steps++ < 300\n%s#else\n#define FEW\n"
         "#define DIVIDED(a, b) ((T)((a) / (b)))\n#define REST(a, b) ((T)((a) %% (b)))\n%s#endif\n",
         TRIES, THREADS);
  return 0;
}
