#include "ask/step_text.h"

const char *step_head(Arena *arena, const TraceWhere *where) {
  const char *text = "steps 1\n";
  for (uint32_t i = 0; i < where->modules.n && i < STEP_MODULES; i++) {
    text = arena_format(arena, "%smodule ", text);
    for (uint32_t k = 0; k < where->modules.at[i].n; k++)
      text = arena_format(arena, "%s%02x", text, where->modules.at[i].id[k]);
    text = arena_format(arena, "%s\n", text);
  }
  return text;
}

const char *step_codes(Arena *arena, const TraceWhere *where, StepIs *is, const void *event) {
  const char *text = NULL;
  uint32_t module = 0, n = 0;
  for (uint32_t i = 0; i < where->codes.n; i++) {
    const TraceCode *code = &where->codes.at[i];
    if (!is(event, code)) continue;
    if (n++ && code->module != module) return NULL;
    module = code->module;
    text = text ? arena_format(arena, "%s,%llx", text, (unsigned long long)code->code)
                : arena_format(arena, "%u %llx", module + 1, (unsigned long long)code->code);
  }
  return n <= STEP_CODES && module < STEP_MODULES ? text : NULL;
}

const char *step_object(Arena *arena, const TraceObject *object) {
  return arena_format(arena, "%u+%llx:%llu", object->module + 1, (unsigned long long)object->at,
                      (unsigned long long)object->size);
}
