/* ll_net: round trips, odd files, the exact message for each fault (tests/nets/ll_FAULT.ll_net); which format a file
 * has; drawings. */
#include "petri/llnet.h"
#include "petri/net_draw.h"
#include "petri/net_io.h"
#include "tests/unit/known_net.h"
#include "tests/unit/random_net.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>

enum { N_RANDOM = 400 };

static InFile in_memory(char *text, size_t length) {
  return (InFile){.text = text, .length = length, .name = "memory.ll_net"};
}

/* ---- round trips ---- */

/* Every byte that the writer does not change: no control characters, no double quotes. */
static const char UNWRITTEN[] =
    "\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b"
    "\x1c\x1d\x1e\x1f\x7f\"";

static void round_trip(uint64_t seed) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = random_net(heap, seed, true, UNWRITTEN);
  size_t length, again_length;
  char *text = written_net(heap, net, llnet_write, &length);
  const InFile file = in_memory(text, length);
  Net *back = llnet_read(heap, &file, &err);
  if (!back) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(back);
  CU_ASSERT(net_audit(back, &err));
  CU_ASSERT(same_net(net, back, false));
  char *again = written_net(heap, back, llnet_write, &again_length);
  CU_ASSERT(length == again_length && memcmp(text, again, length) == 0);
  heap_release(heap, text);
  heap_release(heap, again);
  net_free(net);
  net_free(back);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_round_trip(void) {
  for (uint64_t seed = 1; seed <= N_RANDOM; seed++) round_trip(seed);
}

static void test_written_form(void) {
  Heap *heap = heap_new(0);
  Err err;
  NetBuilder *b = net_builder_new(heap);
  const PlaceId p = net_add_place(b, "a \"b\"\n", true), q = net_add_place(b, "q", false);
  const TransId t = net_add_trans(b, "t");
  net_add_input(b, p, t);
  net_add_output(b, t, q);
  net_add_output(b, t, p);
  Net *net = net_freeze(b, &err);
  size_t length;
  char *text = written_net(heap, net, llnet_write, &length);
  CU_ASSERT_STRING_EQUAL(
      text, "PEP\nPTNet\nFORMAT_N\nPL\n1\"a 'b'_\"0@0M1\n2\"q\"0@0\nTR\n1\"t\"0@0\nTP\n1<1\n1<2\nPT\n1>1\n");
  heap_free(heap);
}

/* ---- files ---- */

static Net *read_path(Heap *heap, const char *path, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = net_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

typedef struct {
  const char *file, *message;
} BadFile;

static const BadFile BAD_FILES[] = {
    {"ll_arc_dangling_place.ll_net", "10: arc '1<3': its place does not exist"},
    {"ll_arc_dangling_transition.ll_net", "11: arc '1>4294967297': its transition does not exist"},
    {"ll_arc_half.ll_net", "12: expected a number, found the end of the line"},
    {"ll_arc_twice.ll_net", "12: two arcs from 't' to 'q': an arc of weight 2, but the net must be 1-safe"},
    {"ll_arc_wrong_way.ll_net", "10: expected '<', found '>2'"},
    {"ll_default_weight.ll_net", "13: arc '1>1': its weight is not 1, but arcs of a 1-safe net have the weight 1"},
    {"ll_header_only.ll_net",
     "1: expected 'PTNet', found the end of the file; an ll_net begins with the lines PEP, PTNet, FORMAT_N"},
    {"ll_high_level.ll_net", "5: field 'z': part of a high-level net; only place/transition nets are supported"},
    {"ll_marking_2.ll_net",
     "5: place 'p': its initial marking is above 1, but a place of a 1-safe net holds at most 1 token"},
    {"ll_marking_negative.ll_net", "5: place 'p': its initial marking is negative"},
    {"ll_name_nul.ll_net", "5: a NUL byte in a string"},
    {"ll_name_open.ll_net", "6: unterminated string"},
    {"ll_no_section.ll_net", "4: expected a section (PL, ...), found '1\"p\"0@0'"},
    {"ll_number_beyond_64_bits.ll_net", "5: place numbers are from 1 to 2147483647"},
    {"ll_number_huge.ll_net", "5: place numbers are from 1 to 2147483647"},
    {"ll_number_missing.ll_net", "6: a place without a number, after others whose numbers are not their positions"},
    {"ll_number_zero.ll_net", "5: place numbers are from 1 to 2147483647"},
    {"ll_other_format.ll_net",
     "3: expected 'FORMAT_N', found 'FORMAT_N3'; an ll_net begins with the lines PEP, PTNet, FORMAT_N"},
    {"ll_other_type.ll_net",
     "2: expected 'PTNet', found 'HLNet'; an ll_net begins with the lines PEP, PTNet, FORMAT_N"},
    {"ll_place_twice.ll_net", "6: place number 7 is used twice"},
    {"ll_read_arcs.ll_net", "12: read arcs and reset arcs (RD, RS) are not read"},
    {"ll_section_line.ll_net", "4: expected the end of the line, found '1\"p\"0@0'"},
    {"ll_section_missing.ll_net", "5: section 'TR' is missing before 'TP'"},
    {"ll_section_twice.ll_net", "6: section 'TR' is out of order, or a duplicate"},
    {"ll_section_unknown.ll_net", "8: unknown section 'XY'"},
    {"ll_transition_twice.ll_net", "7: transition number 1 is used twice"},
    {"ll_truncated.ll_net", "9: the file ends before the section 'PT'"},
    {"ll_truncated_coordinates.ll_net", "5: expected a number, found the end of the line"},
    {"ll_two_names.ll_net", "5: a place with two names"},
    {"ll_two_numbers.ll_net", "5: a place with two numbers"},
    {"ll_unknown_field.ll_net", "5: unknown field 'Q4'"},
    {"ll_weight.ll_net", "10: arc '1<2w2': its weight is not 1, but arcs of a 1-safe net have the weight 1"},
    {"io_comment_only.txt", " expected a net, but the file is empty"},
    {"io_empty.txt", " expected a net, but the file is empty"},
    {"io_sml.txt", "1: this looks like an SML program, not a net; compile it with sml2net"},
    {"io_sml_comment.txt", "1: this looks like an SML program, not a net; compile it with sml2net"},
    {"io_text.txt", "1: neither PNML, which begins with '<', nor ll_net, which begins with 'PEP', nor TINA's, which "
                    "begins with 'net', 'tr' or 'pl'"},
};

static void test_bad_files(void) {
  for (size_t i = 0; i < sizeof BAD_FILES / sizeof *BAD_FILES; i++) {
    char path[200], expected[1200];
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    snprintf(path, sizeof path, "tests/nets/%s", BAD_FILES[i].file);
    snprintf(expected, sizeof expected, "%s:%s", path, BAD_FILES[i].message);
    CU_ASSERT_PTR_NULL(read_path(heap, path, &err));
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    if (strcmp(err.text, expected) != 0) printf("\n    expected: %s\n    found:    %s\n", expected, err.text);
    CU_ASSERT_STRING_EQUAL(err.text, expected);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

/* Phantoms are counted, and are no part of the net. */
static void test_phantoms(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = read_path(heap, "tests/nets/good_ll_phantom.ll_net", &err);
  if (!net) printf("\n    %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net->n_places == 2 && net->n_trans == 1 && net->n_inputs == 1 && net->n_outputs == 1);
  CU_ASSERT_EQUAL(net->n_phantoms, 2);
  heap_free(heap);
}

/* A byte order mark, CRLF, comments, strings over lines, every kind of field, numbers left out and numbers far away, no
 * last newline. */
static void test_odd_file(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = read_path(heap, "tests/nets/good_ll_odd.ll_net", &err);
  if (!net) printf("\n    %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net->n_places == 4 && net->n_trans == 1 && net->n_inputs == 1 && net->n_outputs == 1);
  CU_ASSERT_STRING_EQUAL(net->place_name[0], "a\x01\xff"
                                             "2%x'");
  CU_ASSERT_STRING_EQUAL(net->place_name[1], "p \"q\"");
  CU_ASSERT_STRING_EQUAL(net->place_name[2], "far");
  CU_ASSERT_STRING_EQUAL(net->place_name[3], "P4");
  CU_ASSERT(net->marked[0] && !net->marked[1] && net->marked[2] && !net->marked[3]);
  CU_ASSERT(net_pre(net, (TransId){0}).at[0].v == 0 && net_post(net, (TransId){0}).at[0].v == 2);
  net_free(net);
  CU_ASSERT_PTR_NOT_NULL((net = read_path(heap, "tests/nets/good_ll_nothing.ll_net", &err)));
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_long_name(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  enum { LENGTH = 100000 };
  char *name = heap_alloc(heap, LENGTH + 1);
  memset(name, 'x', LENGTH);
  name[LENGTH] = '\0';
  NetBuilder *b = net_builder_new(heap);
  net_add_place(b, name, true);
  Net *net = net_freeze(b, &err);
  size_t length;
  char *text = written_net(heap, net, llnet_write, &length);
  const InFile file = in_memory(text, length);
  Net *back = llnet_read(heap, &file, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(back);
  CU_ASSERT(same_net(net, back, false));
  /* and in a message it is cut */
  text[length - 10] = 'M';
  const InFile bad = in_memory(text, length);
  CU_ASSERT_PTR_NULL(llnet_read(heap, &bad, &err));
  heap_free(heap);
}

/* Cut anywhere, changed anywhere: an answer, and everything given back. */
static void test_damage(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  size_t length, n_good = 0, n_bad = 0;
  Net *net = random_net(heap, 11, false, UNWRITTEN);
  char *text = written_net(heap, net, llnet_write, &length);
  net_free(net);
  const uint64_t used = heap_used(heap);
  for (size_t i = 0; i < length; i++)
    for (uint32_t bit = 0; bit < 8; bit++) {
      char *copy = malloc(length); /* exactly as long as it is, for the sanitizer */
      memcpy(copy, text, length);
      copy[i] = (char)(copy[i] ^ (1 << bit));
      const InFile file = in_memory(copy, bit == 7 ? i : length);
      Net *damaged = llnet_read(heap, &file, &err);
      CU_ASSERT(!damaged || net_audit(damaged, &err));
      n_good += damaged != NULL;
      n_bad += damaged == NULL;
      net_free(damaged);
      free(copy);
    }
  CU_ASSERT(n_good > 0 && n_bad > 0);
  CU_ASSERT_EQUAL(heap_used(heap), used);
  heap_free(heap);
}

/* ---- shared nets ---- */

typedef struct {
  const char *name;
  uint32_t places, transitions, arcs, marked;
} SharedNet;

static const SharedNet SHARED_NETS[] = {
    {"acquire1_100", 1806, 3814, 471247, 301},
    {"acquire1_11_unreduced", 295, 545, 7115, 34},
    {"acquire1_30", 546, 1154, 44807, 91},
    {"bds_1.sync", 87, 66, 362, 43},
    {"byzagr4_1b", 504, 409, 2647, 63},
    {"dme11", 738, 539, 4213, 309},
    {"dpd_7.sync", 114, 78, 408, 54},
    {"elevator_4", 736, 1939, 7704, 7},
    {"ftp_1.sync", 260, 536, 3174, 88},
    {"furnace_3", 87, 103, 510, 43},
    {"key_4", 164, 174, 690, 9},
    {"q_1", 237, 198, 1092, 78},
    {"rw_12", 115, 317, 1890, 74},
};

static void has_size(const Net *net, const SharedNet *expected) {
  Err err;
  uint32_t marked = 0;
  CU_ASSERT(net_audit(net, &err));
  for (uint32_t p = 0; p < net->n_places; p++) marked += net->marked[p];
  CU_ASSERT(net->n_places == expected->places && net->n_trans == expected->transitions);
  CU_ASSERT(net->n_inputs + net->n_outputs == expected->arcs && marked == expected->marked);
}

static void test_shared_nets(void) {
  for (size_t i = 0; i < sizeof SHARED_NETS / sizeof *SHARED_NETS; i++) {
    Heap *heap = heap_new(0);
    Net *net = known_net(heap, SHARED_NETS[i].name);
    if (net) has_size(net, &SHARED_NETS[i]);
    net_free(net);
    heap_free(heap);
  }
}

/* ---- memory ---- */

typedef struct {
  Heap *heap;
  InFile file;
} Reading;

static void read_and_free(void *argument) {
  const Reading *reading = argument;
  Err err;
  net_free(net_read(reading->heap, &reading->file, &err));
}

static void test_out_of_memory(void) {
  Heap *outer = heap_new(0);
  Net *net = random_net(outer, 11, false, UNWRITTEN);
  size_t length;
  char *text = written_net(outer, net, llnet_write, &length);
  bool done = false;
  uint64_t nth = 0;
  while (!done && nth < 100000) {
    Heap *heap = heap_new(0);
    heap_fail_at(heap, ++nth);
    done = heap_try(heap, read_and_free, &(Reading){heap, in_memory(text, length)});
    heap_free(heap);
  }
  CU_ASSERT(done && nth > 10);
  heap_free(outer);
}

/* ---- drawings ---- */

static void test_drawing(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  NetBuilder *b = net_builder_new(heap);
  const PlaceId p = net_add_place(b, "p\\n\"", true), q = net_add_place(b, "q", false);
  const TransId t = net_add_trans(b, "go");
  net_add_input(b, p, t);
  net_add_output(b, t, p);
  net_add_output(b, t, q);
  net_set_unit(b, p, net_add_unit(b, "T1"));
  Net *net = net_freeze(b, &err);
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT(net_write_dot(heap, net, out, &err));
  fclose(out);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "subgraph cluster_u0"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "label=T1"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "p0\t[label=\"\xe2\x97\x8f p\\\\n\\\"\",\n\t\t\tshape=circle]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "t0\t[label=go,\n\t\t\tshape=box]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "p0 -> t0\t[dir=none]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "t0 -> p1"));
  CU_ASSERT_PTR_NULL(strstr(text, "t0 -> p0"));
  free(text);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

void suite_llnet(void);
void suite_llnet(void) {
  CU_pSuite s = CU_add_suite("ll_net", NULL, NULL);
  CU_add_test(s, "written form", test_written_form);
  CU_add_test(s, "round trips of random nets", test_round_trip);
  CU_add_test(s, "bad files", test_bad_files);
  CU_add_test(s, "phantoms", test_phantoms);
  CU_add_test(s, "an odd file", test_odd_file);
  CU_add_test(s, "a long name", test_long_name);
  CU_add_test(s, "damaged files", test_damage);
  CU_add_test(s, "shared nets", test_shared_nets);
  CU_add_test(s, "out of memory", test_out_of_memory);
  CU_add_test(s, "drawings", test_drawing);
}
