/* self.h: where the running program is, and with it what was built or installed beside it. */
#ifndef BASE_SELF_H
#define BASE_SELF_H

#include <limits.h>
#include <stdint.h>

/* Writes the folder of the running program's file; "" if that is not known. */
void self_folder(char folder[PATH_MAX]);

/* A number of this build of the program: of its version, and of its build-id where the linker gave it one. */
uint64_t self_build(void);

#endif
