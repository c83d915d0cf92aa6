/* members.h: what only data formats show of an answer: an ordered tree of named values, made like JSON (base/json.h).
 *
 *     members_open(members, "stats", '{', JSON_ROW);
 *     members_count(members, "places", 31);
 *     members_close(members);
 *
 * In an object each value has a key, in a list none: the key is NULL there. Strings are not copied, and may have any
 * bytes. */
#ifndef REPORT_MEMBERS_H
#define REPORT_MEMBERS_H

#include "base/arena.h"
#include "base/json.h"
#include "base/statistics.h"

/* What a value is. MEMBER_KINDS is how many kinds there are. */
typedef enum {
  MEMBER_NULL,
  MEMBER_BOOL,
  MEMBER_COUNT,
  MEMBER_NUMBER,
  MEMBER_STRING,
  MEMBER_COUNTS,
  MEMBER_LIST,
  MEMBER_OBJECT,
  MEMBER_KINDS
} MemberKind;

/* One value, with its key; the members of a list or an object are linked. */
typedef struct Member Member;
struct Member {
  MemberKind kind;
  JsonLayout layout; /* of MEMBER_LIST and MEMBER_OBJECT */
  const char *key;
  union {
    bool truth;
    uint64_t count;
    double number;
    const char *string;
    const uint64_t *counts; /* MEMBER_COUNTS: a list of n numbers, in the caller's memory */
    Member *first;
  };
  uint64_t n;
  Member *last, *next;
};

enum { FACTS_DEPTH = 16 };

/* A tree while it is made; `open` are the lists and objects that are not closed yet, outermost first. */
typedef struct {
  Arena *arena;
  Member root; /* an object */
  Member *open[FACTS_DEPTH];
  uint32_t depth;
} Members;

/* An empty object. The tree's memory is the arena's. */
void members_init(Members *members, Arena *arena);

/* '{' or '['; at most FACTS_DEPTH deep */
void members_open(Members *members, const char *key, char bracket, JsonLayout layout);
void members_close(Members *members);                                     /* the innermost that is open */
void members_string(Members *members, const char *key, const char *text); /* NULL is null */
void members_count(Members *members, const char *key, uint64_t number);
void members_number(Members *members, const char *key, double number);
void members_bool(Members *members, const char *key, bool value);
void members_null(Members *members, const char *key);
void members_counts(Members *members, const char *key, const uint64_t *at,
                    uint64_t n); /* a list of numbers, on one line */

/* The object "stats": a member for each row; "cut-offs" is "cutoffs" there. */
void members_statistics(Members *members, const Statistic *at, uint32_t n);

/* The members of the root, into the object that is open. All of the tree is closed. */
void members_write(const Members *members, Json *json);

#endif
