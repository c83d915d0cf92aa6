/* platform.h: whether the recorder can be built. It knows the registers, the loader and the C library of one platform.
 * The Makefile asks the compiler, which knows what it builds for, for the macros of this header. */
#ifndef RECORD_PLATFORM_H
#define RECORD_PLATFORM_H

#include <limits.h>

#if defined __x86_64__ && defined __LP64__ && defined __linux__ && defined __GLIBC__
#define RECORD_PLATFORM 1
#endif

#endif
