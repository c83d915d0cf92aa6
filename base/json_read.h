/* json_read.h: reads JSON (RFC 8259): one text at a time, with jansson, which is loaded by whoever reads some. */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/err.h"
#include "base/heap.h"

/* The reader, with the text that it has read last. What is found in that is valid until the next one is read. Its
 * memory, but for the reader itself, is none of the heap's. */
typedef struct JsonReader JsonReader;

/* A value of the text; NULL: there is none. */
typedef const void *JsonValue;

/* NULL, with ERR_LIMIT, if jansson cannot be loaded. */
JsonReader *json_reader_new(Heap *heap, Err *err);
void json_reader_free(JsonReader *reader); /* NULL is allowed */

/* The object that the text is; NULL if it is none, has two members of one name, or there is no memory for it. */
JsonValue json_reader_read(JsonReader *reader, const char *text, size_t length);

/* The same of a list. */
JsonValue json_reader_read_list(JsonReader *reader, const char *text, size_t length);

bool json_reader_has(const JsonReader *reader, JsonValue object, const char *key); /* is there such a member? */

/* A member of an object. NULL, or false, if there is none, or it is of another kind. A count is a whole number from 0
 * on. */
const char *json_reader_string(const JsonReader *reader, JsonValue object, const char *key);
bool json_reader_count(const JsonReader *reader, JsonValue object, const char *key, uint64_t *number);
bool json_reader_bool(const JsonReader *reader, JsonValue object, const char *key, bool *value);
JsonValue json_reader_member(const JsonReader *reader, JsonValue object, const char *key); /* an object */
JsonValue json_reader_list(const JsonReader *reader, JsonValue object, const char *key);

/* How many there are in a list (0 in NULL), and one of them, if that is an object, or a string. */
size_t json_reader_length(const JsonReader *reader, JsonValue list);
JsonValue json_reader_object(const JsonReader *reader, JsonValue list, size_t i);
const char *json_reader_text(const JsonReader *reader, JsonValue list, size_t i);

#endif
