#include "frontend/c/loads.h"

#include "frontend/c/deeds.h"

static CNumber number_found(const Deeds *d, uint32_t context, uint32_t load) {
  const Found found = deeds_load(d, context, load);
  const CInstruction *i = &d->module->instructions.at[load];
  int64_t value = found.value;
  if (found.kind == FOUND_SOMETHING) return (CNumber){NUMBER_NONE, 0};
  if (found.kind != FOUND_NUMBER && !points_known(d->points, found.context, deeds_found(d, &found), &value))
    return (CNumber){NUMBER_NONE, 0};
  const CNumber number = points_one_number(value, 8 * i->size);
  return number.kind == NUMBER_ONE ? number : (CNumber){NUMBER_NONE, 0};
}

static uint32_t origin_found(const Deeds *d, uint32_t context, uint32_t load) {
  const Found found = deeds_load(d, context, load);
  if (found.kind != FOUND_STORED && found.kind != FOUND_RETURNED) return 0;
  return points_node(d->points, found.context, found.number) + 1;
}

bool loads_find(Cells *cells, CNumber *numbers, uint32_t *origins) {
  const Points *p = cells->points;
  bool found = false;
  Deeds deeds;
  deeds_init(&deeds, cells);
  for (PointsWalk at = {0}; points_next(p, &at);) {
    const CInstruction *i = &p->module->instructions.at[at.number];
    const COperand value = {C_VALUE, at.number, 0};
    int64_t known;
    if (i->kind != C_LOAD) continue;
    CNumber *number = &numbers[points_node(p, at.context, at.number)];
    origins[points_node(p, at.context, at.number)] = origin_found(&deeds, at.context, at.number);
    const bool is_known = points_known(p, at.context, &value, &known);
    *number = is_known ? (CNumber){NUMBER_ONE, known} : number_found(&deeds, at.context, at.number);
    found |= !is_known && number->kind == NUMBER_ONE;
  }
  deeds_fini(&deeds);
  return found;
}

void loads_go_on(const Points *points, const Points *before, const uint32_t *origins_before, uint32_t *origins) {
  for (PointsWalk at = {0}; points_next(points, &at);) {
    const uint32_t context = points->contexts.at[at.context].before;
    if (points->module->instructions.at[at.number].kind == C_LOAD && context != C_NONE)
      origins[points_node(points, at.context, at.number)] = origins_before[points_node(before, context, at.number)];
  }
}
