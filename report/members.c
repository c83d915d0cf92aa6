#include "report/members.h"

#include <assert.h>

void members_init(Members *members, Arena *arena) {
  *members = (Members){.arena = arena, .root = {.kind = MEMBER_OBJECT}};
}

static Member *add(Members *members, const char *key, MemberKind kind) {
  Member *parent = members->depth ? members->open[members->depth - 1] : &members->root;
  assert((parent->kind == MEMBER_OBJECT) == (key != NULL));
  Member *member = arena_zeroed(members->arena, 1, sizeof *member);
  member->kind = kind;
  member->key = key;
  if (parent->last) parent->last->next = member;
  else parent->first = member;
  parent->last = member;
  return member;
}

void members_open(Members *members, const char *key, char bracket, JsonLayout layout) {
  assert(members->depth < FACTS_DEPTH && (bracket == '{' || bracket == '['));
  Member *member = add(members, key, bracket == '{' ? MEMBER_OBJECT : MEMBER_LIST);
  member->layout = layout;
  members->open[members->depth++] = member;
}

void members_close(Members *members) {
  assert(members->depth > 0);
  members->depth--;
}

void members_string(Members *members, const char *key, const char *text) {
  add(members, key, MEMBER_STRING)->string = text;
}
void members_count(Members *members, const char *key, uint64_t number) {
  add(members, key, MEMBER_COUNT)->count = number;
}
void members_number(Members *members, const char *key, double number) {
  add(members, key, MEMBER_NUMBER)->number = number;
}
void members_bool(Members *members, const char *key, bool value) { add(members, key, MEMBER_BOOL)->truth = value; }
void members_null(Members *members, const char *key) { add(members, key, MEMBER_NULL); }

void members_counts(Members *members, const char *key, const uint32_t *at, uint32_t n) {
  Member *member = add(members, key, MEMBER_COUNTS);
  member->counts = at;
  member->n = n;
}

void members_each(Members *members, const char *key, uint32_t n, MemberMaker *make, const void *argument) {
  Member *member = add(members, key, MEMBER_EACH);
  member->each.make = make;
  member->each.argument = argument;
  member->n = n;
}

/* The name without what no key has. */
static const char *key_of(Arena *arena, const char *name) {
  char *key = arena_format(arena, "%s", name), *to = key;
  for (const char *at = key; *at; at++)
    if (*at != '-') *to++ = (char)(*at == ' ' ? '_' : *at);
  *to = '\0';
  return key;
}

void members_statistics(Members *members, const Statistic *at, uint32_t n) {
  members_open(members, "stats", '{', JSON_ROW);
  for (uint32_t i = 0; i < n; i++) {
    const char *key = key_of(members->arena, at[i].name);
    if (at[i].unit == STATISTIC_TIME) members_number(members, key, at[i].seconds);
    else members_count(members, key, at[i].count);
  }
  members_close(members);
}

/* ---- as JSON ---- */

static void write_value(const Member *member, Heap *heap, Json *json);

static void write_members(const Member *parent, Heap *heap, Json *json) {
  for (const Member *member = parent->first; member; member = member->next) {
    if (member->key) json_key(json, member->key);
    write_value(member, heap, json);
  }
}

static void write_each(const Member *member, Heap *heap, Json *json) {
  json_open(json, '[', JSON_LINES);
  for (uint32_t i = 0; i < member->n; i++) {
    Arena arena;
    Members members;
    arena_init(&arena, heap);
    members_init(&members, &arena);
    member->each.make(&members, member->each.argument, i);
    json_open(json, '{', JSON_LINES);
    members_write(&members, json);
    json_close(json);
    arena_fini(&arena);
  }
  json_close(json);
}

static void write_counts(const Member *member, Json *json) {
  json_open(json, '[', JSON_ROW);
  for (uint64_t i = 0; i < member->n; i++) json_count(json, member->counts[i]);
  json_close(json);
}

static void write_value(const Member *member, Heap *heap, Json *json) {
  assert((unsigned)member->kind < MEMBER_KINDS);
  switch (member->kind) {
  case MEMBER_NULL: json_null(json); break;
  case MEMBER_BOOL: json_bool(json, member->truth); break;
  case MEMBER_COUNT: json_count(json, member->count); break;
  case MEMBER_NUMBER: json_number(json, member->number); break;
  case MEMBER_STRING: json_string(json, member->string); break;
  case MEMBER_COUNTS: write_counts(member, json); break;
  case MEMBER_LIST:
  case MEMBER_OBJECT:
    json_open(json, member->kind == MEMBER_LIST ? '[' : '{', member->layout);
    write_members(member, heap, json);
    json_close(json);
    break;
  case MEMBER_EACH: write_each(member, heap, json); break;
  case MEMBER_KINDS: break;
  }
}

void members_write(const Members *members, Json *json) {
  assert(members->depth == 0);
  write_members(&members->root, members->arena->heap, json);
}
