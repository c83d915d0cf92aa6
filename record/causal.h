/* causal.h: marks blocks of a program that are meant to be atomic, for the recorder. C and C++.
 *
 *     ATOMIC_BEGIN("deposit");
 *     balance += amount;
 *     ATOMIC_END();
 *
 * The two belong to the same function call; blocks nest. The name is a string that lives as long as the program.
 * Without `tracerec cc` both are nothing. */
#ifndef CAUSAL_H
#define CAUSAL_H

#if defined CAUSAL_RECORD
#ifdef __cplusplus
extern "C" {
#endif
/* For the macros below. They log the begin and the end of a block, where the thread is recorded. */
void causal_atomic_begin(const char *name);
void causal_atomic_end(void);
#ifdef __cplusplus
}
#endif
#define ATOMIC_BEGIN(name) causal_atomic_begin(name)
#define ATOMIC_END() causal_atomic_end()
#else
#define ATOMIC_BEGIN(name) ((void)0)
#define ATOMIC_END() ((void)0)
#endif

#endif
