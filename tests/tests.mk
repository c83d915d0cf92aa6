# tests.mk: the tests, included by the Makefile, which defines B, MODE, CC, CFLAGS_ALL, MODE_FLAGS, PACKAGE_LIBS, TOOLS.
# Each part ends with a line "PART: N passed, N failed"; tests/check.sh runs them and adds these lines up.

UNIT_TESTS := $(sort $(wildcard tests/unit/test_*.c))
ORACLES    := $(wildcard tests/oracle/*.c)
UNIT_HELPERS   := $(filter-out $(UNIT_TESTS),$(wildcard tests/unit/*.c))
UNIT_OBJECTS   := $(UNIT_TESTS:%.c=$(B)/%.o) $(UNIT_HELPERS:%.c=$(B)/%.o)
ORACLE_OBJECTS := $(ORACLES:%.c=$(B)/%.o)
ENGINE_OBJECTS := $(B)/tests/compare.o $(B)/tests/engines.o $(B)/tools/atomicity.o
BENCH_OBJECTS  := $(B)/bench/families.o

FUZZ_TARGETS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(B)/fuzz/%)
FUZZ_DRIVER   := $(if $(filter fuzz,$(MODE)),,$(B)/tests/fuzz/replay.o)
FUZZ_OBJECTS  := $(B)/tests/fuzz/fuzz.o $(B)/tests/unit/random_run.o $(ORACLE_OBJECTS) $(FUZZ_DRIVER)
FUZZ_FLAGS    := $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer)

SEEDS      ?= 1-2000
LONG_SEEDS ?= 1-100000
ASAN_SEEDS ?= 1-200

.PHONY: fuzz fuzz-programs fuzz-replay check check-long check-asan test-programs unit layers differential record programs check-programs cli samples bless FORCE
check: setup              ## set up, build, and run all tests (MODE=asan: under ASan and UBSan)
	@$(MAKE) --no-print-directory -s -j2 test-programs
	@tests/check.sh $(MODE) $(SEEDS)

check-long:               ## the same, with 100,000 random programs
	@$(MAKE) --no-print-directory SEEDS=$(LONG_SEEDS) check

check-asan:               ## the same under ASan and UBSan, with fewer random programs
	@$(MAKE) --no-print-directory MODE=asan SEEDS=$(ASAN_SEEDS) check

test-programs: $(TOOLS:%=$(B)/bin/%) $(B)/unit $(B)/differential $(B)/record-show $(FUZZ_PROGRAMS)

# Fuzzing: docs/fuzzing.md. With libFuzzer a target brings its own main; else it is linked to one that reads files.
fuzz:                     ## fuzz all targets, or TARGET=name, for SECONDS=60 each (needs clang)
	@MAKE='$(MAKE)' tests/fuzz/run.sh '$(TARGET)' '$(SECONDS)'

fuzz-programs: $(FUZZ_PROGRAMS)

fuzz-replay: $(FUZZ_PROGRAMS)
	@MODE=$(MODE) tests/fuzz/replay.sh

$(B)/fuzz/%: $(B)/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS) $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $(FUZZ_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@

unit: $(B)/unit
	@$(B)/unit $(SUITE)

layers:                   ## check that every file includes its own folder and lower layers only
	@CC='$(CC)' LAYERS_CFLAGS='$(filter-out -MMD -MP,$(CFLAGS_ALL))' tests/layers.sh

differential: $(B)/differential
	@tests/differential.sh $(B)/differential $(SEEDS)

cli samples: $(TOOLS:%=$(B)/bin/%)
	@BIN=$(CURDIR)/$(B)/bin tests/$(if $(filter cli,$@),cli/run.sh,samples.sh)

record: $(B)/bin/tracerec $(B)/record-show ## record programs, all or ONLY="name..."
	@BIN=$(CURDIR)/$(B)/bin tests/record/run.sh $(ONLY)

programs: $(B)/bin/tracerec $(B)/bin/tracecheck ## record and monitor samples/c
	@BIN=$(CURDIR)/$(B)/bin tests/programs.sh

check-programs: $(B)/bin/tracerec $(B)/bin/tracecheck $(B)/record-show ## record real programs, all or ONLY="name...", whose sources are fetched
	@BIN=$(CURDIR)/$(B)/bin tests/projects.sh $(ONLY)

# writes what the tools print now into the golden files: look at the difference before committing it
bless:  $(TOOLS:%=$(B)/bin/%)
	@BIN=$(CURDIR)/$(B)/bin tests/cli/run.sh --bless

# the list of suites changes with the files, not with their contents
$(B)/suites.h: FORCE
	@mkdir -p $(@D)
	@printf 'SUITE(%s)\n' $(UNIT_TESTS:tests/unit/test_%.c=%) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/tests/unit/main.o: $(B)/suites.h
$(B)/tests/unit/main.o: CFLAGS_ALL += -I$(B)

$(B)/unit: $(UNIT_OBJECTS) $(BENCH_OBJECTS) $(ENGINE_OBJECTS) $(ORACLE_OBJECTS) $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lcunit -lm -o $@

$(B)/differential: $(B)/tests/differential.o $(ENGINE_OBJECTS) $(ORACLE_OBJECTS) $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@

$(B)/record-show: $(B)/tests/record/show.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@
