/* err.h: one error, reported to the caller.
 *
 * A function that can fail takes `Err *err` last and returns bool; on failure its outputs are untouched and *err says
 * why. The text is a whole message without "error:" in front; where there is a place it starts with "file:line:col: ".
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/* What kind of failure it is, which decides the exit code. */
typedef enum {
  ERR_INPUT, /* usage, or an input that is not what it should be: exit 3 */
  ERR_IO,    /* reading or writing failed: exit 3 */
  ERR_LIMIT, /* a limit was reached: the answer is "unknown", exit 2 */
  ERR_CHECK  /* a self-check failed, a bug of ours: exit 4 */
} ErrKind;

/* An error. It owns no memory; what it has before a failure means nothing. */
typedef struct {
  ErrKind kind;
  char text[1024]; /* NUL-terminated, cut where it is longer */
} Err;

/* Fills *err and returns false, so that a failing function can end with `return err_set(...)`. */
bool err_set(Err *err, ErrKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
