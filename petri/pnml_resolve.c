/* The end of reading a PNML file: everything that named a node by its id gets the node. */
#include "petri/double_arc.h"
#include "petri/pnml_doc.h"

static const char *id_text(const PnmlDoc *doc, uint32_t id) { return id == INTERN_NONE ? "" : doc->ids.strings.at[id]; }

/* ---- references ---- */

/* The id at the end of a chain of references of one kind; *err where there is no node of that kind. */
static bool follow_reference(PnmlDoc *doc, uint32_t id, uint32_t *end) {
  const IdKind reference = doc->entries.at[id].kind;
  const bool is_place = reference == ID_PLACE_REFERENCE;
  uint32_t at = id;
  for (uint32_t steps = 0; doc->entries.at[at].kind == reference; at = doc->entries.at[at].number)
    if (steps++ > doc->entries.n)
      return pnml_doc_fail(doc, "%s '%.200s': circular references", is_place ? "referencePlace" : "referenceTransition",
                           id_text(doc, id));
  *end = at;
  return doc->entries.at[at].kind == (is_place ? ID_PLACE : ID_TRANSITION) ||
         pnml_doc_fail(doc, "%s '%.200s' leads to '%.200s', which is not a %s",
                       is_place ? "referencePlace" : "referenceTransition", id_text(doc, id), id_text(doc, at),
                       is_place ? "place" : "transition");
}

/* Makes every reference the node that it stands for. A chain is walked once, since all of it is resolved then. */
static bool resolve_references(PnmlDoc *doc) {
  for (uint32_t id = 0; id < doc->entries.n; id++) {
    const IdEntry first = doc->entries.at[id];
    uint32_t end = id;
    if (first.kind != ID_PLACE_REFERENCE && first.kind != ID_TRANSITION_REFERENCE) continue;
    doc->line = first.line;
    if (!follow_reference(doc, id, &end)) return false;
    for (uint32_t at = id, next; doc->entries.at[at].kind == first.kind; at = next) {
      next = doc->entries.at[at].number;
      doc->entries.at[at].kind = doc->entries.at[end].kind;
      doc->entries.at[at].number = doc->entries.at[end].number;
    }
  }
  return true;
}

/* ---- arcs ---- */

static const char *kind_name(IdKind kind) {
  return kind == ID_PLACE ? "place" : kind == ID_TRANSITION ? "transition" : "arc";
}

static bool check_end(PnmlDoc *doc, const PnmlArc *arc, const char *which, uint32_t id) {
  const IdKind kind = doc->entries.at[id].kind;
  if (kind == ID_PLACE || kind == ID_TRANSITION) return true;
  return pnml_doc_fail(doc, "arc '%.200s': its %s '%.200s' %s", id_text(doc, arc->id), which, id_text(doc, id),
                       kind == ID_ARC ? "is an arc" : "does not exist");
}

static bool resolve_arcs(PnmlDoc *doc) {
  for (uint32_t i = 0; i < doc->arcs.n; i++) {
    const PnmlArc *arc = &doc->arcs.at[i];
    doc->line = arc->line;
    if (!check_end(doc, arc, "source", arc->source) || !check_end(doc, arc, "target", arc->target)) return false;
    const IdEntry *source = &doc->entries.at[arc->source], *target = &doc->entries.at[arc->target];
    if (source->kind == target->kind)
      return pnml_doc_fail(doc,
                           "arc '%.200s' goes from %s '%.200s' to %s '%.200s'; it must join a place and a transition",
                           id_text(doc, arc->id), kind_name(source->kind), id_text(doc, arc->source),
                           kind_name(target->kind), id_text(doc, arc->target));
    if (source->kind == ID_PLACE) net_add_input(doc->builder, (PlaceId){source->number}, (TransId){target->number});
    else net_add_output(doc->builder, (TransId){source->number}, (PlaceId){target->number});
  }
  return true;
}

/* Names the first arc that repeats another one, if there is any; called where freezing has failed. */
static void report_double_arc(PnmlDoc *doc) {
  ArcKey *keys = heap_alloc(doc->heap, heap_product(doc->heap, doc->arcs.n, sizeof *keys));
  for (uint32_t i = 0; i < doc->arcs.n; i++) {
    const IdEntry *source = &doc->entries.at[doc->arcs.at[i].source],
                  *target = &doc->entries.at[doc->arcs.at[i].target];
    const bool is_input = source->kind == ID_PLACE;
    keys[i] =
        arc_key(is_input, is_input ? source->number : target->number, is_input ? target->number : source->number, i);
  }
  const uint32_t first = double_arc_find(keys, doc->arcs.n);
  heap_release(doc->heap, keys);
  if (first == UINT32_MAX) return;
  const PnmlArc *arc = &doc->arcs.at[first];
  doc->line = arc->line;
  pnml_doc_fail(
      doc, "arc '%.200s': a second arc from '%.200s' to '%.200s'; that is a weight of 2, but the net must be 1-safe",
      id_text(doc, arc->id), id_text(doc, arc->source), id_text(doc, arc->target));
}

/* ---- units ---- */

/* The units of the net, as numbers in unit_ids, in order, with their names. */
static bool choose_units(PnmlDoc *doc, uint32_t *net_unit) {
  for (uint32_t i = 0; i < doc->named_units.n; i++) {
    const NamedUnit *named = &doc->named_units.at[i];
    doc->line = named->line;
    if (!doc->units.at[named->unit].line)
      return pnml_doc_fail(doc, "annotation 'unit': the unit '%.200s' is not in the nupn section",
                           doc->unit_ids.strings.at[named->unit]);
    net_unit[named->unit] = net_add_unit(doc->builder, named->name);
  }
  for (uint32_t u = 0; u < doc->units.n && !doc->named_units.n; u++) {
    const PnmlUnit *unit = &doc->units.at[u];
    if (unit->line && (unit->n_places || (!unit->has_subunits && u != doc->root_unit)))
      net_unit[u] = net_add_unit(doc->builder, doc->unit_ids.strings.at[u]);
  }
  return true;
}

/* Puts the places into their units; `owner` is room for the unit of each place. */
static bool fill_units(PnmlDoc *doc, const uint32_t *net_unit, uint32_t *owner) {
  for (uint32_t p = 0; p < net_builder_places(doc->builder); p++) owner[p] = UNIT_NONE;
  for (uint32_t i = 0; i < doc->unit_places.n; i++) {
    const UnitPlace *member = &doc->unit_places.at[i];
    const IdEntry *place = &doc->entries.at[member->place];
    const char *unit_id = doc->unit_ids.strings.at[member->unit], *id = id_text(doc, member->place);
    doc->line = doc->units.at[member->unit].line;
    if (place->kind != ID_PLACE)
      return pnml_doc_fail(doc, "unit '%.200s': '%.200s' is not a place of the net", unit_id, id);
    if (owner[place->number] != UNIT_NONE)
      return pnml_doc_fail(doc, "unit '%.200s': the place '%.200s' is already in unit '%.200s'", unit_id, id,
                           doc->unit_ids.strings.at[owner[place->number]]);
    owner[place->number] = member->unit;
    if (net_unit[member->unit] != UNIT_NONE)
      net_set_unit(doc->builder, (PlaceId){place->number}, net_unit[member->unit]);
  }
  return true;
}

static bool resolve_units(PnmlDoc *doc) {
  uint32_t *net_unit = heap_alloc(doc->heap, heap_product(doc->heap, doc->units.n, sizeof *net_unit));
  uint32_t *owner = heap_alloc(doc->heap, heap_product(doc->heap, net_builder_places(doc->builder), sizeof *owner));
  for (uint32_t u = 0; u < doc->units.n; u++) net_unit[u] = UNIT_NONE;
  const bool good = choose_units(doc, net_unit) && fill_units(doc, net_unit, owner);
  heap_release(doc->heap, net_unit);
  heap_release(doc->heap, owner);
  return good;
}

/* ---- the net ---- */

static void keep_ids(const PnmlDoc *doc, Net *net) {
  const char **place_id = arena_zeroed(&net->arena, net->n_places, sizeof *place_id);
  const char **trans_id = arena_zeroed(&net->arena, net->n_trans, sizeof *trans_id);
  for (uint32_t i = 0; i < doc->entries.n; i++) {
    const IdEntry *entry = &doc->entries.at[i];
    const char **to = entry->kind == ID_PLACE ? place_id : entry->kind == ID_TRANSITION ? trans_id : NULL;
    if (to) to[entry->number] = arena_copy(&net->arena, doc->ids.strings.at[i], doc->ids.lengths.at[i]);
  }
  net->place_id = place_id;
  net->trans_id = trans_id;
}

Net *pnml_doc_finish(PnmlDoc *doc) {
  if (!doc->has_net) {
    pnml_doc_fail(doc, "pnml: the file contains no net");
    return NULL;
  }
  if (!resolve_references(doc) || !resolve_arcs(doc) || !resolve_units(doc)) return NULL;
  Err freezing;
  NetBuilder *builder = doc->builder;
  doc->builder = NULL;
  Net *net = net_freeze(builder, &freezing);
  if (net && doc->keeps_ids) keep_ids(doc, net);
  if (net) return net;
  err_set(doc->err, freezing.kind, "%.300s: %.700s", doc->file, freezing.text);
  report_double_arc(doc);
  return NULL;
}
