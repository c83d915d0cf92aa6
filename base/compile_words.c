#include "base/compile_words.h"

#include "base/file.h"
#include "base/here.h"

#include <string.h>

#define BLANKS " \t\r\n\f\v"

/* ---- a command as one text ---- */

/* One word of it, as long as the text at most; what comes behind it. In a response file a backslash counts in quotes of
 * either kind, before whatever it is. */
static const char *part_word(const char *at, bool in_file, char *to) {
  char quote = 0;
  for (; *at && (quote || !strchr(BLANKS, *at)); at++) {
    const bool escapes = *at == '\\' && at[1] && (in_file || !quote || (quote == '"' && strchr("\"\\$`", at[1])));
    if (escapes) *to++ = *++at;
    else if (*at == quote) quote = 0;
    else if (!quote && (*at == '"' || *at == '\'')) quote = *at;
    else *to++ = *at;
  }
  *to = '\0';
  return at;
}

static void part(Heap *heap, const char *text, bool in_file, Words *words) {
  for (const char *at = text + strspn(text, BLANKS); *at; at += strspn(at, BLANKS)) {
    char *word = heap_alloc(heap, strlen(at) + 1);
    at = part_word(at, in_file, word);
    vec_push(heap, words, word);
  }
}

void compile_words_part(Heap *heap, const char *command, Words *words) { part(heap, command, false, words); }

/* ---- response files ---- */

static bool expand_file(Heap *heap, const char *folder, const char *path, uint32_t depth, Words *all);

static void expand(Heap *heap, const char *folder, const Words *words, uint32_t depth, Words *all) {
  for (uint32_t i = 0; i < words->n; i++) {
    const char *word = words->at[i];
    if (word[0] != '@' || !expand_file(heap, folder, word + 1, depth, all)) vec_push(heap, all, word);
  }
}

/* False: it cannot be read, or they lead to each other; the compiler will say so. */
static bool expand_file(Heap *heap, const char *folder, const char *path, uint32_t depth, Words *all) {
  enum { DEEPEST = 8 };
  const char *joined = folder ? here_join(heap, folder, path) : path;
  InFile file;
  Err err;
  Words words = {0};
  if (depth == DEEPEST || !file_read(heap, joined, &file, &err)) return false;
  part(heap, file.text, true, &words);
  file_release(heap, &file);
  expand(heap, folder, &words, depth + 1, all);
  vec_fini(heap, &words);
  return true;
}

void compile_words_expand(Heap *heap, const char *folder, const Words *words, Words *all) {
  expand(heap, folder, words, 0, all);
}

/* ---- what the words mean ---- */

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

static bool begins_with_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strncmp(word, *list, strlen(*list)) == 0) return true;
  return false;
}

/* Its length without a version: clang-14, g++-12.2. */
static size_t unversioned(const char *name) {
  const char *dash = strrchr(name, '-');
  const bool version = dash && dash[1] && strspn(dash + 1, "0123456789.") == strlen(dash + 1);
  return version ? (size_t)(dash - name) : strlen(name);
}

/* Is it this compiler, of whatever version, for whatever target (x86_64-linux-gnu-gcc)? */
static bool is_compiler(const char *path, const char *compiler) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t length = unversioned(name), n = strlen(compiler);
  return length >= n && strncmp(name + length - n, compiler, n) == 0 && (length == n || name[length - n - 1] == '-');
}

bool compile_word_is_compiler(const char *word) {
  static const char *const NAMES[] = {"cc", "gcc", "clang", "c++", "g++", "clang++"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (compile_word_is_input(word) && is_compiler(word, NAMES[i])) return true;
  return false;
}

bool compile_word_has_value(const char *word) {
  static const char *const LIST[] = {"-o",
                                     "-I",
                                     "-D",
                                     "-U",
                                     "-L",
                                     "-l",
                                     "-x",
                                     "-include",
                                     "-imacros",
                                     "-MF",
                                     "-MT",
                                     "-MQ",
                                     "-MJ",
                                     "-T",
                                     "-u",
                                     "-z",
                                     "-e",
                                     "-A",
                                     "-B",
                                     "-G",
                                     "-aux-info",
                                     "-arch",
                                     "-target",
                                     "--param",
                                     "-mllvm",
                                     "-isystem",
                                     "-iquote",
                                     "-idirafter",
                                     "-iprefix",
                                     "-iwithprefix",
                                     "-iwithprefixbefore",
                                     "-isysroot",
                                     "-Xlinker",
                                     "-Xpreprocessor",
                                     "-Xassembler",
                                     "-Xclang",
                                     "-dumpbase",
                                     "-dumpdir",
                                     "-dumpbase-ext",
                                     "--sysroot",
                                     NULL};
  return is_one_of(word, LIST);
}

bool compile_word_is_input(const char *word) { return word[0] != '-' && word[0] != '@'; }

bool compile_word_is_cxx(const char *word) {
  static const char *const ENDS[] = {".cc", ".cp", ".cpp", ".cxx", ".CPP", ".c++", ".C", ".ii", NULL};
  const char *end = strrchr(word, '.');
  return end && is_one_of(end, ENDS);
}

bool compile_word_is_source(const char *word) {
  static const char *const ENDS[] = {".c", ".i", NULL};
  const char *end = strrchr(word, '.');
  return (end && is_one_of(end, ENDS)) || compile_word_is_cxx(word);
}

/* ---- which of them are kept ---- */

/* What has no value behind it, or has it in the same word. */
static bool is_of_no_use(const char *word) {
  static const char *const LIST[] = {
      "-c",     "-S",      "-E",         "-fsyntax-only",  "-gsplit-dwarf",   "-g0",
      "-ggdb0", "-shared", "--coverage", "-fprofile-arcs", "-ftest-coverage", "-ftime-trace",
      NULL};
  static const char *const BEGINNINGS[] = {"-o",
                                           "-O",
                                           "-M",
                                           "-Wp,-M",
                                           "-Wl,",
                                           "-fsanitize",
                                           "-flto",
                                           "-ftrivial-auto-var-init",
                                           "-fplugin",
                                           "-save-temps",
                                           "--save-temps",
                                           "-D_FORTIFY_SOURCE",
                                           "-Wp,-D_FORTIFY_SOURCE",
                                           "-L",
                                           "-l",
                                           "--output=",
                                           "--emit=",
                                           NULL};
  return is_one_of(word, LIST) || begins_with_one_of(word, BEGINNINGS);
}

static bool has_value_of_no_use(const char *word) {
  static const char *const LIST[] = {"-Xlinker", "-Xassembler",   "-T", "-u", "-z", "-e", "-aux-info", "-dumpbase",
                                     "-dumpdir", "-dumpbase-ext", NULL};
  return is_one_of(word, LIST) || is_of_no_use(word);
}

void compile_words_keep(Heap *heap, const Words *words, uint32_t at, Words *kept) {
  for (uint32_t i = 0; i < words->n; i++) {
    const char *word = words->at[i];
    if (compile_word_has_value(word) && i + 1 < words->n) {
      i++;
      if (has_value_of_no_use(word) || (strcmp(word, "-x") == 0 && i > at)) continue;
      vec_push(heap, kept, word);
      vec_push(heap, kept, words->at[i]);
    } else if (!compile_word_is_input(word) && !is_of_no_use(word) && strcmp(word, "-") != 0 &&
               (strncmp(word, "-x", 2) != 0 || i < at)) {
      vec_push(heap, kept, word);
    }
  }
}

const char *compile_words_language(const Words *words, uint32_t at) {
  const char *language = NULL;
  for (uint32_t i = 0; i < words->n && i < at; i++) {
    if (strcmp(words->at[i], "-x") == 0 && i + 1 < words->n) language = words->at[++i];
    else if (strncmp(words->at[i], "-x", 2) == 0) language = words->at[i] + 2;
    else if (compile_word_has_value(words->at[i])) i++;
  }
  return language && strcmp(language, "none") == 0 ? NULL : language;
}
