/* What is stored once more is what was stored; what is loaded once more is what was loaded, if nothing comes between:
 * each run is one still, with more reads and writes. If another thread writes there in between, or between two parts of
 * the access, it may be something else; but what is known of a word, wherever it is found, is shown of each write there
 * that is not over by then, so of that one, too. */
#include "frontend/c/member_pointers.h"

#include "frontend/c/members.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  LLVMTypeRef word, type; /* of a pointer: two words */
  LLVMBuilderRef builder;
} Lower;

enum { WORD = 8, DEEPEST = 16 };

/* ---- which pointers there are ---- */

typedef enum { ADDRESSES_NONE, ADDRESSES_FUNCTIONS, ADDRESSES_OTHERS } Addresses;

static bool is_function_address(LLVMValueRef word) {
  return LLVMIsAConstantExpr(word) && LLVMGetConstOpcode(word) == LLVMPtrToInt &&
         LLVMIsAFunction(LLVMGetOperand(word, 0));
}

static Addresses most(Addresses a, Addresses b) { return a > b ? a : b; }

/* What the pointers in a constant are; what is nested too deeply may be any. */
static Addresses find_in_constant(const Lower *l, LLVMValueRef value, uint32_t depth) {
  Addresses found = ADDRESSES_NONE;
  if (!LLVMIsAConstantStruct(value) && !LLVMIsAConstantArray(value)) return found;
  if (depth == DEEPEST) return ADDRESSES_OTHERS;
  if (LLVMTypeOf(value) == l->type) {
    const LLVMValueRef word = LLVMGetOperand(value, 0);
    if (is_function_address(word)) return ADDRESSES_FUNCTIONS;
    return LLVMIsNull(word) ? found : ADDRESSES_OTHERS;
  }
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    found = most(found, find_in_constant(l, LLVMGetOperand(value, (unsigned)i), depth + 1));
  return found;
}

static Addresses find_in_instruction(const Lower *l, LLVMValueRef i) {
  Addresses found = ADDRESSES_NONE;
  for (int n = 0; n < LLVMGetNumOperands(i); n++)
    found = most(found, find_in_constant(l, LLVMGetOperand(i, (unsigned)n), 0));
  return found;
}

#define EACH_INSTRUCTION(module, i)                                                                 \
  (LLVMValueRef f = LLVMGetFirstFunction(module); f;                                                \
   f = LLVMGetNextFunction(f)) for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;             \
                                    b = LLVMGetNextBasicBlock(                                      \
                                        b)) for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; \
                                                 i && (next = LLVMGetNextInstruction(i), true); i = next)

static Addresses find_addresses(const Lower *l, LLVMModuleRef module) {
  Addresses found = ADDRESSES_NONE;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetInitializer(g)) found = most(found, find_in_constant(l, LLVMGetInitializer(g), 0));
  for
    EACH_INSTRUCTION(module, i) found = most(found, find_in_instruction(l, i));
  return found;
}

/* ---- words ---- */

static void begin_behind(const Lower *l, LLVMValueRef i) {
  LLVMPositionBuilderBefore(l->builder, LLVMGetNextInstruction(i));
  LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(i));
}

/* The words of a value, before its uses: those of a constant, or of what has been loaded. */
static bool find_words(const Lower *l, LLVMValueRef value, LLVMValueRef words[2]) {
  if (LLVMIsAConstantStruct(value)) {
    for (unsigned n = 0; n < 2; n++) words[n] = LLVMGetOperand(value, n);
    return true;
  }
  if (!LLVMIsALoadInst(value)) return false;
  begin_behind(l, value);
  for (unsigned n = 0; n < 2; n++) {
    words[n] = LLVMBuildLoad2(l->builder, l->word,
                              members_address(l->builder, LLVMGetOperand(value, 0), n * WORD, l->word), "");
    LLVMSetAlignment(words[n], LLVMGetAlignment(value) < WORD ? LLVMGetAlignment(value) : WORD);
  }
  return true;
}

static void lower_store(const Lower *l, LLVMValueRef store) {
  const LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMValueRef words[2];
  if (LLVMTypeOf(value) != l->type || !find_words(l, value, words)) return;
  begin_behind(l, store);
  for (unsigned n = 0; n < 2; n++) {
    const LLVMValueRef to = members_address(l->builder, LLVMGetOperand(store, 1), n * WORD, l->word);
    const LLVMValueRef again = LLVMBuildStore(l->builder, words[n], to);
    LLVMSetAlignment(again, LLVMGetAlignment(store) < WORD ? LLVMGetAlignment(store) : WORD);
  }
  if (LLVMIsAConstantStruct(value)) LLVMSetOperand(store, 0, LLVMGetUndef(l->type));
}

/* A word that is taken out of what has been loaded. */
static void lower_pick(const Lower *l, LLVMValueRef pick) {
  const LLVMValueRef value = LLVMGetOperand(pick, 0);
  LLVMValueRef words[2];
  if (LLVMTypeOf(value) != l->type || !LLVMIsALoadInst(value) || !find_words(l, value, words)) return;
  LLVMReplaceAllUsesWith(pick, words[*LLVMGetIndices(pick)]);
  LLVMInstructionEraseFromParent(pick);
}

/* ---- calls ---- */

static bool is_instruction(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_number(LLVMValueRef value, uint64_t number) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

/* Is it the first word of a pointer that has been loaded as a whole, as nothing else is that has two words? */
static bool is_first_word(const Lower *l, LLVMValueRef value) {
  return LLVMIsAExtractValueInst(value) && *LLVMGetIndices(value) == 0 && LLVMIsALoadInst(LLVMGetOperand(value, 0)) &&
         LLVMTypeOf(LLVMGetOperand(value, 0)) == l->type;
}

/* Does a call ask whether it is one of a virtual function? It does what the compiler makes of a call, and no more: it
 * tests the lowest bit of the word, takes one away on the one way, and has the function's address on the other one. */
static bool asks_whether_virtual(const Lower *l, LLVMValueRef test) {
  bool becomes_address = false, loses_one = false;
  if (!is_instruction(test, LLVMAnd) || !is_number(LLVMGetOperand(test, 1), 1)) return false;
  const LLVMValueRef word = LLVMGetOperand(test, 0);
  if (!is_first_word(l, word)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(word); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    becomes_address |= is_instruction(user, LLVMIntToPtr);
    loses_one |= is_instruction(user, LLVMSub) && is_number(LLVMGetOperand(user, 1), 1);
    if (user != test && !is_instruction(user, LLVMIntToPtr) && !is_instruction(user, LLVMSub)) return false;
  }
  return becomes_address && loses_one;
}

void member_pointers_lower(LLVMModuleRef module) {
  const LLVMContextRef context = LLVMGetModuleContext(module);
  const LLVMTypeRef word = LLVMInt64TypeInContext(context);
  const Lower l = {word, LLVMStructTypeInContext(context, (LLVMTypeRef[]){word, word}, 2, false),
                   LLVMCreateBuilderInContext(context)};
  const Addresses addresses = find_addresses(&l, module);
  if (addresses == ADDRESSES_FUNCTIONS)
    for
      EACH_INSTRUCTION(module, i)
  if (asks_whether_virtual(&l, i)) LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
  if (addresses != ADDRESSES_NONE)
    for
      EACH_INSTRUCTION(module, i) {
        if (LLVMIsAStoreInst(i)) lower_store(&l, i);
        else if (LLVMIsAExtractValueInst(i)) lower_pick(&l, i);
      }
  LLVMDisposeBuilder(l.builder);
}
