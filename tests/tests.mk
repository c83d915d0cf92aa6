# tests.mk: the tests, included by the Makefile, which defines B, MODE, CC, CFLAGS_ALL, MODE_FLAGS, PACKAGE_LIBS, TOOLS, RECORDER.
# Each part ends with a line "PART: N passed, N failed, N skipped"; tests/check.sh runs them and adds these lines up.

RECORDER_TESTS := $(shell grep -lE '"(distil|record|tools/tracerec)/|unit/(raw_|distil_oracle)' tests/unit/*.c)
UNIT_SOURCES   := $(filter-out $(if $(RECORDER),,$(RECORDER_TESTS)),$(sort $(wildcard tests/unit/*.c)))
UNIT_TESTS     := $(filter tests/unit/test_%,$(UNIT_SOURCES))
ORACLES    := $(wildcard tests/oracle/*.c)
UNIT_OBJECTS   := $(UNIT_SOURCES:%.c=$(B)/%.o) $(B)/tests/watch.o
ORACLE_OBJECTS := $(ORACLES:%.c=$(B)/%.o)
ENGINE_OBJECTS := $(B)/tests/compare.o $(B)/tests/engines.o
BENCH_OBJECTS  := $(B)/bench/families.o

ASK_PROGRAMS := $(patsubst tests/ask/%.c,$(B)/ask-programs/%,$(wildcard tests/ask/*.c))

REFINE := $(if $(C2NET),$(patsubst tests/refine/%.c,$(B)/refine-programs/%,$(wildcard tests/refine/*.c)))

FUZZ_TARGETS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(B)/fuzz/%)
FUZZ_DRIVER   := $(if $(filter fuzz,$(MODE)),,$(B)/tests/fuzz/replay.o)
FUZZ_OBJECTS  := $(B)/tests/fuzz/fuzz.o $(B)/tests/unit/random_run.o $(ORACLE_OBJECTS) $(FUZZ_DRIVER)
FUZZ_FLAGS    := $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer)

SEEDS      ?= 1-1200
LONG_SEEDS ?= 1-100000
ASAN_SEEDS ?= 1-200

.PHONY: narrow fuzz fuzz-programs fuzz-replay check check-long check-asan check-portable check-debian check-cluster check-viewer test-programs unit c docs editors layers ask libcausal limits differential refine record programs bugs confirm stress check-programs cli samples sweep mutants bless FORCE
test-programs unit c ask limits differential refine record programs bugs confirm stress check-programs cli samples sweep bless fuzz-programs fuzz-replay: WERROR := -Werror

# tests that install run beside others: so what they would build is built before
check: setup              ## set up, build, and run all tests (MODE=asan: under ASan and UBSan)
	@find $(B) -name '*.o.said' 2>/dev/null | sed 's/\.said$$//' | xargs rm -f
	@$(MAKE) --no-print-directory -s -j2 test-programs
	@$(MAKE) --no-print-directory -s -j2 all man completions
	@MODE=$(MODE) tests/check.sh $(B) $(SEEDS)

check-long:               ## the same, with 100,000 random programs
	@LIMIT=86400 $(MAKE) --no-print-directory SEEDS=$(LONG_SEEDS) check

check-asan:               ## the same under ASan and UBSan, with fewer random programs
	@$(MAKE) --no-print-directory MODE=asan SEEDS=$(ASAN_SEEDS) check

check-portable:           ## build and test for arm, compile for musl and POSIX, with what is installed for that
	@tests/portable.sh

check-debian:             ## build the Debian packages, and test them in a bare system (needs dpkg-dev, debhelper, dh-python, lintian, debootstrap)
	@tests/debian.sh

check-cluster: $(TOOLS:%=$(B)/bin/%) $(B)/gen-trace $(B)/bench-shapes ## contrib/slurm and contrib/parallel.sh with a Slurm and an sshd of their own; tasks are killed
	@$(BUILT) tests/cluster.sh

test-programs: $(TOOLS:%=$(B)/bin/%) $(C2NET:%=$(B)/bin/%) $(LIBRARY) $(B)/unit $(B)/watched $(B)/differential $(B)/limits/stop_after $(ASK_PROGRAMS) $(REFINE) $(if $(RECORDER),$(B)/record-show) $(B)/sweep/sweep $(FUZZ_PROGRAMS)

# Fuzzing: docs/fuzzing.md. With libFuzzer a target brings its own main; else it is linked to one that reads files.
fuzz:                     ## fuzz all targets, or TARGET=name, for SECONDS=60 each (needs clang)
	@MAKE='$(MAKE)' tests/fuzz/run.sh '$(TARGET)' '$(SECONDS)'

# what sends signals
$(B)/limits/stop_after: $(B)/tests/limits/stop_after.o
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ -o $@

limits: $(TOOLS:%=$(B)/bin/%) $(B)/limits/stop_after ## Ctrl-C, SIGTERM and --timeout in every tool and stage
	@$(BUILT) tests/limits/run.sh

fuzz-programs: $(FUZZ_PROGRAMS)

fuzz-replay: $(FUZZ_PROGRAMS)
	@tests/fuzz/replay.sh $(B)

$(B)/fuzz/%: $(B)/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS) $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $(FUZZ_FLAGS) $^ $(PACKAGE_LIBS) -lz -lzstd -lm -o $@

# tests of one part find the tools there
BUILT := MODE=$(MODE) BIN='$(abspath $(B))/bin'

unit: $(B)/unit           ## the unit tests, or SUITE="net file" (tests/unit/test_net.c, ...), or of these TEST="part of a name"
	@$(B)/unit $(if $(TEST),--test='$(TEST)') $(SUITE)

# a question about a program needs no library but C's
$(B)/ask-programs/%: $(B)/tests/ask/%.o $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ -o $@

ask: $(ASK_PROGRAMS)      ## ask/ answers questions about SML texts, linked to the C library alone
	@tests/ask/run.sh $(B)/ask-programs

libcausal: $(LIBRARY) $(TOOLS:%=$(B)/bin/%) ## the shared library, as other programs use it (MODE=asan, MODE=tsan: under a sanitizer)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' tests/libcausal/run.sh $(B)

layers:                   ## check that every file includes its own folder and lower layers only
	@CC='$(CC)' LAYERS_CFLAGS='$(filter-out -MMD -MP,$(CFLAGS_ALL))' tests/layers.sh

narrow:                   ## compile for 32 bits, where no limit may be narrowed unseen
	@CC='$(CC)' tests/narrow.sh

differential: $(B)/differential ## compare the engines on random programs (SEEDS=1-1200)
	@tests/differential.sh $(B)/differential $(SEEDS)

cli: $(TOOLS:%=$(B)/bin/%) ## the tests of the command lines, tests/cli, or ONLY="name..."
	@$(BUILT) tests/cli/run.sh $(ONLY)

samples: $(TOOLS:%=$(B)/bin/%) ## the verdicts of samples/*.sml, or ONLY="name..."
	@$(BUILT) tests/samples.sh $(ONLY)

docs: $(TOOLS:%=$(B)/bin/%)  ## the commands, options and links in README.md and docs/, or in ONLY="page..."
	@$(BUILT) tests/docs.sh $(ONLY)

editors: $(TOOLS:%=$(B)/bin/%) ## what editors and build servers use: editors/, contrib/
	@$(BUILT) tests/editors.sh

c: $(TOOLS:%=$(B)/bin/%) $(if $(C2NET),$(B)/bin/c2net) ## C programs, all runs: tests/c, samples/c and samples/bugs, or ONLY="name..."
	@$(BUILT) tests/c.sh $(ONLY)

refine: $(TOOLS:%=$(B)/bin/%) $(if $(C2NET),$(B)/bin/c2net) $(REFINE) ## recorded runs of C programs are runs of their nets (C_SEEDS=1-500: random ones), or ONLY="name..."
	@$(BUILT) tests/refine.sh $(B)/refine-programs $(ONLY)

record: $(TOOLS:%=$(B)/bin/%) $(if $(RECORDER),$(B)/record-show) ## record the programs of tests/record, or ONLY="name..."
	@$(BUILT) tests/record/run.sh $(ONLY)

programs: $(TOOLS:%=$(B)/bin/%) ## record and monitor samples/c, or ONLY="name..."
	@$(BUILT) tests/programs.sh $(ONLY)

bugs: $(TOOLS:%=$(B)/bin/%) ## record and analyse samples/bugs, or ONLY="name..."
	@$(BUILT) tests/bugs.sh $(ONLY)

confirm: $(TOOLS:%=$(B)/bin/%) ## make the mistakes of samples/bugs happen by tracerec confirm, or ONLY="name..." (TABLE=1: when)
	@$(BUILT) tests/confirm.sh $(ONLY)

stress: $(TOOLS:%=$(B)/bin/%) ## find the mistakes of samples/bugs by tracerec split and stress, or ONLY="name..." (TABLE=1: when)
	@$(BUILT) tests/stress.sh $(ONLY)

check-programs: $(TOOLS:%=$(B)/bin/%) $(if $(RECORDER),$(B)/record-show) ## record real programs, all or ONLY="name...", whose sources are fetched
	@$(BUILT) tests/projects.sh $(ONLY)

check-viewer: $(TOOLS:%=$(B)/bin/%) ## the page of --html in a headless chromium, if there is one
	@$(BUILT) tests/viewer.sh

sweep: $(B)/sweep/sweep $(if $(RECORDER),$(B)/lib/tracerec/librecord.a) ## each allocation fails in turn, for every question of every tool
	@$(BUILT) tests/sweep/run.sh $(B)/sweep/sweep

mutants: setup            ## small changes, each of which a test must notice: all, or ONLY="serial/ check/run_judge.c ..."
	@tests/mutants/run.sh $(ONLY)

# look at the difference before committing it
bless: $(TOOLS:%=$(B)/bin/%) ## write what the tools print now into the golden files of tests/cli, or ONLY="name..."
	@$(BUILT) tests/cli/run.sh --bless $(ONLY)

# what takes time is what they test
ifeq ($(MODE),release)
$(UNIT_TESTS:%.c=$(B)/%.o): CFLAGS_ALL += -O1
endif

# the list of suites changes with the files, not with their contents
$(B)/suites.h: FORCE
	@mkdir -p $(@D)
	@printf 'SUITE(%s)\n' $(UNIT_TESTS:tests/unit/test_%.c=%) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/tests/unit/main.o: $(B)/suites.h
$(B)/tests/unit/main.o: CFLAGS_ALL += -I$(B)

$(B)/unit: $(UNIT_OBJECTS) $(B)/frontend/c/linear.o $(B)/frontend/c/places.o $(BENCH_OBJECTS) $(ENGINE_OBJECTS) $(ORACLE_OBJECTS) $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lcunit -lz -lm -o $@

$(B)/watched: $(B)/tests/watched.o $(B)/tests/watch.o $(B)/tests/unit/runner.o $(B)/tests/unit/skip.o
	$(CC) $(MODE_FLAGS) $^ -lcunit -o $@

$(B)/differential: $(B)/tests/differential.o $(B)/tests/watch.o $(ENGINE_OBJECTS) $(ORACLE_OBJECTS) $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@

# all the tools in one program, with their mains renamed, and the project's allocations going through its hands
SWEEP_OBJECTS := $(TOOLS:%=$(B)/sweep/%.o) $(patsubst %.c,$(B)/%.o,$(wildcard tests/sweep/*.c))
$(B)/sweep/%.o: tools/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call compile,$(CFLAGS_ALL) -Dmain=main_$*)

$(B)/sweep/tools.h: FORCE
	@mkdir -p $(@D)
	@printf 'TOOL(%s)\n' $(TOOLS) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/tests/sweep/command.o: $(B)/sweep/tools.h
$(B)/tests/sweep/command.o: CFLAGS_ALL += -I$(B)/sweep

$(B)/sweep/sweep: $(SWEEP_OBJECTS) $(B)/libtools.a $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

$(REFINE): $(B)/refine-programs/%: $(B)/tests/refine/%.o $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@

$(B)/record-show: $(B)/tests/record/show.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@
