/* XML that would cost libxml2 too much time, that it would pass, or of which it would print something by itself. */
#include "petri/pnml.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What is printed on stderr meanwhile goes to a file. */
typedef struct {
  FILE *file;
  int before;
} Silence;

static Silence silence_begin(void) {
  Silence silence = {tmpfile(), dup(STDERR_FILENO)};
  fflush(stderr);
  dup2(fileno(silence.file), STDERR_FILENO);
  return silence;
}

static void silence_end(Silence silence) {
  fflush(stderr);
  CU_ASSERT_EQUAL(lseek(STDERR_FILENO, 0, SEEK_END), 0);
  dup2(silence.before, STDERR_FILENO);
  close(silence.before);
  fclose(silence.file);
}

/* The bytes are refused with a message that begins like this, NULL: they are a net; soon, and without a word on
 * stderr. */
static void expect(const char *bytes, size_t length, const char *message) {
  const Silence silence = silence_begin();
  const clock_t start = clock();
  Heap *heap = heap_new(0);
  Err err = {.text = ""};
  char *copy = malloc(length + 1); /* exactly as long as it is, for the sanitizer */
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  Net *net = pnml_read(heap, &(InFile){copy, length, "x"}, &err);
  CU_ASSERT_EQUAL(net == NULL, message != NULL);
  const bool as_expected = message ? strncmp(err.text, message, strlen(message)) == 0 : !err.text[0];
  if (!as_expected) printf("\n    expected: %s\n    found:    %s\n", message ? message : "", err.text);
  CU_ASSERT_TRUE(as_expected);
  net_free(net);
  free(copy);
  CU_ASSERT_EQUAL(heap_used(heap), 0);
  heap_free(heap);
  CU_ASSERT_TRUE((double)(clock() - start) / CLOCKS_PER_SEC < 1);
  silence_end(silence);
}

static void expect_text(const char *text, const char *message) { expect(text, strlen(text), message); }

#define NAMED(name) "<pnml><net id='n'><name><text>" name "</text></name></net></pnml>"
#define NET "<pnml><net id='n'><place id='p'/></net></pnml>"
#define MANY "x:2: the tag has more than 32 attributes"

/* ---- attributes ---- */

/* ASCII as UTF-16; malloc'd. */
static char *widened(const char *text, bool big, size_t *length) {
  const size_t n = strlen(text);
  char *wide = calloc(n + 1, 2);
  memcpy(wide, big ? "\xfe\xff" : "\xff\xfe", 2);
  for (size_t i = 0; i < n; i++) wide[2 + 2 * i + big] = text[i];
  *length = 2 * n + 2;
  return wide;
}

static char *with_attributes(uint32_t n, const char *format) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "<pnml>\n<net id='n'");
  for (uint32_t i = 1; i < n; i++) fprintf(out, format, i);
  fprintf(out, "><place id='p'/></net></pnml>");
  fclose(out);
  return text;
}

static void expect_attributes(uint32_t n, const char *format, const char *message) {
  char *text = with_attributes(n, format);
  expect_text(text, message);
  for (int big = 0; big < 2; big++) {
    size_t length;
    char *wide = widened(text, big, &length);
    expect(wide, length, message);
    free(wide);
  }
  free(text);
}

static void many_attributes(void) {
  expect_attributes(32, " a%u=''", NULL);
  expect_attributes(33, " a%u=''", MANY);
  expect_attributes(100000, " a%u=''", MANY);
  expect_attributes(100000, "\na%u=\">'\"", MANY);
  expect_attributes(100000, " xmlns:a%u='u'", MANY);
  expect_attributes(100000, " a:b%u = 'c'", MANY);
  expect_attributes(2, " a%u='><!-- ======== ======== ======== ======== --'",
                    "x:2: not well-formed XML: Unescaped '<' not allowed");
}

/* What is no attribute is not counted. */
static void signs_elsewhere(void) {
#define SIGNS "========== ========== ========== =========="
  expect_text("<?x " SIGNS " '?"
              "><!-- \" " SIGNS " '--><pnml><net id='" SIGNS "'><name><text><![CDATA[<a '" SIGNS "]]>" SIGNS
              "</text></name></net></pnml>",
              NULL);
}

static void declared_attributes(void) {
  expect_text("<!DOCTYPE pnml [\n<!ATTLIST net a CDATA 'x' b CDATA 'y'>\n]>\n" NET,
              "x:1: declarations in the DOCTYPE are not allowed");
  expect_text("<!DOCTYPE pnml SYSTEM \"[>\">" NET, NULL);
}

/* ---- encodings ---- */

static void other_encodings(void) {
  static const char *const STRANGE[] = {"UTF-7", "ISO-2022-JP", "IBM037", "UTF-16LE", "UCS-4", "HZ", "nonsense"};
  for (size_t i = 0; i < sizeof STRANGE / sizeof *STRANGE; i++) {
    char text[200];
    snprintf(text, sizeof text, "<?xml version='1.0' encoding='%s'?>" NET, STRANGE[i]);
    expect_text(text, i < 2 ? "x:1: encoding '" : "x:1: ");
  }
  expect_text("<?xml version='1.0' encoding='iso-8859-15'?>" NET, NULL);
  expect("\x4c\x6f\xa7\x94", 4, "x:1: not well-formed XML: expected '<'");
}

static void bytes_that_are_no_characters(void) {
  expect_text("<?xml version='1.0' encoding='US-ASCII'?>\n" NAMED("\xe4"), "");
  expect_text("<?xml version='1.0' encoding='windows-1253'?>\n" NAMED("\xd2"), "");
  expect_text(NAMED("\xed\xa0\x80"), "");
}

/* A lone surrogate in each place of a text: in front of the first character, in names, texts, and behind the end. */
static void lone_surrogates(void) {
  for (int big = 0; big < 2; big++)
    for (int low = 0; low < 2; low++) {
      size_t length;
      char *wide = widened("<pnml><net id='n'>\n<name><text>name</text></name></net></pnml>   ", big, &length);
      for (size_t at = 2; at < length; at += 2) {
        char message[100];
        char *copy = malloc(length);
        memcpy(copy, wide, length);
        copy[at + !big] = low ? (char)0xdc : (char)0xd8;
        const int line = at < 2 + 2 * 19 ? 1 : 2;
        snprintf(message, sizeof message, "x:%d: not well-formed XML: half a pair of UTF-16 (a lone surrogate)", line);
        expect(copy, length, message);
        free(copy);
      }
      expect(wide, length - 1, "x:2: not well-formed XML: it ends with half a character of UTF-16");
      free(wide);
    }
}

static void nuls(void) {
  expect(NET "\0", sizeof NET, "x:1: not well-formed XML: a NUL byte");
  expect(NET "\n\0<", sizeof NET + 2, "x:2: not well-formed XML: a NUL byte");
  expect("\0" NET, sizeof NET, "x:1: not well-formed XML: ");
  size_t length;
  char *wide = widened(NET " ", false, &length);
  wide[length - 2] = '\0';
  expect(wide, length, "x:1: not well-formed XML: a NUL");
  free(wide);
}

void suite_pnml_hostile(void);
void suite_pnml_hostile(void) {
  CU_pSuite suite = CU_add_suite("pnml_hostile", NULL, NULL);
  CU_ADD_TEST(suite, many_attributes);
  CU_ADD_TEST(suite, signs_elsewhere);
  CU_ADD_TEST(suite, declared_attributes);
  CU_ADD_TEST(suite, other_encodings);
  CU_ADD_TEST(suite, bytes_that_are_no_characters);
  CU_ADD_TEST(suite, lone_surrogates);
  CU_ADD_TEST(suite, nuls);
}
