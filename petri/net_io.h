/* net_io.h: nets from and to files, in whichever format. */
#ifndef PETRI_NET_IO_H
#define PETRI_NET_IO_H

#include "base/file.h"
#include "petri/net.h"

/* A file format for nets. */
typedef enum {
  NET_PNML,   /* petri/pnml.h */
  NET_LL_NET, /* petri/llnet.h: without units and notes */
  NET_DOT,    /* petri/net_draw.h: a drawing; only written */
  NET_TINA,   /* petri/tina.h: only read */
  NET_TAPN    /* petri/tapn.h: only read */
} NetFormat;
enum { NET_FORMAT_KINDS = NET_TAPN + 1 };

/* What is known of a format. */
typedef struct {
  const char *name;    /* "pnml" */
  const char *endings; /* of its files' names, with blanks between: ".pnml .xml" */
  const char *about;   /* a phrase */
  bool reads, writes;
} NetFormatRow;

extern const NetFormatRow NET_FORMATS[]; /* by NetFormat */

/* Reads PNML, ll_net, TINA's format or TAPAAL's, detected from the content. NULL, with ERR_INPUT, "file:line: ...", if
 * it is none of them or has faults. If what was to write it left a word that there is none (net_absence): NULL, with
 * the kind that it says; the text is empty if it came through stdin, since whoever wrote it has printed why. */
Net *net_read(Heap *heap, const InFile *file, Err *err);

/* The same; a net as PNML has its ids (Net.place_id), too. */
Net *net_read_with_ids(Heap *heap, const InFile *file, Err *err);

/* Reads the file in the format that is said, one that is read. */
Net *net_read_as(Heap *heap, const InFile *file, NetFormat format, Err *err);

/* Writes the net to the file ("-": stdout), which appears whole or not at all, in a format that is written. */
bool net_write(Heap *heap, const Net *net, NetFormat format, const char *path, Err *err);

/* The line that goes through a pipe in the place of a net that could not be made, because of an error, or
 * (ERR_LIMIT) of a limit. */
const char *net_absence(ErrKind why);

/* Is that all that there is in the file? Then *err says so, as net_read has it. */
bool net_is_absent(const InFile *file, Err *err);

#endif
