/* The result as text, in all forms that need no other library. */
#include "libcausal/result.h"
#include "petri/llnet.h"
#include "petri/pnml.h"
#include "report/writers.h"
#include "unfold/mci.h"

#include <stdlib.h>
#include <string.h>

/* What is passed through heap_try. */
typedef struct Writing {
  CausalResult *result;
  const struct Form *form;
  FILE *out;
  char *text; /* malloc's */
  size_t length;
  char *copy;
  bool good;
} Writing;

/* One form of output: how it is written. False if this result has none. */
typedef struct Form {
  const char *name;
  bool (*write)(const Writing *writing);
  WriteReport *report; /* of write_report */
} Form;

static bool write_report(const Writing *writing) {
  Err err;
  return writing->result->written &&
         writing->form->report(&writing->result->report, (TextStyle){0}, writing->out, &err);
}

static const Net *net_of(const CausalResult *result) {
  return result->is_any ? result->found.any.net : result->input.net;
}

static bool write_pnml(const Writing *writing) {
  const Net *net = net_of(writing->result);
  return net && pnml_write(net, writing->out);
}

static bool write_llnet(const Writing *writing) {
  const Net *net = net_of(writing->result);
  return net && llnet_write(net, writing->out);
}

static bool write_mci(const Writing *writing) {
  CausalResult *result = writing->result;
  const CausalPrefix *shown = causal_prefix(result);
  if (!shown || !shown->complete || !mci_can_hold(result->found.questions.prefix)) return false;
  mci_write(result->heap, result->found.questions.prefix, writing->out);
  return true;
}

static const Form FORMS[] = {{"json", write_report, json_write},
                             {"text", write_report, text_write},
                             {"sarif", write_report, sarif_write},
                             {"junit", write_report, junit_write},
                             {"mermaid", write_report, mermaid_write},
                             {"shiviz", write_report, shiviz_write},
                             {"pnml", write_pnml, NULL},
                             {"ll_net", write_llnet, NULL},
                             {"mci", write_mci, NULL}};

static const Form *find_form(const char *name) {
  for (size_t i = 0; name && i < sizeof FORMS / sizeof *FORMS; i++)
    if (strcmp(FORMS[i].name, name) == 0) return &FORMS[i];
  return NULL;
}

static void write_body(void *argument) {
  Writing *writing = argument;
  writing->good = writing->form->write(writing);
}

static void copy_body(void *argument) {
  Writing *writing = argument;
  writing->copy = arena_copy(&writing->result->arena, writing->text, writing->length);
}

/* Into memory that the C library grows. */
static bool write_text(Writing *writing) {
  writing->out = open_memstream(&writing->text, &writing->length);
  if (!writing->out) return false;
  const bool done = heap_try(writing->result->heap, write_body, writing);
  const bool broken = ferror(writing->out);
  return fclose(writing->out) == 0 && !broken && done && writing->good;
}

const char *causal_output(CausalResult *result, const char *form, size_t *length) {
  Writing writing = {.result = result, .form = find_form(form)};
  if (!result || !writing.form) return NULL;
  const bool good = write_text(&writing) && heap_try(result->heap, copy_body, &writing);
  free(writing.text);
  if (good && length) *length = writing.length;
  return good ? writing.copy : NULL;
}
