#include "tools/clang.h"

#include "base/compile_words.h"
#include "base/here.h"
#include "base/self.h"
#include "frontend/c/bitcode.h"
#include "tools/child.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  Heap *heap;
  const char *folder, *path;
  const Words *options;
  FILE *said; /* what clang has to say; NULL: that goes to stderr */
} Job;

/* Where causal.h is: beside the folder of this program, installed or built. */
static const char *include_option(Heap *heap, const char *place) {
  char self[PATH_MAX];
  self_folder(self);
  const size_t room = strlen(self) + strlen(place) + 4;
  char *option = heap_alloc(heap, room);
  snprintf(option, room, "-I%s/%s", self, place);
  return option;
}

/* ---- options of other compilers ---- */

/* -fipa-pta, -mpreferred-stack-boundary=4: gcc has hundreds of these that clang refuses, which say how to optimise. */
static bool may_be_foreign(const char *word) {
  return (strncmp(word, "-f", 2) == 0 || strncmp(word, "-m", 2) == 0) && !compile_word_has_value(word);
}

/* Does clang know these options? It is asked what it would do, and not to complain. */
static bool are_known(const Job *job, const char *compiler, const char *const *options, uint32_t n) {
  static const char quiet[] = "exec \"$@\" 2>/dev/null";
  const char *const first[] = {"sh", "-c", quiet, "sh", compiler, "-###", "-c", "-x", "c", "/dev/null"};
  Words words = {0};
  CharVec bytes = {0};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(job->heap, &words, first[i]);
  for (uint32_t i = 0; i < n; i++) vec_push(job->heap, &words, options[i]);
  vec_push(job->heap, &words, NULL);
  const int code = child_read(job->heap, job->folder, words.at, -1, &bytes);
  vec_fini(job->heap, &words);
  vec_fini(job->heap, &bytes);
  return code == 0;
}

/* Adds the options, but for those that clang does not know; all, if it does not know how to be asked. */
static void add_options(const Job *job, const char *compiler, Words *words) {
  Words asked = {0};
  for (uint32_t i = 0; i < job->options->n; i++)
    if (may_be_foreign(job->options->at[i])) vec_push(job->heap, &asked, job->options->at[i]);
  const bool all = !asked.n || are_known(job, compiler, asked.at, asked.n) || !are_known(job, compiler, NULL, 0);
  for (uint32_t i = 0; i < job->options->n; i++) {
    const char *word = job->options->at[i];
    if (all || !may_be_foreign(word) || are_known(job, compiler, &word, 1)) vec_push(job->heap, words, word);
  }
  vec_fini(job->heap, &asked);
}

/* ---- clang ---- */

static void add_words(const Job *job, const char *compiler, Words *words) {
  const char *const first[] = {
      compiler, "-O1", "-Xclang", "-disable-llvm-passes", "-Xclang",         "-disable-lifetime-markers",
      "-g",     "-w",  "-c",      "-emit-llvm",           "-DCAUSAL_RECORD", "-pthread"};
  const char *const last[] = {"-U_FORTIFY_SOURCE", job->path, "-o", "-", NULL};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(job->heap, words, first[i]);
  if (compile_word_is_cxx(job->path)) { /* as g++ takes it, where nothing else is said */
    vec_push(job->heap, words, "-std=gnu++17");
    vec_push(job->heap, words, "-Wno-reserved-user-defined-literal");
  }
  if (job->said && isatty(STDERR_FILENO)) vec_push(job->heap, words, "-fcolor-diagnostics");
  vec_push(job->heap, words, include_option(job->heap, "../lib/tracerec"));
  vec_push(job->heap, words, include_option(job->heap, "../build/release/lib/tracerec"));
  add_options(job, compiler, words);
  for (size_t i = 0; i < sizeof last / sizeof *last; i++) vec_push(job->heap, words, last[i]);
}

static int run_compiler(const Job *job, const char *compiler, CharVec *bytes) {
  Words words = {0};
  add_words(job, compiler, &words);
  const int errors = job->said ? fileno(job->said) : -1;
  const int code = child_read(job->heap, job->folder, words.at, errors, bytes), failed = errno;
  vec_fini(job->heap, &words);
  errno = failed;
  return code;
}

/* Runs clang: the one that $C2NET_CC names, or that of our LLVM's version, or any. */
static int run_any(const Job *job, CharVec *bytes) {
  char versioned[32];
  const char *chosen = getenv("C2NET_CC");
  snprintf(versioned, sizeof versioned, "clang-%s", bitcode_version());
  if (chosen && *chosen) return run_compiler(job, chosen, bytes);
  const int code = run_compiler(job, versioned, bytes);
  return code < 0 ? run_compiler(job, "clang", bytes) : code;
}

/* Says what clang has said, but for how many errors these are. Has it said anything? */
static bool pass_on(FILE *said) {
  char *line = NULL;
  size_t room = 0;
  bool any = false;
  if (!said) return true;
  rewind(said);
  for (ssize_t n; (n = getline(&line, &room, said)) > 0;) {
    const char *end = strstr(line, " generated.\n");
    if (line[0] >= '1' && line[0] <= '9' && end && !end[strlen(" generated.\n")]) continue;
    fwrite(line, 1, (size_t)n, stderr);
    any = true;
  }
  free(line);
  fclose(said);
  return any;
}

/* Clang has said what is wrong, and where; where that is from another folder, we say which file it is. */
static bool complain(const char *name, const char *path, bool has_said, Err *err) {
  if (has_said && strcmp(name, path) == 0) return err_set(err, ERR_INPUT, "%s", "");
  return err_set(err, ERR_INPUT, "%.300s: clang cannot compile it", name);
}

bool clang_compile(Heap *heap, const char *folder, const char *path, const Words *options, InFile *file, Err *err) {
  const char *name = here_name(heap, folder ? folder : ".", path);
  if (folder && access(folder, X_OK) != 0)
    return err_set(err, ERR_IO, "%.300s: it was compiled in the folder %.300s: %s", name, folder, strerror(errno));
  const Job job = {heap, folder, path, options, tmpfile()};
  CharVec bytes = {0};
  const int code = run_any(&job, &bytes), failed = errno;
  const bool has_said = pass_on(job.said);
  if (code < 0)
    return err_set(err, ERR_IO, "clang cannot be started: %s; the environment variable C2NET_CC may name it",
                   strerror(failed));
  if (code != 0) return complain(name, path, has_said, err);
  *file = (InFile){bytes.at, bytes.n, name};
  return true;
}

/* ---- libstdc++ ---- */

bool clang_needs_model(const InFile *bitcode) {
  static const char *const NAMES[] = {"_ZSt", "_ZNSt", "_ZNKSt", "__cxa_guard_acquire"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (memmem(bitcode->text, bitcode->length, NAMES[i], strlen(NAMES[i]))) return true;
  return false;
}

bool clang_model(Heap *heap, InFile *file) {
  static const char *const PLACES[] = {"../lib/tracerec", "../build/release/lib/tracerec"};
  Words options = {0};
  Err err;
  bool good = false;
  vec_push(heap, &options, "-g0");
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES && !good; i++) {
    char self[PATH_MAX], path[PATH_MAX + 64];
    self_folder(self);
    snprintf(path, sizeof path, "%s/%s/libstdcxx.cc", self, PLACES[i]);
    good = access(path, R_OK) == 0 && clang_compile(heap, NULL, path, &options, file, &err);
  }
  vec_fini(heap, &options);
  return good;
}
