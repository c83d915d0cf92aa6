/* input.h: the bytes of a file or of stdin, unpacked if they are packed. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include "base/err.h"
#include "base/heap.h"

/* An input that is open, with what has been unpacked of it so far. */
typedef struct Input Input;

/* "-" is stdin. NULL, with *err, if the file cannot be opened. */
Input *input_open(Heap *heap, const char *path, Err *err);
void input_close(Input *input);

/* Reads at least one byte, and at most `room` > 0; does not wait for more than there is. *n is 0 at the end. */
bool input_read(Input *input, char *to, size_t room, size_t *n, Err *err);

/* Passes the next n bytes, of what nothing was read yet. False, with *err, as input_read, or if there are not so many.
 */
bool input_skip(Input *input, uint64_t n, Err *err);

/* Was it packed, and are these bytes, its first ones, packed once more? */
bool input_is_packed_again(const Input *input, const char *bytes, size_t n);

const char *input_name(const Input *input); /* for messages: the path, or "<stdin>" */
bool input_cut_short(const Input *input);   /* after the end: packed data that break off */

#endif
