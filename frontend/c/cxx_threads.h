/* cxx_threads.h: local std::threads in arrays and vectors, said in terms of C.
 *
 *     std::vector<std::thread> t;
 *     for (int i = 0; i < n; i++) t.emplace_back(work, i);
 *     for (auto &x : t) x.join();
 *
 * becomes `pthread_t t[MANY]; size_t count = 0; ... pthread_create(&t[count++], ...)`, and the loop one over t, so that
 * what is known of such loops in C (question_joined.c) holds here, too. `t[i] = std::thread(work, i)` creates the
 * thread in its place. docs/c.md says why no run is missed. */
#ifndef FRONTEND_C_CXX_THREADS_H
#define FRONTEND_C_CXX_THREADS_H

/* LLVMModuleRef is a pointer to this. */
struct LLVMOpaqueModule;

/* To be called when local variables have become values (mem2reg); that pass has to be run once more then. */
void cxx_threads_lower(struct LLVMOpaqueModule *module);

/* After that: threads of which it is asked whether they are joinable. */
void cxx_threads_settle(struct LLVMOpaqueModule *module);

#endif
