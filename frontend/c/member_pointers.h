/* member_pointers.h: C++'s pointers to member functions, in LLVM's module.
 *
 * `std::thread t(&Counter::add, &counter)`: such a pointer is two words, the address of a function, or one more than
 * where that is in the object's table of virtual functions; and what is added to the object's address. They are stored
 * and loaded as one structure. */
#ifndef FRONTEND_C_MEMBER_POINTERS_H
#define FRONTEND_C_MEMBER_POINTERS_H

struct LLVMOpaqueModule;

/* To be called once all of the program is in the module. Behind what stores such a pointer, or loads it, each of the
 * two words is stored, or loaded, once more, so that what it leads to is followed. Where none is of a virtual function,
 * each use of one calls the function that it is the address of. */
void member_pointers_lower(struct LLVMOpaqueModule *module);

#endif
