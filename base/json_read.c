#include "base/json_read.h"

#include "base/library.h"

#include <jansson.h>

/* What is used of jansson. */
#define JANSSON(X)      \
  X(json_loadb)         \
  X(json_delete)        \
  X(json_object_get)    \
  X(json_string_value)  \
  X(json_integer_value) \
  X(json_array_size)    \
  X(json_array_get)

typedef struct {
  JANSSON(LIBRARY_POINTER)
} Jansson;

struct JsonReader {
  Heap *heap;
  Jansson library;
  json_t *root; /* of the text; or NULL */
};

static bool load(Jansson *library, Err *err) {
  const LibraryName names[] = {JANSSON(LIBRARY_NAME)};
  return library_load(LIBJANSSON, names, sizeof names / sizeof *names, err);
}

JsonReader *json_reader_new(Heap *heap, Err *err) {
  Jansson library;
  if (!load(&library, err)) return NULL;
  JsonReader *reader = heap_zeroed(heap, sizeof *reader);
  reader->heap = heap;
  reader->library = library;
  return reader;
}

/* There is no other reference to it: json_decref would call json_delete, too, but by its name. */
static void forget(JsonReader *reader) {
  if (reader->root) reader->library.json_delete(reader->root);
  reader->root = NULL;
}

void json_reader_free(JsonReader *reader) {
  if (!reader) return;
  forget(reader);
  heap_release(reader->heap, reader);
}

static const json_t *load_text(JsonReader *reader, const char *text, size_t length) {
  forget(reader);
  return reader->root = reader->library.json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
}

JsonValue json_reader_read(JsonReader *reader, const char *text, size_t length) {
  const json_t *root = load_text(reader, text, length);
  return root && json_is_object(root) ? root : NULL;
}

JsonValue json_reader_read_list(JsonReader *reader, const char *text, size_t length) {
  const json_t *root = load_text(reader, text, length);
  return root && json_is_array(root) ? root : NULL;
}

bool json_reader_has(const JsonReader *reader, JsonValue object, const char *key) {
  return reader->library.json_object_get(object, key);
}

const char *json_reader_string(const JsonReader *reader, JsonValue object, const char *key) {
  return reader->library.json_string_value(reader->library.json_object_get(object, key));
}

bool json_reader_count(const JsonReader *reader, JsonValue object, const char *key, uint64_t *number) {
  const json_t *value = reader->library.json_object_get(object, key);
  const json_int_t n = value && json_is_integer(value) ? reader->library.json_integer_value(value) : -1;
  if (n >= 0) *number = (uint64_t)n;
  return n >= 0;
}

bool json_reader_bool(const JsonReader *reader, JsonValue object, const char *key, bool *value) {
  const json_t *found = reader->library.json_object_get(object, key);
  if (!found || !json_is_boolean(found)) return false;
  *value = json_is_true(found);
  return true;
}

JsonValue json_reader_member(const JsonReader *reader, JsonValue object, const char *key) {
  const json_t *value = reader->library.json_object_get(object, key);
  return value && json_is_object(value) ? value : NULL;
}

JsonValue json_reader_list(const JsonReader *reader, JsonValue object, const char *key) {
  const json_t *value = reader->library.json_object_get(object, key);
  return value && json_is_array(value) ? value : NULL;
}

size_t json_reader_length(const JsonReader *reader, JsonValue list) {
  return list ? reader->library.json_array_size(list) : 0;
}

JsonValue json_reader_object(const JsonReader *reader, JsonValue list, size_t i) {
  const json_t *value = reader->library.json_array_get(list, i);
  return value && json_is_object(value) ? value : NULL;
}

const char *json_reader_text(const JsonReader *reader, JsonValue list, size_t i) {
  return reader->library.json_string_value(reader->library.json_array_get(list, i));
}
