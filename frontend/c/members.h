/* members.h: members of structures in local variables, and copies of structures, in LLVM's terms. */
#ifndef FRONTEND_C_MEMBERS_H
#define FRONTEND_C_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct LLVMOpaqueBuilder;
struct LLVMOpaqueTargetData;
struct LLVMOpaqueType;
struct LLVMOpaqueValue;

/* Is it the address of that variable, or of a member in it? *offset: how many bytes behind the beginning that is. */
bool members_find(struct LLVMOpaqueTargetData *layout, struct LLVMOpaqueValue *address,
                  struct LLVMOpaqueValue *variable, uint64_t *offset);

/* Builds the address of what has that type, so many bytes behind the beginning of a structure. */
struct LLVMOpaqueValue *members_address(struct LLVMOpaqueBuilder *builder, struct LLVMOpaqueValue *structure,
                                        uint64_t offset, struct LLVMOpaqueType *type);

/* The alignment of a member, if what argument 0, or 1, of a copy leads to has as much; else that of the latter. */
unsigned members_alignment(struct LLVMOpaqueValue *copy, unsigned argument, unsigned own);

/* Is it a call of an intrinsic function whose name begins like that? */
bool members_is_intrinsic(struct LLVMOpaqueValue *call, const char *name);

/* Is it one that copies, as an assignment of a structure is one? */
bool members_is_copy(struct LLVMOpaqueValue *i);

#endif
