#include "petri/formula.h"
#include "petri/properties.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

/* Three places and two transitions. */
static Net *small_net(Heap *heap) {
  NetBuilder *builder = net_builder_new(heap);
  Err err;
  const PlaceId p = net_add_place(builder, "p", true), q = net_add_place(builder, "q", false);
  const TransId t = net_add_trans(builder, "t"), u = net_add_trans(builder, "u");
  net_add_place(builder, "r", true);
  net_add_input(builder, p, t);
  net_add_output(builder, t, q);
  net_add_input(builder, q, u);
  return net_freeze(builder, &err);
}

static bool is_marked(const void *net, PlaceId place) { return ((const Net *)net)->marked[place.v]; }

/* A formula that is printed reads as one that says the same. */
static void check_formula(Heap *heap, const Net *net, const Formula *formula) {
  char *text;
  size_t length;
  Err err;
  Formula back;
  FILE *out = open_memstream(&text, &length);
  bool *values = heap_alloc(heap, formula->parts.n);
  formula_print(formula, net, out);
  fclose(out);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  if (formula_parse(heap, net, text, &back, &err)) {
    bool *others = heap_alloc(heap, back.parts.n);
    fuzz_claim(formula_holds(formula, is_marked, net, values) == formula_holds(&back, is_marked, net, others),
               "a formula that is printed says something else");
    heap_release(heap, others);
    formula_fini(&back);
  }
  heap_release(heap, values);
  free(text);
}

static void body(void *argument) {
  const FuzzInput *input = argument;
  const InFile file = {(char *)(uintptr_t)input->bytes, input->length, "input"};
  Properties properties;
  Err err;
  Net *net = small_net(input->heap);
  if (properties_read(input->heap, &file, net, &properties, &err)) {
    for (uint32_t i = 0; i < properties.at.n; i++) {
      const Property *p = &properties.at.at[i];
      fuzz_claim((p->kind == PROPERTY_OTHER) == (p->why != NULL), "a property of another kind says why");
      fuzz_claim((p->kind == PROPERTY_FORMULA) == (p->formula.parts.n > 0), "a property without formula");
      if (p->kind == PROPERTY_FORMULA) check_formula(input->heap, net, &p->formula);
    }
    properties_fini(&properties);
  }
  net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) { return fuzz_run(bytes, length, body); }
