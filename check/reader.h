/* reader.h: what those share that read the parts of a certificate: the lines, what is known at this point of the file,
 * and what was proved before. Each part is read by a module of its own (`..._read`). */
#ifndef CHECK_READER_H
#define CHECK_READER_H

#include "check/certificate_judge.h"
#include "check/coloured_read.h"
#include "check/cosets.h"
#include "check/lines.h"
#include "check/past.h"
#include "check/run_proof.h"

/* Threads that are enough for a block. */
typedef struct {
  uint32_t block;
  bool *kept; /* per thread */
} Slice;

/* A proof, and the claims after it. */
typedef struct {
  Heap *heap;
  const Net *net; /* that the proof at hand is about */
  Lines lines;
  CertificateReport *report;
  Err *err;
  VEC(PlaceId) places; /* of the claim at hand */
  uint32_t size;       /* of the proof at hand: steps or events */
  uint32_t with;       /* as in a claim: what the proof at hand is about */
  bool is_safe;        /* that the net is was shown */
  /* run_read.c */
  RunProof run;
  bool is_unsafe; /* that was claimed of the run */
  /* prefix_read.c */
  U32Vec preset; /* of the current event */
  Process process;
  Past past;
  Cosets cosets;
  const Net *plain;     /* while a prefix of a net with complements is read: the net without them, */
  uint32_t *complement; /* and per place of it its complement, or PROCESS_NONE */
  /* threads_read.c */
  VEC(Slice) slices;
  bool *part;        /* per thread of the notes: the proof at hand is about these alone; or NULL */
  bool *many;        /* per thread: it stands for any number; NULL: that was not asked yet */
  uint32_t *swapped; /* per place: the one that it is swapped with where two such threads are; likewise */
  ColouredClaims coloured;
} Reader;

/* At the first line of the file; what is given outlives the reader. Memory is the heap's. */
Reader *reader_new(Heap *heap, const Net *net, const InFile *file, CertificateReport *report, Err *err);
void reader_free(Reader *reader);

/* What returns bool below is false with *reader->err, which says where: ERR_INPUT if a line has not its form, ERR_CHECK
 * if it is not true. */

/* False: rejects a line, and says why. */
bool reader_reject(Reader *reader, size_t line, const Err *why);

/* A claim that was proved; its numbers. */
void reader_claim(Reader *reader, ClaimKind kind, const uint32_t *numbers, uint32_t n);

/* The same, if it is true; else the current line is rejected. */
bool reader_end_claim(Reader *reader, bool is_true, const Err *why, ClaimKind kind, const uint32_t *numbers,
                      uint32_t n);

/* A number from 1 to n, as one from 0; the same, and it is the last of its line. */
bool reader_index(Reader *reader, const char *what, uint32_t n, uint32_t *index);
bool reader_last_index(Reader *reader, const char *what, uint32_t n, uint32_t *index);

/* The size of a proof, which ends its line. */
bool reader_size(Reader *reader, const char *what);

/* The places up to the end of the line, to `places`: ascending, each once. */
bool reader_places(Reader *reader);

/* A formula about places of the net: its number in the report. */
bool reader_formula(Reader *reader, uint32_t *number);

/* A claim of one line, by its word; `read` looks at what is behind it. A list of them ends with a word that is NULL. */
typedef struct {
  const char *word;
  bool (*read)(Reader *reader);
} ClaimReader;

/* As many lines with these claims as there are. */
bool reader_claims(Reader *reader, const ClaimReader *claims);

#endif
