#include "base/machine.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of a folder that stands for /sys/fs/cgroup, "groups" among them, which stands for /proc/self/cgroup. */
static char root[64];
static const char *const FILES[] = {"groups",
                                    "memory.max",
                                    "a/memory.max",
                                    "a/b/memory.max",
                                    "memory/memory.limit_in_bytes",
                                    "memory/a/memory.limit_in_bytes"};
static const char *const FOLDERS[] = {"a", "a/b", "memory", "memory/a"};
enum { N_FILES = sizeof FILES / sizeof *FILES, N_FOLDERS = sizeof FOLDERS / sizeof *FOLDERS };

static const char *in_root(const char *name) {
  static char path[160];
  snprintf(path, sizeof path, "%s/%s", root, name);
  return path;
}

static int make_root(void) {
  strcpy(root, "/tmp/causal-machine-XXXXXX");
  if (!mkdtemp(root)) return 1;
  for (size_t i = 0; i < N_FOLDERS; i++)
    if (mkdir(in_root(FOLDERS[i]), 0700)) return 1;
  return 0;
}

static int remove_root(void) {
  for (size_t i = 0; i < N_FILES; i++) unlink(in_root(FILES[i]));
  for (size_t i = N_FOLDERS; i-- > 0;) rmdir(in_root(FOLDERS[i]));
  return rmdir(root);
}

/* The limit where the files have these texts; NULL: it is not there. */
static uint64_t limit(const char *const texts[N_FILES]) {
  char groups[160];
  for (size_t i = 0; i < N_FILES; i++) {
    FILE *file = texts[i] ? fopen(in_root(FILES[i]), "w") : NULL;
    if (!texts[i]) unlink(in_root(FILES[i]));
    if (!file) continue;
    fputs(texts[i], file);
    fclose(file);
  }
  snprintf(groups, sizeof groups, "%s", in_root(FILES[0]));
  return machine_group_limit(groups, root);
}

static void test_group_limits(void) {
  static const struct {
    const char *texts[N_FILES];
    uint64_t limit;
  } cases[] = {
      {{NULL, "5", NULL, NULL, NULL, NULL}, 0},
      {{"", "5", NULL, NULL, "7", NULL}, 0},
      {{"0::/\n", "500\n", NULL, NULL, NULL, NULL}, 500},
      {{"0::/\n", "max\n", NULL, NULL, NULL, NULL}, 0},
      {{"0::/a/b\n", "max\n", "300\n", "max\n", NULL, NULL}, 300}, /* the group around it */
      {{"0::/a/b\n", "900\n", "800\n", "700\n", NULL, NULL}, 700},
      {{"0::/a/b\n", "600\n", "800\n", "700\n", NULL, NULL}, 600},
      {{"0::/elsewhere/x\n", "900\n", "300\n", NULL, NULL, NULL}, 900}, /* a path that a container does not see */
      {{"4:memory:/a\n", "1\n", NULL, NULL, "9223372036854771712\n", "400\n"}, 400},
      {{"4:memory:/\n", NULL, NULL, NULL, "9223372036854771712\n", "400\n"}, 0},
      {{"3:cpu,memory:/a\n", NULL, NULL, NULL, "300\n", "400\n"}, 300},
      {{"3:memoryless:/a\n", NULL, NULL, NULL, "300\n", "400\n"}, 0},
      {{"9:name=x:/\n4:memory:/a\n0::/a\n", NULL, "200\n", NULL, "300\n", "400\n"}, 200},
      {{"no line of groups\n::\n:\n0::", "500", NULL, NULL, NULL, NULL}, 500},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint64_t got = limit(cases[i].texts);
    if (got != cases[i].limit) printf("\n    case %zu: %llu\n", i, (unsigned long long)got);
    CU_ASSERT_EQUAL(got, cases[i].limit);
  }
}

static void test_machine(void) { CU_ASSERT_TRUE(machine_memory() >= 1 << 20); }

void suite_machine(void);
void suite_machine(void) {
  CU_pSuite suite = CU_add_suite("base/machine", make_root, remove_root);
  CU_ADD_TEST(suite, test_group_limits);
  CU_ADD_TEST(suite, test_machine);
}
