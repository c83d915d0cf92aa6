/* PNML: round trips, dialects, the exact message for each fault (tests/nets/FAULT.pnml), validity under the grammar. */
#include "petri/pnml.h"
#include "tests/unit/random_net.h"
#include "tests/unit/skip.h"

#include <CUnit/CUnit.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_RANDOM = 400 };

static InFile in_memory(char *text, size_t length) {
  return (InFile){.text = text, .length = length, .name = "memory.pnml"};
}

/* ---- round trips ---- */

static void round_trip(uint64_t seed) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = random_net(heap, seed, true, "");
  size_t length, again_length;
  char *text = written_net(heap, net, pnml_write, &length);
  const InFile file = in_memory(text, length);
  Net *back = pnml_read(heap, &file, &err);
  if (!back || !net_audit(back, &err)) printf("\n    seed %llu: %s\n", (unsigned long long)seed, err.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(back);
  CU_ASSERT(net_audit(back, &err));
  CU_ASSERT(same_net(net, back, true));
  char *again = written_net(heap, back, pnml_write, &again_length);
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

/* What a reader of the file sees, for one small net with everything in it. */
static void test_written_form(void) {
  Heap *heap = heap_new(0);
  Err err;
  NetBuilder *b = net_builder_new(heap);
  NotesBuilder *notes = net_builder_notes(b);
  net_set_name(b, "a<b");
  const PlaceId p = net_add_place(b, "p & q", true), q = net_add_place(b, "\x01", false);
  const TransId t = net_add_trans(b, "t");
  net_add_input(b, p, t);
  net_add_output(b, t, q);
  net_add_output(b, t, p);
  net_set_unit(b, p, net_add_unit(b, "T1"));
  net_set_units_safe(b, true);
  notes_set_file(notes, "x.sml");
  notes_add_thread(notes, "T1", 0, (SrcPos){.line = 1, .column = 2});
  notes_add_object(notes, "Y", OBJECT_VARIABLE, 2);
  notes_add_block(notes, NULL, (SrcPos){.line = 1, .column = 2}, (SrcPos){.line = 3, .column = 4});
  notes_set_place(notes, 0, (PlaceNote){ROLE_CONTROL, 0, NOTE_NONE, 0, 0, NOTE_NONE, POINT_OTHER});
  notes_set_trans(notes, 0, (TransNote){0, {.line = 2, .column = 3}, "Y := \"\\\"", 0, NOTE_NONE, false});
  notes_add_access(notes, 0, (Access){0, ACCESS_WRITE});
  Net *net = net_freeze(b, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  size_t length;
  char *text = written_net(heap, net, pnml_write, &length);
  CU_ASSERT_STRING_EQUAL(
      text,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
      "<net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n"
      "<name><text>a&lt;b</text></name>\n"
      "<toolspecific tool=\"causalnet\" version=\"1\">\n"
      "<source file=\"x.sml\"/>\n"
      "<thread name=\"T1\" group=\"0\" line=\"1\" column=\"2\"/>\n"
      "<variable name=\"Y\" values=\"2\"/>\n"
      "<block line=\"1\" column=\"2\" endline=\"3\" endcolumn=\"4\"/>\n"
      "<unit id=\"u0\" name=\"T1\"/>\n"
      "</toolspecific>\n"
      "<page id=\"page\">\n"
      "<place id=\"p0\"><name><text>p &amp; q</text></name><initialMarking><text>1</text></initialMarking>"
      "<toolspecific tool=\"causalnet\" version=\"1\"><control thread=\"0\"/></toolspecific></place>\n"
      "<place id=\"p1\"><name><text>\\x01</text></name>"
      "<toolspecific tool=\"causalnet\" version=\"1\"><name exact=\"\\x01\"/></toolspecific></place>\n"
      "<transition id=\"t0\"><name><text>t</text></name><toolspecific tool=\"causalnet\" version=\"1\">"
      "<event thread=\"0\" line=\"2\" column=\"3\" text=\"Y := &quot;\\\\&quot;\" begin=\"0\"/><write object=\"0\"/></toolspecific></transition>\n"
      "<arc id=\"a0\" source=\"p0\" target=\"t0\"/>\n"
      "<arc id=\"a1\" source=\"t0\" target=\"p0\"/>\n"
      "<arc id=\"a2\" source=\"t0\" target=\"p1\"/>\n"
      "<toolspecific tool=\"nupn\" version=\"1.1\">\n"
      "<size places=\"2\" transitions=\"1\" arcs=\"3\"/>\n"
      "<structure units=\"3\" root=\"root\" safe=\"true\">\n"
      "<unit id=\"root\"><places/><subunits>u0 s0</subunits></unit>\n"
      "<unit id=\"u0\"><places>p0</places><subunits/></unit>\n"
      "<unit id=\"s0\"><places>p1</places><subunits/></unit>\n"
      "</structure>\n"
      "</toolspecific>\n"
      "</page>\n"
      "</net>\n"
      "</pnml>\n");
  heap_release(heap, text);
  net_free(net);
  heap_free(heap);
}

static void test_failing_stream(void) {
  Heap *heap = heap_new(0);
  Net *net = random_net(heap, 1, true, "");
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    setvbuf(full, NULL, _IONBF, 0);
    CU_ASSERT_FALSE(pnml_write(net, full));
    fclose(full);
  } else {
    skip("/dev/full is not there");
  }
  net_free(net);
  heap_free(heap);
}

/* ---- files ---- */

/* The net in that file, or NULL with its error; frees nothing but the text. */
static Net *read_path(Heap *heap, const char *path, Err *err) {
  InFile file;
  if (!file_read(heap, path, &file, err)) return NULL;
  Net *net = pnml_read(heap, &file, err);
  file_release(heap, &file);
  return net;
}

typedef struct {
  const char *fault, *message;
} BadFile;

static const BadFile BAD_FILES[] = {
    {"marking_of_reference", "8: initialMarking: not allowed inside 'r0'"},
    {"marking_of_transition", "8: initialMarking: not allowed inside 't1'"},
    {"arc_in_unknown", "8: arc: inside an element that is not known"},
    {"transition_in_unknown", "8: transition: inside an element that is not known"},
    {"note_in_reference", "8: toolspecific: annotations of 'causalnet' are about nets, places and transitions alone"},
    {"note_in_label", "8: toolspecific: annotations of 'causalnet' are about nets, places and transitions alone"},
    {"note_outside", "3: toolspecific: annotations of 'causalnet' are about nets, places and transitions alone"},
    {"arc_dangling_source", "8: arc 'a0': its source 'p9' does not exist"},
    {"arc_dangling_target", "8: arc 'a0': its target 't9' does not exist"},
    {"arc_in_place", "9: arc: not allowed inside 'p2'"},
    {"arc_inhibitor_attribute", "8: arc 'a0' is of type 'inhibitor'; only normal arcs are supported"},
    {"arc_inhibitor_element", "9: arc 'a0' is of type 'inhibitor'; only normal arcs are supported"},
    {"arc_place_to_place", "8: arc 'a0' goes from place 'p0' to place 'p1'; it must join a place and a transition"},
    {"arc_read", "8: arc 'a0' is of type 'test'; only normal arcs are supported"},
    {"arc_reset_arctype", "8: arc 'a0' is of type 'reset'; only normal arcs are supported"},
    {"arc_to_arc", "9: arc 'a1': its target 'a0' is an arc"},
    {"arc_transition_to_transition",
     "8: arc 'a0' goes from transition 't0' to transition 't0'; it must join a place and a transition"},
    {"arc_twice", "10: arc 'a2': a second arc from 'p0' to 't0'; that is a weight of 2, but the net must be 1-safe"},
    {"arc_weight_0", "8: arc 'a0': its weight is 0, but arcs of a 1-safe net have the weight 1"},
    {"arc_weight_2", "8: arc 'a0': its weight is 2, but arcs of a 1-safe net have the weight 1"},
    {"arc_weight_garbage", "8: arc 'a0': its weight 'x+1' is not a number"},
    {"arc_weight_huge", "8: arc 'a0': its weight is 18446744073709551617, but arcs of a 1-safe net have the weight 1"},
    {"arc_weight_missing", "8: arc 'a0': its weight '' is not a number"},
    {"arc_without_source", "8: arc 'a0' has no 'source'"},
    {"control_character", "8: not well-formed XML: xmlParseCharRef: invalid xmlChar value 1"},
    {"entity_billion_laughs", "2: declarations in the DOCTYPE are not allowed"},
    {"entity_external", "2: declarations in the DOCTYPE are not allowed"},
    {"entity_parameter", "1: declarations in the DOCTYPE are not allowed"},
    {"entity_unparsed", "1: declarations in the DOCTYPE are not allowed"},
    {"external_dtd_reference", "3: entity 'secret': it is not declared"},
    {"external_dtd_reference_in_attribute", "3: entity 'secret': it is not declared"},
    {"high_level_condition", "8: condition: part of a high-level net; only place/transition nets are supported"},
    {"high_level_marking", "8: hlinitialMarking: part of a high-level net; only place/transition nets are supported"},
    {"high_level_sort", "8: type: part of a high-level net; only place/transition nets are supported"},
    {"high_level_type",
     "2: net: its type 'http://www.pnml.org/version-2009/grammar/symmetricnet' is not that of a place/transition net, '.../ptnet'"},
    {"id_duplicate_arc", "8: arc 'p1': that id was already used in line 6"},
    {"id_duplicate_place", "8: place 'p0': that id was already used in line 5"},
    {"id_missing", "8: a transition without an id"},
    {"marking_2", "10: place 'p2': its initial marking is 2, but a place of a 1-safe net holds at most 1 token"},
    {"marking_colours", "8: place 'p2': its initial marking 'Default,1,Red,1' is not a number"},
    {"marking_empty", "8: place 'p2': its initial marking '' is not a number"},
    {"marking_garbage", "8: place 'p2': its initial marking 'one' is not a number"},
    {"marking_negative", "8: place 'p2': its initial marking -1 is negative"},
    {"marking_twice", "8: place 'p2' has two initial markings"},
    {"marking_two_texts", "8: text: a second one in the same label"},
    {"net_missing", "1: pnml: the file contains no net"},
    {"net_second", "2: net: a second net in the file; only one is supported"},
    {"note_bad_escape", "8: annotation 'name': exact=\"a\\x4\" has an invalid escape; only \\xHH and \\\\ are allowed"},
    {"note_huge_number", "8: annotation 'none': copy=\"4294967295\" is not a number"},
    {"note_late", "8: annotation 'thread': it must come before the first page, place and transition"},
    {"note_missing_object", "8: annotation 'read': the attribute 'object' is missing"},
    {"note_no_number", "8: annotation 'copy': object=\"-1\" is not a number"},
    {"note_two_events", "8: annotation 'event': a transition with two events"},
    {"note_two_roles", "8: annotation 'none': a place with two roles"},
    {"note_unit_twice", "3: annotation 'unit': the unit 'u0' is named twice"},
    {"note_unit_without_nupn", "1: annotation 'unit': the unit 'u0' is not in the nupn section"},
    {"note_bool_of_three", "4: annotation 'variable': bool=\"1\", but only a variable with 2 values can be bool=\"1\""},
    {"note_initial_too_large", "4: annotation 'variable': initial=\"2\", but it has 2 values"},
    {"note_slot_of_nothing", "4: annotation 'slot': object=\"0\", but only 0 are declared before"},
    {"note_slot_without_values", "4: annotation 'slot': it has no values"},
    {"note_state_garbage", "4: annotation 'state': values=\"0,1\" is not a list of numbers"},
    {"note_state_no_values", "4: annotation 'state': the attribute 'values' is missing"},
    {"note_state_too_many", "4: annotation 'state': 2 values from slot 0 on, but only 1 slots are declared before"},
    {"note_state_value", "4: annotation 'state': the value 2 of slot 0, which has 2 values"},
    {"note_unknown_attribute", "8: annotation 'control': unknown attribute 'hue'"},
    {"note_unknown_element", "8: annotation 'colour': unknown element"},
    {"note_unknown_file", "8: annotation 'event': file=\"1\", but only 1 are declared before"},
    {"note_unknown_thread", "8: annotation 'control': thread=\"0\", but only 0 are declared before"},
    {"note_version", "8: toolspecific: annotations of another version of 'causalnet'; only version 1 is supported"},
    {"reference_circle", "8: referencePlace 'r0': circular references"},
    {"reference_dangling", "8: referencePlace 'r0' leads to 'p9', which is not a place"},
    {"reference_of_other_kind", "8: referencePlace 'r0' leads to 't0', which is not a place"},
    {"reference_to_itself", "8: referenceTransition 'r0': circular references"},
    {"reference_without_ref", "8: referencePlace 'r0' has no 'ref'"},
    {"root_missing", "2: not well-formed XML: Start tag expected, '<' not found"},
    {"root_other", "3: the root element is 'svg', not 'pnml': this is not PNML"},
    {"tag_mismatch", "8: not well-formed XML: Opening and ending tag mismatch: place line 8 and plaice"},
    {"truncated", "3: not well-formed XML: Premature end of data in tag place line 2"},
    {"undeclared_entity", "8: not well-formed XML: Entity 'nbsp' not defined"},
    {"unit_duplicate", "10: unit 'u0': that id was already used in line 9"},
    {"unit_place_twice", "10: unit 'u1': the place 'p1' is already in unit 'u0'"},
    {"unit_safe_maybe", "8: nupn structure: safe=\"maybe\" is neither true nor false"},
    {"unit_unknown_place", "9: unit 'u0': 'p7' is not a place of the net"},
};

static void test_bad_files(void) {
  for (size_t i = 0; i < sizeof BAD_FILES / sizeof *BAD_FILES; i++) {
    char path[200], expected[1200];
    Heap *heap = heap_new(0);
    Err err = {.text = ""};
    snprintf(path, sizeof path, "tests/nets/%s.pnml", BAD_FILES[i].fault);
    snprintf(expected, sizeof expected, "%s:%s", path, BAD_FILES[i].message);
    CU_ASSERT_PTR_NULL(read_path(heap, path, &err));
    CU_ASSERT_EQUAL(err.kind, ERR_INPUT);
    if (strcmp(err.text, expected) != 0) printf("\n    expected: %s\n    found:    %s\n", expected, err.text);
    CU_ASSERT_STRING_EQUAL(err.text, expected);
    CU_ASSERT_EQUAL(heap_used(heap), 0);
    heap_free(heap);
  }
}

typedef struct {
  const char *file;
  uint32_t places, transitions, arcs, marked, units;
  const char *first_place; /* its name */
} GoodFile;

static const GoodFile GOOD_FILES[] = {
    {"good_no_namespace_no_page", 1, 1, 2, 1, 0, "in"},
    {"good_pages_and_references", 1, 1, 2, 0, 0, "p"},
    {"good_comments_and_cdata", 1, 0, 0, 0, 0, "a<b>&c"},
    {"good_other_tools", 3, 1, 0, 1, 0, "p0"},
    {"good_latin1", 1, 0, 0, 0, 0, "\xc3\xa4\xc3\xb6"},
    {"good_utf16", 1, 0, 0, 0, 0, "p"},
    {"good_nested_units", 3, 0, 0, 0, 3, "p0"},
    {"good_empty_net", 0, 0, 0, 0, 0, ""},
};

static uint32_t count_marked(const Net *net) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < net->n_places; p++) n += net->marked[p];
  return n;
}

static void expect_good(const char *path, const GoodFile *good) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  Net *net = read_path(heap, path, &err);
  if (!net) printf("\n    %s\n", err.text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net_audit(net, &err));
  CU_ASSERT(net->n_places == good->places && net->n_trans == good->transitions);
  CU_ASSERT_EQUAL(net->n_inputs + net->n_outputs, good->arcs);
  CU_ASSERT_EQUAL(count_marked(net), good->marked);
  CU_ASSERT_EQUAL(net->n_units, good->units);
  CU_ASSERT_STRING_EQUAL(net->n_places ? net->place_name[0] : "", good->first_place);
  net_free(net);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
}

static void test_good_files(void) {
  for (size_t i = 0; i < sizeof GOOD_FILES / sizeof *GOOD_FILES; i++) {
    char path[200];
    snprintf(path, sizeof path, "tests/nets/%s.pnml", GOOD_FILES[i].file);
    expect_good(path, &GOOD_FILES[i]);
  }
}

/* ---- nets of other tools ---- */

static const char *shared_folder(void) {
  const char *shared = getenv("SHARED");
  return shared ? shared : "../shared";
}

/* The path of a shared file; false, after a word about it, if it is not there. */
static bool shared_file(char path[1000], const char *name) {
  snprintf(path, 1000, "%s/%s", shared_folder(), name);
  if (access(path, R_OK) == 0) return true;
  skip("%s is not there", path);
  return false;
}

static const GoodFile SAMPLES[] = {
    {"lip6-philo.pnml", 30, 30, 96, 12, 0, "FORK_1"},
    {"ltsmin-philosophers-5.pnml", 25, 25, 80, 10, 0, "Think_1"},
    {"mcc-Angiogenesis-PT-01.pnml", 39, 64, 185, 8, 8, "Akt"},
    {"petrispot-Airplane.pnml", 89, 88, 333, 38, 38, "stp4"},
    {"pm4py-running-example.pnml", 9, 10, 22, 1, 0, "source 45"},
    {"tapaal-deadlock-test001.pnml", 8, 6, 20, 3, 0, "Res1"},
    {"woped-loanapp.pnml", 16, 15, 34, 1, 0, "granted"},
};

static void test_samples(void) {
  char path[1000], name[200], expected[1500];
  for (size_t i = 0; i < sizeof SAMPLES / sizeof *SAMPLES; i++) {
    snprintf(name, sizeof name, "pnml/samples/%s", SAMPLES[i].file);
    if (shared_file(path, name)) expect_good(path, &SAMPLES[i]);
  }
  if (!shared_file(path, "pnml/samples/its-peterson-3-col.pnml")) return;
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  snprintf(
      expected, sizeof expected,
      "%s:2: net: its type 'http://www.pnml.org/version-2009/grammar/symmetricnet' is not that of a place/transition net, "
      "'.../ptnet'",
      path);
  CU_ASSERT_PTR_NULL(read_path(heap, path, &err));
  CU_ASSERT_STRING_EQUAL(err.text, expected);
  heap_free(heap);
}

/* ---- validity ---- */

static void test_valid(void) {
  char grammar[1000], command[2500], name[] = "/tmp/test_pnml_XXXXXX";
  if (!shared_file(grammar, "pnml/grammar/ptnet.pntd")) return;
  if (system("command -v xmllint >/dev/null 2>&1") != 0) {
    skip("xmllint is not installed");
    return;
  }
  for (uint64_t seed = 1; seed <= 12; seed++) {
    const int descriptor = seed == 1 ? mkstemp(name) : -1;
    if (descriptor >= 0) close(descriptor);
    Heap *heap = heap_new(0);
    Net *net = random_net(heap, seed, true, "");
    FILE *out = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT(pnml_write(net, out));
    fclose(out);
    snprintf(command, sizeof command, "xmllint --noout --relaxng '%s' %s >/dev/null 2>&1", grammar, name);
    CU_ASSERT_EQUAL(system(command), 0);
    net_free(net);
    heap_free(heap);
  }
  unlink(name);
}

/* ---- extremes ---- */

/* `depth` elements inside one another, the innermost a page. */
static char *nested(Heap *heap, uint32_t depth, size_t *length) {
  char *text = heap_alloc(heap, 40 + (size_t)depth * 20);
  size_t n = (size_t)sprintf(text, "<pnml><net id='n'>");
  for (uint32_t i = 2; i < depth; i++) n += (size_t)sprintf(text + n, "<page>");
  for (uint32_t i = 2; i < depth; i++) n += (size_t)sprintf(text + n, "</page>");
  *length = n + (size_t)sprintf(text + n, "</net></pnml>");
  return text;
}

static void test_depth(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  size_t length;
  InFile file = in_memory(nested(heap, 256, &length), 0);
  file.length = length;
  Net *net = pnml_read(heap, &file, &err);
  CU_ASSERT_PTR_NOT_NULL(net);
  net_free(net);
  file = in_memory(nested(heap, 257, &length), 0);
  file.length = length;
  CU_ASSERT_PTR_NULL(pnml_read(heap, &file, &err));
  CU_ASSERT_STRING_EQUAL(err.text, "memory.pnml:1: page: elements are nested deeper than 256");
  file = in_memory(nested(heap, 1000000, &length), 0);
  file.length = length;
  CU_ASSERT_PTR_NULL(pnml_read(heap, &file, &err));
  CU_ASSERT_STRING_EQUAL(err.text, "memory.pnml:1: page: elements are nested deeper than 256");
  heap_free(heap);
}

static void test_long_name(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  enum { LENGTH = 12000000 };
  char *name = heap_alloc(heap, LENGTH + 1);
  memset(name, '<', LENGTH);
  name[LENGTH] = '\0';
  NetBuilder *b = net_builder_new(heap);
  net_add_place(b, name, true);
  Net *net = net_freeze(b, &err);
  size_t length;
  char *text = written_net(heap, net, pnml_write, &length);
  const InFile file = in_memory(text, length);
  Net *back = pnml_read(heap, &file, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(back);
  CU_ASSERT(same_net(net, back, true));
  heap_free(heap);
}

/* A chain of references as long as the file is resolved in linear time, from whichever end. */
static void test_long_chain(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  enum { N = 100000 };
  char *text = heap_alloc(heap, (size_t)N * 60);
  size_t n = (size_t)sprintf(text, "<pnml><net id='n'>");
  for (uint32_t i = 0; i < N; i++) n += (size_t)sprintf(text + n, "<referencePlace id='r%u' ref='r%u'/>\n", i, i + 1);
  n += (size_t)sprintf(text + n, "<place id='r%u'/><transition id='t'/><arc source='r0' target='t'/></net></pnml>", N);
  const InFile file = in_memory(text, n);
  Net *net = pnml_read(heap, &file, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(net);
  CU_ASSERT(net->n_places == 1 && net->n_inputs == 1);
  heap_free(heap);
}

static void test_empty_file(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char nothing[1] = "";
  const InFile file = in_memory(nothing, 0);
  CU_ASSERT_PTR_NULL(pnml_read(heap, &file, &err));
  CU_ASSERT_STRING_EQUAL(err.text, "memory.pnml: the file is empty");
  heap_free(heap);
}

/* Cut anywhere, changed anywhere: an answer, and everything given back. */
static void test_damage(void) {
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  size_t length, n_good = 0;
  Net *net = random_net(heap, 7, true, "");
  char *text = written_net(heap, net, pnml_write, &length);
  net_free(net);
  const uint64_t used = heap_used(heap);
  for (size_t i = 0; i < length; i++) {
    char *copy = malloc(length + 1); /* exactly as long as it is, for the sanitizer */
    memcpy(copy, text, length + 1);
    copy[i] = (char)(copy[i] ^ (1 << i % 7));
    const InFile changed = in_memory(copy, length), cut = in_memory(copy, i);
    Net *a = pnml_read(heap, &changed, &err), *b = pnml_read(heap, &cut, &err);
    n_good += a != NULL;
    CU_ASSERT(!a || net_audit(a, &err));
    CU_ASSERT(!b == (i < length - 1)); /* the last newline is not needed */
    net_free(a);
    net_free(b);
    free(copy);
  }
  CU_ASSERT(n_good > 0); /* in the texts */
  CU_ASSERT_EQUAL(heap_used(heap), used);
  heap_free(heap);
}

typedef struct {
  Heap *heap;
  InFile file;
} Reading;

static void read_and_free(void *argument) {
  const Reading *reading = argument;
  Err err;
  net_free(pnml_read(reading->heap, &reading->file, &err));
}

static void test_out_of_memory(void) {
  Heap *outer = heap_new(0);
  Net *net = random_net(outer, 7, true, "");
  size_t length;
  char *text = written_net(outer, net, pnml_write, &length);
  bool done = false;
  uint64_t nth = 0;
  while (!done && nth < 100000) {
    Heap *heap = heap_new(0);
    heap_fail_at(heap, ++nth);
    done = heap_try(heap, read_and_free, &(Reading){heap, in_memory(text, length)});
    heap_free(heap);
  }
  CU_ASSERT(done && nth > 20);
  heap_free(outer);
}

void suite_pnml(void);
void suite_pnml(void) {
  CU_pSuite s = CU_add_suite("pnml", NULL, NULL);
  CU_add_test(s, "written form", test_written_form);
  CU_add_test(s, "round trips of random nets", test_round_trip);
  CU_add_test(s, "a stream that fails", test_failing_stream);
  CU_add_test(s, "bad files", test_bad_files);
  CU_add_test(s, "odd files", test_good_files);
  CU_add_test(s, "nets of other tools", test_samples);
  CU_add_test(s, "valid under the grammar", test_valid);
  CU_add_test(s, "depth", test_depth);
  CU_add_test(s, "a long name", test_long_name);
  CU_add_test(s, "a long chain of references", test_long_chain);
  CU_add_test(s, "an empty file", test_empty_file);
  CU_add_test(s, "damaged files", test_damage);
  CU_add_test(s, "out of memory", test_out_of_memory);
}
