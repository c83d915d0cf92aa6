/* Vectors of threads, and their iterators. */
#include "frontend/c/cxx_threads_inside.h"

#include <llvm-c/Core.h>

#include <assert.h>
#include <string.h>

enum { MANY = 1 << 20 }; /* threads in a vector; the memory is never there */

/* ---- a vector ---- */

/* Threads that were put into it, in its order, and how many. */
typedef struct {
  LLVMValueRef vector, table, count;
} Vector;

/* Of what the vector is given to make a thread of: the constructor; NULL: it is not found. */
static LLVMValueRef constructor_in(LLVMValueRef function, int depth) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      const char *name = threads_callee(i);
      if (threads_is_made(name)) return LLVMGetCalledValue(i);
      if (depth && strstr(name, "construct")) {
        const LLVMValueRef found = constructor_in(LLVMGetCalledValue(i), depth - 1);
        if (found) return found;
      }
    }
  return NULL;
}

static LLVMValueRef constructor_of(LLVMValueRef emplace) {
  const LLVMValueRef made = constructor_in(LLVMGetCalledValue(emplace), 4);
  return made && LLVMCountParams(made) == LLVMGetNumArgOperands(emplace) ? made : NULL;
}

static LLVMValueRef build_count(const Lowering *l, const Vector *v) {
  return LLVMBuildLoad2(l->builder, l->word, v->count, "");
}

static LLVMValueRef set_count(const Lowering *l, const Vector *v, LLVMValueRef n) {
  LLVMBuildStore(l->builder, n, v->count);
  return n;
}

static LLVMValueRef build_next(const Lowering *l, const Vector *v) {
  const LLVMValueRef count = build_count(l, v);
  set_count(l, v, LLVMBuildAdd(l->builder, count, threads_number(l, 1), ""));
  return threads_element(l, v->table, count);
}

static LLVMValueRef build_emplaced(const Lowering *l, const Vector *v, LLVMValueRef call) {
  LLVMValueRef arguments[16];
  const LLVMValueRef made = constructor_of(call), place = build_next(l, v);
  const LLVMTypeRef type = LLVMGlobalGetValueType(made);
  LLVMTypeRef types[16];
  const unsigned n = LLVMGetNumArgOperands(call);
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < n; i++)
    arguments[i] = LLVMBuildBitCast(l->builder, i ? LLVMGetOperand(call, i) : place, types[i], "");
  LLVMBuildCall2(l->builder, type, made, arguments, n, "");
  return place;
}

/* What the member returns, by then; NULL: it is none that is known, or returns nothing. */
typedef LLVMValueRef Build(const Lowering *l, const Vector *v, LLVMValueRef call);

static LLVMValueRef build_nothing(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)l, (void)call;
  return v->table;
}
static LLVMValueRef build_empty(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return set_count(l, v, threads_number(l, 0));
}
static LLVMValueRef build_sized(const Lowering *l, const Vector *v, LLVMValueRef call) {
  return set_count(l, v, LLVMGetOperand(call, 1));
}
static LLVMValueRef build_begin(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return threads_element(l, v->table, threads_number(l, 0));
}
static LLVMValueRef build_end(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return threads_element(l, v->table, build_count(l, v));
}
static LLVMValueRef build_size(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return build_count(l, v);
}
static LLVMValueRef build_is_empty(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return LLVMBuildICmp(l->builder, LLVMIntEQ, build_count(l, v), threads_number(l, 0), "");
}
static LLVMValueRef build_element(const Lowering *l, const Vector *v, LLVMValueRef call) {
  return threads_element(l, v->table, LLVMGetOperand(call, 1));
}
static LLVMValueRef build_last(const Lowering *l, const Vector *v, LLVMValueRef call) {
  (void)call;
  return threads_element(l, v->table, LLVMBuildSub(l->builder, build_count(l, v), threads_number(l, 1), ""));
}

static Build *build_of(LLVMValueRef call) {
  static const struct {
    const char *name;
    Build *build;
  } ROWS[] = {
      {"C2Ev", build_empty},     {"C1Ev", build_empty},         {"C2EmRKS1_", build_sized}, {"C1EmRKS1_", build_sized},
      {"D2Ev", build_nothing},   {"D1Ev", build_nothing},       {"5beginEv", build_begin},  {"3endEv", build_end},
      {"4sizeEv", build_size},   {"5emptyEv", build_is_empty},  {"ixEm", build_element},    {"4backEv", build_last},
      {"5frontEv", build_begin}, {"7reserveEm", build_nothing}, {"6resizeEm", build_sized}, {"5clearEv", build_empty}};
  const char *member = threads_member_of_vector(threads_callee(call));
  if (!member) return NULL;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (threads_is(member, ROWS[i].name)) return ROWS[i].build;
  return threads_begins(member, "12emplace_backIJ") && LLVMGetNumArgOperands(call) <= 16 && constructor_of(call)
             ? build_emplaced
             : NULL;
}

/* Is it a temporary that the vector is given, and that can be made there? */
static bool find_pushed(LLVMValueRef call, Temporary *t) {
  const LLVMValueRef temporary = LLVMGetNumArgOperands(call) == 2 ? LLVMGetOperand(call, 1) : NULL;
  return temporary && LLVMIsAAllocaInst(temporary) && threads_is_moved_by(call, temporary) &&
         threads_find_temporary(temporary, t) && threads_goes_straight(t);
}

/* Is all that is done with the vector known here? */
static bool is_vector(LLVMValueRef alloca) {
  bool found = false;
  Temporary t;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (threads_is_for_life(user)) continue;
    if (!threads_member_of_vector(threads_callee(user)) || !threads_is_first_alone(user, alloca)) return false;
    if (!build_of(user) && !find_pushed(user, &t)) return false;
    found = true;
  }
  return found;
}

static void lower_use(const Lowering *l, const Vector *v, LLVMValueRef user) {
  Build *const build = build_of(user);
  Temporary t;
  if (threads_is_for_life(user)) {
    threads_drop_life(user);
    return;
  }
  threads_build_before(l, user);
  if (build) {
    threads_replace(l, user, build(l, v, user));
    return;
  }
  const bool pushed = find_pushed(user, &t);
  assert(pushed);
  (void)pushed;
  LLVMSetOperand(user, 0, build_next(l, v));
  threads_make_in_place(l, &t);
}

static void lower_vector(const Lowering *l, LLVMValueRef alloca) {
  threads_build_before(l, alloca);
  const LLVMTypeRef table = LLVMArrayType(l->thread, MANY);
  const LLVMValueRef zeros[] = {threads_number(l, 0), threads_number(l, 0)};
  Vector v = {.vector = alloca};
  v.table =
      LLVMBuildInBoundsGEP2(l->builder, table, LLVMBuildAlloca(l->builder, table, ""), (LLVMValueRef *)zeros, 2, "");
  v.count = LLVMBuildAlloca(l->builder, l->word, "");
  for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca));) lower_use(l, &v, LLVMGetUser(use));
}

/* ---- iterators of vectors of threads ---- */

static bool is_iterator_call(const char *name) {
  return threads_begins(name, "_ZN9__gnu_cxxneIPSt6thread") || threads_begins(name, "_ZN9__gnu_cxxeqIPSt6thread") ||
         threads_begins(name, "_ZN9__gnu_cxx17__normal_iteratorIPSt6thread") ||
         threads_begins(name, "_ZNK9__gnu_cxx17__normal_iteratorIPSt6thread");
}

static bool ends(const char *name, const char *with) {
  const size_t n = strlen(name), m = strlen(with);
  return n >= m && threads_is(name + n - m, with);
}

static bool compares(const char *name) {
  return threads_begins(name, "_ZN9__gnu_cxxneI") || threads_begins(name, "_ZN9__gnu_cxxeqI");
}

static bool is_first_member(LLVMValueRef user) {
  if (!LLVMIsAGetElementPtrInst(user)) return false;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(user); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(user, i)) || LLVMConstIntGetZExtValue(LLVMGetOperand(user, i))) return false;
  return true;
}

static bool is_iterator_variable(LLVMValueRef value) {
  return LLVMIsAAllocaInst(value) && threads_is_of_class(value, "class.__gnu_cxx::__normal_iterator");
}

/* Are its arguments local variables? */
static bool has_iterators(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (!is_iterator_variable(LLVMGetOperand(call, i))) return false;
  return LLVMGetNumArgOperands(call) <= 2;
}

static bool is_iterator(LLVMValueRef alloca) {
  bool found = false;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    const char *name = threads_callee(user);
    if (threads_is_for_life(user) || is_first_member(user)) continue;
    if (!is_iterator_call(name) || !has_iterators(user)) return false;
    if (!compares(name) && !ends(name, "EdeEv") && !ends(name, "EptEv") &&
        !(ends(name, "EppEv") && !LLVMGetFirstUse(user)))
      return false;
    found = true;
  }
  return found;
}

/* An iterator is an address. */
static void lower_iterator_call(const Lowering *l, LLVMValueRef call) {
  const char *name = threads_callee(call);
  LLVMValueRef places[2], at[2];
  threads_build_before(l, call);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMValueRef iterator = LLVMGetOperand(call, i);
    const LLVMTypeRef address = LLVMStructGetTypeAtIndex(LLVMGetAllocatedType(iterator), 0);
    places[i] = LLVMBuildStructGEP2(l->builder, LLVMGetAllocatedType(iterator), iterator, 0, "");
    at[i] = LLVMBuildLoad2(l->builder, address, places[i], "");
  }
  if (compares(name)) {
    const LLVMIntPredicate is_same = threads_begins(name, "_ZN9__gnu_cxxneI") ? LLVMIntNE : LLVMIntEQ;
    threads_replace(l, call, LLVMBuildICmp(l->builder, is_same, at[0], at[1], ""));
    return;
  }
  if (ends(name, "EppEv")) {
    const LLVMValueRef table = LLVMBuildBitCast(l->builder, at[0], LLVMPointerType(l->thread, 0), "");
    LLVMBuildStore(l->builder,
                   LLVMBuildBitCast(l->builder, threads_element(l, table, threads_number(l, 1)), LLVMTypeOf(at[0]), ""),
                   places[0]);
  }
  threads_replace(l, call, at[0]);
}

/* The variable becomes one that is an address, which mem2reg understands. */
static void lower_iterator(const Lowering *l, LLVMValueRef alloca) {
  threads_build_before(l, alloca);
  const LLVMValueRef own = LLVMBuildAlloca(l->builder, LLVMStructGetTypeAtIndex(LLVMGetAllocatedType(alloca), 0), "");
  for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca));) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user)) {
      lower_iterator_call(l, user);
    } else if (threads_is_for_life(user)) {
      threads_drop_life(user);
    } else {
      LLVMReplaceAllUsesWith(user, own);
      LLVMInstructionEraseFromParent(user);
    }
  }
}

void threads_lower_vectors(const Lowering *l, LLVMValueRef function) {
  LLVMValueRef next, i = threads_next_local(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  for (; i; i = next) {
    next = threads_next_local(LLVMGetNextInstruction(i));
    if (threads_is_of_class(i, "class.std::vector") && is_vector(i)) lower_vector(l, i);
  }
}

/* Those that two of them are compared by become others' when the first one is lowered: so all are found before. */
void threads_lower_iterators(const Lowering *l, LLVMValueRef function) {
  enum { MOST = 64 };
  LLVMValueRef found[MOST];
  uint32_t n = 0;
  for (LLVMValueRef i = threads_next_local(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function))); i && n < MOST;
       i = threads_next_local(LLVMGetNextInstruction(i)))
    if (is_iterator_variable(i) && is_iterator(i)) found[n++] = i;
  for (uint32_t i = 0; i < n; i++) lower_iterator(l, found[i]);
}
