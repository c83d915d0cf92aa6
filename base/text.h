/* text.h: strings that may come from anywhere, made fit to be shown. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/arena.h"

#include <stdint.h>

/* Is it no text at all? A program, a packed file: of its first bytes, more than one in eight is a control character
 * or no UTF-8. */
bool text_is_binary(const char *bytes, size_t length);

/* The same text in which each control character and each byte that is no UTF-8 is U+FFFD; tabs and line ends are
 * spaces. */
char *text_clean(Arena *arena, const char *text);

/* The number of characters (code points) of clean text. */
uint32_t text_length(const char *text);

/* Clean text of at most `most` > 0 characters: where it is longer, the last one is an ellipsis. */
char *text_shorten(Arena *arena, const char *text, uint32_t most);

/* The same, where the first one is an ellipsis: for paths. */
char *text_shorten_front(Arena *arena, const char *text, uint32_t most);

#endif
