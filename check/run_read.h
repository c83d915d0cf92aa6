/* run_read.h: reads and judges the runs of a certificate (docs/certificates.md), of its net or of one with some numbers
 * of threads, and what is claimed of them. */
#ifndef CHECK_RUN_READ_H
#define CHECK_RUN_READ_H

#include "check/reader.h"

/* Behind the words 'run' and 'with', up to the next proof. False with *reader->err (reader.h). */
bool run_read(Reader *reader);
bool run_read_instance(Reader *reader);

#endif
