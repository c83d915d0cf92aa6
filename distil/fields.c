/* fields.c: walks from the type of a variable down to the smallest member that has all of the field. */
#include "distil/fields.h"

#include "base/arena.h"
#include "base/vec.h"
#include "base/keys.h"

#include <assert.h>
#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  TRIALS = 1000,
  SMALL = 8,
  DEPTH = 64
}; /* of scopes, and of members in members: debug information may be damaged */

typedef struct {
  uint64_t address;
  Dwarf_Die die;
} Variable;

/* A field of a type, as it was printed. */
typedef struct {
  const char *text; /* or NULL */
  bool inherited;
} Printed;

/* What is in a block. */
typedef struct {
  Dwarf_Die type;
  uint64_t size; /* of one of them */
  bool several;
  Keys fields; /* that were printed, in one of them */
  VEC(Printed) printed;
} Content;

struct Fields {
  Heap *heap;
  VEC(Dwfl_Module *) modules;
  VEC(Variable) variables; /* by address, when they are looked for */
  VEC(Content) contents;   /* of blocks, by number */
  Arena texts;
  bool looked;
};

Fields *fields_new(Heap *heap) {
  Fields *f = heap_zeroed(heap, sizeof *f);
  f->heap = heap;
  arena_init(&f->texts, heap);
  return f;
}

void fields_free(Fields *f) {
  vec_fini(f->heap, &f->modules);
  vec_fini(f->heap, &f->variables);
  for (uint32_t i = 0; i < f->contents.n; i++) {
    keys_fini(f->heap, &f->contents.at[i].fields);
    vec_fini(f->heap, &f->contents.at[i].printed);
  }
  vec_fini(f->heap, &f->contents);
  arena_fini(&f->texts);
  heap_release(f->heap, f);
}

void fields_add(Fields *f, Dwfl_Module *module) {
  assert(!f->looked);
  vec_push(f->heap, &f->modules, module);
}

/* --- variables --- */

/* False: it has no fixed address. */
static bool find_address(Dwarf_Die *die, Dwarf_Addr *address) {
  Dwarf_Attribute attribute, resolved;
  Dwarf_Op *code;
  size_t n;
  if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &code, &n) || n != 1) return false;
  if (code->atom == DW_OP_addr) {
    *address = code->number;
    return true;
  }
  return (code->atom == DW_OP_addrx || code->atom == DW_OP_GNU_addr_index) &&
         dwarf_getlocation_attr(&attribute, code, &resolved) == 0 && dwarf_formaddr(&resolved, address) == 0;
}

static bool is_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void add_variables(Fields *f, Dwarf_Die *scope, Dwarf_Addr bias, uint32_t depth) {
  Variable v;
  if (depth == DEPTH || dwarf_child(scope, &v.die)) return;
  do {
    const int tag = dwarf_tag(&v.die);
    if (tag == DW_TAG_variable && find_address(&v.die, &v.address)) {
      v.address += bias;
      vec_push(f->heap, &f->variables, v);
    }
    if (is_scope(tag)) add_variables(f, &v.die, bias, depth + 1);
  } while (dwarf_siblingof(&v.die, &v.die) == 0);
}

static int compare_variables(const void *a, const void *b) {
  const Variable *x = a, *y = b;
  const Dwarf_Off i = dwarf_dieoffset((Dwarf_Die *)&x->die), k = dwarf_dieoffset((Dwarf_Die *)&y->die);
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  return (i > k) - (i < k);
}

/* With -gsplit-dwarf most of a unit is in a file of its own. */
static Dwarf_Die whole_unit(const Dwarf_Die *unit) {
  uint8_t type = 0;
  Dwarf_Die split;
  const bool good = dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0;
  return good && type == DW_UT_skeleton && split.addr ? split : *unit;
}

static void look(Fields *f) {
  Dwarf_Addr bias;
  f->looked = true;
  for (uint32_t i = 0; i < f->modules.n; i++)
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(f->modules.at[i], unit, &bias));) {
      Dwarf_Die whole = whole_unit(unit);
      add_variables(f, &whole, bias, 0);
    }
  if (f->variables.n) qsort(f->variables.at, f->variables.n, sizeof *f->variables.at, compare_variables);
}

/* The type without names for it, and without const and the like. False: there is none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) &&
         dwarf_peel_type(type, type) == 0;
}

static bool find_variable(Fields *f, uint64_t address, Dwarf_Die *type) {
  uint32_t low = 0, high = f->variables.n; /* the first from the address on is in low .. high */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (f->variables.at[middle].address < address) low = middle + 1;
    else high = middle;
  }
  for (; low < f->variables.n && f->variables.at[low].address == address; low++)
    if (type_of(&f->variables.at[low].die, type)) return true;
  return false;
}

/* --- the way down --- */

/* What is left of the field, in a type. */
typedef struct {
  Dwarf_Die type;
  Field field;
  uint64_t base;    /* of the field's offset, how much was taken off for base classes since the last name */
  bool last;        /* there is no way further down */
  bool inherited;   /* a class on the way has base classes */
  uint32_t *trials; /* of members of unions that are left: there may be very many ways down */
  char *text;       /* what is printed, NUL-terminated; NULL where there was no room */
  size_t length, room;
} Walk;

__attribute__((format(printf, 2, 3))) static void print(Walk *w, const char *format, ...) {
  va_list args;
  if (!w->text) return;
  va_start(args, format);
  const int n = vsnprintf(w->text + w->length, w->room - w->length, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= w->room - w->length) w->text = NULL;
  else w->length += (size_t)n;
}

static bool number_at(Dwarf_Die *die, unsigned name, uint64_t *number) {
  Dwarf_Attribute attribute;
  Dwarf_Word word;
  if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word)) return false;
  *number = word;
  return true;
}

/* Bytes; UINT64_MAX where that is not known, as of a flexible array. */
static uint64_t size_of(Dwarf_Die *type) {
  Dwarf_Word size;
  return dwarf_aggregate_size(type, &size) == 0 && size ? size : UINT64_MAX;
}

/* Is all of the field in this part of what it is in? */
static bool is_in(const Field *field, uint64_t start, uint64_t size) {
  const uint64_t bytes = field->size ? field->size : 1;
  return field->offset >= start && field->offset - start < size && size - (field->offset - start) >= bytes;
}

/* The byte in which a bit field begins. Up to DWARF 3 its bits are counted from the highest one of a unit of storage.
 */
static uint64_t byte_of_bits(Dwarf_Die *member, uint64_t start, uint64_t unit) {
  uint64_t bit, bits = 0;
  if (number_at(member, DW_AT_data_bit_offset, &bit)) return bit / 8;
  if (!number_at(member, DW_AT_bit_offset, &bit) || !number_at(member, DW_AT_bit_size, &bits)) return start;
  number_at(member, DW_AT_byte_size, &unit);
  return unit <= SMALL && bit + bits <= 8 * unit ? start + (8 * unit - bit - bits) / 8 : start;
}

/* Bytes with bit fields are called after those that begin there; they are no more than the type of one has. */
static bool has_bits(const Walk *w, Dwarf_Die *member, uint64_t start, uint64_t size) {
  start = byte_of_bits(member, start, size);
  return w->field.size <= size && start >= w->field.offset && start - w->field.offset < w->field.size;
}

typedef enum { NOT_THIS, THIS, PART_OF_THIS, EXACTLY_THIS } Match;

static Match match(const Walk *w, Dwarf_Die *member, uint64_t *start, Dwarf_Die *type) {
  const int tag = dwarf_tag(member);
  const char *name = dwarf_diename(member);
  uint64_t bits;
  *start = 0;
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return NOT_THIS;
  if (dwarf_hasattr(member, DW_AT_declaration)) return NOT_THIS; /* static */
  if (dwarf_hasattr(member, DW_AT_data_member_location) && !number_at(member, DW_AT_data_member_location, start))
    return NOT_THIS; /* of a virtual base class */
  if (!w->field.size && name && *name == '_' && tag == DW_TAG_member) return NOT_THIS;
  if (!type_of(member, type)) return NOT_THIS;
  const uint64_t size = size_of(type);
  if (number_at(member, DW_AT_bit_size, &bits)) return has_bits(w, member, *start, size) ? THIS : NOT_THIS;
  if (!is_in(&w->field, *start, size)) return NOT_THIS;
  return size == w->field.size ? EXACTLY_THIS : THIS;
}

static void enter(Walk *w, Dwarf_Die *member, uint64_t start, const Dwarf_Die *type) {
  const char *name = dwarf_diename(member);
  w->type = *type;
  if (dwarf_hasattr(member, DW_AT_bit_size)) {
    w->field.offset = w->base = 0;
    w->last = true;
  } else {
    w->field.offset -= start;
  }
  if (dwarf_tag(member) == DW_TAG_inheritance || !name) {
    w->base += start;
    return;
  }
  w->base = 0;
  print(w, ".%s", name);
}

static void go_down(Walk *w);

/* Is the field all of something in this member? */
static bool is_part(const Walk *w, Dwarf_Die *member, uint64_t start, const Dwarf_Die *type) {
  Walk way = *w;
  if (!*w->trials) return false;
  --*w->trials;
  way.text = NULL;
  way.last = false;
  enter(&way, member, start, type);
  for (uint32_t depth = 0; depth < DEPTH && !way.last; depth++) go_down(&way);
  return way.base + way.field.offset == 0 && size_of(&way.type) == w->field.size;
}

static bool is_bits(const Walk *w, Dwarf_Die *member) {
  Dwarf_Die type;
  uint64_t start;
  return dwarf_hasattr(member, DW_AT_bit_size) && dwarf_diename(member) && match(w, member, &start, &type);
}

/* Compilers tell what bytes are used, and not which of their bits: to C they are one place in memory. So all the bit
 * fields are printed that begin there, if they are several. */
static bool enter_bits(Walk *w) {
  Dwarf_Die member, type = w->type;
  uint32_t n = 0;
  if (dwarf_tag(&type) == DW_TAG_union_type || dwarf_child(&type, &member)) return false;
  do n += is_bits(w, &member);
  while (dwarf_siblingof(&member, &member) == 0);
  if (n < 2 || dwarf_child(&type, &member)) return false;
  print(w, ".");
  do
    if (is_bits(w, &member))
      print(w, "%c%s", w->text && w->text[w->length - 1] == '.' ? '{' : ',', dwarf_diename(&member));
  while (dwarf_siblingof(&member, &member) == 0);
  print(w, "}");
  w->field.offset = w->base = 0;
  return w->last = true;
}

static void enter_member(Walk *w) {
  Dwarf_Die member, type, best, best_type;
  const bool tries = dwarf_tag(&w->type) == DW_TAG_union_type;
  uint64_t start, best_start = 0;
  Match found = NOT_THIS;
  w->last = true;
  if (enter_bits(w) || dwarf_child(&w->type, &member)) return;
  do {
    w->inherited |= dwarf_tag(&member) == DW_TAG_inheritance;
    Match this = match(w, &member, &start, &type);
    if (this == THIS && tries && is_part(w, &member, start, &type)) this = PART_OF_THIS;
    if (this <= found) continue;
    found = this;
    best = member, best_type = type, best_start = start;
  } while (dwarf_siblingof(&member, &member) == 0);
  if (!found) return;
  w->last = false;
  enter(w, &best, best_start, &best_type);
}

/* The elements of one dimension; UINT64_MAX where that is not known. */
static uint64_t count_of(Dwarf_Die *range) {
  uint64_t n;
  if (number_at(range, DW_AT_count, &n)) return n;
  return number_at(range, DW_AT_upper_bound, &n) ? n + 1 : UINT64_MAX;
}

enum { DIMENSIONS = 8 };

/* How many dimensions; the length of each. 0: none, or too many. */
static uint32_t list_dimensions(Dwarf_Die *array, uint64_t *lengths) {
  Dwarf_Die range;
  uint32_t n = 0;
  if (dwarf_child(array, &range)) return 0;
  do {
    if (dwarf_tag(&range) != DW_TAG_subrange_type) continue;
    if (n == DIMENSIONS) return 0;
    lengths[n++] = count_of(&range);
  } while (dwarf_siblingof(&range, &range) == 0);
  return n;
}

static void enter_element(Walk *w) {
  uint64_t lengths[DIMENSIONS];
  const uint32_t n = list_dimensions(&w->type, lengths);
  Dwarf_Die element;
  w->last = true;
  if (!n || !type_of(&w->type, &element)) return;
  const uint64_t size = size_of(&element);
  if (size == UINT64_MAX || !is_in(&w->field, w->field.offset / size * size, size)) return;
  uint64_t index[DIMENSIONS], rest = w->field.offset / size;
  for (uint32_t i = n; i-- > 0; rest /= lengths[i]) {
    if (!lengths[i]) return;
    index[i] = i ? rest % lengths[i] : rest;
  }
  for (uint32_t i = 0; i < n; i++) print(w, "[%llu]", (unsigned long long)index[i]);
  w->type = element;
  w->field.offset %= size;
  w->base = 0;
  w->last = false;
}

static void go_down(Walk *w) {
  switch (dwarf_tag(&w->type)) {
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type: enter_member(w); break;
  case DW_TAG_array_type: enter_element(w); break;
  default: w->last = true;
  }
}

static bool walk(Walk *w, bool *inherited) {
  char *text = w->text;
  uint32_t trials = TRIALS;
  w->trials = &trials;
  for (uint32_t depth = 0; depth < DEPTH && !w->last; depth++) go_down(w);
  if (w->base + w->field.offset) print(w, "+%llu", (unsigned long long)(w->base + w->field.offset));
  *inherited = w->inherited;
  if (!w->text) *text = '\0';
  return w->text;
}

bool fields_print(Fields *f, uint64_t variable, Field field, char *text, size_t room, bool *inherited) {
  Walk w = {.field = field, .text = text, .room = room};
  assert(room > 0);
  *text = '\0';
  if (!f->looked) look(f);
  return find_variable(f, variable, &w.type) && walk(&w, inherited);
}

/* --- blocks --- */

/* What pointers that were looked at point to. */
typedef struct {
  uint64_t bytes;        /* of the block */
  int line;              /* in which it is asked for */
  Dwarf_Die whole, part; /* of the same size; of one that it is a multiple of */
  uint32_t n_whole, n_part;
} Search;

static bool is_record(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void found(Dwarf_Die *best, uint32_t *n, const Dwarf_Die *type) {
  if (*n && best->addr == type->addr) return;
  *best = *type;
  ++*n;
}

/* Does what this is the declaration of point to something of the size? */
static void look_at(Search *s, Dwarf_Die *declaration) {
  Dwarf_Die pointer, type;
  int line = 0;
  if (!type_of(declaration, &pointer) || dwarf_tag(&pointer) != DW_TAG_pointer_type) return;
  if (!type_of(&pointer, &type) || !is_record(dwarf_tag(&type))) return;
  const uint64_t size = size_of(&type);
  if (size == s->bytes) found(&s->whole, &s->n_whole, &type);
  else if (size < s->bytes && s->bytes % size == 0 && dwarf_decl_line(declaration, &line) == 0 && line == s->line)
    found(&s->part, &s->n_part, &type);
}

static void look_at_all(Search *s, Dwarf_Die *scope, uint32_t depth) {
  Dwarf_Die child;
  if (depth == DEPTH || dwarf_child(scope, &child)) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) look_at(s, &child);
    if (tag == DW_TAG_lexical_block) look_at_all(s, &child, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
}

static bool find_unit(Dwfl_Module *module, uint64_t code, Dwarf_Die *found, Dwarf_Addr *bias) {
  for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, bias));)
    if (dwarf_haspc(unit, code - *bias) > 0) {
      *found = *unit;
      return true;
    }
  return false;
}

/* dwarf_getscopes does not look into namespaces. */
static bool find_function(Dwarf_Die *scope, Dwarf_Addr code, uint32_t depth, Dwarf_Die *function) {
  Dwarf_Die child;
  if (depth == DEPTH || dwarf_child(scope, &child)) return false;
  do {
    const bool is = dwarf_tag(&child) == DW_TAG_subprogram;
    if (is && dwarf_haspc(&child, code) > 0) {
      *function = child;
      return true;
    }
    if (!is && is_scope(dwarf_tag(&child)) && find_function(&child, code, depth + 1, function)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/* Clear: just one of the size, or else just one of a part. */
static bool is_clear(const Search *s) { return s->n_whole == 1 || (!s->n_whole && s->n_part == 1); }

uint32_t fields_type(Fields *f, Dwfl_Module *module, uint64_t code, uint64_t size, bool globals) {
  Dwarf_Die unit, function;
  Dwarf_Addr bias;
  if (!find_unit(module, code, &unit, &bias)) return FIELDS_NONE;
  Dwarf_Line *line = dwarf_getsrc_die(&unit, code - bias);
  Search s = {.bytes = size};
  if (line) dwarf_lineno(line, &s.line);
  unit = whole_unit(&unit);
  if (!find_function(&unit, code - bias, 0, &function)) return FIELDS_NONE;
  look_at(&s, &function);
  look_at_all(&s, &function, 0);
  if (globals && !s.n_whole && !s.n_part) look_at_all(&s, &unit, 0);
  if (!is_clear(&s)) return FIELDS_NONE;
  const Content content = {.type = s.n_whole ? s.whole : s.part, .several = !s.n_whole};
  vec_push(f->heap, &f->contents, content);
  vec_last(&f->contents).size = size_of(&vec_last(&f->contents).type);
  return f->contents.n - 1;
}

/* A member of a type, with an arrow if that is all of a block. */
static bool print_member(const Content *content, Field field, char *text, size_t room, bool *inherited) {
  Walk w = {.type = content->type, .field = field, .text = text, .room = room - 1};
  if (!walk(&w, inherited)) return false;
  if (*text == '.' && !content->several) {
    memmove(text + 1, text, strlen(text) + 1);
    text[0] = '-', text[1] = '>';
  }
  return true;
}

/* There may be very many blocks of a type. */
static const Printed *printed_of(Fields *f, Content *content, Field field) {
  char text[1024];
  bool is_new;
  Printed printed = {NULL, false};
  const uint64_t size = field.size < UINT16_MAX ? field.size : UINT16_MAX;
  const uint32_t number = keys_add(f->heap, &content->fields, (field.offset << 16 | size) << 4, &is_new);
  if (!is_new) return &content->printed.at[number];
  if (print_member(content, field, text, sizeof text, &printed.inherited))
    printed.text = arena_copy(&f->texts, text, strlen(text));
  vec_push(f->heap, &content->printed, printed);
  return &vec_last(&content->printed);
}

bool fields_print_block(Fields *f, uint32_t number, Field field, char *text, size_t room, bool *inherited) {
  assert(number < f->contents.n && room > 0);
  Content *content = &f->contents.at[number];
  const uint64_t index = field.offset / content->size;
  *text = '\0';
  if (!is_in(&field, index * content->size, content->size)) return false;
  field.offset %= content->size;
  const Printed *printed = printed_of(f, content, field);
  char number_text[32] = "";
  if (content->several) snprintf(number_text, sizeof number_text, "[%llu]", (unsigned long long)index);
  if (!printed->text || strlen(number_text) + strlen(printed->text) >= room) return false;
  strcat(strcpy(text, number_text), printed->text);
  *inherited = printed->inherited;
  return true;
}
