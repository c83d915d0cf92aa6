/* Each element leaves what it says on a stack, as its end finds what the elements inside it have left. What is not
 * known makes the property one of another kind; the rest of it is skipped. */
#include "petri/properties.h"

#include "base/intern.h"
#include "petri/xml.h"

#include <assert.h>
#include <string.h>

enum { DEEPEST = 200 };

typedef enum {
  SAYS_NOTHING,
  SAYS_FORMULA,  /* `part` */
  SAYS_DEADLOCK, /* nothing is enabled */
  SAYS_LIVE,     /* something is */
  SAYS_SUM,      /* constant + the places places[first .. first + n - 1] of the formula */
  SAYS_FINALLY,  /* what `part` is, in some marking of a path */
  SAYS_GLOBALLY, /* in all of it */
  SAYS_EXISTS,   /* there is a reachable marking with `part` */
  SAYS_ALWAYS    /* `part` is so in all of them */
} Says;

/* What an element has left. */
typedef struct {
  Says says, of; /* of: SAYS_FINALLY and what follows: what they say it of, SAYS_FORMULA, _DEADLOCK or _LIVE */
  uint32_t part, first, n, constant;
} Value;

typedef struct Reader Reader;

typedef struct {
  const char *element;
  const char *outer;                      /* where it stands; NULL: in each element that has operands */
  bool (*end)(Reader *r, uint32_t first); /* its values are values[first ..] */
  enum { HAS_NOTHING, HAS_TEXT, HAS_OPERANDS } has;
} Row;

/* An element that is open. */
typedef struct {
  const Row *row; /* NULL: a word that says nothing */
  uint32_t first; /* its values */
} Open;

struct Reader {
  Heap *heap;
  Err *err;
  const char *file;
  uint32_t line;
  const Net *net;
  Properties *properties;
  Intern places, transitions; /* their names */
  U32Vec place, trans;        /* by number there: of the net; UINT32_MAX: several have the name */
  Open open[DEEPEST];
  uint32_t depth, skipped; /* open elements; those in one that is skipped, itself included */
  VEC(Value) values;
  CharVec text;
  bool *counted;     /* per place: it is in the sum at hand */
  Property property; /* while it is read */
  bool has_formula;
};

#define FAIL(r, ...) xml_fail((r)->file, (r)->line, (r)->err, __VA_ARGS__)

/* The property is one of another kind. */
static bool other(Reader *r, const char *why) {
  if (!r->property.why) r->property.why = arena_format(&r->properties->arena, "%s", why);
  return true;
}

static bool is_other(const Reader *r) { return r->property.why; }

/* ---- names ---- */

/* The names, if there are any, behind those that are known, which stay what they are. */
static void add_names(Reader *r, Intern *intern, U32Vec *numbers, const char *const *names, uint32_t n) {
  const uint32_t n_known = numbers->n;
  for (uint32_t i = 0; names && i < n; i++) {
    bool is_new;
    const uint32_t number = intern_add(intern, names[i], strlen(names[i]), &is_new);
    if (is_new) vec_push(r->heap, numbers, i);
    else if (number >= n_known) numbers->at[number] = UINT32_MAX;
  }
}

static void trim(const CharVec *text, const char **from, size_t *length) {
  const char *at = text->at, *end = at + text->n;
  while (at < end && strchr(" \t\r\n", *at)) at++;
  while (end > at && strchr(" \t\r\n", end[-1])) end--;
  *from = at;
  *length = (size_t)(end - at);
}

static bool find_name(Reader *r, const char *what, const Intern *intern, const U32Vec *numbers, uint32_t *number) {
  const char *name;
  size_t length;
  trim(&r->text, &name, &length);
  const uint32_t known = intern_find(intern, name, length);
  const int shown = length < 200 ? (int)length : 200;
  if (known == INTERN_NONE) return FAIL(r, "the net has no %s '%.*s'", what, shown, name);
  *number = numbers->at[known];
  return *number != UINT32_MAX || FAIL(r, "several %ss are named '%.*s'", what, shown, name);
}

/* ---- parts ---- */

static uint32_t add_part(Reader *r, FormulaPart part) {
  Formula *formula = &r->property.formula;
  if (formula->parts.n == FORMULA_MOST) return other(r, "its formula is too large"), 0;
  vec_push(r->heap, &formula->parts, part);
  return formula->parts.n - 1;
}

static uint32_t add_not(Reader *r, uint32_t part) {
  return add_part(r, (FormulaPart){.kind = FORMULA_NOT, .left = part});
}

static uint32_t add_both(Reader *r, FormulaKind kind, uint32_t left, uint32_t right) {
  return add_part(r, (FormulaPart){.kind = kind, .left = left, .right = right});
}

/* At least so many of the places of the value. */
static uint32_t add_least(Reader *r, const Value *sum, uint32_t bound) {
  return add_part(r, (FormulaPart){.kind = FORMULA_SUM, .first = sum->first, .n_summands = sum->n, .bound = bound});
}

/* True and false are sums of the first place, which is always 0 at least. */
static uint32_t add_constant(Reader *r, bool is_true) {
  const Value first = {.first = r->property.formula.places.n, .n = 1};
  if (!r->net->n_places) return other(r, "the net has no places"), 0;
  vec_push(r->heap, &r->property.formula.places, (PlaceId){0});
  return add_least(r, &first, is_true ? 0 : 2);
}

/* The transition is enabled: its preset is marked. */
static uint32_t add_enabled(Reader *r, uint32_t trans) {
  const PlaceList pre = net_pre(r->net, (TransId){trans});
  const Value sum = {.first = r->property.formula.places.n, .n = pre.n};
  for (uint32_t i = 0; i < pre.n; i++) vec_push(r->heap, &r->property.formula.places, pre.at[i]);
  return add_least(r, &sum, pre.n);
}

/* Some transition is. */
static uint32_t add_live(Reader *r) {
  uint32_t any = UINT32_MAX;
  for (uint32_t t = 0; t < r->net->n_trans && !is_other(r); t++) {
    const uint32_t one = add_enabled(r, t);
    any = t ? add_both(r, FORMULA_OR, any, one) : one;
  }
  return r->net->n_trans ? any : add_constant(r, false);
}

/* The part of a value that is true or false. */
static uint32_t part_of(Reader *r, const Value *value) {
  if (value->says == SAYS_FORMULA) return value->part;
  const uint32_t live = add_live(r);
  return value->says == SAYS_LIVE ? live : add_not(r, live);
}

/* ---- values ---- */

static bool is_boolean(Says says) { return says == SAYS_FORMULA || says == SAYS_DEADLOCK || says == SAYS_LIVE; }

/* Has the element that ends that many values, all sums, or all true or false? */
static bool expect(Reader *r, uint32_t first, uint32_t least, uint32_t most, bool sums) {
  const char *element = r->open[r->depth].row->element;
  const uint32_t n = r->values.n - first;
  if (n < least || n > most) return FAIL(r, "%s: it has %u operands", element, n);
  for (uint32_t i = first; i < r->values.n; i++) {
    const Says says = r->values.at[i].says;
    if (sums ? says == SAYS_SUM : is_boolean(says)) continue;
    if (!sums && says >= SAYS_FINALLY) return other(r, "a formula of temporal logic that is none of reachability");
    return FAIL(r, "%s: an operand of the wrong kind", element);
  }
  return true;
}

static bool leave(Reader *r, uint32_t first, Value value) {
  r->values.n = first;
  vec_push(r->heap, &r->values, value);
  return true;
}

static bool leave_part(Reader *r, uint32_t first, uint32_t part) {
  return leave(r, first, (Value){.says = SAYS_FORMULA, .part = part});
}

/* ---- sums ---- */

/* Numbers that are too large are all the same one. */
static bool end_constant(Reader *r, uint32_t first) {
  const char *at;
  size_t n;
  uint32_t number = 0;
  trim(&r->text, &at, &n);
  if (!n) return FAIL(r, "integer-constant: expected a number");
  for (size_t i = 0; i < n; i++) {
    if (at[i] < '0' || at[i] > '9') return FAIL(r, "integer-constant: expected a number");
    if (number < 1u << 26) number = 10 * number + (uint32_t)(at[i] - '0');
  }
  return leave(r, first, (Value){.says = SAYS_SUM, .constant = number});
}

static bool end_place(Reader *r, uint32_t first) {
  uint32_t place = 0;
  (void)first;
  if (!find_name(r, "place", &r->places, &r->place, &place)) return false;
  if (r->counted[place]) return other(r, "a sum that counts a place twice");
  r->counted[place] = true;
  vec_push(r->heap, &r->property.formula.places, (PlaceId){place});
  return leave(r, r->values.n, (Value){.says = SAYS_SUM, .first = r->property.formula.places.n - 1, .n = 1});
}

/* The places have been put one behind the other. */
static bool end_count(Reader *r, uint32_t first) {
  Value sum = {.says = SAYS_SUM, .n = r->values.n - first};
  if (sum.n) sum.first = r->values.at[first].first;
  for (uint32_t i = 0; i < sum.n; i++) r->counted[r->property.formula.places.at[sum.first + i].v] = false;
  return leave(r, first, sum);
}

/* sum a + d <= sum b: for each k, if at least k of a are marked, k + d of b are. */
static uint32_t add_at_most(Reader *r, const Value *a, const Value *b, int64_t d) {
  uint32_t all = UINT32_MAX;
  for (int64_t k = d > 0 ? 0 : 1 - d; k <= a->n && !is_other(r); k++) {
    const bool hopeless = k + d > b->n;
    uint32_t part = k ? add_not(r, add_least(r, a, (uint32_t)k)) : UINT32_MAX;
    if (!hopeless) {
      const uint32_t enough = add_least(r, b, (uint32_t)(k + d));
      part = k ? add_both(r, FORMULA_OR, part, enough) : enough;
    }
    if (part == UINT32_MAX) return add_constant(r, false);
    all = all == UINT32_MAX ? part : add_both(r, FORMULA_AND, all, part);
    if (hopeless) break;
  }
  return all == UINT32_MAX ? add_constant(r, true) : all;
}

static bool end_le(Reader *r, uint32_t first) {
  if (!expect(r, first, 2, 2, true)) return false;
  const Value a = r->values.at[first], b = r->values.at[first + 1];
  const uint64_t rounds = a.n < b.n ? a.n : b.n;
  if ((rounds + 1) * ((uint64_t)a.n + b.n) > PROPERTIES_MOST_COMPARED) other(r, "a comparison of sums too large");
  if (is_other(r)) return true;
  return leave_part(r, first, add_at_most(r, &a, &b, (int64_t)a.constant - b.constant));
}

/* ---- true or false ---- */

static bool end_true(Reader *r, uint32_t first) { return leave_part(r, first, add_constant(r, true)); }
static bool end_false(Reader *r, uint32_t first) { return leave_part(r, first, add_constant(r, false)); }

static bool end_deadlock(Reader *r, uint32_t first) { return leave(r, first, (Value){.says = SAYS_DEADLOCK}); }

static bool end_transition(Reader *r, uint32_t first) {
  uint32_t trans = 0;
  (void)first;
  if (!find_name(r, "transition", &r->transitions, &r->trans, &trans)) return false;
  return leave_part(r, r->values.n, add_enabled(r, trans));
}

static bool join(Reader *r, uint32_t first, FormulaKind kind) {
  if (!expect(r, first, 1, UINT32_MAX, false)) return false;
  if (is_other(r)) return true;
  uint32_t part = part_of(r, &r->values.at[first]);
  for (uint32_t i = first + 1; i < r->values.n && !is_other(r); i++)
    part = add_both(r, kind, part, part_of(r, &r->values.at[i]));
  return leave_part(r, first, part);
}

static bool end_and(Reader *r, uint32_t first) { return join(r, first, FORMULA_AND); }
static bool end_or(Reader *r, uint32_t first) { return join(r, first, FORMULA_OR); }

static bool end_not(Reader *r, uint32_t first) {
  if (!expect(r, first, 1, 1, false)) return false;
  const Value value = r->values.at[first];
  if (value.says == SAYS_DEADLOCK) return leave(r, first, (Value){.says = SAYS_LIVE});
  if (value.says == SAYS_LIVE) return leave(r, first, (Value){.says = SAYS_DEADLOCK});
  return is_other(r) || leave_part(r, first, add_not(r, value.part));
}

/* ---- paths ---- */

static bool end_path_word(Reader *r, uint32_t first, Says says) {
  if (!expect(r, first, 1, 1, false)) return false;
  const Value value = r->values.at[first];
  return is_other(r) || leave(r, first, (Value){.says = says, .of = value.says, .part = value.part});
}

static bool end_finally(Reader *r, uint32_t first) { return end_path_word(r, first, SAYS_FINALLY); }
static bool end_globally(Reader *r, uint32_t first) { return end_path_word(r, first, SAYS_GLOBALLY); }

/* Of all paths, and of one, only the pairs that look at each marking by itself. */
static bool end_paths(Reader *r, uint32_t first, Says inner, Says says) {
  if (r->values.n - first != 1)
    return FAIL(r, "%s: it has %u operands", r->open[r->depth].row->element, r->values.n - first);
  Value value = r->values.at[first];
  if (value.says != inner) return other(r, "a formula of temporal logic that is none of reachability");
  value.says = says;
  return leave(r, first, value);
}

static bool end_exists(Reader *r, uint32_t first) { return end_paths(r, first, SAYS_FINALLY, SAYS_EXISTS); }
static bool end_all(Reader *r, uint32_t first) { return end_paths(r, first, SAYS_GLOBALLY, SAYS_ALWAYS); }

/* ---- properties ---- */

static bool end_id(Reader *r, uint32_t first) {
  const char *name;
  size_t length;
  (void)first;
  trim(&r->text, &name, &length);
  if (r->property.name) return FAIL(r, "property: it has two ids");
  r->property.name = arena_copy(&r->properties->arena, name, length);
  return (length > 0 && strcspn(r->property.name, " \t\r\n") == length) ||
         FAIL(r, "id: expected a name without blanks");
}

/* What is looked for is the opposite of what is always so. */
static bool end_formula(Reader *r, uint32_t first) {
  if (r->has_formula) return FAIL(r, "property: it has two formulas");
  r->has_formula = true;
  if (r->values.n - first != 1) return FAIL(r, "formula: it has %u operands", r->values.n - first);
  Value value = r->values.at[first];
  if (value.says != SAYS_EXISTS && value.says != SAYS_ALWAYS)
    return other(r, "a formula of temporal logic that is none of reachability");
  r->property.always = value.says == SAYS_ALWAYS;
  value.says = value.of;
  if (value.of == (r->property.always ? SAYS_LIVE : SAYS_DEADLOCK)) {
    r->property.kind = PROPERTY_DEADLOCK;
    return true;
  }
  const uint32_t part = part_of(r, &value);
  assert(is_other(r) || part + 1 == r->property.formula.parts.n); /* the last part is what a formula says */
  if (r->property.always) add_not(r, part);
  return true;
}

static bool end_property(Reader *r, uint32_t first) {
  Property *property = &r->property;
  r->values.n = first;
  memset(r->counted, 0, r->net->n_places);
  if (!property->name) return FAIL(r, "property: it has no id");
  if (!is_other(r) && !r->has_formula) return FAIL(r, "property: it has no formula");
  if (is_other(r)) property->kind = PROPERTY_OTHER;
  if (property->kind != PROPERTY_FORMULA) formula_fini(&property->formula);
  vec_push(r->heap, &r->properties->at, *property);
  *property = (Property){.formula = {.heap = r->heap}};
  r->has_formula = false;
  return true;
}

/* ---- elements ---- */

static const Row ROWS[] = {{"place", "tokens-count", end_place, HAS_TEXT},
                           {"transition", "is-fireable", end_transition, HAS_TEXT},
                           {"id", "property", end_id, HAS_TEXT},
                           {"formula", "property", end_formula, HAS_OPERANDS},
                           {"property", "property-set", end_property, HAS_NOTHING},
                           {"integer-constant", NULL, end_constant, HAS_TEXT},
                           {"tokens-count", NULL, end_count, HAS_NOTHING},
                           {"integer-le", NULL, end_le, HAS_OPERANDS},
                           {"negation", NULL, end_not, HAS_OPERANDS},
                           {"conjunction", NULL, end_and, HAS_OPERANDS},
                           {"disjunction", NULL, end_or, HAS_OPERANDS},
                           {"is-fireable", NULL, end_or, HAS_NOTHING},
                           {"deadlock", NULL, end_deadlock, HAS_NOTHING},
                           {"true", NULL, end_true, HAS_NOTHING},
                           {"false", NULL, end_false, HAS_NOTHING},
                           {"finally", NULL, end_finally, HAS_OPERANDS},
                           {"globally", NULL, end_globally, HAS_OPERANDS},
                           {"exists-path", NULL, end_exists, HAS_OPERANDS},
                           {"all-paths", NULL, end_all, HAS_OPERANDS}};

/* The element that is open is `outer`, NULL: the root. */
static const Row *find_row(const char *element, const Row *outer) {
  const char *inside = outer ? outer->element : "property-set";
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const Row *row = &ROWS[i];
    if (strcmp(row->element, element) != 0) continue;
    if (row->outer ? strcmp(row->outer, inside) == 0 : outer && outer->has == HAS_OPERANDS) return row;
  }
  return NULL;
}

/* In the element that is open, what is not known is of no interest: descriptions, and what other tools add. */
static bool is_outside(const Row *outer) {
  return !outer || strcmp(outer->element, "property") == 0 || strcmp(outer->element, "id") == 0;
}

static bool open_element(Reader *r, const Row *row) {
  r->open[r->depth++] = (Open){row, r->values.n};
  vec_clear(&r->text);
  return true;
}

static bool start(void *reader, const char *element, XmlAttributes attributes, uint32_t line) {
  Reader *r = reader;
  (void)attributes;
  r->line = line;
  if (r->depth + r->skipped == DEEPEST) return FAIL(r, "%.100s: elements are nested deeper than %d", element, DEEPEST);
  if (!r->depth)
    return strcmp(element, "property-set") == 0 ? open_element(r, NULL)
                                                : FAIL(r, "the root element is '%.100s', not 'property-set'", element);
  const Row *outer = r->open[r->depth - 1].row, *row = r->skipped ? NULL : find_row(element, outer);
  const bool outside = is_outside(outer);
  if (row && (outside || !is_other(r))) return open_element(r, row);
  if (!r->skipped && !row && !outside) other(r, arena_format(&r->properties->arena, "'%.100s' is not read", element));
  r->skipped++;
  return true;
}

static bool end(void *reader) {
  Reader *r = reader;
  if (r->skipped) {
    r->skipped--;
    return true;
  }
  const Open *open = &r->open[--r->depth];
  if (!open->row) return true;
  const bool in_formula = !is_outside(open->row);
  if (is_other(r) && in_formula) return r->values.n = open->first, true;
  return open->row->end(r, open->first);
}

static bool wants(const void *reader) {
  (void)reader;
  return false; /* attributes say nothing */
}

static bool wants_text(const void *reader) {
  const Reader *r = reader;
  return !r->skipped && r->depth && r->open[r->depth - 1].row && r->open[r->depth - 1].row->has == HAS_TEXT;
}

static void take_text(void *reader, const char *text, size_t length) {
  Reader *r = reader;
  vec_reserve(r->heap, &r->text, length);
  memcpy(r->text.at + r->text.n, text, length);
  r->text.n += (uint32_t)length;
}

static const XmlHandler HANDLER = {"a file of properties", wants, start, wants_text, take_text, end};

/* ---- the whole ---- */

static void reader_init(Reader *r) {
  const Net *net = r->net;
  intern_init(&r->places, r->heap);
  intern_init(&r->transitions, r->heap);
  vec_reserve(r->heap, &r->text, 1);
  add_names(r, &r->places, &r->place, net->place_id, net->n_places);
  add_names(r, &r->places, &r->place, net->place_name, net->n_places);
  add_names(r, &r->transitions, &r->trans, net->trans_id, net->n_trans);
  add_names(r, &r->transitions, &r->trans, net->trans_name, net->n_trans);
  r->counted = heap_zeroed(r->heap, (size_t)net->n_places + 1);
  r->property.formula.heap = r->heap;
}

static void reader_fini(Reader *r) {
  intern_fini(&r->places);
  intern_fini(&r->transitions);
  vec_fini(r->heap, &r->place);
  vec_fini(r->heap, &r->trans);
  vec_fini(r->heap, &r->values);
  vec_fini(r->heap, &r->text);
  heap_release(r->heap, r->counted);
  formula_fini(&r->property.formula);
}

bool properties_read(Heap *heap, const InFile *file, const Net *net, Properties *properties, Err *err) {
  Reader *r = heap_zeroed(heap, sizeof *r);
  *r = (Reader){.heap = heap, .err = err, .file = file->name, .line = 1, .net = net, .properties = properties};
  *properties = (Properties){0};
  arena_init(&properties->arena, heap);
  reader_init(r);
  const bool good = xml_read(heap, file, &HANDLER, r, err);
  reader_fini(r);
  heap_release(heap, r);
  if (!good) properties_fini(properties);
  return good;
}

void properties_fini(Properties *properties) {
  for (uint32_t i = 0; i < properties->at.n; i++)
    if (properties->at.at[i].kind == PROPERTY_FORMULA) formula_fini(&properties->at.at[i].formula);
  vec_fini(properties->arena.heap, &properties->at);
  arena_fini(&properties->arena);
}
