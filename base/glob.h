/* glob.h: patterns of names. In a pattern '*' is any bytes, none as well, and '?' is any one byte; all others are
 * themselves. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Does the pattern match all of the text, which has so many bytes? In time of their product at most. */
bool glob_matches(const char *pattern, const char *text, size_t length);

#endif
