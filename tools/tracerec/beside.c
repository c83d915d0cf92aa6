#include "tools/tracerec/beside.h"

#include "base/self.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *text(Heap *heap, const char *a, const char *b, const char *c) {
  const size_t room = strlen(a) + strlen(b) + strlen(c) + 1;
  char *joined = heap_alloc(heap, room);
  snprintf(joined, room, "%s%s%s", a, b, c);
  return joined;
}

/* ---- what is compiled ---- */

static bool has(const Words *words, const char *wanted) {
  for (uint32_t i = 0; i < words->n; i++)
    if (strcmp(words->at[i], wanted) == 0) return true;
  return false;
}

/* It only reads, or only preprocesses. */
static bool makes_no_object(const Words *words) {
  static const char *const LIST[] = {"-E", "-M", "-MM", "-fsyntax-only"};
  for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
    if (has(words, LIST[i])) return true;
  return false;
}

/* Where -o says that the output goes; NULL: nowhere. */
static const char *output_of(const Words *words) {
  const char *output = NULL;
  for (uint32_t i = 0; i < words->n; i++) {
    if (strcmp(words->at[i], "-o") == 0 && i + 1 < words->n) output = words->at[++i];
    else if (strncmp(words->at[i], "-o", 2) == 0) output = words->at[i] + 2;
    else if (compile_word_has_value(words->at[i])) i++;
  }
  return output;
}

static bool is_source(const Words *words, uint32_t i) {
  const char *language = compile_words_language(words, i);
  if (!compile_word_is_input(words->at[i])) return false;
  return language ? strcmp(language, "c") == 0 || strcmp(language, "c++") == 0 : compile_word_is_source(words->at[i]);
}

U32Vec beside_sources(Heap *heap, const Words *words) {
  U32Vec sources = {0};
  const char *output = output_of(words);
  if (makes_no_object(words) || (output && (strcmp(output, "/dev/null") == 0 || strcmp(output, "-") == 0)))
    return sources;
  for (uint32_t i = 0; i < words->n; i++) {
    if (compile_word_has_value(words->at[i])) i++;
    else if (is_source(words, i)) vec_push(heap, &sources, i);
  }
  return sources;
}

/* ---- where the bitcode goes ---- */

/* Without folders, and what comes behind the last dot. */
static const char *stem_of(Heap *heap, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = text(heap, slash ? slash + 1 : path, "", "");
  char *dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  return name;
}

/* "dir/main.o.bc"; "prog.1.bc" of the first source of what is linked at once. */
static const char *place_of(Heap *heap, const Words *words, const char *source, uint32_t number) {
  const bool object = has(words, "-c"), assembly = has(words, "-S");
  const char *output = output_of(words);
  char with[16] = "";
  if (!output) output = object || assembly ? text(heap, stem_of(heap, source), object ? ".o" : ".s", "") : "a.out";
  if (!object && !assembly) snprintf(with, sizeof with, ".%u", number);
  return text(heap, output, with, ".bc");
}

/* ---- c2net makes it ---- */

int beside_run(const Words *words) {
  pid_t child;
  int status = 0;
  errno = posix_spawnp(&child, words->at[0], NULL, NULL, (char **)(uintptr_t)words->at, environ);
  if (errno) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Beside this program, or in PATH. */
static const char *find_c2net(Heap *heap) {
  char self[PATH_MAX];
  self_folder(self);
  const char *path = text(heap, self, "/c2net", "");
  return access(path, X_OK) == 0 ? path : "c2net";
}

static int convert(Heap *heap, const char *source, const char *bitcode, const Words *options) {
  Words words = {0};
  const char *const first[] = {find_c2net(heap), "--emit=bitcode", "-o", bitcode, source, "--"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(heap, &words, first[i]);
  for (uint32_t i = 0; i < options->n; i++) vec_push(heap, &words, options->at[i]);
  vec_push(heap, &words, NULL);
  const int code = beside_run(&words), failed = errno;
  vec_fini(heap, &words);
  errno = failed;
  return code;
}

/* Can anything be compiled? */
static bool works(Heap *heap) {
  const char *const c[] = {"-x", "c"};
  return convert(heap, "/dev/null", "/dev/null", &(Words){(const char **)(uintptr_t)c, 2, 2}) == 0;
}

/* ---- the note in the object ---- */

/* What the assembler reads as that byte, in a string in a string of C. */
static void add_byte(Heap *heap, CharVec *to, unsigned char byte) {
  char escaped[8];
  const bool plain = byte > ' ' && byte < 0x7f && !strchr("\"\\", byte);
  const int n = snprintf(escaped, sizeof escaped, plain ? "%c" : "\\\\%03o", byte);
  for (int i = 0; i < n; i++) vec_push(heap, to, escaped[i]);
}

static void add_note(Heap *heap, const char *path, CharVec *note) {
  for (; *path; path++) add_byte(heap, note, (unsigned char)*path);
  add_byte(heap, note, '\n');
}

static void add_options(Heap *heap, const char *folder, CharVec *note, Words *more) {
  vec_push(heap, note, '\0');
  vec_push(heap, more, text(heap, "-DCAUSAL_BITCODE=\"", note->at, "\""));
  vec_push(heap, more, "-include");
  vec_push(heap, more, text(heap, folder, "/bitcode_note.h", ""));
}

/* ---- the whole ---- */

bool beside_make(Heap *heap, const char *folder, const Words *words, const U32Vec *sources, Words *more, Err *err) {
  CharVec note = {0};
  for (uint32_t i = 0; i < sources->n; i++) {
    char real[PATH_MAX];
    Words options = {0};
    const char *source = words->at[sources->at[i]], *bitcode = place_of(heap, words, source, i + 1);
    compile_words_keep(heap, words, sources->at[i], &options);
    unlink(bitcode);
    const int code = convert(heap, source, bitcode, &options);
    vec_fini(heap, &options);
    if (code < 0)
      return err_set(err, ERR_IO, "--emit=bitcode needs c2net, which is built where LLVM is installed: %s",
                     strerror(errno));
    if (code != 0 && !works(heap)) return err_set(err, ERR_IO, "--emit=bitcode needs clang, which does not work here");
    if (code == 0 && realpath(bitcode, real)) add_note(heap, real, &note);
    else
      fprintf(stderr, "tracerec: warning: %s: there is no bitcode of it: what it defines is not known to c2net\n",
              source);
  }
  if (note.n) add_options(heap, folder, &note, more);
  vec_fini(heap, &note);
  return true;
}
