/* choice.c: a look at the table of RawChoice. */
#include "record/runtime.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const uint8_t *table;
static uintptr_t base, size; /* of the program's code */

static int find_base(struct dl_phdr_info *info, size_t unused, void *found) {
  (void)unused;
  if (info->dlpi_phdr != (const void *)getauxval(AT_PHDR)) return 0;
  *(uintptr_t *)found = info->dlpi_addr;
  return 1;
}

void choice_begin(int file) {
  const RawChoice *choice = &header->choice;
  struct stat status;
  if (!choice->wants || stat("/proc/self/exe", &status)) return;
  if (status.st_dev != choice->device || status.st_ino != choice->inode) return;
  void *at = mmap(NULL, choice->size, PROT_READ, MAP_SHARED, file, RAW_FIRST * RAW_CHUNK);
  if (at == MAP_FAILED || !dl_iterate_phdr(find_base, &base)) return;
  table = at;
  size = choice->size;
}

bool choice_is_on(void) { return table; }

/* A return address is after its call. */
static uint32_t bits_of(uintptr_t code) {
  const uintptr_t at = code - 1 - base;
  return at < size ? table[at] : 0;
}

bool choice_has(const Thread *t, uintptr_t code) {
  const uint32_t wants = header->choice.wants;
  if (wants & RAW_CHOICE_START && !atomic_load_explicit(&header->choice.started, memory_order_relaxed)) return false;
  if (wants & RAW_CHOICE_SAMPLE && !t->sampled) return false;
  return !(wants & RAW_CHOICE_BELOW) || bits_of(code) & RAW_CHOICE_BELOW;
}

void choice_enter(Thread *t, uintptr_t code) {
  const uint32_t bits = bits_of(code);
  if (bits & RAW_CHOICE_START) atomic_store_explicit(&header->choice.started, 1, memory_order_relaxed);
  if (bits & RAW_CHOICE_SAMPLE && !t->sampled) t->sampled = t->depth;
}
