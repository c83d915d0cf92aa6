/* calls.c FOLDER: libcausal as other programs call it: answers, errors as values, limits, several threads at once.
 * FOLDER is samples/. Prints each fault; the last line counts. */
#include <libcausal.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *samples;
static int passed, failed;

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect(bool condition, const char *text, int line) {
  if (condition) passed++;
  else failed++, printf("libcausal: FAILED: calls.c:%d: %s\n", line, text);
}

static bool is(const char *text, const char *wanted) { return text && strcmp(text, wanted) == 0; }
static bool has(const char *text, const char *wanted) { return text && strstr(text, wanted); }

static char *read_sample(const char *name, size_t *length) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", samples, name);
  FILE *file = fopen(path, "rb");
  if (!file) return perror(path), exit(1), NULL;
  char *text = malloc(1 << 20);
  *length = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static CausalResult *ask_sample(CausalQuestion question, const char *name, const CausalOptions *options) {
  size_t length;
  char *text = read_sample(name, &length);
  CausalResult *result = causal_ask(question, text, length, options);
  free(text); /* it need not stay */
  return result;
}

static CausalResult *ask_text(CausalQuestion question, const char *text, const CausalOptions *options) {
  return causal_ask(question, text, strlen(text), options);
}

/* ---- answers ---- */

static void a_violation_has_an_example(void) {
  CausalOptions options = CAUSAL_OPTIONS;
  options.name = "figure5a.sml";
  CausalResult *result = ask_sample(CAUSAL_ATOMIC, "figure5a.sml", &options);
  size_t n;
  const CausalFinding *found = causal_findings(result, &n);
  EXPECT(causal_verdict(result) == CAUSAL_VIOLATED);
  EXPECT(is(causal_why(result), ""));
  EXPECT(n >= 1 && found == causal_findings(result, &n));
  EXPECT(found[0].verdict == CAUSAL_VIOLATED && is(found[0].rule, "not-causally-atomic") && found[0].line > 0);
  bool inside = false, outside = false;
  for (size_t i = 0; i < found[0].n_steps; i++) *(found[0].steps[i].in_block ? &inside : &outside) = true;
  EXPECT(inside && outside && found[0].why && found[0].grounds);
  EXPECT(has(causal_output(result, "text", NULL), "figure5a.sml:"));
  EXPECT(!causal_prefix(result));
  causal_free(result);
}

static void what_holds(void) {
  CausalResult *result = ask_sample(CAUSAL_ATOMIC, "figure5b.sml", NULL);
  size_t n;
  EXPECT(causal_verdict(result) == CAUSAL_HOLDS);
  const CausalFinding *found = causal_findings(result, &n);
  for (size_t i = 0; i < n; i++) EXPECT(found[i].verdict == CAUSAL_HOLDS && !found[i].n_steps);
  causal_free(result);
  result = ask_sample(CAUSAL_SERIALIZABLE, "figure7.sml", NULL);
  EXPECT(causal_verdict(result) == CAUSAL_HOLDS && is(causal_why(result), ""));
  causal_free(result);
  result = ask_sample(CAUSAL_SERIALIZABLE, "figure1.sml", NULL);
  EXPECT(causal_verdict(result) == CAUSAL_VIOLATED && causal_findings(result, &n) && n);
  causal_free(result);
}

static void every_form(void) {
  static const char *const forms[] = {"json", "text", "sarif", "junit", "mermaid", "shiviz", "pnml", "ll_net"};
  CausalResult *result = ask_sample(CAUSAL_ATOMIC, "figure5a.sml", NULL);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t length = 0;
    const char *text = causal_output(result, forms[i], &length);
    EXPECT(text && length > 10 && strlen(text) == length);
    const char *again = causal_output(result, forms[i], NULL);
    EXPECT(again && is(again, text));
  }
  EXPECT(!causal_output(result, "mci", NULL) && !causal_output(result, "pdf", NULL) &&
         !causal_output(result, NULL, NULL));
  EXPECT(has(causal_output(result, "json", NULL), "\"schema\": \"causalcheck/2\""));
  causal_free(result);
}

/* A net and back: the text of one answer is the question of the next. */
static void a_net_is_a_text(void) {
  CausalResult *program = ask_sample(CAUSAL_NET, "figure5a.sml", NULL);
  EXPECT(causal_verdict(program) == CAUSAL_HOLDS);
  CausalResult *again = ask_text(CAUSAL_ATOMIC, causal_output(program, "pnml", NULL), NULL);
  EXPECT(causal_verdict(again) == CAUSAL_VIOLATED);
  causal_free(again);
  again = ask_text(CAUSAL_PREFIX, causal_output(program, "ll_net", NULL), NULL);
  EXPECT(causal_verdict(again) == CAUSAL_HOLDS && causal_output(again, "mci", NULL));
  causal_free(again);
  causal_free(program);
}

static void any_number(void) {
  CausalOptions options = CAUSAL_OPTIONS;
  const char *const one[] = {"N=1"}, *const wrong[] = {"N=x"};
  const char *program = "int x; N * { begin t := x; x := t + 1 end }";
  CausalResult *result = ask_text(CAUSAL_ATOMIC, program, &options);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED && causal_findings(result, &(size_t){0}) == NULL);
  causal_free(result);
  options.any_number = true;
  result = ask_text(CAUSAL_ATOMIC, program, &options);
  EXPECT(causal_verdict(result) == CAUSAL_VIOLATED);
  causal_free(result);
  options.any_number = false;
  options.defines = one;
  options.n_defines = 1;
  result = ask_text(CAUSAL_ATOMIC, program, &options);
  EXPECT(causal_verdict(result) == CAUSAL_HOLDS);
  causal_free(result);
  options.defines = wrong;
  result = ask_text(CAUSAL_ATOMIC, program, &options);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED && has(causal_why(result), "not 'N=x'"));
  causal_free(result);
}

/* ---- nets ---- */

#define PHILOSOPHERS                                                                                                   \
  "PEP\nPTNet\nFORMAT_N2\nPL\n\"f1\"M1\n\"f2\"M1\n\"a0\"M1\n\"a1\"\n\"a2\"\n\"b0\"M1\n\"b1\"\n\"b2\"\n\"never\"\nTR\n" \
  "\"a_takes_1\"\n\"a_takes_2\"\n\"a_ends\"\n\"b_takes_2\"\n\"b_takes_1\"\n\"b_ends\"\nTP\n1<4\n2<5\n3<3\n3<1\n3<2\n"  \
  "4<7\n5<8\n6<6\n6<1\n6<2\nPT\n1>1\n3>1\n2>2\n4>2\n5>3\n2>4\n6>4\n1>5\n7>5\n8>6\n"

static CausalVerdict about_net(CausalQuestion question, const char *target) {
  CausalOptions options = CAUSAL_OPTIONS;
  options.target = target;
  CausalResult *result = ask_text(question, PHILOSOPHERS, &options);
  const CausalVerdict verdict = causal_verdict(result);
  if (verdict == CAUSAL_REFUSED) EXPECT(*causal_why(result));
  causal_free(result);
  return verdict;
}

static void questions_about_a_net(void) {
  EXPECT(about_net(CAUSAL_DEADLOCK, NULL) == CAUSAL_VIOLATED);
  EXPECT(about_net(CAUSAL_REACHABLE, "a1,b1") == CAUSAL_VIOLATED);
  EXPECT(about_net(CAUSAL_REACHABLE, "a2,b2") == CAUSAL_HOLDS);
  EXPECT(about_net(CAUSAL_REACHABLE, "a2 or never") == CAUSAL_VIOLATED);
  EXPECT(about_net(CAUSAL_REACHABLE, "never") == CAUSAL_HOLDS);
  EXPECT(about_net(CAUSAL_REACHABLE, "nobody") == CAUSAL_REFUSED);
  EXPECT(about_net(CAUSAL_REACHABLE, NULL) == CAUSAL_REFUSED);
  EXPECT(about_net(CAUSAL_FIREABLE, "b_ends") == CAUSAL_VIOLATED);
  EXPECT(about_net(CAUSAL_FIREABLE, "c_ends") == CAUSAL_REFUSED);
  EXPECT(about_net(CAUSAL_ATOMIC, NULL) == CAUSAL_REFUSED);
}

static void the_prefix(void) {
  CausalResult *result = ask_text(CAUSAL_PREFIX, PHILOSOPHERS, NULL);
  const CausalPrefix *prefix = causal_prefix(result);
  EXPECT(prefix && prefix->complete && prefix->n_places == 9 && prefix->n_transitions == 6 && prefix->n_events >= 6);
  EXPECT(is(prefix->place_name[0], "f1") && is(prefix->transition_name[5], "b_ends"));
  bool good = prefix->preset_start[0] == 0;
  for (uint32_t e = 0; e < prefix->n_events; e++) {
    good &= prefix->event_transition[e] < 6;
    good &= prefix->is_cutoff[e] || prefix->corresponding[e] == CAUSAL_NONE;
    for (uint32_t i = prefix->preset_start[e]; i < prefix->preset_start[e + 1]; i++) {
      const uint32_t before = prefix->producer[prefix->preset[i]];
      good &= before == CAUSAL_NONE || before < e;
    }
  }
  for (uint32_t b = 0; b < prefix->n_conditions; b++) good &= prefix->condition_place[b] < 9;
  EXPECT(good);
  causal_free(result);
}

static void a_net_that_is_not_safe(void) {
  const char *net = "PEP\nPTNet\nFORMAT_N2\nPL\n\"p\"M1\n\"q\"\nTR\n\"t\"\nTP\n1<1\n1<2\nPT\n1>1\n";
  CausalResult *result = ask_text(CAUSAL_PREFIX, net, NULL);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED && has(causal_why(result), "not 1-safe"));
  EXPECT(!causal_output(result, "mci", NULL));
  causal_free(result);
}

/* ---- errors are values ---- */

static void errors_in_a_program(void) {
  CausalResult *result = ask_text(CAUSAL_ATOMIC, "int x;\nbegin acquire(m); x := 1 end\n", NULL);
  size_t n;
  const CausalDiagnostic *said = causal_diagnostics(result, &n);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED && n >= 1);
  EXPECT(said[0].level == CAUSAL_ERROR && said[0].line == 2 && has(said[0].message, "'m'"));
  EXPECT(!causal_findings(result, &n) && n == 0);
  EXPECT(has(causal_output(result, "json", NULL), "\"verdict\": \"error\""));
  causal_free(result);
}

static void inputs_that_are_none(void) {
  static const char *const texts[] = {"",
                                      "<",
                                      "<pnml",
                                      "PEP",
                                      "\x7f"
                                      "ELF",
                                      "int",
                                      "{",
                                      "<a/>"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int question = CAUSAL_ATOMIC; question <= CAUSAL_NET; question++) {
      CausalResult *result = ask_text((CausalQuestion)question, texts[i], NULL);
      size_t n;
      causal_diagnostics(result, &n);
      EXPECT(causal_verdict(result) == CAUSAL_REFUSED && (*causal_why(result) || n));
      EXPECT(causal_output(result, "json", NULL));
      causal_free(result);
    }
}

static void wrong_options(void) {
  const char *const list[] = {NULL};
  CausalOptions none = {0}, late = CAUSAL_OPTIONS, hole = CAUSAL_OPTIONS;
  late.timeout = -1;
  hole.blocks = list;
  hole.n_blocks = 1;
  const CausalOptions *const wrong[] = {&none, &late, &hole};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CausalResult *result = ask_text(CAUSAL_ATOMIC, "x", wrong[i]);
    EXPECT(causal_verdict(result) == CAUSAL_REFUSED && *causal_why(result));
    causal_free(result);
  }
  CausalResult *result = ask_text((CausalQuestion)99, "x", NULL);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED);
  causal_free(result);
}

/* A program that knows fewer options than the library, and one that knows more. */
static void other_versions(void) {
  struct {
    CausalOptions options;
    int more;
  } later = {CAUSAL_OPTIONS, 0};
  later.options.size = sizeof later;
  CausalResult *result = ask_sample(CAUSAL_ATOMIC, "figure5b.sml", &later.options);
  EXPECT(causal_verdict(result) == CAUSAL_HOLDS);
  causal_free(result);
  later.more = 1;
  result = ask_sample(CAUSAL_ATOMIC, "figure5b.sml", &later.options);
  EXPECT(causal_verdict(result) == CAUSAL_REFUSED && has(causal_why(result), "newer"));
  causal_free(result);
  CausalOptions earlier = CAUSAL_OPTIONS;
  earlier.size = offsetof(CausalOptions, timeout);
  earlier.timeout = -1; /* is not looked at */
  result = ask_sample(CAUSAL_ATOMIC, "figure5b.sml", &earlier);
  EXPECT(causal_verdict(result) == CAUSAL_HOLDS);
  causal_free(result);
}

static void without_memory(void) {
  size_t n = 1;
  EXPECT(causal_verdict(NULL) == CAUSAL_UNKNOWN && *causal_why(NULL));
  EXPECT(!causal_findings(NULL, &n) && !n && !causal_diagnostics(NULL, &n) && !n);
  EXPECT(!causal_output(NULL, "json", NULL) && !causal_prefix(NULL));
  causal_free(NULL);
}

/* Whatever the limit: the answer, or "unknown". */
static void limits_of_memory(void) {
  size_t answers = 0, unknown = 0;
  for (uint64_t limit = 64; limit < 8 << 20; limit += limit / 7 + 8) {
    CausalOptions options = CAUSAL_OPTIONS;
    options.max_memory = limit;
    CausalResult *result = ask_sample(CAUSAL_ATOMIC, "figure5a.sml", &options);
    const CausalVerdict verdict = causal_verdict(result);
    EXPECT(verdict == CAUSAL_UNKNOWN || verdict == CAUSAL_VIOLATED);
    if (verdict == CAUSAL_UNKNOWN) EXPECT(*causal_why(result));
    *(verdict == CAUSAL_UNKNOWN ? &unknown : &answers) += 1;
    size_t n;
    causal_findings(result, &n);
    causal_output(result, "json", NULL);
    causal_output(result, "pnml", NULL);
    causal_free(result);
  }
  EXPECT(answers > 5 && unknown > 5);
}

static void limits_of_events(void) {
  CausalOptions options = CAUSAL_OPTIONS;
  options.max_events = 1;
  CausalResult *result = ask_text(CAUSAL_PREFIX, PHILOSOPHERS, &options);
  EXPECT(causal_verdict(result) == CAUSAL_UNKNOWN && has(causal_why(result), "limit of 1 events"));
  EXPECT(causal_prefix(result) && !causal_prefix(result)->complete && !causal_output(result, "mci", NULL));
  causal_free(result);
}

/* ---- time ---- */

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Far too many states. */
static char *many_threads(void) {
  enum { N = 24 };
  char *text = malloc(1 << 16), *at = text;
  for (int i = 0; i < N; i++) at += sprintf(at, "bool v%d;\n", i);
  for (int i = 0; i < N; i++)
    at += sprintf(at, "%swhile (nondet) { v%d := !v%d; begin v%d := !v%d; v%d := v%d end }\n", i ? "||\n" : "", i, i,
                  (i + 1) % N, (i + 2) % N, i, (i + 7) % N);
  return text;
}

static void *stop_soon(void *stop) {
  nanosleep(&(struct timespec){0, 200000000}, NULL);
  causal_stop(stop);
  return NULL;
}

static void time_is_up(const char *text) {
  CausalOptions options = CAUSAL_OPTIONS;
  options.timeout = 0.3;
  const double start = seconds();
  CausalResult *result = ask_text(CAUSAL_SERIALIZABLE, text, &options);
  EXPECT(causal_verdict(result) == CAUSAL_UNKNOWN && has(causal_why(result), "time limit of 0.3 s"));
  EXPECT(seconds() - start < 20); /* on a busy machine, with a sanitizer */
  causal_free(result);
}

static void another_thread_stops_it(const char *text) {
  CausalOptions options = CAUSAL_OPTIONS;
  pthread_t other;
  options.stop = causal_stop_new();
  pthread_create(&other, NULL, stop_soon, options.stop);
  CausalResult *result = ask_text(CAUSAL_SERIALIZABLE, text, &options);
  pthread_join(other, NULL);
  EXPECT(causal_verdict(result) == CAUSAL_UNKNOWN && has(causal_why(result), "interrupted"));
  causal_free(result);
  result = ask_text(CAUSAL_SERIALIZABLE, text, &options); /* it stays stopped */
  EXPECT(causal_verdict(result) == CAUSAL_UNKNOWN);
  causal_free(result);
  causal_stop_free(options.stop);
}

/* ---- several threads at once ---- */

typedef struct {
  CausalQuestion question;
  const char *text;
  char *expected; /* the JSON, without what depends on time */
  bool good;
} Asker;

enum { ASKERS = 4, ROUNDS = 8 };

/* Seconds and bytes differ. */
static char *answer_of(CausalQuestion question, const char *text) {
  CausalOptions options = CAUSAL_OPTIONS;
  options.timeout = 100;
  CausalResult *result = ask_text(question, text, &options);
  const char *said = causal_output(result, "text", NULL);
  char *copy = strdup(said ? said : "");
  causal_free(result);
  return copy;
}

static void *ask_again(void *argument) {
  Asker *asker = argument;
  asker->good = true;
  for (int i = 0; i < ROUNDS; i++) {
    char *answer = answer_of(asker->question, asker->text);
    asker->good &= is(answer, asker->expected);
    free(answer);
  }
  return NULL;
}

static void four_threads(void) {
  size_t length[2];
  char *a = read_sample("figure5a.sml", &length[0]), *b = read_sample("figure1.sml", &length[1]);
  a[length[0]] = b[length[1]] = '\0';
  CausalResult *net = ask_text(CAUSAL_NET, a, NULL);
  Asker askers[ASKERS] = {{CAUSAL_ATOMIC, a, NULL, false},
                          {CAUSAL_SERIALIZABLE, b, NULL, false},
                          {CAUSAL_DEADLOCK, PHILOSOPHERS, NULL, false},
                          {CAUSAL_ATOMIC, causal_output(net, "pnml", NULL), NULL, false}};
  pthread_t threads[ASKERS];
  for (int i = 0; i < ASKERS; i++) askers[i].expected = answer_of(askers[i].question, askers[i].text);
  for (int i = 0; i < ASKERS; i++) pthread_create(&threads[i], NULL, ask_again, &askers[i]);
  for (int i = 0; i < ASKERS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < ASKERS; i++) {
    EXPECT(askers[i].good && *askers[i].expected);
    free(askers[i].expected);
  }
  causal_free(net);
  free(a);
  free(b);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  samples = argv[1];
  a_violation_has_an_example();
  what_holds();
  every_form();
  a_net_is_a_text();
  any_number();
  questions_about_a_net();
  the_prefix();
  a_net_that_is_not_safe();
  errors_in_a_program();
  inputs_that_are_none();
  wrong_options();
  other_versions();
  without_memory();
  limits_of_memory();
  limits_of_events();
  char *large = many_threads();
  time_is_up(large);
  another_thread_stops_it(large);
  free(large);
  four_threads();
  printf("libcausal: calls: %d passed, %d failed\n", passed, failed);
  return failed != 0;
}
