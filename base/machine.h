/* machine.h: how much memory, and how many processors, this process may use. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdint.h>

/* Bytes: the machine's memory, or the least limit of the control groups of the process (those of a container, of a
 * batch job, of a service), if that is less; 0 if neither is known. Beyond it the kernel may kill the process. */
uint64_t machine_memory(void);

/* The least limit of control groups alone; 0: none. `groups` is a file like /proc/self/cgroup, `root` the folder in
 * which the groups are folders, "/sys/fs/cgroup". Both versions of control groups are understood (man 7 cgroups): a
 * group's limit, and those of the groups around it, count. */
uint64_t machine_group_limit(const char *groups, const char *root);

/* On how many processors this process may run; at least 1. */
uint32_t machine_processors(void);

#endif
