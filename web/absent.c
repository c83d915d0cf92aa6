/* absent.c: what the playground does not have: nets that are read, and questions about them. libcausal/ asks for these;
 * here they are errors, in place of ask/questions.c, report/of_answers.c and petri/net_io.c. */
#include "ask/questions.h"
#include "petri/net_io.h"
#include "report/of_answers.h"

#include <stdlib.h>

static const char ABSENT[] = "the playground reads programs, and no nets";

Net *net_read(Heap *heap, const InFile *file, Err *err) {
  (void)heap, (void)file;
  err_set(err, ERR_INPUT, "%s", ABSENT);
  return NULL;
}

bool questions_parse_cover(Heap *heap, const Net *net, const char *text, Answer *answer, Err *err) {
  (void)heap, (void)net, (void)text, (void)answer;
  return err_set(err, ERR_INPUT, "%s", ABSENT);
}

bool questions_answer(Heap *heap, const Net *net, const QuestionOptions *options, const AskLimits *limits,
                      Answer *answers, uint32_t n_answers, QuestionResult *result, Err *err) {
  (void)heap, (void)net, (void)options, (void)limits, (void)answers, (void)n_answers, (void)result;
  return err_set(err, ERR_INPUT, "%s", ABSENT);
}

/* of an answer; there is none */

Verdict questions_verdict(const Answer *answers, uint32_t n_answers, const QuestionResult *result) {
  (void)answers, (void)n_answers, (void)result;
  abort();
}

void of_answers(Report *report, const AnswerReport *it, Verdict verdict) {
  (void)report, (void)it, (void)verdict;
  abort();
}
