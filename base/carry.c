#include "base/carry.h"

#include <assert.h>
#include <string.h>

void carry_fini(Carry *carry) { vec_fini(carry->heap, &carry->bytes); }

static void put(Carry *carry, const void *from, size_t n) {
  vec_reserve(carry->heap, &carry->bytes, n);
  memcpy(carry->bytes.at + carry->bytes.n, from, n);
  carry->bytes.n += (uint32_t)n;
}

static void get(Carry *carry, void *to, size_t n) {
  carry->bad = carry->bad || n > carry->bytes.n - carry->at;
  if (carry->bad) {
    memset(to, 0, n);
  } else {
    memcpy(to, carry->bytes.at + carry->at, n);
    carry->at += n;
  }
}

void carry_bytes(Carry *carry, void *to, size_t n) {
  assert(carry->at <= carry->bytes.n);
  if (n) (carry->in ? get(carry, to, n) : put(carry, to, n));
}

uint32_t carry_count(Carry *carry, uint32_t n, size_t size) {
  assert(size > 0);
  carry_value(carry, n);
  carry->bad = carry->bad || (carry->in && n > (carry->bytes.n - carry->at) / size);
  return carry->bad ? 0 : n;
}

void *carry_items(Carry *carry, void *at, uint32_t *n, uint32_t *cap, size_t size) {
  const uint32_t count = carry_count(carry, *n, size);
  if (count > *cap) at = vec_grow(carry->heap, at, 0, cap, count, size);
  *n = count;
  carry_bytes(carry, at, (size_t)count * size);
  return at;
}

void *carry_piece(Carry *carry, void *at, size_t n, size_t size) {
  bool there = at != NULL;
  carry_value(carry, there);
  carry->bad = carry->bad || (carry->in && there && n > (carry->bytes.n - carry->at) / size);
  if (carry->in) heap_release(carry->heap, at);
  if (carry->in) at = there && !carry->bad ? heap_alloc(carry->heap, n * size) : NULL;
  if (at) carry_bytes(carry, at, n * size);
  return at;
}

const char *carry_string(Carry *carry, const char *string) {
  const uint32_t n = carry_count(carry, carry->in ? 0 : (uint32_t)strlen(string), 1);
  if (!carry->in) return put(carry, string, n), string;
  char *copy = heap_alloc(carry->heap, (size_t)n + 1);
  get(carry, copy, n);
  copy[n] = '\0';
  return copy;
}

bool carry_same(Carry *carry, const void *bytes, size_t n) {
  if (!carry->in) return put(carry, bytes, n), true;
  const char *there = carry->bytes.at + carry->at;
  carry->bad = carry->bad || n > carry->bytes.n - carry->at || memcmp(there, bytes, n) != 0;
  carry->at += carry->bad ? 0 : n;
  return !carry->bad;
}
