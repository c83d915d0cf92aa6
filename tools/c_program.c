#include "tools/c_program.h"

#include "ask/block_input.h"
#include "base/self.h"
#include "petri/net_io.h"
#include "tools/child.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program that was linked, or an object. */
static bool is_linked(const char *path) {
  char first[4];
  struct stat status;
  const bool regular = stat(path, &status) == 0 && S_ISREG(status.st_mode); /* a pipe can be read once */
  FILE *file = regular ? fopen(path, "rb") : NULL;
  if (!file) return false;
  const bool is = fread(first, 1, sizeof first, file) == sizeof first && memcmp(first,
                                                                                "\x7f"
                                                                                "ELF",
                                                                                sizeof first) == 0;
  fclose(file);
  return is;
}

bool c_program_is(const char *path) {
  const char *slash = strrchr(path, '/');
  return strcmp(slash ? slash + 1 : path, "compile_commands.json") == 0 || is_linked(path) || block_input_is_of_c(path);
}

/* Beside this program, or in PATH. */
static const char *find_c2net(char place[PATH_MAX + 8]) {
  self_folder(place);
  strcat(place, "/c2net");
  return access(place, X_OK) == 0 ? place : "c2net";
}

typedef VEC(const char *) Words;

static void list_words(Heap *heap, const CProgramOptions *options, Words *words) {
  for (uint32_t i = 0; i < options->atomic.n; i++) {
    vec_push(heap, words, "--atomic");
    vec_push(heap, words, options->atomic.at[i]);
  }
  if (options->functions) vec_push(heap, words, "--functions");
  if (options->verbose) vec_push(heap, words, "-v");
  vec_push(heap, words, NULL);
}

bool c_program_read(Heap *heap, const char *path, const CProgramOptions *options, InFile *file, Err *err) {
  char place[PATH_MAX + 8];
  Words words = {0};
  CharVec text = {0};
  if (path[0] == '-')
    return err_set(err, ERR_INPUT, "%.300s: a file whose name begins with '-' is './%.300s'", path, path);
  vec_push(heap, &words, find_c2net(place));
  vec_push(heap, &words, path);
  list_words(heap, options, &words);
  const int code = child_read(heap, NULL, words.at, -1, &text);
  vec_fini(heap, &words);
  *file = (InFile){text.at, text.n, path};
  if (code < 0 && errno == ENOENT)
    return err_set(err, ERR_IO,
                   "%.300s: c2net, which reads C programs, is not there: it is built where LLVM is installed", path);
  if (code < 0) return err_set(err, ERR_IO, "%.300s: c2net cannot be run: %s", path, strerror(errno));
  if (!text.n) return err_set(err, ERR_IO, "%.300s: c2net ended with exit code %d", path, code);
  if (!net_is_absent(file, err)) return true;
  err->text[0] = '\0'; /* c2net has said why */
  return false;
}
