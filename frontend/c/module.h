/* module.h: a C program as the compiler leaves it before it optimises: functions of basic blocks of instructions, in
 * flat arrays. bitcode.h makes one from LLVM's bitcode; whatever comes after that knows nothing of LLVM.
 *
 * Every instruction has a number, and is the value that it computes. The parameters of a function are its first
 * instructions. What the analysis has no use for (arithmetic, conversions) is kept as C_MIX, a value that depends on
 * its operands in some way; what is not understood is C_STRANGE, which may do anything. */
#ifndef FRONTEND_C_MODULE_H
#define FRONTEND_C_MODULE_H

#include "base/arena.h"
#include "base/vec.h"
#include "frontend/c/effects.h"

#include <stdbool.h>

#define C_NONE UINT32_MAX

/* What an operand is. */
typedef enum {
  C_VALUE,    /* of the instruction `n` */
  C_INTEGER,  /* `number`; a null pointer is 0 */
  C_GLOBAL,   /* the address of the global `n`, and `number` bytes */
  C_FUNCTION, /* the address of the function `n` */
  C_ANYTHING  /* a constant that is neither an address nor a small integer: 1.5, undef */
} COperandKind;

typedef struct {
  COperandKind kind;
  uint32_t n;
  int64_t number; /* of a C_VALUE that is an index of an array with so many elements, a member of a structure: that
                     many, with a minus if it is the last member, which may go on behind the structure; 0: it is none */
} COperand;

/* What an instruction does with its operands. */
typedef enum {
  C_PARAMETER, /* the value that a call gives; no operand */
  C_ALLOCATE,  /* a local variable: its address */
  C_LOAD,      /* [0]: from there, `size` bytes; `number` 1: they need not lie where words of that size lie */
  C_STORE,     /* [0] to the address [1]; `number` likewise */
  C_UPDATE,    /* reads and writes [0] in one; [1] is the other operand; `number`: a CUpdate */
  C_SWAP,      /* compare-and-swap at [0]: if it is [1], store [2]; `number` 1: it may fail without a reason */
  C_OFFSET,    /* the address, or the number, [0] and `number` more; and [1] times the integer [2], [3] times [4], ...
                  [1], [3], ... are indices: COperand.number */
  C_MIX,       /* a value that depends on the operands, in the way of a CMix `number` */
  C_SAME,      /* the value of one of the operands, perhaps with more or fewer bits, or a part of it;
                  `number` 1: fewer than 8 */
  C_PICK,      /* of a C_SWAP [0] its field `number`: 0 the old value, 1 whether it has stored */
  C_MERGE,     /* one of the operands: the one that belongs to the block that control comes from (CModule.sources) */
  C_SELECT,    /* [0] ? [1] : [2] */
  C_COMPARE,   /* [0] with [1], by a CRelation `number` */
  C_CALL,      /* of [0], with the arguments that follow */
  C_COPY,      /* `size` bytes from the address [1] to the address [0]; 0: of unknown number */
  C_FILL,      /* `size` bytes at the address [0], with [1] in each */
  C_GOTO,      /* to a block: the only one of its successors */
  C_BRANCH,    /* to the first of its two successors where [0] is true, else to the second */
  C_SWITCH,    /* to its successor n + 1 where [0] is the operand n + 1, to the first one if it is none of them */
  C_RETURN,    /* with the value [0], if there is one */
  C_STOP,      /* never gets here */
  C_STRANGE    /* what is not understood: CInstruction.text says what */
} CKind;

/* C_MIX_SOMEHOW: whatever; the others compute a number from two. */
typedef enum {
  C_MIX_SOMEHOW,
  C_MIX_ADD,
  C_MIX_SUBTRACT,
  C_MIX_MULTIPLY,
  C_MIX_DIVIDE,
  C_MIX_REMAINDER,
  C_MIX_AND,  /* of bits */
  C_MIX_XOR,  /* of bits */
  C_MIX_SHIFT /* to the right */
} CMix;

/* C_UPDATE_EXCHANGE stores the other operand; the next two add it, and subtract it. */
typedef enum { C_UPDATE_SOMEHOW, C_UPDATE_EXCHANGE, C_UPDATE_ADD, C_UPDATE_SUBTRACT } CUpdate;

/* C_BELOW, C_ABOVE and so on are C_LESS, C_GREATER and so on of numbers without a sign. */
typedef enum {
  C_EQUAL,
  C_UNEQUAL,
  C_LESS,
  C_LESS_EQUAL,
  C_GREATER,
  C_GREATER_EQUAL,
  C_BELOW,
  C_BELOW_EQUAL,
  C_ABOVE,
  C_ABOVE_EQUAL,
  C_OTHERWISE
} CRelation;

/* Where something stands in the source; 0 is unknown. */
typedef struct {
  uint32_t file, line, column; /* file: of CModule.files */
} CPlace;

typedef struct {
  CKind kind;
  uint32_t operands, n_operands; /* of CModule.operands */
  uint32_t block;                /* of CModule.blocks */
  uint64_t size; /* bytes; of C_SAME, C_MIX, C_MERGE, C_SELECT, C_PARAMETER, C_CALL, and C_OFFSET of a number: the bits
                    of the result; 0: it is no number */
  int64_t number;
  uint64_t structure; /* C_OFFSET: [0] is the address of a structure of so many bytes; 0: that is not known */
  uint64_t element;   /* likewise, of an element of an array, and it goes on by elements */
  uint64_t array;   /* likewise, of an array of so many bytes, with elements of `element`: it goes on to one of them */
  bool is_atomic;   /* C_LOAD, C_STORE: it is an atomic operation, as C_UPDATE and C_SWAP always are */
  bool is_signed;   /* C_OFFSET, C_MIX, C_SAME: the result is that of the operands as numbers with a sign, and does not
                       wrap around, if the program does nothing undefined; C_COMPARE: it is one of numbers, not of
                       addresses */
  bool is_free;     /* C_MIX: its operands do not say what it is: assembler, which may read a clock */
  bool is_unknown;  /* C_MIX: it may be an address that is not known */
  bool is_cut;      /* C_SAME: it has fewer bits than its operand, or that one has fewer than 32 */
  const char *text; /* of C_STRANGE; of C_ALLOCATE the variable's name, or "" */
  CPlace place;
} CInstruction;

typedef struct {
  uint32_t start, end;               /* of CModule.instructions; the last one says where control goes */
  uint32_t successors, n_successors; /* of CModule.successors: numbers of blocks */
  bool repeats;                      /* control may come back to it within its function call */
  uint32_t first;                    /* of CModule.blocks: of its function */
  size_t ways; /* of CModule.ways: from here a bit for each block of the function, to which control may come from behind
                  this one; SIZE_MAX: there are too many */
} CBlock;

typedef struct {
  const char *name, *shown;    /* as it is linked; as it is in the source */
  uint32_t start, end;         /* of CModule.instructions; the parameters first */
  uint32_t n_parameters;       /* so many of them */
  uint32_t blocks, blocks_end; /* of CModule.blocks, the entry first; none: it is defined elsewhere */
  bool is_defined, is_variadic;
  bool is_scope;        /* what it calls shares no context with what others call (points.h): it has marked blocks */
  const Effect *effect; /* what it does, if it is not defined */
  CPlace place;
} CFunction;

/* A value that a global has at the start. What has none is 0. */
typedef struct {
  uint64_t offset, size;
  COperand value;
} CInitial;

typedef struct {
  const char *name; /* as it is in the source */
  uint64_t size;
  bool is_defined, is_constant, is_local; /* is_local: each thread has its own */
  uint32_t initials, n_initials;          /* of CModule.initials */
  const char *string;                     /* its bytes, if they are a string, else NULL */
} CGlobal;

static inline bool cglobal_is_text(const CGlobal *global) {
  return global->string && global->is_constant && global->is_defined && !global->is_local;
}

/* What the program does and the module does not have. */
typedef struct {
  const char *what;
  CPlace place;
} CLack;

typedef struct {
  Heap *heap;
  Arena arena;
  VEC(CLack) lacks;
  VEC(const char *) files; /* files[0] is the input */
  VEC(CFunction) functions;
  VEC(CGlobal) globals;
  VEC(CBlock) blocks;
  VEC(CInstruction) instructions;
  VEC(COperand) operands;
  U32Vec sources; /* per operand; of a C_MERGE: the block that control comes from */
  U32Vec successors;
  VEC(uint64_t) ways;
  VEC(CInitial) initials;
} CModule;

/* An empty one; all that is added to it comes from the heap. */
void cmodule_init(CModule *module, Heap *heap);
void cmodule_fini(CModule *module);

/* Once everything else is there: sets CBlock.repeats, `first` and `ways`. */
void cmodule_finish(CModule *module);

/* How often at most control comes to the block in one call of its function: where it is in a loop that counts, from a
 * constant to a constant, and in no other one. 0: that is not known. */
uint64_t cmodule_trips(const CModule *module, uint32_t block);

/* Can control come from the one block to the other one, of the same function, or are they the same; without that third
 * block, which may be C_NONE? */
bool cmodule_reaches(const CModule *module, uint32_t from, uint32_t to, uint32_t without);

/* Likewise, from behind the one block: to itself, it can if it is gone back to. Not to `without`. */
bool cmodule_comes(const CModule *module, uint32_t from, uint32_t to, uint32_t without);

/* Is it certainly an address in an object, and no NULL? */
bool cmodule_is_object(const CModule *module, const COperand *operand);

/* The number that is in these bytes of a global at the start. False if that is not known. */
bool cmodule_initial(const CModule *module, uint32_t global, uint64_t from, uint64_t to, int64_t *number);

/* The function of that name, or C_NONE. */
uint32_t cmodule_function(const CModule *module, const char *name);

static inline const COperand *cmodule_operand(const CModule *module, const CInstruction *i, uint32_t n) {
  return &module->operands.at[i->operands + n];
}

#endif
