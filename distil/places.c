/* places.c: libdw and libelf find the lines; the symbols of all modules are sorted once, since there may be millions of questions. */
#include "distil/places.h"

#include "base/arena.h"
#include "base/vec.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  uint64_t start, end;
  const char *name;
  uint32_t length; /* without what compilers append */
  bool shown;      /* the name is as in the source */
} Symbol;

typedef char *Demangle(const char *name, char *text, size_t *size, int *status);

struct Places {
  Heap *heap;
  Dwfl *dwfl;
  VEC(Symbol) symbols; /* by start */
  Arena names;
  void *library;       /* of C++, opened when its first name comes up; or NULL */
  Demangle *demangle;
};

static char no_debug_path[] = "";
static char *debug_path = no_debug_path;

/* A separate file is looked for beside the module. libdw would look into its server's client, too, and load that with all its libraries though there is
 * no server. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file, const char *link,
                          GElf_Word crc, char **found) {
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

static int add_symbols(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr base, void *argument) {
  Places *p = argument;
  (void)unused, (void)name, (void)base;
  const int n = dwfl_module_getsymtab(module);
  for (int i = 1; i < n; i++) {
    GElf_Sym symbol;
    GElf_Addr start;
    const char *text = dwfl_module_getsym_info(module, i, &symbol, &start, NULL, NULL, NULL);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (!text || !*text || symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT)) continue;
    const Symbol s = {start, start + (symbol.st_size ? symbol.st_size : 1), text, (uint32_t)strcspn(text, ".@"), strncmp(text, "_Z", 2) != 0};
    vec_push(p->heap, &p->symbols, s);
  }
  return DWARF_CB_OK;
}

static void report(Places *p, const char *modules) {
  dwfl_report_begin(p->dwfl);
  while (*modules) {
    char path[4096];
    unsigned long long base;
    if (sscanf(modules, "%llx %4095[^\n]", &base, path) == 2) dwfl_report_elf(p->dwfl, path, path, -1, base, true);
    modules += strcspn(modules, "\n");
    modules += *modules == '\n';
  }
  dwfl_report_end(p->dwfl, NULL, NULL);
}

static void list_symbols(void *places) {
  Places *p = places;
  dwfl_getmodules(p->dwfl, add_symbols, p, 0);
  if (p->symbols.n) qsort(p->symbols.at, p->symbols.n, sizeof *p->symbols.at, compare_symbols);
}

Places *places_open(Heap *heap, const char *modules) {
  Places *p = heap_zeroed(heap, sizeof *p);
  p->heap = heap;
  arena_init(&p->names, heap);
  p->dwfl = dwfl_begin(&callbacks);
  if (!p->dwfl) return p;
  report(p, modules);
  if (!heap_try(heap, list_symbols, p)) {
    dwfl_end(p->dwfl); /* its memory is not the heap's */
    heap_pass_on(heap);
  }
  return p;
}

void places_close(Places *p) {
  if (p->dwfl) dwfl_end(p->dwfl);
  if (p->library) dlclose(p->library);
  vec_fini(p->heap, &p->symbols);
  arena_fini(&p->names);
  heap_release(p->heap, p);
}

/* Where the parameters of a function begin, in a demangled name; its end if there are none. */
static size_t find_parameters(const char *text) {
  const char *last = strrchr(text, ')');
  if (!last || last[1] == ':') return strlen(text);
  int depth = 0;
  for (const char *c = last; c >= text; c--) {
    depth += (*c == ')') - (*c == '(');
    if (!depth) return (size_t)(c - text);
  }
  return strlen(text);
}

/* What is behind the type that a function template returns. */
static size_t skip_type(const char *text, size_t length) {
  size_t from = 0;
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += (text[i] == '<' || text[i] == '(') - (text[i] == '>' || text[i] == ')');
    if (strncmp(text + i, "operator", 8) == 0) break;
    if (text[i] == ' ' && !depth) from = i + 1;
  }
  return from;
}

/* A name of C++ as in its source, without types. */
static void show(Places *p, Symbol *s) {
  char name[4096];
  int status;
  s->shown = true;
  if (!p->library) p->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (p->library && !p->demangle) *(void **)&p->demangle = dlsym(p->library, "__cxa_demangle");
  if (!p->demangle || s->length >= sizeof name) return;
  memcpy(name, s->name, s->length);
  name[s->length] = '\0';
  char *text = p->demangle(name, NULL, NULL, &status);
  if (!text) return;
  const size_t end = find_parameters(text), from = skip_type(text, end);
  s->length = (uint32_t)snprintf(name, sizeof name, "%.*s", (int)(end - from), text + from);
  if (s->length >= sizeof name) s->length = sizeof name - 1;
  free(text);
  s->name = arena_copy(&p->names, name, s->length);
}

const char *places_symbol(Places *p, uint64_t address, uint32_t *length, uint64_t *start) {
  uint32_t low = 0, high = p->symbols.n; /* the first that starts behind the address is in low .. high */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->symbols.at[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  if (!low || address >= p->symbols.at[low - 1].end) return NULL;
  Symbol *s = &p->symbols.at[low - 1];
  while (s > p->symbols.at && s[-1].start == s->start) s--; /* of several names the first in the alphabet */
  if (!s->shown) show(p, s);
  *length = s->length ? s->length : (uint32_t)strlen(s->name);
  *start = s->start;
  return s->name;
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

/* The file as the compiler was told it, where it was below the folder in which the compiler ran. */
static const char *shortened(const char *file, const char *folder) {
  const size_t n = folder ? strlen(folder) : 0;
  return n && strncmp(file, folder, n) == 0 && file[n] == '/' ? file + n + 1 : file;
}

void places_line(Places *p, uint64_t code, char *text, size_t size) {
  uint32_t length = 0;
  uint64_t start;
  int line = 0, column = 0;
  const char *folder = NULL;
  Dwfl_Module *module = p->dwfl ? dwfl_addrmodule(p->dwfl, code) : NULL;
  Dwarf_Line *found = module ? find_line(module, code, &folder) : NULL;
  const char *file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
  const char *function = places_symbol(p, code, &length, &start);
  *text = '\0';
  if (file) {
    dwarf_lineno(found, &line);
    dwarf_linecol(found, &column);
    snprintf(text, size, "%s:%d:%d:%.*s", shortened(file, folder), line, column, function ? (int)length : 0, function ? function : "");
  } else if (function) {
    snprintf(text, size, "%.*s", (int)length, function);
  }
}
