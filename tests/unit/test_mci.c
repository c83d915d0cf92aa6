/* An .mci file, read back number by number as other tools read it, says what the prefix says. */
#include "tests/unit/safe_net.h"
#include "unfold/mci.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at, *end;
  bool good; /* nothing was missing */
} File;

static uint32_t number(File *file) {
  int32_t value = 0;
  file->good = file->good && file->end - file->at >= (ptrdiff_t)sizeof value;
  if (!file->good) return 0;
  memcpy(&value, file->at, sizeof value);
  file->at += sizeof value;
  return (uint32_t)value;
}

static bool expect(File *file, uint32_t value) { return number(file) == value && file->good; }

static bool expect_name(File *file, const char *name) {
  const size_t length = strlen(name) + 1;
  const bool same = (size_t)(file->end - file->at) >= length && memcmp(file->at, name, length) == 0;
  file->at += length;
  return same;
}

/* The events that take the condition, found anew. */
static bool expect_takers(File *file, const Prefix *prefix, uint32_t c) {
  for (uint32_t e = 0; e < prefix->n_events; e++)
    for (uint32_t i = prefix->pre_start[e]; i < prefix->pre_start[e + 1]; i++)
      if (prefix->pre[i].v == c && !expect(file, e + 1)) return false;
  return expect(file, 0);
}

static bool expect_prefix(File *file, const Prefix *prefix) {
  bool good = expect(file, prefix->n_conditions) && expect(file, prefix->n_events);
  for (uint32_t e = 0; e < prefix->n_events; e++) good = good && expect(file, prefix->event_trans[e].v + 1);
  for (uint32_t c = 0; c < prefix->n_conditions && good; c++)
    good = expect(file, prefix->condition_place[c].v + 1) &&
           expect(file, prefix->producer[c].v == EVENT_NONE.v ? 0 : prefix->producer[c].v + 1) &&
           expect_takers(file, prefix, c);
  for (uint32_t e = 0; e < prefix->n_events && good; e++)
    if (prefix->is_cutoff[e])
      good = expect(file, e + 1) &&
             expect(file, prefix->corresponding[e].v == EVENT_NONE.v ? 0 : prefix->corresponding[e].v + 1);
  return good && expect(file, 0) && expect(file, 0);
}

static bool expect_names(File *file, const Net *net) {
  size_t longest = 0;
  for (uint32_t p = 0; p < net->n_places; p++)
    longest = strlen(net->place_name[p]) > longest ? strlen(net->place_name[p]) : longest;
  for (uint32_t t = 0; t < net->n_trans; t++)
    longest = strlen(net->trans_name[t]) > longest ? strlen(net->trans_name[t]) : longest;
  bool good = expect(file, net->n_places) && expect(file, net->n_trans) && expect(file, (uint32_t)longest);
  for (uint32_t p = 0; p < net->n_places; p++) good = good && expect_name(file, net->place_name[p]);
  good = good && expect_name(file, "");
  for (uint32_t t = 0; t < net->n_trans; t++) good = good && expect_name(file, net->trans_name[t]);
  return good && expect_name(file, "");
}

static void the_file_says_what_the_prefix_says(void) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    Heap *heap = heap_new((size_t)1 << 28);
    char *text = NULL;
    size_t length = 0;
    Err err;
    Net *net = safe_net(heap, seed);
    Prefix *prefix = unfold(heap, net, &(UnfoldOptions){.max_events = 200}, &err);
    FILE *out = open_memstream(&text, &length);
    CU_ASSERT_TRUE(mci_can_hold(prefix));
    mci_write(heap, prefix, out);
    fclose(out);
    File file = {text, text + length, true};
    CU_ASSERT_TRUE(expect_prefix(&file, prefix));
    CU_ASSERT_TRUE(expect_names(&file, net));
    CU_ASSERT_PTR_EQUAL(file.at, file.end);
    free(text);
    prefix_free(prefix);
    net_free(net);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

void suite_mci(void) {
  CU_pSuite suite = CU_add_suite("mci", NULL, NULL);
  CU_ADD_TEST(suite, the_file_says_what_the_prefix_says);
}
