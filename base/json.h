/* json.h: writes JSON (RFC 8259) to a stream, value after value; nothing is kept in memory.
 *
 *     Json json = json_start(out);
 *     json_open(&json, '{', JSON_LINES);
 *     json_key(&json, "events"), json_count(&json, 12);
 *     json_close(&json);
 *     json_finish(&json);
 *
 * Commas, line ends and indentation come by themselves. Asserted: a member of an object is a key, then one value. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 32 };

/* How a list or an object is broken into lines. */
typedef enum {
  JSON_LINES, /* each member starts a line */
  JSON_ROW    /* all on the line where it starts, with all that is in it */
} JsonLayout;

/* A writer of one JSON text: what is open now. It owns no memory; `out` stays the caller's. */
typedef struct {
  FILE *out;
  uint32_t depth;
  char bracket[JSON_DEPTH]; /* of what is open, outermost first: '{' or '[' */
  JsonLayout layout[JSON_DEPTH];
  bool filled[JSON_DEPTH]; /* has a member already */
  bool keyed;              /* a key was written, its value was not */
  bool in_html;            /* '<' is written as an escape, so that the text can stand in a <script> of a page */
} Json;

/* Nothing is written yet. Errors of the stream are the caller's to see. */
Json json_start(FILE *out);
Json json_start_in_html(FILE *out);
void json_finish(Json *json); /* all must be closed; ends the line */

void json_open(Json *json, char bracket, JsonLayout layout); /* '{' or '['; at most JSON_DEPTH deep */
void json_close(Json *json);                                 /* the innermost that is open */
void json_key(Json *json, const char *key);                  /* in an object; its value comes next */

/* Bytes that are no UTF-8 become U+FFFD each; NULL becomes null. */
void json_string(Json *json, const char *text);
void json_count(Json *json, uint64_t number);
/* Nine significant digits, a point in every locale; what is not finite becomes null. */
void json_number(Json *json, double number);
void json_bool(Json *json, bool value);
void json_null(Json *json);

/* A member at once: its key, and a value as above. */
void json_member_string(Json *json, const char *key, const char *text);
void json_member_count(Json *json, const char *key, uint64_t number);
void json_member_bool(Json *json, const char *key, bool value);
void json_member_open(Json *json, const char *key, char bracket, JsonLayout layout);

#endif
