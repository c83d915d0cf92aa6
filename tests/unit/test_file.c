#include "base/file.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[96]; /* of the running test */

static int make_folder(void) {
  strcpy(folder, "/tmp/causal-file-XXXXXX");
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/it", folder);
  return 0;
}

static int remove_folder(void) {
  unlink(path);
  return rmdir(folder);
}

static uint32_t count_files(void) {
  uint32_t n = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) n += entry->d_name[0] != '.';
  if (dir) closedir(dir);
  return n;
}

static void put(const char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fwrite(bytes, 1, length, file);
  fclose(file);
}

/* Is this what the file holds? */
static bool holds(const char *bytes, size_t length) {
  Heap *heap = heap_new(0);
  InFile file;
  Err err;
  const bool same = file_read(heap, path, &file, &err) && file.length == length &&
                    memcmp(file.text, bytes, length) == 0 && file.text[length] == '\0' && strcmp(file.name, path) == 0;
  heap_free(heap);
  return same;
}

static void reads_any_bytes(void) {
  put("", 0);
  CU_ASSERT_TRUE(holds("", 0));
  put("a\0b\xff\n", 5);
  CU_ASSERT_TRUE(holds("a\0b\xff\n", 5));
  char large[200001];
  memset(large, 'x', sizeof large);
  put(large, sizeof large);
  CU_ASSERT_TRUE(holds(large, sizeof large));
}

static void says_what_cannot_be_read(void) {
  Heap *heap = heap_new(0);
  InFile file = {.length = 77};
  Err err;
  CU_ASSERT_FALSE(file_read(heap, "/no/such/file", &file, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/no/such/file"));
  CU_ASSERT_FALSE(file_read(heap, folder, &file, &err));
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, folder));
  CU_ASSERT_EQUAL(file.length, 77);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void read_it(void *argument) {
  InFile file;
  Err err;
  if (file_read(argument, path, &file, &err)) file_release(argument, &file);
}

static void reading_keeps_the_memory_limit(void) {
  char large[100000];
  memset(large, 'x', sizeof large);
  put(large, sizeof large);
  Heap *heap = heap_new(50000);
  CU_ASSERT_FALSE(heap_try(heap, read_it, heap));
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_set_limit(heap, 0);
  CU_ASSERT_TRUE(heap_try(heap, read_it, heap));
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void a_file_appears_when_closed(void) {
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  put("old", 3);
  CU_ASSERT_TRUE_FATAL(file_create(heap, path, &file, &err));
  fputs("new text", file.stream);
  fflush(file.stream);
  CU_ASSERT_TRUE(holds("old", 3));
  CU_ASSERT_TRUE(file_close(&file, &err));
  CU_ASSERT_TRUE(holds("new text", 8));
  CU_ASSERT_EQUAL(count_files(), 1);
  struct stat info;
  CU_ASSERT_EQUAL(stat(path, &info), 0);
  const mode_t mask = umask(0);
  umask(mask);
  CU_ASSERT_EQUAL(info.st_mode & 0777, 0666 & ~mask);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void a_dropped_file_leaves_nothing(void) {
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  put("old", 3);
  CU_ASSERT_TRUE_FATAL(file_create(heap, path, &file, &err));
  fputs("new", file.stream);
  file_discard(&file);
  CU_ASSERT_TRUE(holds("old", 3));
  CU_ASSERT_EQUAL(count_files(), 1);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void devices_are_written_as_they_stand(void) {
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  CU_ASSERT_TRUE_FATAL(file_create(heap, "/dev/null", &file, &err));
  fputs("gone", file.stream);
  CU_ASSERT_TRUE(file_close(&file, &err));
  struct stat info;
  CU_ASSERT_TRUE(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
  heap_free(heap);
}

static void a_full_disk_is_an_error(void) {
  if (access("/dev/full", W_OK) != 0) {
    skip("/dev/full is not there");
    return;
  }
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  CU_ASSERT_TRUE_FATAL(file_create(heap, "/dev/full", &file, &err));
  fputs("does not fit", file.stream);
  CU_ASSERT_FALSE(file_close(&file, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/dev/full"));
  heap_free(heap);
}

static void says_what_cannot_be_written(void) {
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  CU_ASSERT_FALSE(file_create(heap, "/no/such/folder/file", &file, &err));
  CU_ASSERT_EQUAL(err.kind, ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/no/such/folder/file"));
  CU_ASSERT_FALSE(file_create(heap, folder, &file, &err));
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

/* What write_text does: writes, then fails as told. */
typedef struct {
  Heap *heap;
  bool refuse, use_up_memory;
} Writing;

static bool write_text(void *argument, FILE *stream, Err *err) {
  const Writing *writing = argument;
  fputs("written", stream);
  if (writing->use_up_memory) heap_give_up(writing->heap);
  return !writing->refuse || err_set(err, ERR_INPUT, "refused");
}

static void write_it(void *argument) {
  Err err;
  const Writing *writing = argument;
  CU_ASSERT_EQUAL(file_write(writing->heap, path, write_text, argument, &err), !writing->refuse);
  CU_ASSERT_TRUE(!writing->refuse || strcmp(err.text, "refused") == 0);
}

static void a_file_is_written_whole_or_not_at_all(void) {
  Heap *heap = heap_new(0);
  Writing refuse = {heap, true, false}, fail = {heap, false, true}, good = {heap, false, false};
  put("old", 3);
  CU_ASSERT_TRUE(heap_try(heap, write_it, &refuse));
  CU_ASSERT_TRUE(holds("old", 3));
  CU_ASSERT_FALSE(heap_try(heap, write_it, &fail));
  CU_ASSERT_TRUE(holds("old", 3));
  CU_ASSERT_EQUAL(count_files(), 1);
  CU_ASSERT_TRUE(heap_try(heap, write_it, &good));
  CU_ASSERT_TRUE(holds("written", 7));
  CU_ASSERT_EQUAL(count_files(), 1);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void what_was_written_last_is_taken_back(void) {
  Heap *heap = heap_new(0);
  OutFile file;
  Err err;
  CU_ASSERT_TRUE_FATAL(file_create(heap, path, &file, &err));
  fputs("some words", file.stream);
  CU_ASSERT_TRUE(file_cut(&file, 5));
  fputs("text", file.stream);
  CU_ASSERT_TRUE(file_close(&file, &err));
  CU_ASSERT_TRUE(holds("some text", 9));
  CU_ASSERT_TRUE_FATAL(file_create(heap, "/dev/null", &file, &err));
  CU_ASSERT_FALSE(file_cut(&file, 0));
  CU_ASSERT_FALSE(file_cut(&file, -1));
  file_discard(&file);
  heap_free(heap);
}

void suite_file(void);
void suite_file(void) {
  CU_pSuite suite = CU_add_suite("base/file", make_folder, remove_folder);
  CU_ADD_TEST(suite, reads_any_bytes);
  CU_ADD_TEST(suite, says_what_cannot_be_read);
  CU_ADD_TEST(suite, reading_keeps_the_memory_limit);
  CU_ADD_TEST(suite, a_file_appears_when_closed);
  CU_ADD_TEST(suite, a_dropped_file_leaves_nothing);
  CU_ADD_TEST(suite, devices_are_written_as_they_stand);
  CU_ADD_TEST(suite, a_full_disk_is_an_error);
  CU_ADD_TEST(suite, says_what_cannot_be_written);
  CU_ADD_TEST(suite, a_file_is_written_whole_or_not_at_all);
  CU_ADD_TEST(suite, what_was_written_last_is_taken_back);
}
