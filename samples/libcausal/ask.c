/* ask.c: asks libcausal whether the blocks of a program are causally atomic.
 *
 *     cc ask.c $(pkg-config --cflags --libs libcausal) -o ask
 *     ./ask ../figure5a.sml
 *
 * It prints what was found, with an example run, and exits with 0 if all blocks are atomic, 1 if one is not, 2 if that
 * is unknown, 3 after an error. */
#include <libcausal.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_all(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(1 << 20);
  *length = file && text ? fread(text, 1, 1 << 20, file) : 0;
  if (file) fclose(file);
  return text;
}

static void print_diagnostics(CausalResult *result, const char *path) {
  static const char *const levels[] = {"error", "warning", "note"};
  size_t n;
  const CausalDiagnostic *d = causal_diagnostics(result, &n);
  for (size_t i = 0; i < n; i++)
    printf("%s:%u:%u: %s: %s\n", path, d[i].line, d[i].column, levels[d[i].level], d[i].message);
}

static void print_findings(CausalResult *result, const char *path) {
  size_t n;
  const CausalFinding *found = causal_findings(result, &n);
  for (size_t i = 0; i < n; i++) {
    printf("%s:%u:%u: %s\n", path, found[i].line, found[i].column, found[i].message);
    for (size_t k = 0; k < found[i].n_steps; k++) {
      const CausalStep *step = &found[i].steps[k];
      printf("  %c %s: line %u: %s\n", step->in_block ? '|' : ' ', step->thread, step->line, step->text);
    }
  }
}

int main(int argc, char **argv) {
  static const int codes[] = {2, 0, 1, 3, 3}; /* of a CausalVerdict */
  static const char *const names[] = {"unknown", "atomic", "not atomic", "refused", "a self-check failed"};
  if (argc != 2) return fprintf(stderr, "usage: ask FILE\n"), 3;
  size_t length;
  char *text = read_all(argv[1], &length);
  CausalOptions options = CAUSAL_OPTIONS;
  options.name = argv[1];
  options.timeout = 60;
  CausalResult *result = causal_ask(CAUSAL_ATOMIC, text, length, &options);
  print_diagnostics(result, argv[1]);
  print_findings(result, argv[1]);
  printf("%s%s%s\n", names[causal_verdict(result)], *causal_why(result) ? ": " : "", causal_why(result));
  const int code = codes[causal_verdict(result)];
  causal_free(result);
  free(text);
  return code;
}
