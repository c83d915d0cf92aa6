/* json.c QUESTION FILE [NAME=N...]: the JSON of libcausal about a file; QUESTION is a number. */
#include <libcausal.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static char text[1 << 20];
  if (argc < 3) return 2;
  FILE *file = fopen(argv[2], "rb");
  if (!file) return perror(argv[2]), 2;
  const size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  CausalOptions options = CAUSAL_OPTIONS;
  options.name = argv[2];
  options.max_events = 20000;
  options.defines = (const char *const *)argv + 3;
  options.n_defines = (size_t)argc - 3;
  CausalResult *result = causal_ask((CausalQuestion)atoi(argv[1]), text, length, &options);
  const char *json = causal_output(result, "json", NULL);
  if (json) fputs(json, stdout);
  causal_free(result);
  return 0;
}
