/* An exception is looked for a handler, function by function outwards, before anything is undone. If there is none, the
 * process ends at once; and so it does where a function that must not throw is come to, but there the destructors on
 * the way are run before. So of each function three things are asked: may an exception that leaves it come to a
 * handler, to such a function, to one after destructors? What calls it says so: the least solution. A pointer may lead
 * to each function whose address is taken, and a function that is not in the module may call each of these, too. */
#include "frontend/c/throws.h"

#include "base/intern.h"
#include "base/vec.h"
#include "frontend/c/effects.h"

#include <llvm-c/Core.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { CAUGHT = 1, STOPPED = 2, UNDONE = 4 };

/* What a call is left by when an exception comes. */
typedef enum { WAY_OUT, WAY_CLEANUP, WAY_STOP, WAY_HANDLER } Way;

typedef struct {
  LLVMValueRef call;
  uint32_t caller, callee; /* callee: ANYBODY, NOBODY, or a function */
  Way way;
} Site;

enum { ANYBODY = 0, NOBODY = 1, FIRST = 2 };

typedef struct {
  Heap *heap;
  LLVMModuleRef module;
  Intern functions; /* LLVM's pointers, as bytes: from FIRST on */
  U32Vec fates;     /* per function: bits of the above */
  U32Vec taken;     /* functions whose addresses are taken */
  VEC(Site) sites, throws;
} Throws;

static const char *name_of(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* "_ZSt20__throw_system_errori": what libstdc++ throws by; the part behind "__throw_". NULL: it is none of these. */
static const char *thrown_by(const char *name) {
  if (!starts(name, "_ZSt")) return NULL;
  for (name += 4; isdigit((unsigned char)*name);) name++;
  return starts(name, "__throw_") ? name + strlen("__throw_") : NULL;
}

static bool is_throw(const char *name) {
  return strcmp(name, "__cxa_throw") == 0 || strcmp(name, "__cxa_rethrow") == 0 || thrown_by(name);
}

/* Is it thrown only where memory does not suffice? */
static bool wants_memory(const char *name) {
  const char *what = thrown_by(name);
  return what && (starts(what, "bad_alloc") || starts(what, "bad_array_new_length") || starts(what, "length_error"));
}

/* ---- the way out of a call ---- */

/* What the first call in the block calls, unless it only says something to the debugger; "" if there is none. */
static const char *first_called(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsAInvokeInst(i)) return "an invoke";
    if (!LLVMIsACallInst(i)) continue;
    const LLVMValueRef callee = LLVMGetCalledValue(i);
    if (!LLVMIsAFunction(callee)) return "a pointer";
    if (!starts(name_of(callee), "llvm.")) return name_of(callee);
  }
  return "";
}

/* Does control, come to this block, end the process, with no destructor before? clang makes such blocks for functions
 * that must not throw. */
static bool terminates(LLVMBasicBlockRef block) {
  enum { MOST = 16 };
  for (int n = 0; n < MOST && !*first_called(block); n++) {
    const LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(last) || LLVMIsConditional(last)) return false;
    block = LLVMGetSuccessor(last, 0);
  }
  return strcmp(first_called(block), "__clang_call_terminate") == 0;
}

static Way way_of(LLVMValueRef call) {
  if (!LLVMIsAInvokeInst(call)) return WAY_OUT;
  const LLVMBasicBlockRef block = LLVMGetUnwindDest(call);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsALandingPadInst(i)) continue;
    if (LLVMGetNumClauses(i) == 0) return WAY_CLEANUP;
    return terminates(block) ? WAY_STOP : WAY_HANDLER;
  }
  return WAY_HANDLER;
}

/* What becomes of an exception that leaves a call, where that becomes of one that leaves the caller. */
static uint32_t fate_of(Way way, uint32_t caller) {
  switch (way) {
  case WAY_OUT: return caller;
  case WAY_CLEANUP: return caller & STOPPED ? caller | UNDONE : caller;
  case WAY_STOP: return STOPPED;
  case WAY_HANDLER: break;
  }
  return CAUGHT;
}

/* ---- who calls whom ---- */

static uint32_t number_of(Throws *t, LLVMValueRef function) {
  const uint32_t number = intern_add(&t->functions, (const char *)&function, sizeof function, NULL) + FIRST;
  while (t->fates.n <= number) vec_push(t->heap, &t->fates, 0);
  return number;
}

/* A function of the library that calls nothing of the program. */
static bool calls_nobody(const char *name) {
  static const EffectVec none = {0};
  static const char *const STARTS[] = {"__cxa_", "llvm.", "_ZNSt6thread", "_ZNSt18condition_variable"};
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
    if (starts(name, STARTS[i])) return true;
  const CallKind kind = effect_of(&none, name)->kind;
  return is_throw(name) || (kind != CALL_UNKNOWN && kind != CALL_BACK && kind != CALL_ONCE);
}

static uint32_t callee_of(Throws *t, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  while (LLVMIsAConstantExpr(callee) || LLVMIsAGlobalAlias(callee))
    callee = LLVMIsAGlobalAlias(callee) ? LLVMAliasGetAliasee(callee) : LLVMGetOperand(callee, 0);
  if (!LLVMIsAFunction(callee)) return ANYBODY;
  if (!LLVMIsDeclaration(callee)) return number_of(t, callee);
  return calls_nobody(name_of(callee)) ? NOBODY : ANYBODY;
}

/* The compiler says that no exception leaves it. */
static bool keeps_all(LLVMValueRef call) {
  const unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) ||
         (LLVMIsAFunction(callee) &&
          LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind));
}

static void add_call(Throws *t, uint32_t caller, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  const Site site = {call, caller, callee_of(t, call), way_of(call)};
  if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) && is_throw(name_of(callee)))
    vec_push(t->heap, &t->throws, site);
  else if (site.callee != NOBODY && !keeps_all(call)) vec_push(t->heap, &t->sites, site);
}

/* Is it used in any other way than to call it? */
static bool is_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function) return true;
  }
  return false;
}

static void add_function(Throws *t, LLVMValueRef function) {
  const uint32_t number = number_of(t, function);
  if (is_taken(function)) vec_push(t->heap, &t->taken, number);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) add_call(t, number, i);
}

/* ---- the least solution ---- */

static bool add_fate(Throws *t, uint32_t number, uint32_t fate) {
  const bool more = fate & ~t->fates.at[number];
  t->fates.at[number] |= fate;
  return more;
}

static bool go_round(Throws *t) {
  bool more = false;
  for (uint32_t i = 0; i < t->sites.n; i++) {
    const Site *s = &t->sites.at[i];
    more |= add_fate(t, s->callee, fate_of(s->way, t->fates.at[s->caller]));
  }
  for (uint32_t i = 0; i < t->taken.n; i++) more |= add_fate(t, t->taken.at[i], t->fates.at[ANYBODY]);
  return more;
}

/* ---- the whole ---- */

/* The call becomes one of abort(), with arguments that it has no use for. */
static void stop_at(Throws *t, LLVMValueRef call) {
  const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(t->module)), NULL, 0, false);
  const LLVMTypeRef as = LLVMTypeOf(LLVMGetCalledValue(call));
  LLVMValueRef stop = LLVMGetNamedFunction(t->module, "abort");
  if (!stop) stop = LLVMAddFunction(t->module, "abort", type);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, LLVMConstBitCast(stop, as));
}

void throws_lower(Heap *heap, LLVMModuleRef module) {
  Throws throws = {.heap = heap, .module = module}, *t = &throws;
  intern_init(&t->functions, heap);
  for (uint32_t n = 0; n < FIRST; n++) vec_push(heap, &t->fates, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) add_function(t, f);
  while (go_round(t)) {}
  for (uint32_t i = 0; i < t->throws.n; i++) {
    const Site *s = &t->throws.at[i];
    const bool seen = fate_of(s->way, t->fates.at[s->caller]) & (CAUGHT | UNDONE);
    if (!seen || wants_memory(name_of(LLVMGetCalledValue(s->call)))) stop_at(t, s->call);
  }
  intern_fini(&t->functions);
  vec_fini(heap, &t->fates);
  vec_fini(heap, &t->taken);
  vec_fini(heap, &t->sites);
  vec_fini(heap, &t->throws);
}
