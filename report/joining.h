/* joining.h: the answers to the shares of one input (ReportFile.share), joined to that to all of it. */
#ifndef REPORT_JOINING_H
#define REPORT_JOINING_H

#include "report/result_line.h"

/* The shares so far. */
typedef struct {
  Heap *heap;
  uint64_t n, of;    /* so many of so many shares */
  bool answered;     /* one of them was not empty; then there are */
  CharVec verdict;   /* the word of the worst of them, */
  ExitCode exit;     /* its exit code, */
  CharVec why;       /* and its reason; "": none */
  uint64_t events;   /* of all together, */
  bool lacks_events; /* unless that is not known of one */
  uint64_t n_wrong;  /* findings of all together */
  CharVec hash;      /* of the text of one; "": not known */
  bool differs;      /* the text of another is not the same */
  char remark[100];  /* why all of it is not known */
} Joining;

/* No shares so far. Memory is the heap's, until fini. */
void joining_init(Joining *joining, Heap *heap);
void joining_fini(Joining *joining);

/* One more, each only once, of the same number of shares. */
void joining_add(Joining *joining, const ResultLine *line);

/* The answer to all of it, of the input of that path, as a line without its findings; valid until there are others.
 * Violated if a share is; else not decided where a share is missing, or is not decided. Where the shares are of
 * different texts, nothing is known. */
ResultLine joining_result(Joining *joining, const char *path);

#endif
