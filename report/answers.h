/* answers.h: what netunfold found, and how it is told: as text and as JSON. docs/json.md has the JSON. */
#ifndef REPORT_ANSWERS_H
#define REPORT_ANSWERS_H

#include "ask/questions.h"

#include <stdio.h>

/* A firing sequence line by line, indented; for people. */
void print_run(const Net *net, const TransId *run, uint32_t n_run, FILE *out);

/* With `quiet` the answers alone, without firing sequences and sizes. */
void answers_text(const AnswerReport *report, bool quiet, FILE *out);
void answers_json(const AnswerReport *report, FILE *out);

#endif
