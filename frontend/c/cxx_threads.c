#include "frontend/c/cxx_threads.h"

#include "frontend/c/cxx_threads_inside.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

enum { FAR = 64 }; /* instructions that are looked at in a row */

/* ---- looking at instructions ---- */

const char *threads_callee(LLVMValueRef i) {
  size_t length;
  const LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

bool threads_begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

bool threads_is(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* Constructors and destructors have two names. */
bool threads_is_made(const char *name) {
  return threads_begins(name, "_ZNSt6threadC2I") || threads_begins(name, "_ZNSt6threadC1I");
}
bool threads_is_destroyed(const char *name) {
  return threads_is(name, "_ZNSt6threadD2Ev") || threads_is(name, "_ZNSt6threadD1Ev");
}

/* What comes after the name of std::vector<std::thread>; NULL: it is no member of that. */
const char *threads_member_of_vector(const char *name) {
  static const char *const NAMES[] = {"_ZNSt6vectorISt6threadSaIS0_EE", "_ZNKSt6vectorISt6threadSaIS0_EE"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (threads_begins(name, NAMES[i])) return name + strlen(NAMES[i]);
  return NULL;
}

/* Likewise of std::array<std::thread, n>. */
static const char *member_of_array(const char *name, uint64_t *n) {
  static const char *const NAMES[] = {"_ZNSt5arrayISt6threadLm", "_ZNKSt5arrayISt6threadLm"};
  char *end;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (!threads_begins(name, NAMES[i])) continue;
    *n = strtoull(name + strlen(NAMES[i]), &end, 10);
    if (threads_begins(end, "EE")) return end + 2;
  }
  return NULL;
}

static bool is_life(LLVMValueRef i) { return threads_begins(threads_callee(i), "llvm.lifetime."); }

static bool has_uses_for_life_alone(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
    if (!is_life(LLVMGetUser(use))) return false;
  return true;
}

bool threads_is_for_life(LLVMValueRef user) { return LLVMIsABitCastInst(user) && has_uses_for_life_alone(user); }

void threads_drop_life(LLVMValueRef address) {
  for (LLVMUseRef use; (use = LLVMGetFirstUse(address));) LLVMInstructionEraseFromParent(LLVMGetUser(use));
  LLVMInstructionEraseFromParent(address);
}

/* Is the value one of the call's arguments, and that is the first one alone? */
bool threads_is_first_alone(LLVMValueRef call, LLVMValueRef value) {
  for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetOperand(call, i) == value) return false;
  return LLVMGetNumArgOperands(call) && LLVMGetOperand(call, 0) == value;
}

/* ---- building ---- */

void threads_build_before(const Lowering *l, LLVMValueRef i) {
  LLVMPositionBuilderBefore(l->builder, i);
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(i));
}

void threads_replace(const Lowering *l, LLVMValueRef old, LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(old);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) value = LLVMBuildBitCast(l->builder, value, type, "");
  if (LLVMGetTypeKind(type) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(old, value);
  LLVMInstructionEraseFromParent(old);
}

LLVMValueRef threads_element(const Lowering *l, LLVMValueRef table, LLVMValueRef index) {
  return LLVMBuildInBoundsGEP2(l->builder, l->thread, table, &index, 1, "");
}

LLVMValueRef threads_number(const Lowering *l, uint64_t n) { return LLVMConstInt(l->word, n, false); }

/* ---- a thread that is moved to where it stays ---- */

bool threads_is_moved_by(LLVMValueRef call, LLVMValueRef temporary) {
  const char *name = threads_callee(call), *member = threads_member_of_vector(name);
  const bool moves =
      threads_is(name, "_ZNSt6threadaSEOS_") ||
      (member && (threads_is(member, "9push_backEOS0_") || threads_begins(member, "12emplace_backIJS0_EEE")));
  return moves && LLVMGetOperand(call, 1) == temporary && LLVMGetOperand(call, 0) != temporary;
}

/* It is made once and moved once, and nothing else is done but to destroy it. */
bool threads_find_temporary(LLVMValueRef alloca, Temporary *t) {
  *t = (Temporary){.temporary = alloca};
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    if (threads_is_for_life(user) || threads_is_destroyed(threads_callee(user))) continue;
    if (threads_is_made(threads_callee(user)) && threads_is_first_alone(user, alloca) && !t->made) t->made = user;
    else if (threads_is_moved_by(user, alloca) && !t->moved) t->moved = user;
    else return false;
  }
  return t->made && t->moved;
}

/* Is it a local integer that no other thread knows of: all that is done with its address is to give it to constructors
 * of threads, which copy it? */
static bool is_own(LLVMValueRef address) {
  if (!LLVMIsAAllocaInst(address) || LLVMGetTypeKind(LLVMGetAllocatedType(address)) != LLVMIntegerTypeKind)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    const char *name = threads_callee(user), *member = threads_member_of_vector(name);
    const bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address;
    if (!stores && !LLVMIsALoadInst(user) && !threads_is_for_life(user) && !threads_is_made(name) &&
        !(member && threads_begins(member, "12emplace_backIJ")))
      return false;
  }
  return true;
}

/* Has the instruction nothing to do with other threads, so that it may as well be done before one is created? */
static bool is_silent(LLVMValueRef i) {
  const char *name = threads_callee(i), *member = threads_member_of_vector(name);
  uint64_t n;
  if (LLVMIsALoadInst(i)) return is_own(LLVMGetOperand(i, 0)) && !LLVMGetVolatile(i);
  if (!member) member = member_of_array(name, &n);
  if (member) return threads_is(member, "ixEm");
  return LLVMIsAGetElementPtrInst(i) || LLVMIsACastInst(i) || LLVMIsABinaryOperator(i) ||
         threads_begins(name, "llvm.dbg.");
}

/* From the constructor control goes straight on to where the thread is moved. */
bool threads_goes_straight(const Temporary *t) {
  LLVMValueRef i = LLVMGetNextInstruction(t->made);
  for (int steps = 0; steps < FAR && i != t->moved; steps++) {
    if (LLVMIsABranchInst(i) && !LLVMIsConditional(i)) {
      const LLVMBasicBlockRef next = LLVMGetSuccessor(i, 0);
      const LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
      if (!use || LLVMGetNextUse(use)) return false; /* control comes from elsewhere, too */
      i = LLVMGetFirstInstruction(next);
      continue;
    }
    if (!is_silent(i)) return false;
    i = LLVMGetNextInstruction(i);
  }
  return i == t->moved;
}

/* The constructor, for another place, at the builder's. */
static void make_at(const Lowering *l, LLVMValueRef made, LLVMValueRef place) {
  const LLVMValueRef copy = LLVMInstructionClone(made);
  LLVMSetOperand(copy, 0, LLVMBuildBitCast(l->builder, place, LLVMTypeOf(LLVMGetOperand(made, 0)), ""));
  LLVMInsertIntoBuilder(l->builder, copy);
}

/* `place = std::thread(...)` makes it in its place. The temporary has no handle. */
void threads_make_in_place(const Lowering *l, const Temporary *t) {
  threads_build_before(l, t->made);
  const LLVMValueRef none = LLVMConstNull(l->word);
  LLVMBuildStore(l->builder, none, LLVMBuildBitCast(l->builder, t->temporary, LLVMPointerType(l->word, 0), ""));
  threads_build_before(l, t->moved);
  const LLVMValueRef place = LLVMGetOperand(t->moved, 0);
  make_at(l, t->made, place);
  threads_replace(l, t->moved, place);
  LLVMInstructionEraseFromParent(t->made);
}

/* ---- arrays ---- */

/* std::array<std::thread, n> is n of them. */
static void lower_array_call(const Lowering *l, LLVMValueRef call) {
  uint64_t n;
  const char *member = member_of_array(threads_callee(call), &n);
  if (!member) return;
  const bool indexed = threads_is(member, "ixEm"),
             begins_it = threads_is(member, "5beginEv") || threads_is(member, "4dataEv"),
             ends_it = threads_is(member, "3endEv");
  if (!indexed && !begins_it && !ends_it && !threads_is(member, "4sizeEv")) return;
  threads_build_before(l, call);
  const LLVMValueRef table = LLVMBuildBitCast(l->builder, LLVMGetOperand(call, 0), LLVMPointerType(l->thread, 0), "");
  if (threads_is(member, "4sizeEv")) threads_replace(l, call, threads_number(l, n));
  else
    threads_replace(l, call,
                    threads_element(l, table, indexed ? LLVMGetOperand(call, 1) : threads_number(l, ends_it ? n : 0)));
}

/* ---- numbers that threads are given ---- */

/* Gives the call a copy, so that mem2reg makes a value of the variable. */
static void copy_argument(const Lowering *l, LLVMValueRef call, unsigned argument) {
  const LLVMValueRef variable = LLVMGetOperand(call, argument);
  const LLVMTypeRef type = LLVMGetAllocatedType(variable);
  threads_build_before(l, variable);
  const LLVMValueRef copy = LLVMBuildAlloca(l->builder, type, "");
  threads_build_before(l, call);
  LLVMBuildStore(l->builder, LLVMBuildLoad2(l->builder, type, variable, ""), copy);
  LLVMSetOperand(call, argument, copy);
}

static void lower_number(const Lowering *l, LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    const LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call)) continue;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
      if (LLVMGetOperand(call, i) == variable) copy_argument(l, call, i);
    next = LLVMGetFirstUse(variable);
  }
}

/* ---- all of it ---- */

bool threads_is_of_class(LLVMValueRef alloca, const char *name) {
  const LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return false;
  const char *own = LLVMGetStructName(type);
  return own && threads_begins(own, name);
}

/* The next local variable from this instruction on, of those that are declared in one block. */
LLVMValueRef threads_next_local(LLVMValueRef i) {
  while (i && !LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
  return i;
}

static void make_all_in_place(const Lowering *l, LLVMValueRef function) {
  Temporary t;
  for (LLVMValueRef i = threads_next_local(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function))); i;
       i = threads_next_local(LLVMGetNextInstruction(i)))
    if (threads_is_of_class(i, "class.std::thread") && threads_find_temporary(i, &t) && threads_goes_straight(&t) &&
        threads_is(threads_callee(t.moved), "_ZNSt6threadaSEOS_"))
      threads_make_in_place(l, &t);
}

static void lower_numbers(const Lowering *l, LLVMValueRef function) {
  LLVMValueRef next, i = threads_next_local(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  for (; i; i = next) {
    next = threads_next_local(LLVMGetNextInstruction(i));
    if (is_own(i)) lower_number(l, i);
  }
}

static void lower_arrays(const Lowering *l, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      lower_array_call(l, i);
    }
}

static void for_each_function(const Lowering *l, Lower *lower) {
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) lower(l, f);
}

/* ---- joinable ---- */

static bool is_joined_alone(LLVMValueRef handle) {
  for (LLVMUseRef use = LLVMGetFirstUse(handle); use; use = LLVMGetNextUse(use))
    if (!threads_is(threads_callee(LLVMGetUser(use)), "pthread_join")) return false;
  return true;
}

/* Addresses of threads in an array, and whether each is used for nothing but to make a thread there, and to join it. */
typedef struct {
  LLVMValueRef at[64];
  uint32_t n;
  bool all_known;
} Addresses;

static void add_address(Addresses *a, LLVMValueRef address) {
  enum { MOST = sizeof a->at / sizeof *a->at };
  for (uint32_t i = 0; i < a->n; i++)
    if (a->at[i] == address) return;
  if (a->n == MOST) a->all_known = false;
  else a->at[a->n++] = address;
}

bool asks(LLVMValueRef call) { return threads_is(threads_callee(call), "_ZNKSt6thread8joinableEv"); }

static void look_at_user(Addresses *a, LLVMValueRef address, LLVMValueRef user) {
  const char *name = threads_callee(user);
  const bool makes =
      threads_is_made(name) || threads_is(name, "_ZNSt6threadC2Ev") || threads_is(name, "_ZNSt6threadC1Ev");
  if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAPHINode(user)) add_address(a, user);
  else if (LLVMIsALoadInst(user)) a->all_known &= is_joined_alone(user);
  else if (makes || threads_is_destroyed(name)) a->all_known &= threads_is_first_alone(user, address);
  else a->all_known &= asks(user) || is_life(user) || LLVMIsAICmpInst(user);
}

static void find_addresses(Addresses *a, LLVMValueRef array) {
  *a = (Addresses){.all_known = true};
  add_address(a, array);
  for (uint32_t i = 0; i < a->n; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(a->at[i]); use; use = LLVMGetNextUse(use))
      look_at_user(a, a->at[i], LLVMGetUser(use));
}

/* From here on, is a thread joined at most, until control comes to the block? */
static bool comes_to(LLVMValueRef i, LLVMBasicBlockRef block) {
  for (int steps = 0; steps < FAR; steps++) {
    const bool goes_on = LLVMIsABranchInst(i) && !LLVMIsConditional(i);
    const char *name = threads_callee(i);
    if (goes_on && LLVMGetSuccessor(i, 0) == block) return true;
    if (!goes_on && !LLVMIsABitCastInst(i) && !LLVMIsALoadInst(i) && !threads_is(name, "pthread_join") &&
        !threads_begins(name, "llvm.dbg."))
      return false;
    i = goes_on ? LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0)) : LLVMGetNextInstruction(i);
  }
  return false;
}

/* The branch of `if (x.joinable()) x.join();`, where nothing else depends on what is asked; or NULL. */
static LLVMValueRef guard_of(LLVMValueRef call) {
  const LLVMUseRef use = LLVMGetFirstUse(call);
  const LLVMValueRef branch = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  if (!branch || !LLVMIsABranchInst(branch)) return NULL;
  const LLVMBasicBlockRef behind = LLVMGetSuccessor(branch, 1);
  const LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetSuccessor(branch, 0));
  return !LLVMIsAPHINode(LLVMGetFirstInstruction(behind)) && comes_to(first, behind) ? branch : NULL;
}

static void join_always(const Lowering *l, LLVMValueRef call) {
  const LLVMValueRef branch = guard_of(call);
  if (!branch) return;
  threads_build_before(l, branch);
  LLVMBuildBr(l->builder, LLVMGetSuccessor(branch, 0));
  LLVMInstructionEraseFromParent(branch);
  LLVMInstructionEraseFromParent(call);
}

/* What is not joinable was never created, or has been joined: in the model nobody waits for it either. */
static void lower_joinable(const Lowering *l, LLVMValueRef array) {
  Addresses a;
  find_addresses(&a, array);
  for (uint32_t i = 0; i < a.n && a.all_known; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(a.at[i]), next; use; use = next) {
      const LLVMValueRef user = LLVMGetUser(use);
      next = LLVMGetNextUse(use);
      if (asks(user)) join_always(l, user);
    }
}

static void lower_all_joinable(const Lowering *l, LLVMValueRef function) {
  for (LLVMValueRef i = threads_next_local(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function))); i;
       i = threads_next_local(LLVMGetNextInstruction(i))) {
    const LLVMTypeRef type = LLVMGetAllocatedType(i);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetElementType(type) == l->thread) lower_joinable(l, i);
  }
}

/* ---- the whole ---- */

static void lower_with(LLVMModuleRef module, Lower *const *lower, uint32_t n) {
  const LLVMContextRef context = LLVMGetModuleContext(module);
  const LLVMTypeRef thread = LLVMGetTypeByName2(context, "class.std::thread");
  if (!thread) return;
  const Lowering l = {module, LLVMCreateBuilderInContext(context), thread, LLVMInt64TypeInContext(context)};
  for (uint32_t i = 0; i < n; i++) for_each_function(&l, lower[i]);
  LLVMDisposeBuilder(l.builder);
}

void cxx_threads_lower(LLVMModuleRef module) {
  static Lower *const LOWER[] = {threads_lower_vectors, threads_lower_iterators, make_all_in_place, lower_arrays,
                                 lower_numbers};
  lower_with(module, LOWER, sizeof LOWER / sizeof *LOWER);
}

void cxx_threads_settle(LLVMModuleRef module) {
  static Lower *const LOWER[] = {lower_all_joinable};
  lower_with(module, LOWER, 1);
}
