/* properties.h: the formulas of the Model Checking Contest's property files, as far as they ask what is reachable.
 * docs/net_formats.md has what is read of them. */
#ifndef PETRI_PROPERTIES_H
#define PETRI_PROPERTIES_H

#include "base/arena.h"
#include "base/file.h"
#include "petri/formula.h"

/* What a property asks for. */
typedef enum {
  PROPERTY_FORMULA,  /* a marking in which the formula holds */
  PROPERTY_DEADLOCK, /* a marking that enables no transition */
  PROPERTY_OTHER     /* something else, or something too large */
} PropertyKind;

/* A property. */
typedef struct {
  const char *name; /* its id */
  PropertyKind kind;
  bool always;     /* it is true if there is no such marking; else, if there is one */
  Formula formula; /* PROPERTY_FORMULA; else without parts */
  const char *why; /* PROPERTY_OTHER: what it is */
} Property;

/* All of a file, in their order. */
typedef struct {
  Arena arena; /* of the strings */
  VEC(Property) at;
} Properties;

/* The most work that a comparison of two sums may be, in summands. */
enum { PROPERTIES_MOST_COMPARED = 1 << 22 };

/* Reads the file. Its names are the ids of the net's file, if the net has them (Net.place_id); what is no id is a name.
 * False, with ERR_INPUT, "file:line: ...", and nothing in *properties, if it is none, or names a node that the net has
 * not, or has twice. Every transition of the net has an input place. */
bool properties_read(Heap *heap, const InFile *file, const Net *net, Properties *properties, Err *err);
void properties_fini(Properties *properties);

#endif
