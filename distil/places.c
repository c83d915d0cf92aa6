/* places.c: libdw and libelf find the lines; the symbols of all modules are sorted once, since there may be millions of
 * questions. */
#include "distil/places.h"

#include "base/arena.h"
#include "base/demangle.h"
#include "distil/faults.h"
#include "distil/roots.h"
#include "base/vec.h"

#include <assert.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  uint64_t start, end;
  const char *name;
  uint32_t length; /* without what compilers append */
  bool shown;      /* the name is as in the source */
  bool code;       /* it is a function */
} Symbol;

struct Places {
  Heap *heap;
  Dwfl *dwfl;
  VEC(Symbol) symbols; /* by start */
  CharVec warnings;
  Roots roots; /* of recorded modules */
  Arena names;
  Fields *fields; /* of recorded modules */
  Demangler demangler;
  VEC(Dwfl_Module *) asked; /* of places_module, by number */
};

static char no_debug_path[] = "";
static char *debug_path = no_debug_path;

/* A separate file is looked for beside the module. libdw would look into its server's client, too, and load that with
 * all its libraries though there is no server. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                          const char *link, GElf_Word crc, char **found) {
  char path[4096];
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (!getenv("DEBUGINFOD_URLS")) {
    if (!slash || !link) return -1;
    const int n = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - file), file, link);
    if (n < 0 || n >= (int)sizeof path || access(path, R_OK)) return -1;
  }
  return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf, .find_debuginfo = find_debuginfo, .debuginfo_path = &debug_path};

static int compare_symbols(const void *a, const void *b) {
  const Symbol *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return strcmp(x->name, y->name);
}

/* Its symbols are more than what the dynamic linker needs. */
static bool has_symbols(Dwfl_Module *module) {
  GElf_Addr bias;
  GElf_Shdr header;
  Elf *elf = dwfl_module_getelf(module, &bias);
  for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));)
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) return true;
  return false;
}

/* Of a module that was built for the recorder. A separate file of its debug information has the symbols, too. */
static void look_for_names(Places *p, Dwfl_Module *module, const char *path) {
  Dwarf_Addr bias;
  if (dwfl_module_getdwarf(module, &bias)) return;
  if (has_symbols(module))
    fault_warn(p->heap, &p->warnings,
               "%.1500s has no debug information (-g0, or strip -g), so its places have no lines", path);
  else
    fault_warn(
        p->heap, &p->warnings,
        "%.1500s is stripped (strip, or -s), so its places and names are missing, and its functions cannot be transactions",
        path);
}

/* The file as an absolute and normal path. False: it cannot be found out, or is too long. */
static bool full_path(const char *file, const char *folder, char *path, size_t size) {
  if (*file != '/' && (!folder || *folder != '/')) return false;
  const int n = *file == '/' ? snprintf(path, size, "%s", file) : snprintf(path, size, "%s/%s", folder, file);
  if (n < 0 || (size_t)n >= size) return false;
  roots_normalize(path);
  return true;
}

/* Sources that are not here are those of libraries, and of what compilers link. */
static void add_unit(Places *p, Dwarf_Die *unit) {
  Dwarf_Attribute attribute;
  char path[4096], where[4096];
  const char *name = dwarf_diename(unit), *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (!name || !full_path(name, folder, path, sizeof path) || access(path, R_OK)) return;
  roots_add(p->heap, &p->roots, path, folder && full_path(folder, NULL, where, sizeof where) ? where : NULL);
}

static void add_units(Places *p, Dwfl_Module *module) {
  Dwarf_Addr bias;
  for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));) add_unit(p, unit);
}

/* A variable in a function is "total.0" for gcc, "function.total" for clang. */
static const char *variable_name(const char *text) {
  const char *dot = strchr(text, '.');
  const bool local = dot && ((dot[1] >= 'a' && dot[1] <= 'z') || (dot[1] >= 'A' && dot[1] <= 'Z') || dot[1] == '_');
  return local && dot > text && strncmp(dot, ".llvm.", 6) != 0 ? dot + 1 : text;
}

static int add_symbols(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr base, void *argument) {
  Places *p = argument;
  bool recorded = false;
  (void)unused, (void)base;
  const int n = dwfl_module_getsymtab(module);
  for (int i = 1; i < n; i++) {
    GElf_Sym symbol;
    GElf_Addr start;
    const char *text = dwfl_module_getsym_info(module, i, &symbol, &start, NULL, NULL, NULL);
    const int type = GELF_ST_TYPE(symbol.st_info);
    recorded |= text && strncmp(text, "__tsan_", 7) == 0;
    if (!text || !*text || symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) continue;
    if (type == STT_OBJECT) text = variable_name(text);
    const Symbol s = {start,
                      start + (symbol.st_size ? symbol.st_size : 1),
                      text,
                      (uint32_t)strcspn(text, ".@"),
                      strncmp(text, "_Z", 2) != 0,
                      type == STT_FUNC};
    vec_push(p->heap, &p->symbols, s);
  }
  if (recorded) look_for_names(p, module, name);
  if (recorded) add_units(p, module);
  if (recorded) fields_add(p->fields, module);
  return DWARF_CB_OK;
}

/* Is the file what it was when it was loaded? */
static bool is_same(const char *path, uint64_t size, uint64_t time) {
  struct stat status;
  return stat(path, &status) == 0 && (uint64_t)status.st_size == size &&
         (uint64_t)status.st_mtim.tv_sec * 1000000000 + (uint64_t)status.st_mtim.tv_nsec == time;
}

static void report(Places *p, const char *modules) {
  dwfl_report_begin(p->dwfl);
  while (*modules) {
    char path[4096];
    unsigned long long base, size, time;
    if (sscanf(modules, "%llx %llx %llx %4095[^\n]", &base, &size, &time, path) == 4) {
      if (!is_same(path, size, time))
        fault_warn(p->heap, &p->warnings,
                   "%.1500s has changed or was removed since the run, so its places and names are missing", path);
      else dwfl_report_elf(p->dwfl, path, path, -1, base, true);
    }
    modules += strcspn(modules, "\n");
    modules += *modules == '\n';
  }
  dwfl_report_end(p->dwfl, NULL, NULL);
}

typedef struct {
  Places *places;
  const char *modules;
} Opening;

static void open_modules(void *argument) {
  const Opening *opening = argument;
  Places *p = opening->places;
  report(p, opening->modules);
  dwfl_getmodules(p->dwfl, add_symbols, p, 0);
  if (p->symbols.n) qsort(p->symbols.at, p->symbols.n, sizeof *p->symbols.at, compare_symbols);
}

Places *places_open(Heap *heap, const char *modules) {
  Places *p = heap_zeroed(heap, sizeof *p);
  p->heap = heap;
  arena_init(&p->names, heap);
  p->fields = fields_new(heap);
  p->dwfl = dwfl_begin(&callbacks);
  if (!p->dwfl) return p;
  Opening opening = {p, modules};
  if (!heap_try(heap, open_modules, &opening)) {
    dwfl_end(p->dwfl); /* its memory is not the heap's */
    heap_pass_on(heap);
  }
  return p;
}

void places_close(Places *p) {
  if (p->dwfl) dwfl_end(p->dwfl);
  demangler_fini(&p->demangler);
  vec_fini(p->heap, &p->symbols);
  vec_fini(p->heap, &p->asked);
  vec_fini(p->heap, &p->warnings);
  roots_fini(p->heap, &p->roots);
  arena_fini(&p->names);
  fields_free(p->fields);
  heap_release(p->heap, p);
}

void places_warn(const Places *p, CharVec *text) {
  for (const char *line = p->warnings.at; line && *line; line += strcspn(line, "\n") + 1)
    fault_warn(p->heap, text, "%.*s", (int)strcspn(line, "\n"), line);
}

/* A name of C++ as in its source, without types. */
static void show(Places *p, Symbol *s) {
  assert(!s->shown);
  char name[4096], shown[4096];
  s->shown = true;
  if (s->length >= sizeof name) return;
  memcpy(name, s->name, s->length);
  name[s->length] = '\0';
  if (!demangle(&p->demangler, name, shown, sizeof shown)) return;
  s->length = (uint32_t)strlen(shown);
  s->name = arena_copy(&p->names, shown, s->length);
}

const char *places_symbol(Places *p, uint64_t address, uint32_t *length, uint64_t *start) {
  uint32_t low = 0, high = p->symbols.n; /* the first that starts after the address is in low .. high */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->symbols.at[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  if (!low || address >= p->symbols.at[low - 1].end) return NULL;
  Symbol *s = &p->symbols.at[low - 1];
  assert(s->start <= address);
  while (s > p->symbols.at && s[-1].start == s->start) s--; /* of several names the first in the alphabet */
  if (!s->shown) show(p, s);
  *length = s->length ? s->length : (uint32_t)strlen(s->name);
  *start = s->start;
  return s->name;
}

void places_each_function(Places *p, const char *name, size_t length, PlacesTake *take, void *argument) {
  uint32_t n;
  uint64_t start;
  for (uint32_t i = 0; i < p->symbols.n; i++) {
    const char *known = places_symbol(p, p->symbols.at[i].start, &n, &start);
    if (p->symbols.at[i].code && known && n == length && memcmp(known, name, n) == 0)
      take(argument, start, p->symbols.at[i].end);
  }
}

void places_suggest(Places *p, const char *name, Suggestion *suggestion) {
  char text[SUGGEST_MOST + 2];
  *suggestion = suggest_for(name);
  for (uint32_t i = 0; i < p->symbols.n; i++) {
    snprintf(text, sizeof text, "%.*s", (int)p->symbols.at[i].length, p->symbols.at[i].name);
    if (p->symbols.at[i].code && p->symbols.at[i].shown) suggest_offer(suggestion, text);
  }
}

bool places_module(Places *p, uint64_t address, uint32_t *number, uint64_t *base, const uint8_t **id, uint32_t *n) {
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, address) : NULL;
  GElf_Addr bias, unused;
  if (!module || !dwfl_module_getelf(module, &bias)) return false;
  const int length = dwfl_module_build_id(module, id, &unused);
  if (length <= 0) return false;
  uint32_t i = 0;
  while (i < p->asked.n && p->asked.at[i] != module) i++;
  if (i == p->asked.n) vec_push(p->heap, &p->asked, module);
  *number = i;
  *base = bias;
  *n = (uint32_t)length;
  return true;
}

bool places_field(Places *p, uint64_t start, Field field, char *text, size_t room, bool *inherited) {
  return fields_print(p->fields, start, field, text, room, inherited);
}

bool places_block(Places *p, uint32_t type, Field field, char *text, size_t room, bool *inherited) {
  return fields_print_block(p->fields, type, field, text, room, inherited);
}

/* The compilation units are searched, since clang writes no table of their addresses. */
static Dwarf_Line *find_line(Dwfl_Module *module, uint64_t code, const char **folder) {
  Dwarf_Addr bias;
  Dwarf_Attribute attribute;
  for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));) {
    if (dwarf_haspc(unit, code - bias) <= 0) continue;
    *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    return dwarf_getsrc_die(unit, code - bias);
  }
  return NULL;
}

static bool is_below(const char *path, const char *folder) {
  const size_t n = strlen(folder);
  return strncmp(path, folder, n) == 0 && (path[n] == '/' || !path[n] || folder[n - 1] == '/');
}

/* Each line reaches up to the next one, of whatever file. */
static void take_lines(Dwarf_Die *unit, Dwarf_Addr bias, const char *below, PlacesTake *take, void *argument) {
  Dwarf_Attribute attribute;
  Dwarf_Lines *lines;
  size_t n;
  char path[4096];
  const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (dwarf_getsrclines(unit, &lines, &n)) return;
  for (size_t i = 0; i + 1 < n; i++) {
    Dwarf_Line *line = dwarf_onesrcline(lines, i);
    Dwarf_Addr from, to;
    bool ends = false;
    const char *file = dwarf_linesrc(line, NULL, NULL);
    if (dwarf_lineendsequence(line, &ends) || ends || !file || !full_path(file, folder, path, sizeof path)) continue;
    if (dwarf_lineaddr(line, &from) || dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &to) || from >= to) continue;
    if (is_below(path, below)) take(argument, from + bias, to + bias);
  }
}

typedef struct {
  const char *folder;
  PlacesTake *take;
  void *argument;
} Taking;

static int take_units(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr base, void *taking) {
  const Taking *t = taking;
  Dwarf_Addr bias;
  (void)unused, (void)name, (void)base;
  for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));)
    take_lines(unit, bias, t->folder, t->take, t->argument);
  return DWARF_CB_OK;
}

void places_each_line(Places *p, const char *folder, PlacesTake *take, void *argument) {
  Taking taking = {folder, take, argument};
  if (p->dwfl) dwfl_getmodules(p->dwfl, take_units, &taking, 0);
}

static void print_place(Places *p, uint64_t code, bool with_column, char *text, size_t size) {
  assert(size > 0);
  uint32_t length = 0;
  uint64_t start;
  int line = 0, column = 0;
  const char *folder = NULL;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, code) : NULL;
  Dwarf_Line *found = module ? find_line(module, code, &folder) : NULL;
  const char *file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
  char path[4096], where[4096], number[32] = "";
  const char *function = places_symbol(p, code, &length, &start);
  *text = '\0';
  if (file) {
    dwarf_lineno(found, &line);
    dwarf_linecol(found, &column);
    const char *in = folder && full_path(folder, NULL, where, sizeof where) ? where : NULL;
    if (full_path(file, folder, path, sizeof path)) file = roots_strip(&p->roots, path, in);
    if (with_column) snprintf(number, sizeof number, ":%d", column);
    snprintf(text, size, "%s:%d%s:%.*s", file, line, number, function ? (int)length : 0, function ? function : "");
  } else if (function) {
    snprintf(text, size, "%.*s", (int)length, function);
  }
}

bool places_is_own(Places *p, uint64_t code) {
  const char *folder = NULL;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, code) : NULL;
  Dwarf_Line *found = module ? find_line(module, code, &folder) : NULL;
  const char *file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
  char path[4096], where[4096];
  const char *in = folder && full_path(folder, NULL, where, sizeof where) ? where : NULL;
  return file && full_path(file, folder, path, sizeof path) && *roots_strip(&p->roots, path, in) != '/';
}

uint32_t places_type(Places *p, uint64_t code, uint64_t size) {
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, code) : NULL;
  return module ? fields_type(p->fields, module, code, size, places_is_own(p, code)) : FIELDS_NONE;
}

void places_line(Places *p, uint64_t code, char *text, size_t size) { print_place(p, code, true, text, size); }

void places_site(Places *p, uint64_t code, char *text, size_t size) { print_place(p, code, false, text, size); }
