# The build. `make help` lists the targets.
MODE   ?= release
ifeq ($(origin CC),default)
CC := gcc
endif
OBJCOPY ?= objcopy
prefix ?= /usr/local

B       := build/$(MODE)
FOLDERS := base petri frontend colour unfold check trace serial predict distil report
TOOLS   := sml2net causalcheck netunfold netconv certcheck tracerec tracecheck tracepredict
SOURCES := $(foreach f,$(FOLDERS),$(wildcard $(f)/*.c))
# what the tools share; each tool's own main is linked to it alone
COMMON  := $(filter-out $(TOOLS:%=tools/%.c),$(wildcard tools/*.c))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(COMMON:%.c=$(B)/%.o)
HEADERS := $(wildcard $(FOLDERS:%=%/*.h) tools/*.h record/*.h)
VERSION := 0.1.0

PACKAGES := libxml-2.0 libgvc libcgraph zlib libzstd libdw
WARNINGS := -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
FLAGS_release := -O3 -g
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# clang's pointer-overflow complains of NULL + 0, too, which is nothing wrong
FLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow \
                 -fno-sanitize-recover=all -fno-omit-frame-pointer
MODE_FLAGS    := $(FLAGS_$(MODE))
ifeq ($(MODE_FLAGS),)
$(error MODE is release, debug, asan or fuzz, not '$(MODE)')
endif
# packages are looked up when something is compiled, not before they are installed; pkg-config does not know picosat
PACKAGE_CFLAGS = $(eval PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null | sed 's/-I/-isystem /g'))$(PACKAGE_CFLAGS)
PACKAGE_LIBS   = $(eval PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lpicosat)$(PACKAGE_LIBS)
CFLAGS_ALL  = $(WARNINGS) $(MODE_FLAGS) -I. -D_GNU_SOURCE -DVERSION='"$(VERSION)"' $(PACKAGE_CFLAGS) $(CFLAGS)

.PHONY: all setup demo bench layers lint install uninstall clean help
all: $(TOOLS:%=bin/%) $(B)/lib/tracerec/librecord.a     ## build the tools into bin/ (MODE=release, debug or asan)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(B)/libcausal.a: $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(B)/bin/%: $(B)/tools/%.o $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

# what recorded programs are linked with; with it the empty libtsan.a that stands in for gcc's own
RECORD_FLAGS := -O3 -g -fPIC -mcx16 -fno-builtin -fvisibility=hidden -ftls-model=initial-exec
$(B)/record/%.o: record/%.c
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) $(RECORD_FLAGS) -I. -D_GNU_SOURCE -MMD -MP -c $< -o $@

# one object, in which what is hidden is local: the program may use the same names. Its sources are none of the program's
$(B)/record/all.o: $(patsubst %.c,$(B)/%.o,$(wildcard record/*.c))
	$(CC) -nostdlib -r $^ -o $@
	$(OBJCOPY) --localize-hidden --strip-debug $@

$(B)/lib/tracerec/librecord.a: $(B)/record/all.o record/causal.h
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $<
	@rm -f $(@D)/libtsan.a && ar rcs $(@D)/libtsan.a
	@cp record/causal.h $(@D)

$(B)/bin/tracerec: | $(B)/lib/tracerec/librecord.a

bin/%: $(B)/bin/% .FORCE
	@mkdir -p bin
	@cmp -s $< $@ || cp $< $@

.PHONY: .FORCE
.FORCE:

setup:                    ## install the packages that are missing (apt), or say which
	@scripts/setup.sh

demo: setup               ## set up, build, and find the bug of Figure 5(a); its picture goes to out/
	@$(MAKE) --no-print-directory -s all
	@scripts/demo.sh

bench: setup              ## the table of the CAV'06 paper: ours beside theirs
	@$(MAKE) --no-print-directory -s all
	@bench/table.sh

lint: setup               ## clang-tidy and cppcheck, where they are installed
	@scripts/lint.sh $(SOURCES) $(wildcard tools/*.c)

install: all              ## install the tools and manuals: DESTDIR=, prefix=
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/doc/causal/samples
	install $(TOOLS:%=bin/%) $(DESTDIR)$(prefix)/bin
	install -m 644 README.md NEWS.md LICENSE $(wildcard docs/*.md docs/*.svg) $(DESTDIR)$(prefix)/share/doc/causal
	install -m 644 $(wildcard samples/*.sml samples/c/*.c) $(DESTDIR)$(prefix)/share/doc/causal/samples
	install -d $(DESTDIR)$(prefix)/lib/tracerec $(DESTDIR)$(prefix)/include
	install -m 644 $(B)/lib/tracerec/librecord.a $(B)/lib/tracerec/libtsan.a $(B)/lib/tracerec/causal.h $(DESTDIR)$(prefix)/lib/tracerec
	install -m 644 record/causal.h $(DESTDIR)$(prefix)/include

uninstall:                ## remove what install put there
	rm -f $(TOOLS:%=$(DESTDIR)$(prefix)/bin/%)
	rm -rf $(DESTDIR)$(prefix)/share/doc/causal $(DESTDIR)$(prefix)/lib/tracerec $(DESTDIR)$(prefix)/include/causal.h

clean:                    ## remove all that was built
	rm -rf build bin out

help:                     ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 24

include tests/tests.mk
include $(wildcard bench/*.mk)
-include $(shell find $(B) -name '*.d' 2>/dev/null)
.SECONDARY:
