#include "frontend/c/c.h"

#include "frontend/c/any_number.h"
#include "frontend/c/bitcode.h"
#include "frontend/c/emit.h"
#include "frontend/c/facts.h"
#include "frontend/c/loads.h"
#include "frontend/c/splits.h"
#include "program/compile.h"

#include <string.h>

/* Of C++ there may be several of that name. */
static bool is_function(const CModule *module, const char *shown) {
  for (uint32_t f = 0; f < module->functions.n; f++)
    if (module->functions.at[f].is_defined && strcmp(module->functions.at[f].shown, shown) == 0) return true;
  return false;
}

static bool expect_functions(const CModule *module, const COptions *options, Err *err) {
  for (uint32_t i = 0; i < options->n_atomic; i++) {
    if (!is_function(module, options->atomic[i]))
      return err_set(err, ERR_INPUT, "the program defines no function '%.100s'", options->atomic[i]);
  }
  return true;
}

/* What went wrong, of the first notice that is an error. */
static bool explain(const Program *program, const NoticeVec *notices, Err *err) {
  for (uint32_t i = 0; i < notices->n; i++) {
    const Notice *n = &notices->at[i];
    if (n->kind == NOTICE_STATES) {
      const ProgramProc *proc = &program->procs.at[program->threads.at[n->number].proc];
      return err_set(err, ERR_LIMIT, "a thread, '%.100s', has too many states: more than %u", proc->name, n->limit);
    } else if (n->kind == NOTICE_OUTCOMES || n->kind == NOTICE_LONG || n->kind == NOTICE_DEEP) {
      return err_set(err, ERR_LIMIT, "a thread of the program is too large: more than %u operations", n->limit);
    }
  }
  return false;
}

/* NULL, with ERR_LIMIT, if it is too large. */
static Net *net_of(const Program *program, const Precision *precision, Err *err) {
  NoticeVec notices = {0};
  const CompileOptions options = {GRANULARITY_STATEMENT, ENCODING_COMPACT, true, precision->transitions};
  Net *net = program_audit(program, err) ? compile_program(program, &options, &notices, err) : NULL;
  if (!net) explain(program, &notices, err);
  vec_fini(program->heap, &notices);
  return net;
}

static void add_omissions(const COptions *options, Program *program) {
  for (uint32_t i = 0; i < options->n_omissions; i++) {
    const COmission *o = &options->omissions[i];
    const ProgramPlace place = {.file = program->files.n, .function = PROGRAM_NONE};
    vec_push(program->heap, &program->files, arena_copy(&program->arena, o->file, strlen(o->file)));
    vec_push(program->heap, &program->gaps,
             ((ProgramGap){arena_copy(&program->arena, o->what, strlen(o->what)), place, NULL, {0}}));
  }
}

/* Conditions may be waited for in vain, locks that are not followed keep nobody out. */
static void add_waiting(Program *program) {
  static const char what[] = NOTE_GAP_WAITING "not all that waits in C does so in the net";
  const ProgramPlace place = {.function = PROGRAM_NONE};
  vec_push(program->heap, &program->gaps,
           ((ProgramGap){arena_copy(&program->arena, what, sizeof what - 1), place, NULL, {0}}));
}

static void add_lacks(const CModule *module, Program *program) {
  for (uint32_t i = 0; i < module->lacks.n; i++) {
    const CLack *lack = &module->lacks.at[i];
    const ProgramPlace place = {lack->place.file, PROGRAM_NONE, lack->place.line, lack->place.column};
    const char *what = arena_copy(&program->arena, lack->what, strlen(lack->what));
    vec_push(program->heap, &program->gaps, ((ProgramGap){what, place, NULL, {0}}));
  }
}

/* Does the function mark blocks itself? */
static bool marks_blocks(const CModule *module, const CFunction *f) {
  for (uint32_t i = f->start; i < f->end; i++) {
    const CInstruction *it = &module->instructions.at[i];
    const COperand *callee = it->kind == C_CALL ? cmodule_operand(module, it, 0) : NULL;
    if (callee && callee->kind == C_FUNCTION && module->functions.at[callee->n].effect->kind == CALL_BEGIN) return true;
  }
  return false;
}

static bool is_named(const COptions *options, const char *shown) {
  for (uint32_t i = 0; i < options->n_atomic; i++)
    if (strcmp(options->atomic[i], shown) == 0) return true;
  return false;
}

/* May control come back to where setjmp was called: does anybody jump there, or end a thread while it is inside of
 * pthread_cleanup_push, which glibc makes of setjmp? */
static bool has_jumps(const CModule *module) {
  static const char *const JUMPS[] = {"longjmp",       "_longjmp",       "siglongjmp",
                                      "__longjmp_chk", "pthread_cancel", "pthread_exit"};
  for (uint32_t i = 0; i < sizeof JUMPS / sizeof *JUMPS; i++)
    if (cmodule_function(module, JUMPS[i]) != C_NONE) return true;
  return false;
}

static void describe_functions(CModule *module, const COptions *options) {
  static const EffectVec none = {0};
  const bool jumps = has_jumps(module);
  for (uint32_t i = 0; i < module->functions.n; i++) {
    CFunction *f = &module->functions.at[i];
    const Effect *effect = jumps ? NULL : effect_without_jumps(f->name);
    f->effect = effect ? effect : effect_of(options->library ? options->library : &none, f->name);
  }
  for (uint32_t i = 0; i < module->functions.n; i++) {
    CFunction *f = &module->functions.at[i];
    f->is_scope = f->is_defined && (is_named(options, f->shown) || marks_blocks(module, f));
  }
}

/* All that is known of a program. */
typedef struct {
  CSplitVec splits;
  CFoldVec folds;
  CBonds bonds;
  Points points;
  COrigins origins; /* none, if nothing is known */
  Foci foci;
  Cells cells;
  CTicketVec tickets;
} Reading;

static void reading_fini(Reading *r) {
  Heap *heap = r->points.heap;
  tickets_fini(&r->tickets, heap);
  foci_fini(&r->foci);
  cells_fini(&r->cells);
  points_fini(&r->points);
  origins_fini(&r->origins, heap);
  vec_fini(heap, &r->splits);
  vec_fini(heap, &r->folds);
  foci_forget(&r->bonds, heap);
}

/* The program as it is solved before arrays are folded, with what is known of its loads; NULL: that was not asked. */
typedef struct {
  Points points;
  CNumber *numbers;
  COrigins origins;
  bool are_left; /* of any of them: Points.left */
} Draft;

static void draft_fini(Draft *draft) {
  Heap *heap = draft->points.heap;
  points_fini(&draft->points);
  heap_release(heap, draft->numbers);
  origins_fini(&draft->origins, heap);
}

static bool find_loads(Draft *draft) {
  Points *p = &draft->points;
  Cells cells;
  draft->numbers = heap_zeroed(p->heap, ((size_t)p->nodes.n + 1) * sizeof *draft->numbers);
  origins_init(&draft->origins, p);
  cells_find(&cells, p);
  const bool found = loads_find(&cells, draft->numbers, &draft->origins);
  cells_fini(&cells);
  return found;
}

/* Of a larger program nothing is asked of loads; nor is it asked more often. */
enum { MOST_NODES = 60000, MOST_DRAFTS = 4 };

static bool solve_draft(const CModule *module, const Precision *precision, uint32_t copies, const CSplitVec *splits,
                        Draft *draft, Err *err) {
  static const CFoldVec none = {0};
  *draft = (Draft){0};
  bool good = points_solve(&draft->points, module, precision, copies, &none, splits, NULL, err);
  for (int n = 1; good && draft->points.nodes.n <= MOST_NODES && find_loads(draft) && n < MOST_DRAFTS; n++) {
    Draft next = {.are_left = draft->are_left || draft->points.left != C_NONE};
    const CLoads loads = {&draft->points, draft->numbers};
    good = points_solve(&next.points, module, precision, copies, &none, splits, &loads, err);
    draft_fini(draft);
    *draft = next;
  }
  draft->are_left |= draft->points.left != C_NONE;
  return good;
}

/* If `tries`, arrays in structures become objects of their own, as far as that is found to be so. */
static bool solve_split(const CModule *module, const Precision *precision, uint32_t copies, bool tries,
                        CSplitVec *splits, Draft *draft, Err *err) {
  static const CSplitVec none = {0};
  if (!solve_draft(module, precision, copies, &none, draft, err)) return false;
  if (tries && draft->points.nodes.n <= MOST_NODES) splits_find(&draft->points, splits);
  for (int n = 0; splits->n; n++) {
    draft_fini(draft);
    if (n == MOST_DRAFTS) vec_clear(splits);
    if (!solve_draft(module, precision, copies, splits, draft, err)) return false;
    if (splits_check(&draft->points, splits) && !draft->are_left) return true;
    if (draft->are_left && draft->points.left == C_NONE) vec_clear(splits);
    if (!splits->n) return draft_fini(draft), solve_draft(module, precision, copies, splits, draft, err);
  }
  return true;
}

/* Once the draft is there. */
static bool solve_folded(const CModule *module, const Precision *precision, uint32_t copies, const Draft *draft,
                         Reading *r, Err *err) {
  const CLoads loads = {&draft->points, draft->numbers};
  if (!points_solve(&r->points, module, precision, copies, &r->folds, &r->splits, draft->numbers ? &loads : NULL, err))
    return false;
  if (draft->origins.same) {
    origins_init(&r->origins, &r->points);
    loads_go_on(&r->points, &draft->points, &draft->origins, &r->origins);
  }
  return true;
}

static void forget(const CModule *module, Reading *r) {
  points_fini(&r->points);
  origins_fini(&r->origins, module->heap);
  vec_fini(module->heap, &r->splits);
  vec_fini(module->heap, &r->folds);
  foci_forget(&r->bonds, module->heap);
  *r = (Reading){0};
}

/* Arrays of which one element is to stand for all are known then. */
static bool solve(const CModule *module, const Precision *precision, uint32_t copies, bool tries, Reading *r,
                  Err *err) {
  Draft draft;
  if (!solve_split(module, precision, copies, tries, &r->splits, &draft, err))
    return draft_fini(&draft), vec_fini(module->heap, &r->splits), false;
  foci_fold(&draft.points, draft.origins.same ? &draft.origins : NULL, &r->folds, &r->bonds);
  if (!r->folds.n && !draft.numbers) return foci_forget(&r->bonds, module->heap), r->points = draft.points, true;
  const bool good = solve_folded(module, precision, copies, &draft, r, err), left = good && r->points.left != C_NONE;
  draft_fini(&draft);
  if (!good || left) forget(module, r);
  return left ? solve(module, precision, copies, false, r, err) : good;
}

static bool read_all(const CModule *module, const Precision *precision, uint32_t copies, Reading *r, Err *err) {
  *r = (Reading){0};
  if (!solve(module, precision, copies, true, r, err)) return false;
  foci_find(&r->foci, &r->points, r->origins.same ? &r->origins : NULL, &r->bonds);
  cells_find(&r->cells, &r->points);
  return true;
}

/* With any number of threads where that can be, unless one is to be enough. */
static bool read_open(const CModule *module, const Precision *precision, const COptions *options, Reading *r,
                      Err *err) {
  const bool tries = options->copies > 1;
  if (!read_all(module, precision, tries ? 0 : options->copies, r, err)) return false;
  if (!tries || !any_number_is_open(&r->points) || any_number_fits(&r->cells)) return true;
  reading_fini(r);
  return read_all(module, precision, options->copies, r, err);
}

/* Once more, if a ticket lock is none, or is not quiet. False: it would be too large. */
static bool write_program(Reading *r, const EmitOptions *options, Program *program) {
  program_init(program, r->points.heap);
  bool fits = emit_program(&r->cells, &r->foci, &r->tickets, options, program);
  while (fits && tickets_correct(&r->tickets, r->points.heap)) {
    program_fini(program);
    program_init(program, r->points.heap);
    fits = emit_program(&r->cells, &r->foci, &r->tickets, options, program);
  }
  return fits;
}

/* False with ERR_LIMIT: it is to be read less closely. */
static bool translate(const CModule *module, const Precision *precision, const COptions *options, Program *program,
                      Err *err) {
  const EmitOptions emit = {options->atomic, options->n_atomic, options->copies, options->functions, options->plain};
  Reading r;
  if (!read_open(module, precision, options, &r, err)) return false;
  facts_find(&r.cells);
  cells_find_spare(&r.cells);
  tickets_find(&r.tickets, &r.cells);
  const bool fits = write_program(&r, &emit, program);
  add_waiting(program);
  add_lacks(module, program);
  add_omissions(options, program);
  reading_fini(&r);
  if (fits) return true;
  program_fini(program);
  return err_set(err, ERR_LIMIT, "the program is too large: more than %u operations", precision->ops);
}

/* With the net, if that is asked for. */
static bool read_at(const CModule *module, const Precision *precision, const COptions *options, Program *program,
                    Net **net, Err *err) {
  if (!translate(module, precision, options, program, err)) return false;
  if (!net || (*net = net_of(program, precision, err))) return true;
  program_fini(program);
  return false;
}

/* Less and less closely, until it fits. */
static bool read_module(const CModule *module, const COptions *options, Program *program, Net **net, Err *err) {
  for (uint32_t n = 0; precision_at(n); n++) {
    if (read_at(module, precision_at(n), options, program, net, err)) return true;
    if (err->kind != ERR_LIMIT) return false;
  }
  err->kind = ERR_INPUT;
  return false;
}

bool c_program(Heap *heap, const InFile *files, uint32_t n, const COptions *options, Program *program, Net **net,
               Err *err) {
  CModule module;
  cmodule_init(&module, heap);
  const bool good = bitcode_read(files, n, &module, err) && expect_functions(&module, options, err) &&
                    (describe_functions(&module, options), read_module(&module, options, program, net, err));
  cmodule_fini(&module);
  return good;
}
