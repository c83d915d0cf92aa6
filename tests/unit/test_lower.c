/* The nets of small programs, written out. */
#include "tests/oracle/random_sml.h"
#include "tests/unit/sml_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static const char FIGURE_5A[] = "lock l; int Y;\nbegin\nacquire(l)\nY := 5;\nY := 3\nrelease(l)\nend\n||\nx := Y - 2\n";

static void compact(const char *program, const char *expected) {
  check_lines(program, GRANULARITY_STATEMENT, ENCODING_COMPACT, expected);
}
static void paper(const char *program, const char *expected) {
  check_lines(program, GRANULARITY_STATEMENT, ENCODING_PAPER, expected);
}
static void access_by_access(const char *program, const char *expected) {
  check_lines(program, GRANULARITY_ACCESS, ENCODING_COMPACT, expected);
}

static void figure_5a(void) {
  compact(FIGURE_5A, "T1.1 begin 2:1: T1.1 -> T1.2 begin\n"
                     "T1.2 acquire(l) 3:1: l T1.2 -> T1.3 | l:a\n"
                     "T1.3 Y := 5 4:1: Y T1.3 -> Y T1.4 | Y:w\n"
                     "T1.4 Y := 3 5:1: Y T1.4 -> Y T1.5 | Y:w\n"
                     "T1.5 release(l) 6:1: T1.5 -> l T1.6 | l:l\n"
                     "T1.6 end 7:1: T1.6 -> T1.7 end\n"
                     "T2.1 x := Y - 2 9:1: Y T2.1 -> Y T2.2 | Y:r\n"
                     "marked: l Y T1.1 T2.1\n");
}

static void figure_5a_as_figures_3_and_4_have_it(void) {
  paper(FIGURE_5A, "T1.1 begin 2:1: T1.1 -> T1.2 begin\n"
                   "T1.2 acquire(l) 3:1: l T1.2 -> T1.3 | l:a\n"
                   "T1.3 Y := 5 4:1: Y@1 Y@2 T1.3 -> Y@1 Y@2 T1.4 | Y:w\n"
                   "T1.4 Y := 3 5:1: Y@1 Y@2 T1.4 -> Y@1 Y@2 T1.5 | Y:w\n"
                   "T1.5 release(l) 6:1: T1.5 -> l T1.6 | l:l\n"
                   "T1.6 end 7:1: T1.6 -> T1.7 end\n"
                   "T2.1 x := Y - 2 9:1: Y@2 T2.1 -> Y@2 T2.2 | Y:r\n"
                   "marked: l Y@1 Y@2 T1.1 T2.1\n");
}

static void a_copy_per_thread_that_only_reads(void) {
  compact("int Y; begin end x := Y || y := Y; Y := 1 || Y := Y + 1",
          "T1.1 begin 1:8: T1.1 -> T1.2 begin\nT1.2 end 1:14: T1.2 -> T1.3 end\n"
          "T1.3 x := Y 1:18: Y@1 T1.3 -> Y@1 T1.4 | Y:r\n"
          "T2.1 y := Y 1:28: Y@2 T2.1 -> Y@2 T2.2 | Y:r\n"
          "T2.2 Y := 1 1:36: Y@1 Y@2 T2.2 -> Y@1 Y@2 T2.3 | Y:w\n"
          "T3.1 Y := Y + 1 1:46: Y@1 Y@2 T3.1 -> Y@1 Y@2 T3.2 | Y:r Y:w\n"
          "marked: Y@1 Y@2 T1.1 T2.1 T3.1\n");
}

static void one_copy_where_nobody_only_reads(void) {
  compact(
      "int Y; begin Y := 1 end || Y := Y + 1",
      "T1.1 begin 1:8: T1.1 -> T1.2 begin\nT1.2 Y := 1 1:14: Y T1.2 -> Y T1.3 | Y:w\nT1.3 end 1:21: T1.3 -> T1.4 end\n"
      "T2.1 Y := Y + 1 1:28: Y T2.1 -> Y T2.2 | Y:r Y:w\nmarked: Y T1.1 T2.1\n");
}

static void no_copy_without_writers_or_with_one_user(void) {
  compact("int X, Y; begin x := X; Y := Y + 1 end || x := X",
          "T1.1 begin 1:11: T1.1 -> T1.2 begin\nT1.2 x := X 1:17: T1.2 -> T1.3 | X:r\n"
          "T1.3 Y := Y + 1 1:25: T1.3 -> T1.4 | Y:r Y:w\nT1.4 end 1:36: T1.4 -> T1.5 end\n"
          "T2.1 x := X 1:43: T2.1 -> T2.2 | X:r\nmarked: T1.1 T2.1\n");
}

static void a_tracked_variable_of_one_thread_is_a_part_of_its_control(void) {
  compact("int[3] C := 1; begin C := C + 1 end || skip",
          "T1.1 begin 1:16: T1.1[C=1] -> T1.2[C=1] begin\nT1.2 C := C + 1 1:22: T1.2[C=1] -> T1.3[C=2] | C:r C:w\n"
          "T1.3 end 1:33: T1.3[C=2] -> T1.4[C=2] end\nT2.1 skip 1:40: T2.1 -> T2.2\nmarked: T1.1[C=1] T2.1\n");
  paper("bool C; begin C := true end || skip",
        "T1.1 begin 1:9: T1.1 -> T1.2 begin\n"
        "T1.2 C := true 1:15: C@1=0 C@2=0 T1.2 -> C@1=1 C@2=1 T1.3 | C:w\n"
        "T1.2#2 C := true 1:15: C@1=1 C@2=1 T1.2 -> C@1=1 C@2=1 T1.3 | C:w\n"
        "T1.3 end 1:25: T1.3 -> T1.4 end\nT2.1 skip 1:32: T2.1 -> T2.2\nmarked: C@1=0 C@2=0 T1.1 T2.1\n");
}

static void a_tracked_variable_that_nobody_writes_is_a_constant(void) {
  compact(
      "bool DEBUG := true; begin if (DEBUG) { skip } end || if (!DEBUG) { skip }",
      "T1.1 begin 1:21: T1.1 -> T1.2 begin\nT1.2 [DEBUG] 1:27: T1.2 -> T1.3 | DEBUG:r\nT1.3 skip 1:40: T1.3 -> T1.4\n"
      "T1.4 end 1:47: T1.4 -> T1.5 end\nT2.1 [not !DEBUG] 1:54: T2.1 -> T2.3 | DEBUG:r\nmarked: T1.1 T2.1\n");
}

static void tracked_variables_carry_their_values(void) {
  compact("bool F; begin F := true end || if (F) { skip }",
          "T1.1 begin 1:9: T1.1 -> T1.2 begin\nT1.2 F := true 1:15: F=0 T1.2 -> F=1 T1.3 | F:w\n"
          "T1.2#2 F := true 1:15: F=1 T1.2 -> F=1 T1.3 | F:w\nT1.3 end 1:25: T1.3 -> T1.4 end\n"
          "T2.1 [not F] 1:32: F=0 T2.1 -> F=0 T2.3 | F:r\nT2.1#2 [F] 1:32: F=1 T2.1 -> F=1 T2.2 | F:r\n"
          "T2.2 skip 1:41: T2.2 -> T2.3\nmarked: F=0 T1.1 T2.1\n");
}

static void an_abstracted_test_goes_both_ways(void) {
  compact(
      "int Y; begin while (Y > 0) { skip } end || Y := 1",
      "T1.1 begin 1:8: T1.1 -> T1.2 begin\nT1.2 [Y > 0] 1:14: Y T1.2 -> Y T1.3 | Y:r\n"
      "T1.2#2 [not Y > 0] 1:14: Y T1.2 -> Y T1.4 | Y:r\nT1.3 skip 1:30: T1.3 -> T1.2\nT1.4 end 1:37: T1.4 -> T1.5 end\n"
      "T2.1 Y := 1 1:44: Y T2.1 -> Y T2.2 | Y:w\nmarked: Y T1.1 T2.1\n");
  compact("begin if (x or y) { } end",
          "T1.1 begin 1:1: T1.1 -> T1.2 begin\nT1.2 [x or y] 1:7: T1.2 -> T1.3\n"
          "T1.2#2 [not (x or y)] 1:7: T1.2 -> T1.3\nT1.3 end 1:23: T1.3 -> T1.4 end\nmarked: T1.1\n");
}

static void a_constant_test_has_one_exit(void) {
  compact("while (true) { begin while (1 > 2) { skip } end }",
          "T1.1 [true] 1:1: T1.1 -> T1.2\nT1.2 begin 1:16: T1.2 -> T1.3 begin\nT1.3 [not 1 > 2] 1:22: T1.3 -> T1.5\n"
          "T1.5 end 1:45: T1.5 -> T1.1 end\nmarked: T1.1\n");
  compact("begin while (true) { } end",
          "T1.1 begin 1:1: T1.1 -> T1.2 begin\nT1.2 [true] 1:7: T1.2 -> T1.2\nmarked: T1.1\n");
}

static void nondet_is_any_value(void) {
  compact("local int[3] k; begin k := nondet end",
          "T1.1 begin 1:17: T1.1[k=0] -> T1.2[k=0] begin\nT1.2 k := nondet 1:23: T1.2[k=0] -> T1.3[k=0]\n"
          "T1.2#2 k := nondet 1:23: T1.2[k=0] -> T1.3[k=1]\nT1.2#3 k := nondet 1:23: T1.2[k=0] -> T1.3[k=2]\n"
          "T1.3 end 1:35: T1.3[k=0] -> T1.4[k=0] end\nT1.3#2 end 1:35: T1.3[k=1] -> T1.4[k=1] end\n"
          "T1.3#3 end 1:35: T1.3[k=2] -> T1.4[k=2] end\nmarked: T1.1[k=0]\n");
}

static void an_await_waits_until_it_can_hold(void) {
  compact(
      "bool F; int Y; begin await(F) end await (Y > 1) || F := nondet; Y := 1",
      "T1.1 begin 1:16: T1.1 -> T1.2 begin\nT1.2 await(F) 1:22: F=1 T1.2 -> F=1 T1.3 | F:r\nT1.3 end 1:31: T1.3 -> T1.4 end\n"
      "T1.4 await (Y > 1) 1:35: Y T1.4 -> Y T1.5 | Y:r\n"
      "T2.1 F := nondet 1:52: F=0 T2.1 -> F=0 T2.2 | F:w\nT2.1#2 F := nondet 1:52: F=0 T2.1 -> F=1 T2.2 | F:w\n"
      "T2.1#3 F := nondet 1:52: F=1 T2.1 -> F=0 T2.2 | F:w\nT2.1#4 F := nondet 1:52: F=1 T2.1 -> F=1 T2.2 | F:w\n"
      "T2.2 Y := 1 1:65: Y T2.2 -> Y T2.3 | Y:w\nmarked: F=0 Y T1.1 T2.1\n");
}

static void an_atomic_is_one_event_with_its_outcomes(void) {
  compact("bool M; local bool f; begin atomic { f := M; M := true } end || M := false",
          "T1.1 begin 1:23: T1.1[f=0] -> T1.2[f=0] begin\n"
          "T1.2 atomic { f := M; M := true } 1:29: M=0 T1.2[f=0] -> M=1 T1.3[f=0] | M:r M:w\n"
          "T1.2#2 atomic { f := M; M := true } 1:29: M=1 T1.2[f=0] -> M=1 T1.3[f=1] | M:r M:w\n"
          "T1.3 end 1:58: T1.3[f=0] -> T1.4[f=0] end\nT1.3#2 end 1:58: T1.3[f=1] -> T1.4[f=1] end\n"
          "T2.1 M := false 1:65: M=0 T2.1 -> M=0 T2.2 | M:w\nT2.1#2 M := false 1:65: M=1 T2.1 -> M=0 T2.2 | M:w\n"
          "marked: M=0 T1.1[f=0] T2.1\n");
}

static void an_atomic_touches_what_its_path_does(void) {
  compact(
      "bool M; int X, Y; begin atomic { if (!M) { M := true; X := 1 } else { atomic { await(X > 0); } } } end || M := Y; X := Y",
      "T1.1 begin 1:19: T1.1 -> T1.2 begin\n"
      "T1.2 atomic { if (!M) { M := true; X := 1 } else { atomic { await(X > 0); } } } 1:25: M=0 X T1.2 -> M=1 X T1.3 | M:r M:w X:w\n"
      "T1.2#2 atomic { if (!M) { M := true; X := 1 } else { atomic { await(X > 0); } } } 1:25: M=1 X T1.2 -> M=1 X T1.3 | M:r X:r\n"
      "T1.3 end 1:100: T1.3 -> T1.4 end\n"
      "T2.1 M := Y 1:107: M=0 T2.1 -> M=0 T2.2 | Y:r M:w\nT2.1#2 M := Y 1:107: M=0 T2.1 -> M=1 T2.2 | Y:r M:w\n"
      "T2.1#3 M := Y 1:107: M=1 T2.1 -> M=0 T2.2 | Y:r M:w\nT2.1#4 M := Y 1:107: M=1 T2.1 -> M=1 T2.2 | Y:r M:w\n"
      "T2.2 X := Y 1:115: X T2.2 -> X T2.3 | Y:r X:w\nmarked: M=0 X T1.1 T2.1\n");
  compact("begin atomic { if (x) { y := 1 } else { y := 2 } } atomic { } end",
          "T1.1 begin 1:1: T1.1 -> T1.2 begin\nT1.2 atomic { if (x) { y := 1 } else { y := 2 } } 1:7: T1.2 -> T1.3\n"
          "T1.3 atomic { } 1:52: T1.3 -> T1.4\nT1.4 end 1:63: T1.4 -> T1.5 end\nmarked: T1.1\n");
}

static void a_lock_has_a_held_place_only_where_it_is_needed(void) {
  compact(
      "lock l; begin acquire(l) release(l) end || if (x) { acquire(l) } release(l)",
      "T1.1 begin 1:9: T1.1 -> T1.2 begin\nT1.2 acquire(l) 1:15: l T1.2 -> T1.3 | l:a\nT1.3 release(l) 1:26: T1.3 -> l T1.4 | l:l\n"
      "T1.4 end 1:37: T1.4 -> T1.5 end\n"
      "T2.1 [x] 1:44: T2.1 -> T2.2\nT2.1#2 [not x] 1:44: T2.1 -> T2.3\nT2.2 acquire(l) 1:53: l T2.2 -> T2.3 l@T2 | l:a\n"
      "T2.3 release(l) 1:66: T2.3 l@T2 -> l T2.4 | l:l\nmarked: l T1.1 T2.1\n");
  compact("lock l; local bool f; f := nondet; begin if (f) { acquire(l) } if (f) { release(l) } end || acquire(l)",
          "T1.1 f := nondet 1:23: T1.1[f=0] -> T1.2[f=0]\nT1.1#2 f := nondet 1:23: T1.1[f=0] -> T1.2[f=1]\n"
          "T1.2 begin 1:36: T1.2[f=0] -> T1.3[f=0] begin\nT1.2#2 begin 1:36: T1.2[f=1] -> T1.3[f=1] begin\n"
          "T1.3 [not f] 1:42: T1.3[f=0] -> T1.5[f=0]\nT1.3#2 [f] 1:42: T1.3[f=1] -> T1.4[f=1]\n"
          "T1.5 [not f] 1:64: T1.5[f=0] -> T1.7[f=0]\nT1.4 acquire(l) 1:51: l T1.4[f=1] -> T1.5[f=1] | l:a\n"
          "T1.7 end 1:86: T1.7[f=0] -> T1.8[f=0] end\nT1.5#2 [f] 1:64: T1.5[f=1] -> T1.6[f=1]\n"
          "T1.6 release(l) 1:73: T1.6[f=1] -> l T1.7[f=1] | l:l\nT1.7#2 end 1:86: T1.7[f=1] -> T1.8[f=1] end\n"
          "T2.1 acquire(l) 1:93: l T2.1 -> T2.2 | l:a\nmarked: l T1.1[f=0] T2.1\n");
}

static void every_read_is_an_event_with_granularity_access(void) {
  access_by_access("int X, Y; begin Y := Y + X end || X := 1; x := Y",
                   "T1.1 begin 1:11: T1.1 -> T1.2 begin\n"
                   "T1.2 read Y 1:22: Y@1 T1.2 -> Y@1 T1.2.1 | Y:r\n"
                   "T1.2#2 read X 1:26: X T1.2.1 -> X T1.2.2 | X:r\n"
                   "T1.2#3 Y := Y + X 1:17: Y@1 Y@2 T1.2.2 -> Y@1 Y@2 T1.3 | Y:w\n"
                   "T1.3 end 1:28: T1.3 -> T1.4 end\n"
                   "T2.1 X := 1 1:35: X T2.1 -> X T2.2 | X:w\n"
                   "T2.2 x := Y 1:43: Y@2 T2.2 -> Y@2 T2.3 | Y:r\n"
                   "marked: X Y@1 Y@2 T1.1 T2.1\n");
}

static void what_was_read_is_remembered(void) {
  access_by_access(
      "bool F, G; begin if (F && G) { skip } end || F := true; G := true",
      "T1.1 begin 1:12: T1.1#0 -> T1.2#1 begin\n"
      "T1.2 read F 1:22: F=0 T1.2#1 -> F=0 T1.2.1#2 | F:r\nT1.2#2 read F 1:22: F=1 T1.2#1 -> F=1 T1.2.1#3 | F:r\n"
      "T1.2#3 [not (F && G)] 1:18: G=0 T1.2.1#2 -> G=0 T1.4#4 | G:r\n"
      "T1.2#4 [not (F && G)] 1:18: G=1 T1.2.1#2 -> G=1 T1.4#4 | G:r\n"
      "T1.2#5 [not (F && G)] 1:18: G=0 T1.2.1#3 -> G=0 T1.4#4 | G:r\n"
      "T1.2#6 [F && G] 1:18: G=1 T1.2.1#3 -> G=1 T1.3#5 | G:r\n"
      "T1.4 end 1:39: T1.4#4 -> T1.5#6 end\nT1.3 skip 1:32: T1.3#5 -> T1.4#4\n"
      "T2.1 F := true 1:46: F=0 T2.1 -> F=1 T2.2 | F:w\nT2.1#2 F := true 1:46: F=1 T2.1 -> F=1 T2.2 | F:w\n"
      "T2.2 G := true 1:57: G=0 T2.2 -> G=1 T2.3 | G:w\nT2.2#2 G := true 1:57: G=1 T2.2 -> G=1 T2.3 | G:w\n"
      "marked: F=0 G=0 T1.1#0 T2.1\n");
}

static void what_is_one_event_stays_one_with_granularity_access(void) {
  access_by_access("int X, Y; begin atomic { X := X + Y } await(X = Y) end || X := 1 || Y := 1",
                   "T1.1 begin 1:11: T1.1 -> T1.2 begin\n"
                   "T1.2 atomic { X := X + Y } 1:17: X Y T1.2 -> X Y T1.3 | X:r Y:r X:w\n"
                   "T1.3 await(X = Y) 1:39: X Y T1.3 -> X Y T1.4 | X:r Y:r\n"
                   "T1.4 end 1:52: T1.4 -> T1.5 end\n"
                   "T2.1 X := 1 1:59: X T2.1 -> X T2.2 | X:w\nT3.1 Y := 1 1:69: Y T3.1 -> Y T3.2 | Y:w\n"
                   "marked: X Y T1.1 T2.1 T3.1\n");
}

static void values_are_taken_modulo_k(void) {
  compact("local int[3] k := 2; begin k := k + 2 end k := 0 - 4; k := 5 / 0",
          "T1.1 begin 1:22: T1.1[k=2] -> T1.2[k=2] begin\nT1.2 k := k + 2 1:28: T1.2[k=2] -> T1.3[k=1]\n"
          "T1.3 end 1:39: T1.3[k=1] -> T1.4[k=1] end\nT1.4 k := 0 - 4 1:43: T1.4[k=1] -> T1.5[k=2]\n"
          "T1.5 k := 5 / 0 1:55: T1.5[k=2] -> T1.6[k=0]\nT1.5#2 k := 5 / 0 1:55: T1.5[k=2] -> T1.6[k=1]\n"
          "T1.5#3 k := 5 / 0 1:55: T1.5[k=2] -> T1.6[k=2]\nmarked: T1.1[k=2]\n");
}

/* Both elements are named by one index, whose value 2 fits only one of the arrays. */
static void an_index_means_one_element_of_each_array(void) {
  compact("int A[3], B[2]; local int[3] i; i := 2; A[i] := B[i] || N := 1", "T1.1 i := 2 1:33: T1.1[i=0] -> T1.2[i=2]\n"
                                                                            "T2.1 N := 1 1:57: T2.1 -> T2.2\n"
                                                                            "marked: T1.1[i=0] T2.1\n");
  compact("int A[3], B[2]; A[i] := B[i]; i := 0 || A[0] := 1; B[1] := 1",
          "T1.2 A[i] := B[i] 1:17: A[0] T1.1 -> A[0] T1.4 | B[0]:r A[0]:w\n"
          "T1.3 A[i] := B[i] 1:17: B[1] T1.1 -> B[1] T1.4 | B[1]:r A[1]:w\n"
          "T1.4 i := 0 1:31: T1.4 -> T1.5\n"
          "T2.1 A[0] := 1 1:41: A[0] T2.1 -> A[0] T2.2 | A[0]:w\n"
          "T2.2 B[1] := 1 1:52: B[1] T2.2 -> B[1] T2.3 | B[1]:w\n"
          "marked: A[0] B[1] T1.1 T2.1\n");
  compact("int A[2]; 2 * { A[self] := A[(self + 1) % 2] }",
          "T1.1 A[self] := A[(self + 1) % 2] 1:17: A[0] A[1] T1.1 -> A[0] A[1] T1.2 | A[1]:r A[0]:w\n"
          "T2.1 A[self] := A[(self + 1) % 2] 1:17: A[0] A[1] T2.1 -> A[0] A[1] T2.2 | A[0]:r A[1]:w\n"
          "marked: A[0] A[1] T1.1 T2.1\n");
  access_by_access("bool A[2]; local bool i; if (A[i] = A[!i]) { skip } || A[0] := true; A[1] := true",
                   "T1.4 read A[0] 1:30: A[0]=0 T1.1#0 -> A[0]=0 T1.4.1#1 | A[0]:r\n"
                   "T1.4#2 read A[0] 1:30: A[0]=1 T1.1#0 -> A[0]=1 T1.4.1#2 | A[0]:r\n"
                   "T1.4#3 [A[i] = A[!i]] 1:26: A[1]=0 T1.4.1#1 -> A[1]=0 T1.8#3 | A[1]:r\n"
                   "T1.4#4 [not A[i] = A[!i]] 1:26: A[1]=1 T1.4.1#1 -> A[1]=1 T1.9#4 | A[1]:r\n"
                   "T1.4#5 [not A[i] = A[!i]] 1:26: A[1]=0 T1.4.1#2 -> A[1]=0 T1.9#4 | A[1]:r\n"
                   "T1.4#6 [A[i] = A[!i]] 1:26: A[1]=1 T1.4.1#2 -> A[1]=1 T1.8#3 | A[1]:r\n"
                   "T1.8 skip 1:46: T1.8#3 -> T1.9#4\n"
                   "T2.1 A[0] := true 1:56: A[0]=0 T2.1 -> A[0]=1 T2.2 | A[0]:w\n"
                   "T2.1#2 A[0] := true 1:56: A[0]=1 T2.1 -> A[0]=1 T2.2 | A[0]:w\n"
                   "T2.2 A[1] := true 1:70: A[1]=0 T2.2 -> A[1]=1 T2.3 | A[1]:w\n"
                   "T2.2#2 A[1] := true 1:70: A[1]=1 T2.2 -> A[1]=1 T2.3 | A[1]:w\n"
                   "marked: A[0]=0 A[1]=0 T1.1#0 T2.1\n");
}

static void calls_are_inlined_and_blocks_stay_one(void) {
  SmlCase c = sml_case("int Y; proc p { begin:B Y := 1 end }\ncall p; call p || N * { call p } || begin skip end");
  const Notes *notes = c.net->notes;
  CU_ASSERT_EQUAL(notes->n_threads, 5);
  CU_ASSERT_EQUAL(notes->n_blocks, 2);
  CU_ASSERT_STRING_EQUAL(notes->blocks[0].name, "B");
  CU_ASSERT_PTR_NULL(notes->blocks[1].name);
  CU_ASSERT_EQUAL(notes->blocks[0].begin.column, 17);
  CU_ASSERT_EQUAL(notes->blocks[0].end.column, 32);
  uint32_t begins[2] = {0, 0}, ends[2] = {0, 0};
  for (uint32_t t = 0; t < c.net->n_trans; t++) {
    if (notes->transitions[t].begin != NOTE_NONE) begins[notes->transitions[t].begin]++;
    if (notes->transitions[t].end != NOTE_NONE) ends[notes->transitions[t].end]++;
  }
  CU_ASSERT_EQUAL(begins[0], 5);
  CU_ASSERT_EQUAL(ends[0], 5);
  CU_ASSERT_EQUAL(begins[1], 1);
  sml_case_end(&c);
}

static void copies_share_a_group_and_have_units_of_their_own(void) {
  SmlCase c = sml_case("int Y; N * { Y := 1 }\n|| begin Y := 2 end || 0 * { Y := 3 }");
  const Notes *notes = c.net->notes;
  CU_ASSERT_EQUAL(notes->n_threads, 4);
  CU_ASSERT_EQUAL(c.net->n_units, 4);
  CU_ASSERT_TRUE(c.net->units_safe);
  for (uint32_t i = 0; i < 4; i++) {
    const char name[] = {'T', (char)('1' + i), '\0'};
    CU_ASSERT_STRING_EQUAL(notes->threads[i].name, name);
    CU_ASSERT_STRING_EQUAL(c.net->unit_name[i], name);
    CU_ASSERT_EQUAL(notes->threads[i].group, i < 3 ? 0 : 1);
    CU_ASSERT_EQUAL(notes->threads[i].pos.line, i < 3 ? 1 : 2);
  }
  for (uint32_t p = 0; p < c.net->n_places; p++) {
    const PlaceNote *note = &notes->places[p];
    CU_ASSERT_EQUAL(c.net->unit_of[p], note->role == ROLE_CONTROL ? note->thread : UNIT_NONE);
  }
  sml_case_end(&c);
}

static void objects_and_places_are_noted(void) {
  SmlCase c = sml_case("int Y; lock l; int[3] C := 2; begin release(l) C := 0; Y := 1 end || C := 1 || x := Y");
  const Notes *notes = c.net->notes;
  CU_ASSERT_STRING_EQUAL(notes->file, "t.sml");
  CU_ASSERT_EQUAL(notes->n_objects, 3);
  CU_ASSERT_EQUAL(notes->objects[1].kind, OBJECT_LOCK);
  CU_ASSERT_EQUAL(notes->objects[0].n_values, 0);
  CU_ASSERT_EQUAL(notes->objects[2].n_values, 3);
  static const PlaceNote expected[] = {{ROLE_COPY, NOTE_NONE, 0, 0, 0, NOTE_NONE, POINT_OTHER},
                                       {ROLE_LOCK, NOTE_NONE, 1, 0, 0, NOTE_NONE, POINT_OTHER},
                                       {ROLE_COPY, NOTE_NONE, 2, 0, 0, NOTE_NONE, POINT_OTHER},
                                       {ROLE_COPY, NOTE_NONE, 2, 0, 1, NOTE_NONE, POINT_OTHER},
                                       {ROLE_COPY, NOTE_NONE, 2, 0, 2, NOTE_NONE, POINT_OTHER}};
  for (uint32_t p = 0; p < 5; p++) {
    const PlaceNote *got = &notes->places[p];
    CU_ASSERT_TRUE(got->role == expected[p].role && got->thread == expected[p].thread &&
                   got->object == expected[p].object && got->copy == expected[p].copy &&
                   got->value == expected[p].value);
    CU_ASSERT_EQUAL(c.net->marked[p], p == 0 || p == 1 || p == 4);
  }
  const PlaceNote *held = &notes->places[11];
  CU_ASSERT_TRUE(held->role == ROLE_HELD && held->thread == 0 && held->object == 1);
  sml_case_end(&c);
}

/* ---- what is true of every net ---- */

/* How many control places of the thread are in the list; *others: control places of other threads. */
static uint32_t count_control(const Net *net, PlaceList list, uint32_t thread, uint32_t *others) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < list.n; i++) {
    const PlaceNote *note = &net->notes->places[list.at[i].v];
    if (note->role != ROLE_CONTROL) continue;
    n += note->thread == thread;
    *others += note->thread != thread;
  }
  return n;
}

static bool threads_are_sequential(const Net *net) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    uint32_t others = 0;
    const uint32_t thread = net->notes->transitions[t].thread;
    if (count_control(net, net_pre(net, (TransId){t}), thread, &others) != 1 ||
        count_control(net, net_post(net, (TransId){t}), thread, &others) != 1 || others)
      return false;
    if (t && net->notes->transitions[t - 1].thread > thread) return false;
  }
  return true;
}

/* Takes and puts back as many copies of each variable: each family keeps one token per copy. */
static bool copies_are_kept(const Net *net) {
  for (uint32_t t = 0; t < net->n_trans; t++) {
    const PlaceList pre = net_pre(net, (TransId){t}), post = net_post(net, (TransId){t});
    uint64_t taken = 0, put = 0;
    for (uint32_t i = 0; i < pre.n; i++) {
      const PlaceNote *note = &net->notes->places[pre.at[i].v];
      if (note->role == ROLE_COPY) taken += (uint64_t)(note->object + 1) * 1000003 + note->copy * 17;
    }
    for (uint32_t i = 0; i < post.n; i++) {
      const PlaceNote *note = &net->notes->places[post.at[i].v];
      if (note->role == ROLE_COPY) put += (uint64_t)(note->object + 1) * 1000003 + note->copy * 17;
    }
    if (taken != put) return false;
  }
  return true;
}

static void random_programs_give_sound_nets(void) {
  Heap *heap = heap_new(0);
  for (uint64_t seed = 1; seed <= 300; seed++) {
    CharVec text = {0};
    random_sml(heap, seed, RANDOM_SMALL, &text);
    vec_push(heap, &text, '\0');
    for (int way = 0; way < 4; way++) {
      SmlCase c = sml_case_with(text.at, text.n - 1, way & 1 ? GRANULARITY_ACCESS : GRANULARITY_STATEMENT,
                                way & 2 ? ENCODING_PAPER : ENCODING_COMPACT);
      const bool good = c.net && threads_are_sequential(c.net) && copies_are_kept(c.net);
      CU_ASSERT_TRUE(good);
      if (!good) printf("\n  random program %llu, way %d\n%s", (unsigned long long)seed, way, c.messages);
      sml_case_end(&c);
    }
    vec_fini(heap, &text);
  }
  heap_free(heap);
}

void suite_lower(void) {
  CU_pSuite suite = CU_add_suite("lower", NULL, NULL);
  CU_ADD_TEST(suite, figure_5a);
  CU_ADD_TEST(suite, figure_5a_as_figures_3_and_4_have_it);
  CU_ADD_TEST(suite, a_copy_per_thread_that_only_reads);
  CU_ADD_TEST(suite, one_copy_where_nobody_only_reads);
  CU_ADD_TEST(suite, no_copy_without_writers_or_with_one_user);
  CU_ADD_TEST(suite, a_tracked_variable_of_one_thread_is_a_part_of_its_control);
  CU_ADD_TEST(suite, a_tracked_variable_that_nobody_writes_is_a_constant);
  CU_ADD_TEST(suite, tracked_variables_carry_their_values);
  CU_ADD_TEST(suite, an_abstracted_test_goes_both_ways);
  CU_ADD_TEST(suite, a_constant_test_has_one_exit);
  CU_ADD_TEST(suite, nondet_is_any_value);
  CU_ADD_TEST(suite, an_await_waits_until_it_can_hold);
  CU_ADD_TEST(suite, an_atomic_is_one_event_with_its_outcomes);
  CU_ADD_TEST(suite, an_atomic_touches_what_its_path_does);
  CU_ADD_TEST(suite, a_lock_has_a_held_place_only_where_it_is_needed);
  CU_ADD_TEST(suite, every_read_is_an_event_with_granularity_access);
  CU_ADD_TEST(suite, what_was_read_is_remembered);
  CU_ADD_TEST(suite, what_is_one_event_stays_one_with_granularity_access);
  CU_ADD_TEST(suite, values_are_taken_modulo_k);
  CU_ADD_TEST(suite, an_index_means_one_element_of_each_array);
  CU_ADD_TEST(suite, calls_are_inlined_and_blocks_stay_one);
  CU_ADD_TEST(suite, copies_share_a_group_and_have_units_of_their_own);
  CU_ADD_TEST(suite, objects_and_places_are_noted);
  CU_ADD_TEST(suite, random_programs_give_sound_nets);
}
