/* resume.h: a file to which lines of results are appended as they come, and from which a later call takes those that
 * are there already. */
#ifndef TOOLS_RESUME_H
#define TOOLS_RESUME_H

#include "report/result_line.h"
#include "tools/tool.h"

typedef struct Resume Resume;

/* Opens the file, which is made if it is not there, and reads its lines. A last line without its end, half written, is
 * cut off; that, and lines that are none, is said on stderr. NULL, with *err, if it cannot be read or written, another
 * process has it open, or a line (ERR_INPUT) is the result of another question: it has another schema, or other
 * options. */
Resume *resume_open(const Tool *tool, const char *path, const char *schema, const char *options, LineReader *reader,
                    Err *err);
void resume_close(Resume *resume); /* NULL is allowed */

/* In a process that was begun since then: leaves the file to the other one, so that it is free as soon as that ends.
 * Nothing more can be appended here. NULL is allowed. */
void resume_leave(Resume *resume);

/* The line of that file, or of that share of what is in it, with its end, as long as the resume is open; NULL if there
 * is none, or it is of a file that was changed since then, or is none. */
const char *resume_find(Resume *resume, const ReportFile *file, size_t *length);

/* Appends a line, with its end. False, with ERR_IO, if it cannot be written. */
bool resume_append(Resume *resume, const char *line, size_t length, Err *err);

#endif
