/* of_answers.h: what netunfold found, as a Report. docs/json.md has the members. */
#ifndef REPORT_OF_ANSWERS_H
#define REPORT_OF_ANSWERS_H

#include "ask/questions.h"
#include "report/report.h"

/* Of its JSON. */
#define OF_ANSWERS_SCHEMA "netunfold/2"

/* Into an empty report; `verdict` is that of all questions together. The result lives as long as the report. */
void of_answers(Report *report, const AnswerReport *result, Verdict verdict);

/* Is the property true? It is one, and its answer is known. */
bool of_answers_is_true(const Answer *property);

/* A firing sequence line by line, indented; for people. */
void of_answers_print_run(const Net *net, const TransId *run, uint32_t n_run, FILE *out);

#endif
