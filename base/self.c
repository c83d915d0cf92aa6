#include "base/self.h"

#include "base/hash.h"

#include <string.h>
#include <unistd.h>
#if defined __linux__ && defined _GNU_SOURCE
#include <link.h>
#endif

void self_folder(char folder[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  folder[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(folder, '/');
  *(slash ? slash : folder) = '\0';
}

#if defined __linux__ && defined _GNU_SOURCE
/* All notes of the first object, the program itself: the build-id is one. */
static int join_notes(struct dl_phdr_info *object, size_t size, void *hash) {
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *at = (const char *)(object->dlpi_addr + part->p_vaddr);
    if (part->p_type == PT_NOTE) *(uint64_t *)hash = hash_join(*(uint64_t *)hash, hash_bytes(at, part->p_memsz));
  }
  return 1;
}
#endif

uint64_t self_build(void) {
  uint64_t hash = hash_bytes(VERSION, strlen(VERSION));
#if defined __linux__ && defined _GNU_SOURCE
  dl_iterate_phdr(join_notes, &hash);
#endif
  return hash;
}
