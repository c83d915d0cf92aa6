#include "tools/compile_commands.h"

#include "base/here.h"
#include "base/json_read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool compile_commands_is(const char *path) {
  const char *end = strrchr(path, '.');
  return end && strcmp(end, ".json") == 0;
}

typedef struct {
  Heap *heap;
  const InFile *database;
  JsonReader *json;
  char home[PATH_MAX]; /* the folder of the database */
} Reader;

static const char *keep(Heap *heap, const char *text) {
  const size_t size = strlen(text) + 1;
  return memcpy(heap_alloc(heap, size), text, size);
}

static const char *real_name(Heap *heap, const char *folder, const char *path) {
  const char *joined = here_join(heap, folder, path);
  char real[PATH_MAX];
  return realpath(joined, real) ? keep(heap, real) : joined;
}

/* ---- the words of an entry ---- */

/* False: there are none. */
static bool read_words(const Reader *r, JsonValue entry, Words *words) {
  const JsonValue list = json_reader_list(r->json, entry, "arguments");
  const char *command = json_reader_string(r->json, entry, "command");
  for (size_t i = 0; i < json_reader_length(r->json, list); i++) {
    const char *word = json_reader_text(r->json, list, i);
    if (!word) return false;
    vec_push(r->heap, words, keep(r->heap, word));
  }
  if (!list && command) compile_words_part(r->heap, command, words);
  return words->n > 0;
}

/* Is it the file of the entry? */
static bool is_file(const Reader *r, const CompileCommand *c, const char *word) {
  return compile_word_is_input(word) &&
         (strcmp(word, c->path) == 0 || strcmp(real_name(r->heap, c->folder, word), c->real) == 0);
}

/* Takes off the compiler's name, and words before it, as of ccache, and libtool with its options. */
static Words without_compiler(const Reader *r, const CompileCommand *c, const Words *words) {
  uint32_t n = 1;
  for (uint32_t i = 1; i < words->n && !is_file(r, c, words->at[i]); i += compile_word_has_value(words->at[i]) ? 2 : 1)
    if (i == n && compile_word_is_input(words->at[i])) n++;
    else if (compile_word_is_compiler(words->at[i])) n = i + 1;
  return (Words){words->at + n, words->n - n, words->n - n};
}

static void take_options(const Reader *r, const Words *said, CompileCommand *c) {
  Words all = {0};
  compile_words_expand(r->heap, c->folder, said, &all);
  const Words words = without_compiler(r, c, &all);
  uint32_t at = 0;
  while (at < words.n && !is_file(r, c, words.at[at])) at += compile_word_has_value(words.at[at]) ? 2 : 1;
  const char *language = compile_words_language(&words, at);
  c->is_known = language ? strcmp(language, "c") == 0 || strcmp(language, "c++") == 0 : compile_word_is_source(c->path);
  compile_words_keep(r->heap, &words, at, &c->options);
  vec_fini(r->heap, &all);
}

/* ---- one file twice ---- */

/* For position-independent code, or for a library that is shared, of which CMake tells the sources by a macro: both say
 * nothing of what the program does. */
static bool is_position(const char *word) {
  static const char *const LIST[] = {"-fPIC", "-fpic", "-fPIE", "-fpie", "-DPIC"};
  static const char END[] = "_EXPORTS";
  const size_t n = strlen(word);
  for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++)
    if (strcmp(word, LIST[i]) == 0) return true;
  return strncmp(word, "-D", 2) == 0 && n >= sizeof END && strcmp(word + n + 1 - sizeof END, END) == 0;
}

/* The next option from there on that says something; NULL: none does. */
static const char *next_option(const Words *options, uint32_t *at) {
  while (*at < options->n && is_position(options->at[*at])) ++*at;
  return *at < options->n ? options->at[(*at)++] : NULL;
}

static bool are_alike(const CompileCommand *a, const CompileCommand *b) {
  uint32_t i = 0, k = 0;
  if (strcmp(a->folder, b->folder) != 0 || strcmp(a->path, b->path) != 0) return false;
  for (;;) {
    const char *one = next_option(&a->options, &i), *other = next_option(&b->options, &k);
    if (!one || !other) return one == other;
    if (strcmp(one, other) != 0) return false;
  }
}

static void add(const Reader *r, const CompileCommand *c, CompileCommands *commands) {
  for (uint32_t i = 0; i < commands->n; i++) {
    CompileCommand *other = &commands->at[i];
    if (strcmp(other->real, c->real) != 0) continue;
    other->differs |= !are_alike(other, c);
    return;
  }
  vec_push(r->heap, commands, *c);
}

/* ---- the whole ---- */

static bool read_entry(const Reader *r, JsonValue entry, CompileCommand *c) {
  Words words = {0};
  const char *folder = entry ? json_reader_string(r->json, entry, "directory") : NULL;
  const char *path = entry ? json_reader_string(r->json, entry, "file") : NULL;
  if (!folder || !path || !*path || !read_words(r, entry, &words)) return false;
  *c = (CompileCommand){.folder = here_join(r->heap, r->home, folder), .path = keep(r->heap, path)};
  c->name = here_name(r->heap, c->folder, c->path);
  c->real = real_name(r->heap, c->folder, c->path);
  take_options(r, &words, c);
  vec_fini(r->heap, &words);
  return true;
}

static void find_home(Reader *r) {
  snprintf(r->home, sizeof r->home, "%s", r->database->name);
  char *slash = strrchr(r->home, '/');
  if (slash) slash[slash == r->home] = '\0';
  else strcpy(r->home, ".");
}

static bool read_all(const Reader *r, CompileCommands *commands, Err *err) {
  const JsonValue list = json_reader_read_list(r->json, r->database->text, r->database->length);
  if (!list)
    return err_set(err, ERR_INPUT, "%.300s: not a compilation database, which is a list in JSON", r->database->name);
  const size_t n = json_reader_length(r->json, list);
  for (size_t i = 0; i < n; i++) {
    CompileCommand c;
    if (!read_entry(r, json_reader_object(r->json, list, i), &c))
      return err_set(err, ERR_INPUT,
                     "%.300s: entry %zu: expected \"directory\", \"file\", and \"command\" or \"arguments\"",
                     r->database->name, i + 1);
    add(r, &c, commands);
  }
  return n > 0 || err_set(err, ERR_INPUT, "%.300s: no file is compiled there", r->database->name);
}

bool compile_commands_read(Heap *heap, const InFile *database, CompileCommands *commands, Err *err) {
  Reader r = {.heap = heap, .database = database, .json = json_reader_new(heap, err)};
  if (!r.json) return false;
  find_home(&r);
  const bool good = read_all(&r, commands, err);
  json_reader_free(r.json);
  return good;
}
