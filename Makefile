# The build. `make help` lists the targets.
MODE   ?= release
ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc 2>/dev/null),gcc,cc)
endif
OBJCOPY ?= objcopy
PKG_CONFIG ?= pkg-config
# where `make install` puts things: the GNU directory variables, and DESTDIR
prefix      ?= /usr/local
exec_prefix ?= $(prefix)
bindir      ?= $(exec_prefix)/bin
libdir      ?= $(exec_prefix)/lib
includedir  ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)
mandir      ?= $(datarootdir)/man
docdir      ?= $(datarootdir)/doc/causal

B       := build/$(MODE)

# The recorder, record/, with distil/ and tracerec, is for x86-64 Linux with glibc. The compiler knows what it builds for.
RECORDER := $(shell $(CC) $(CFLAGS) -dM -E record/platform.h 2>/dev/null | grep -w RECORD_PLATFORM)

# The frontend for C, frontend/c with c2net, needs LLVM, which no other tool is linked with.
LLVM_CONFIG ?= $(firstword $(foreach v,-14 -15 -16 -17 -18 -19,$(shell command -v llvm-config$(v) 2>/dev/null)))
LLVM_VERSION := $(if $(LLVM_CONFIG),$(firstword $(subst ., ,$(shell $(LLVM_CONFIG) --version 2>/dev/null))))
C2NET := $(if $(filter 14 15 16 17 18 19,$(LLVM_VERSION)),$(if $(wildcard $(shell $(LLVM_CONFIG) --includedir)/llvm-c/Core.h),c2net))

FOLDERS := base petri program frontend/sml colour prove unfold check trace serial \
           predict $(addprefix predict/,profiles locks pushdown analysis) ask $(if $(RECORDER),distil) report
TOOLS   := sml2net causalcheck netunfold netconv certcheck causalsum $(if $(RECORDER),tracerec) tracecheck tracepredict
SOURCES := $(foreach f,$(FOLDERS),$(wildcard $(f)/*.c))
# what the tools share; what stands in tools/ and is no tool. Tests link none of it
COMMON  := $(filter-out $(TOOLS:%=tools/%.c) tools/tracerec.c tools/c2net.c,$(wildcard tools/*.c)) $(if $(RECORDER),$(wildcard tools/tracerec/*.c))
VERSION := 0.1.0
SONAME  := libcausal.so.0
LIBRARY := $(B)/lib/libcausal.so.$(VERSION)
DATE    := 2026-11-22

PACKAGES := $(if $(RECORDER),libdw)
# not linked but loaded when they are needed (base/library.h), by the names that the linker would give them; so is picosat
LOADED   := libxml-2.0 libgvc libcgraph jansson zlib libzstd
WARNINGS := -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum
# a warning is an error in the project's own tests (tests/tests.mk), not in a user's build
WERROR   :=
FLAGS_release := -O3 -g
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -g -fsanitize=thread
# clang's pointer-overflow complains of NULL + 0, too, which is nothing wrong
FLAGS_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow \
                 -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_mutants := -O1 -w
MODE_FLAGS    := $(FLAGS_$(MODE))
ifeq ($(MODE_FLAGS),)
$(error MODE is release, debug, asan, tsan, fuzz or mutants, not '$(MODE)')
endif
# packages are looked up when something is compiled, not before they are installed; pkg-config does not know picosat
SETUP   := CC='$(CC)' CFLAGS='$(CFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' RECORDER='$(RECORDER)' scripts/setup.sh
MISSING  = $(eval MISSING := $(shell $(SETUP) --missing))$(if $(MISSING),$(error these are missing: $(MISSING). `make setup` installs them, or says how))
PACKAGE_CFLAGS = $(MISSING)$(eval PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) $(LOADED) | sed 's/-I/-isystem /g') \
  $(call name,LIBXML2,xml2,libxml-2.0) $(call name,LIBGVC,gvc,libgvc) $(call name,LIBPICOSAT,picosat) $(call name,LIBJANSSON,jansson,jansson) \
  $(call name,LIBZ,z,zlib) $(call name,LIBZSTD,zstd,libzstd))$(PACKAGE_CFLAGS)
name = -D$(1)='"$(shell scripts/soname.sh $(2) $(CC) $(if $(3),`$(PKG_CONFIG) --libs-only-L $(3)`))"'
PACKAGE_LIBS   = $(MISSING)$(eval PACKAGE_LIBS := -pthread $(if $(PACKAGES),$(shell $(PKG_CONFIG) --libs $(PACKAGES))))$(PACKAGE_LIBS)
# objects go into the tools and into libcausal.so, which shows nothing but what libcausal.h declares
SHARED      := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
CFLAGS_ALL  = $(WARNINGS) $(WERROR) $(MODE_FLAGS) $(SHARED) -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DVERSION='"$(VERSION)"' $(PACKAGE_CFLAGS) $(CFLAGS)

.PHONY: all setup setup-c demo bench layers lint format man site vscode completions install uninstall clean help
all: $(TOOLS:%=bin/%) $(if $(C2NET),bin/c2net $(B)/lib/tracerec/causal.h $(B)/lib/tracerec/libstdcxx.cc) $(LIBRARY) $(if $(RECORDER),$(B)/lib/tracerec/librecord.a) ## build the tools into bin/ (MODE=release, debug or asan)
	@$(if $(RECORDER),:,echo 'note: tracerec, which records C programs, needs x86-64 Linux with glibc; it is left out')
	@$(if $(C2NET),:,echo 'note: c2net, which reads C programs, needs LLVM 14 to 19 (make setup-c installs it); it is left out')

# what was built with another compiler or other flags is built again
FLAGS_NOW = $(CC) $(WARNINGS) $(MODE_FLAGS) $(SHARED) $(CFLAGS)
$(B)/flags: .FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || echo '$(subst ','\'',$(FLAGS_NOW))' >$@

# $(call compile,FLAGS): what the compiler says is kept beside the object, so that tests find a warning that a user's build let pass
compile = scripts/said.sh $@.said $(CC) $(1) -MMD -MP -c $< -o $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call compile,$(CFLAGS_ALL))

# the viewer's page as C (report/viewer_text.h)
VIEWER := $(patsubst %,report/viewer/%.js,make model values rows diagram source panels search address viewer)
$(B)/report/viewer.js: $(VIEWER) scripts/squeeze.awk
	@mkdir -p $(@D)
	@LC_ALL=C awk -f scripts/squeeze.awk $(VIEWER) >$@.new
	@mv $@.new $@
$(B)/report/viewer_text.c: $(B)/report/viewer.js report/viewer/page.html report/viewer/viewer.css scripts/page.awk
	@LC_ALL=C awk -v style=report/viewer/viewer.css -v script=$< -f scripts/page.awk report/viewer/page.html >$@.new
	@mv $@.new $@
$(B)/report/viewer_text.o: $(B)/report/viewer_text.c $(B)/flags
	$(call compile,$(CFLAGS_ALL))

$(B)/libcausal.a: $(SOURCES:%.c=$(B)/%.o) $(B)/report/viewer_text.o
$(B)/libtools.a: $(COMMON:%.c=$(B)/%.o)
$(B)/libcausal.a $(B)/libtools.a:
	@rm -f $@
	ar rcs $@ $^

# the library for other programs: what libcausal/ needs of all that, and no more of it
$(LIBRARY): $(patsubst %.c,$(B)/%.o,$(wildcard libcausal/*.c)) $(B)/libcausal.a libcausal/libcausal.map
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) -shared -pthread -Wl,-soname,$(SONAME) -Wl,--version-script=libcausal/libcausal.map \
	  -Wl,--gc-sections $(filter %.o %.a,$^) -lm $(LDFLAGS) -o $@
	@ln -sf $(@F) $(@D)/$(SONAME) && ln -sf $(SONAME) $(@D)/libcausal.so

$(B)/bin/%: $(B)/tools/%.o $(B)/libtools.a $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) -Wl,--gc-sections $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

# these alone see LLVM's headers
LLVM_CFLAGS = -isystem $(shell $(LLVM_CONFIG) --includedir) -DC_LLVM_VERSION='"$(LLVM_VERSION)"'
$(B)/frontend/c/bitcode.o $(B)/frontend/c/bitcode_instruction.o $(B)/frontend/c/bitcode_file.o $(B)/frontend/c/bitcode_locals.o $(B)/frontend/c/bitcode_symbols.o $(B)/frontend/c/cxx.o $(B)/frontend/c/cxx_threads.o $(B)/frontend/c/cxx_vectors.o $(B)/frontend/c/c11.o $(B)/frontend/c/by_value.o $(B)/frontend/c/literals.o $(B)/frontend/c/copied.o $(B)/frontend/c/members.o $(B)/frontend/c/member_pointers.o $(B)/frontend/c/key_destructors.o $(B)/frontend/c/prepare.o $(B)/frontend/c/ternaries.o $(B)/frontend/c/throws.o $(B)/frontend/c/destructors.o: CFLAGS_ALL += $(LLVM_CFLAGS)
$(B)/bin/c2net: $(B)/tools/c2net.o $(patsubst %.c,$(B)/%.o,$(wildcard frontend/c/*.c)) $(B)/libtools.a $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) $(shell $(LLVM_CONFIG) --ldflags --libs) -lm $(LDFLAGS) -o $@

# what recorded programs are linked with; with it the empty libtsan.a that stands in for gcc's own
RECORD_FLAGS := -O3 -g -fPIC -mcx16 -fno-builtin -fvisibility=hidden -ftls-model=initial-exec
$(B)/record/%.o: record/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call compile,$(WARNINGS) $(WERROR) $(RECORD_FLAGS) -I. -D_GNU_SOURCE)

# one object, in which what is hidden is local: the program may use the same names. Its sources are none of the program's
$(B)/record/all.o: $(patsubst %.c,$(B)/%.o,$(wildcard record/*.c))
	$(CC) -nostdlib -r $^ -o $@
	$(OBJCOPY) --localize-hidden --strip-debug $@

$(B)/lib/tracerec/librecord.a: $(B)/record/all.o record/causal.h record/bitcode_note.h
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $<
	@rm -f $(@D)/libtsan.a && ar rcs $(@D)/libtsan.a
	@cp record/causal.h record/bitcode_note.h $(@D)

# programs that are read by c2net include it, too
$(B)/lib/tracerec/causal.h: record/causal.h
	@mkdir -p $(@D)
	@cp $< $@
# what c2net compiles with programs in C++
$(B)/lib/tracerec/libstdcxx.cc: frontend/c/model/libstdcxx.cc
	@mkdir -p $(@D)
	@cp $< $@
$(B)/bin/c2net: | $(B)/lib/tracerec/causal.h $(B)/lib/tracerec/libstdcxx.cc

$(B)/bin/tracerec: | $(B)/lib/tracerec/librecord.a

bin/%: $(B)/bin/% .FORCE
	@mkdir -p bin
	@cmp -s $< $@ || { cp $< $@.new && mv $@.new $@; } # a tool may be running

.PHONY: .FORCE
.FORCE:

setup:                    ## install the packages that are missing (apt), or say which
	@$(SETUP)

setup-c:                  ## install what c2net needs: LLVM and clang (apt)
	@scripts/setup_c.sh

demo: setup               ## set up, build, and find the bug of Figure 5(a); its picture goes to out/
	@$(MAKE) --no-print-directory -s all
	@scripts/demo.sh

bench: setup              ## the table of the CAV'06 paper: ours beside theirs
	@$(MAKE) --no-print-directory -s all
	@bench/table.sh

lint: setup               ## clang-tidy and cppcheck, where they are installed
	@scripts/lint.sh $(SOURCES) $(wildcard tools/*.c tools/tracerec/*.c)

# all that is built and for users
INSTALLED = $(TOOLS) $(C2NET)

man: $(INSTALLED:%=$(B)/man/%.1) ## make the manuals of docs/tools/, in build/release/man

$(B)/man/%.1: docs/tools/%.md scripts/man.awk
	@mkdir -p $(@D)
	@awk -v version='$(VERSION)' -v date='$(DATE)' -f scripts/man.awk $< >$@.new
	@mv $@.new $@

site: bin/causalcheck     ## render README, docs/ and samples/ to static HTML, in out/site (needs cmark-gfm)
	@scripts/site.sh out/site

vscode:                   ## pack the extension for Visual Studio Code as out/causal.vsix (needs zip)
	@scripts/vsix.sh out/causal.vsix

COMPLETIONS = $(INSTALLED:%=$(B)/complete/%) $(INSTALLED:%=$(B)/complete/_%) $(INSTALLED:%=$(B)/complete/%.fish)
completions: $(COMPLETIONS) ## make what bash, zsh and fish complete, from --help, in build/release/complete

helps = { $< --help; case $(<F) in tracerec) $< run --help; $< salvage --help; $< confirm --help; $< split --help; $< stress --help ;; esac; }
complete = @mkdir -p $(@D) && $(helps) | awk -v shell=$(1) -f scripts/complete.awk >$@.new && mv $@.new $@
$(B)/complete/%.fish: $(B)/bin/% scripts/complete.awk
	$(call complete,fish)
$(B)/complete/_%: $(B)/bin/% scripts/complete.awk
	$(call complete,zsh)
$(B)/complete/%: $(B)/bin/% scripts/complete.awk
	$(call complete,bash)

format:                   ## clang-format (version 14) on the sources
	@clang-format -i $$(git ls-files '*.c' '*.h' | grep -v '^samples/\|^tests/record/\|^tests/nets/')

DIRECTORIES = prefix exec_prefix bindir libdir includedir datadir mandir docdir
INSTALL = $(foreach d,DESTDIR $(DIRECTORIES) B INSTALLED RECORDER C2NET LIBRARY SONAME VERSION,$d='$($d)') scripts/install.sh

install: all man completions ## install the tools, library, manuals, completions: prefix=, DESTDIR= and the GNU directory variables
	@$(INSTALL) install

uninstall:                ## remove what install put there
	@$(INSTALL) uninstall

clean:                    ## remove all that was built
	rm -rf build bin out

help:                     ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 24

include tests/tests.mk
include web/web.mk
include $(wildcard bench/*.mk)
-include $(shell find $(B) -name '*.d' 2>/dev/null)
.SECONDARY:
