# The build. `make help` lists the targets.
MODE   ?= release
CC     ?= gcc
prefix ?= /usr/local

B       := build/$(MODE)
FOLDERS := base petri frontend colour unfold check report
TOOLS   := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
SOURCES := $(foreach f,$(FOLDERS),$(wildcard $(f)/*.c))
OBJECTS := $(SOURCES:%.c=$(B)/%.o)
VERSION := 0.1.0

PACKAGES := libxml-2.0 libgvc libcgraph
WARNINGS := -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
FLAGS_release := -O3 -g
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
MODE_FLAGS    := $(FLAGS_$(MODE))
ifeq ($(MODE_FLAGS),)
$(error MODE is release, debug or asan, not '$(MODE)')
endif
# packages are looked up when something is compiled, not before they are installed
PACKAGE_CFLAGS = $(eval PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null | sed 's/-I/-isystem /g'))$(PACKAGE_CFLAGS)
PACKAGE_LIBS   = $(eval PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null))$(PACKAGE_LIBS)
CFLAGS_ALL  = $(WARNINGS) $(MODE_FLAGS) -I. -D_GNU_SOURCE -DVERSION='"$(VERSION)"' $(PACKAGE_CFLAGS) $(CFLAGS)

.PHONY: all
all: $(TOOLS:%=bin/%)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(B)/libcausal.a: $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(B)/bin/%: $(B)/tools/%.o $(B)/libcausal.a
	@mkdir -p $(@D)
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm -o $@

include tests/tests.mk

bin/%: $(B)/bin/%
	@mkdir -p bin
	cp $< $@

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.SECONDARY:
