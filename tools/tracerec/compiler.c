/* compile.c: `tracerec cc`. The compilers instrument for their own thread sanitizer; what is linked instead of its
 * library is ours. gcc asks for -ltsan: it finds an empty archive of that name in our folder first. clang can be told
 * to link none. */
#include "tools/tracerec/compiler.h"

#include "base/compile_words.h"
#include "base/file.h"
#include "base/self.h"
#include "tools/tracerec/beside.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the arguments ask for. */
typedef struct {
  bool input;    /* there is something to compile or link */
  bool unlinked; /* it stops before linking */
  bool objects;  /* with an object, or assembler, of each source */
  bool shared;   /* a library: the program that loads it has the runtime */
  bool is_static;
  bool openmp;
} Wanted;

/* The part after the last slash. */
static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_one_of(const char *argument, const char *const *list) {
  for (; *list; list++)
    if (strcmp(argument, *list) == 0) return true;
  return false;
}

static void look_at(const char *argument, Wanted *wanted) {
  static const char *const unlinked[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", NULL};
  if (argument[0] != '-' || !argument[1] || strncmp(argument, "-l", 2) == 0) wanted->input = true;
  else if (is_one_of(argument, unlinked)) {
    wanted->unlinked = true;
    wanted->objects |= strcmp(argument, "-c") == 0 || strcmp(argument, "-S") == 0;
  } else if (strcmp(argument, "-shared") == 0 || strcmp(argument, "--shared") == 0) wanted->shared = true;
  else if (strcmp(argument, "-static") == 0 || strcmp(argument, "--static") == 0 ||
           strcmp(argument, "-static-pie") == 0)
    wanted->is_static = true;
  else if (strcmp(argument, "-fopenmp") == 0 || strncmp(argument, "-fopenmp=", 9) == 0) wanted->openmp = true;
}

static void look_at_all(const Words *words, Wanted *wanted) {
  for (uint32_t i = 0; i < words->n; i++) {
    look_at(words->at[i], wanted);
    i += compile_word_has_value(words->at[i]);
  }
}

static bool has_runtime(const char *folder) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/librecord.a", folder);
  return access(path, R_OK) == 0;
}

/* Where the runtime is: beside the folder of this program, installed or built. */
static bool find_runtime(char *folder, Err *err) {
  static const char *const places[] = {"../lib/tracerec", "../build/release/lib/tracerec"};
  char self[PATH_MAX], path[PATH_MAX + 64];
  self_folder(self);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s/%s", self, places[i]);
    if (realpath(path, folder) && has_runtime(folder)) return true;
  }
  return err_set(err, ERR_IO, "librecord.a not found in %s/%s", self, places[0]);
}

/* The words of the compiler's name, which the environment may change. */
static void add_compiler(Heap *heap, const char *name, Words *words) {
  const bool plus = strcmp(name, "c++") == 0;
  if (!plus && strcmp(name, "cc")) {
    vec_push(heap, words, name);
    return;
  }
  const char *chosen = getenv(plus ? "TRACEREC_CXX" : "TRACEREC_CC");
  if (!chosen || !chosen[strspn(chosen, " ")]) chosen = plus ? "g++" : "gcc";
  char *copy = heap_alloc(heap, strlen(chosen) + 1);
  memcpy(copy, chosen, strlen(chosen) + 1);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) vec_push(heap, words, word);
}

bool compiler_find(const char *name, char found[PATH_MAX]) {
  if (strchr(name, '/')) return realpath(name, found);
  for (const char *at = getenv("PATH"); at && *at; at += *at == ':') {
    char path[PATH_MAX];
    const int length = (int)strcspn(at, ":"), n = snprintf(path, sizeof path, "%.*s/%s", length, at, name);
    if (n < (int)sizeof path && access(path, X_OK) == 0 && realpath(path, found)) return true;
    at += length;
  }
  return false;
}

/* Any word of them may be the compiler, as there are wrappers before it; and cc may be a link to clang. */
static bool is_clang(const Words *words) {
  for (uint32_t i = 0; i < words->n; i++) {
    char path[PATH_MAX];
    if (strstr(last_part(words->at[i]), "clang")) return true;
    if (compile_word_is_compiler(words->at[i]) && compiler_find(words->at[i], path) && strstr(last_part(path), "clang"))
      return true;
  }
  return false;
}

static const char *join(Heap *heap, const char *a, const char *b) {
  const size_t size = strlen(a) + strlen(b) + 1;
  char *joined = heap_alloc(heap, size);
  snprintf(joined, size, "%s%s", a, b);
  return joined;
}

/* First, so that what the user says comes after it: inlined functions would have no entries, and a program without -g
 * no lines. clang leaves out reads before writes, if it is not told otherwise. */
static void add_compiling(Heap *heap, const char *folder, bool clang, Words *words) {
  static const char *const flags[] = {"-g", "-fno-inline", "-fsanitize=thread", "-DCAUSAL_RECORD"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) vec_push(heap, words, flags[i]);
  vec_push(heap, words, "-idirafter");
  vec_push(heap, words, folder);
  if (!clang) return;
  static const char *const more[] = {"-Wno-unused-command-line-argument", "-mllvm",
                                     "-tsan-compound-read-before-write=1"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) vec_push(heap, words, more[i]);
}

/* Last, as no warning is to come from what was added, which -Werror may make an error: that nothing is inlined, and
 * that gcc does not instrument fences, which need not be recorded. */
static void add_quiet(Heap *heap, bool clang, Words *words) {
  vec_push(heap, words, "-Wno-inline");
  if (!clang) vec_push(heap, words, "-Wno-tsan");
}

/* The archive is the linker's alone: an -x of the user's must not tell the compiler what it is. A library lacks the
 * runtime, whatever the user says of undefined symbols (-z defs). */
static void add_linking(Heap *heap, const char *folder, bool clang, bool shared, Words *words) {
  static const char *const flags[] = {"-Wl,--export-dynamic-symbol=__tsan_*", "-Wl,--export-dynamic-symbol=causal_*",
                                      "-pthread"};
  if (clang) vec_push(heap, words, "-fno-sanitize-link-runtime");
  else vec_push(heap, words, join(heap, "-L", folder));
  if (shared) {
    vec_push(heap, words, "-Wl,--unresolved-symbols=ignore-all");
    return;
  }
  vec_push(heap, words, join(heap, join(heap, "-Wl,--whole-archive,", folder), "/librecord.a,--no-whole-archive"));
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) vec_push(heap, words, flags[i]);
}

bool compiler_print_flags(Err *err) {
  char folder[PATH_MAX];
  if (!find_runtime(folder, err)) return false;
  fputs("-I", stdout);
  for (const char *at = folder; *at; at++) { /* as a shell, or pkg-config, has it */
    const bool plain = isalnum((unsigned char)*at) || strchr("/._-+,:=@%~", *at) || (unsigned char)*at >= 0x80;
    if (!plain) putchar('\\');
    putchar(*at);
  }
  putchar('\n');
  return true;
}

/* What is given to the compiler. */
typedef struct {
  Heap *heap;
  const char *name;
  char folder[PATH_MAX]; /* of the runtime */
  Words given;
  Wanted wanted;
  bool links;
} Command;

/* The whole command line, with these options besides; of the sources only the one, if it is not NULL. */
static void add_all(const Command *c, const U32Vec *sources, const uint32_t *only, const Words *more, Words *words) {
  add_compiler(c->heap, c->name, words);
  const bool clang = is_clang(words);
  add_compiling(c->heap, c->folder, clang, words);
  for (uint32_t i = 0; i < more->n; i++) vec_push(c->heap, words, more->at[i]);
  for (uint32_t i = 0, k = 0; i < c->given.n; i++) {
    const bool source = k < sources->n && sources->at[k] == i;
    k += source;
    if (!source || !only || *only == i) vec_push(c->heap, words, c->given.at[i]);
  }
  add_quiet(c->heap, clang, words);
  if (c->links) add_linking(c->heap, c->folder, clang, c->wanted.shared, words);
  vec_push(c->heap, words, NULL);
}

static bool become(const Words *words, Err *err) {
  execvp(words->at[0], (char **)(uintptr_t)words->at);
  return err_set(err, ERR_IO, "%s: %s", words->at[0], strerror(errno));
}

/* Makes bitcode of several sources, of each of which there is an object; then the objects, one after another. */
static bool compile_each(const Command *c, const U32Vec *sources, int *code, Err *err) {
  for (uint32_t i = 0; i < sources->n; i++) {
    Words words = {0}, more = {0};
    const U32Vec one = {sources->at + i, 1, 1};
    if (!beside_make(c->heap, c->folder, &c->given, &one, &more, err)) return false;
    add_all(c, sources, &sources->at[i], &more, &words);
    if (i + 1 == sources->n && *code == 0) return become(&words, err);
    const int ended = beside_run(&words);
    if (ended < 0) return err_set(err, ERR_IO, "%s: %s", words.at[0], strerror(errno));
    if (ended > 0) *code = ended;
  }
  return true;
}

static bool compile(const Command *c, bool bitcode, int *code, Err *err) {
  Words words = {0}, more = {0};
  const U32Vec sources = bitcode ? beside_sources(c->heap, &c->given) : (U32Vec){0};
  if (c->wanted.objects && sources.n > 1) return compile_each(c, &sources, code, err);
  if (sources.n && !beside_make(c->heap, c->folder, &c->given, &sources, &more, err)) return false;
  add_all(c, &sources, NULL, &more, &words);
  return become(&words, err);
}

bool compiler_exec(Heap *heap, const char *name, char **arguments, int *code, Err *err) {
  Command c = {.heap = heap, .name = name};
  const bool bitcode = *arguments && strcmp(*arguments, "--emit=bitcode") == 0;
  Words all = {0};
  for (arguments += bitcode; *arguments; arguments++) vec_push(heap, &c.given, *arguments);
  compile_words_expand(heap, NULL, &c.given, &all);
  look_at_all(&all, &c.wanted);
  if (bitcode && beside_sources(heap, &all).n) c.given = all; /* else they stay short: there may be megabytes of them */
  if (!find_runtime(c.folder, err)) return false;
  c.links = c.wanted.input && !c.wanted.unlinked;
  if (c.links && c.wanted.is_static) return err_set(err, ERR_INPUT, "programs linked with -static cannot be recorded");
  if (c.links && c.wanted.openmp)
    fprintf(stderr, "tracerec: warning: -fopenmp: the synchronisation of OpenMP's own library (barriers, critical "
                    "sections, reductions, tasks, locks) is not recorded, so correct programs may be reported\n");
  return compile(&c, bitcode, code, err);
}
