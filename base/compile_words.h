/* compile_words.h: the words of a compiler's command line, and which of them say how the source is to be read. */
#ifndef BASE_COMPILE_WORDS_H
#define BASE_COMPILE_WORDS_H

#include "base/heap.h"
#include "base/vec.h"

#include <stdbool.h>

typedef VEC(const char *) Words;

/* Adds the words of a command as a shell would part them: by blanks, but for quotes and backslashes. Nothing is
 * replaced in them. They are the heap's. */
void compile_words_part(Heap *heap, const char *command, Words *words);

/* Adds the words, and instead of each "@FILE" those of this response file, a path in `folder` (NULL: in this one). A
 * word whose file cannot be read stays. */
void compile_words_expand(Heap *heap, const char *folder, const Words *words, Words *all);

/* Is it the name of a compiler of C or C++: cc, gcc, clang, c++, g++, clang++; with a path before it, a target or a
 * version: /usr/bin/gcc, x86_64-linux-gnu-gcc, clang-14? */
bool compile_word_is_compiler(const char *word);

/* Is it an option whose value is the next word? */
bool compile_word_has_value(const char *word);

/* Is it something to be compiled or linked, and no option? */
bool compile_word_is_input(const char *word);

/* Is it C++, by its name? */
bool compile_word_is_cxx(const char *word);

/* Is it C or C++ that clang can make bitcode of, by its name? */
bool compile_word_is_source(const char *word);

/* Adds the options that say what the input, the word `at` of these, means: macros, folders, the language. What says
 * where the output goes, how it is optimised, instrumented or linked, and what depends on what, is left out, and so are
 * all inputs. The words are to be those behind the compiler's name; `at` may be their number: no word is the input. */
void compile_words_keep(Heap *heap, const Words *words, uint32_t at, Words *kept);

/* The language that the last -x before the word `at` says; NULL: none does. */
const char *compile_words_language(const Words *words, uint32_t at);

#endif
