#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

char *diag_text(const Diag *diag, bool colour) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  diag_print(diag, out, colour);
  fclose(out);
  return text;
}

static SmlCase compile(const char *text, size_t length, SmlOptions options) {
  const SmlDefine defines[] = {{"N", 3}};
  options.defines = defines;
  options.n_defines = memmem(text, length, "N *", 3) ? 1 : 0;
  SmlCase c = {.heap = heap_new(0)};
  diag_init(&c.diag, c.heap, "t.sml", text, length);
  c.net = sml_compile(c.heap, &options, &c.diag);
  c.messages = diag_text(&c.diag, false);
  Err err;
  if (c.net && !net_audit(c.net, &err)) {
    printf("\n  %s\n", err.text);
    CU_FAIL("the net does not stand its audit");
  }
  CU_ASSERT_EQUAL(c.net == NULL, c.diag.n_errors > 0);
  return c;
}

SmlCase sml_case_with(const char *text, size_t length, Granularity granularity, Encoding encoding) {
  return compile(text, length, (SmlOptions){.granularity = granularity, .encoding = encoding});
}

SmlCase sml_case_abstract(const char *text, size_t length) {
  return compile(text, length, (SmlOptions){.abstract_data = true});
}

SmlCase sml_case_waiting(const char *text, size_t length) {
  return compile(text, length, (SmlOptions){.abstract_data = true, .keep_sync = true});
}

SmlCase sml_case(const char *text) {
  return sml_case_with(text, strlen(text), GRANULARITY_STATEMENT, ENCODING_COMPACT);
}

void sml_case_end(SmlCase *c) {
  net_free(c->net);
  diag_fini(&c->diag);
  CU_ASSERT_EQUAL(heap_used(c->heap), 0);
  heap_free(c->heap);
  free(c->messages);
}

static void print_places(const Net *net, PlaceList list, FILE *out) {
  for (uint32_t i = 0; i < list.n; i++) fprintf(out, " %s", net->place_name[list.at[i].v]);
}

static void print_transition(const Net *net, TransId t, FILE *out) {
  const TransNote *note = &net->notes->transitions[t.v];
  const AccessList accesses = notes_accesses(net->notes, t.v);
  fprintf(out, "%s %u:%u:", net->trans_name[t.v], note->pos.line, note->pos.column);
  print_places(net, net_pre(net, t), out);
  fputs(" ->", out);
  print_places(net, net_post(net, t), out);
  if (accesses.n) fputs(" |", out);
  for (uint32_t i = 0; i < accesses.n; i++)
    fprintf(out, " %s:%c", net->notes->objects[accesses.at[i].object].name, "rwal"[accesses.at[i].mode]);
  fputs(note->begin != NOTE_NONE ? " begin\n" : note->end != NOTE_NONE ? " end\n" : "\n", out);
}

char *net_lines(const Net *net) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) abort();
  for (uint32_t i = 0; i < net->n_trans; i++) print_transition(net, (TransId){i}, out);
  fputs("marked:", out);
  for (uint32_t i = 0; i < net->n_places; i++)
    if (net->marked[i]) fprintf(out, " %s", net->place_name[i]);
  fputc('\n', out);
  fclose(out);
  return text;
}

void check_text(const char *got, const char *expected) {
  CU_ASSERT_STRING_EQUAL(got, expected);
  if (strcmp(got, expected) != 0) printf("\n---- expected\n%s---- got\n%s----\n", expected, got);
}

void check_lines(const char *program, Granularity granularity, Encoding encoding, const char *expected) {
  SmlCase c = sml_case_with(program, strlen(program), granularity, encoding);
  char *lines = c.net ? net_lines(c.net) : strdup(c.messages);
  check_text(lines, expected);
  free(lines);
  sml_case_end(&c);
}

void check_messages(const char *program, const char *expected) {
  SmlCase c = sml_case(program);
  check_text(c.messages, expected);
  sml_case_end(&c);
}
