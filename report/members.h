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

typedef struct Members Members;

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
  MEMBER_EACH,
  MEMBER_KINDS
} MemberKind;

/* Adds the members of object number i to the one that is open. */
typedef void MemberMaker(Members *members, const void *argument, uint32_t i);

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
    const uint32_t *counts; /* MEMBER_COUNTS: a list of n numbers, in the caller's memory */
    Member *first;
    struct {
      MemberMaker *make;
      const void *argument;
    } each; /* MEMBER_EACH: a list of n objects */
  };
  uint64_t n;
  Member *last, *next;
};

enum { FACTS_DEPTH = 16 };

/* A tree while it is made; `open` are the lists and objects that are not closed yet, outermost first. */
struct Members {
  Arena *arena;
  Member root; /* an object */
  Member *open[FACTS_DEPTH];
  uint32_t depth;
};

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
void members_counts(Members *members, const char *key, const uint32_t *at,
                    uint32_t n); /* a list of numbers, on one line */

/* A list of n objects, each on lines of its own, which there is no memory for until it is written. The argument must
 * live as long. */
void members_each(Members *members, const char *key, uint32_t n, MemberMaker *make, const void *argument);

/* The object "stats": a member for each row; "cut-offs" is "cutoffs" there. */
void members_statistics(Members *members, const Statistic *at, uint32_t n);

/* The members of the root, into the object that is open. All of the tree is closed. */
void members_write(const Members *members, Json *json);

#endif
