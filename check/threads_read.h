/* threads_read.h: reads and judges what a certificate knows of threads (docs/certificates.md), of the whole net or of
 * some threads of it, and the claims about blocks that it proves, with those that need a coloured net. */
#ifndef CHECK_THREADS_READ_H
#define CHECK_THREADS_READ_H

#include "check/reader.h"

/* Behind the words 'proof' and 'part', up to the next proof. False with *reader->err (reader.h). */
bool threads_read(Reader *reader);
bool threads_read_part(Reader *reader);

#endif
