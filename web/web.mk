# web.mk: the playground, one page that checks programs in the browser (docs/playground.md): `make web`.
WEB      := build/web
EMCC     ?= emcc
# small where it may be, fast where the time goes
WEB_FAST := unfold/% colour/colour.c prove/% web/qsort.c petri/net.c petri/thread_view.c petri/families.c base/arena.c base/heap.c
WEB_OPT   = $(if $(filter $(WEB_FAST),$<),-O2,-Oz)
# what a question about a program needs. What else libcausal/ asks for is in web/absent.c
WEB_FOLDERS := base petri program frontend/sml colour prove unfold check serial ask report libcausal
WEB_ABSENT  := base/drawing.c base/sat.c base/json_read.c report/result_line.c report/summing.c petri/xml.c petri/pnml_read.c petri/pnml_doc.c petri/pnml_notes.c \
              petri/pnml_resolve.c petri/tapn_read.c petri/properties.c petri/net_io.c ask/questions.c report/of_answers.c \
              libcausal/watch.c libcausal/forms.c
WEB_SOURCES := $(filter-out $(WEB_ABSENT),$(foreach f,$(WEB_FOLDERS),$(wildcard $(f)/*.c))) $(wildcard web/*.c)
WEB_OBJECTS := $(WEB_SOURCES:%.c=$(WEB)/%.o) $(WEB)/report/viewer_text.o
WEB_WRAPPED := heap_asked heap_poll heap_poll_asked heap_alloc heap_zeroed heap_resize
WEB_EXPORTS := _playground_ask _playground_verdict _playground_output _playground_why _playground_free _malloc _free
comma := ,
empty :=
commas = $(subst $(empty) $(empty),$(comma),$(strip $(1)))
WEB_LINK := -Oz -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=8MB -sFILESYSTEM=0 -sMALLOC=emmalloc -sMODULARIZE=1 \
            -sEXPORT_NAME=makeCausal -sENVIRONMENT=worker -sEXPORTED_FUNCTIONS=$(call commas,$(WEB_EXPORTS)) \
            -Wl,$(call commas,$(WEB_WRAPPED:%=--wrap=%))
# Debian's emscripten needs a module of Debian's node
EMSCRIPTEN = NODE_PATH=/usr/share/nodejs:$$NODE_PATH $(EMCC)

.PHONY: web check-web
web:                      ## the playground, one page in build/web/playground.html (needs emscripten)
	@if command -v $(EMCC) >/dev/null; then $(MAKE) --no-print-directory -s $(WEB)/playground.html && \
	  wc -c $(WEB)/playground.html; else echo 'note: emscripten is missing, which makes the playground: apt-get install emscripten'; fi

check-web: $(B)/bin/causalcheck $(B)/differential ## the playground: its answers are those of causalcheck; the page, in a browser
	@if command -v $(EMCC) >/dev/null; then $(MAKE) --no-print-directory -s $(WEB)/playground.html; fi
	@$(BUILT) tests/web/run.sh $(WEB) $(B)

WEB_COMPILE = $(EMSCRIPTEN) $(WARNINGS) $(WEB_OPT) -Iweb/include -I. -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -MMD -MP -c $< -o $@
$(WEB)/%.o: %.c web/web.mk
	@mkdir -p $(@D)
	$(WEB_COMPILE)
$(WEB)/report/viewer_text.o: $(B)/report/viewer_text.c web/web.mk
	@mkdir -p $(@D)
	$(WEB_COMPILE)

$(WEB)/causal.js $(WEB)/causal.wasm &: $(WEB_OBJECTS) web/web.mk
	$(EMSCRIPTEN) $(WEB_LINK) $(WEB_OBJECTS) -o $(WEB)/causal.js

$(WEB)/playground.html: $(WEB)/causal.js $(WEB)/causal.wasm $(B)/report/viewer_text.c $(wildcard web/*.js web/*.css web/*.html web/*.sh samples/*.sml)
	web/bundle.sh $(WEB)/causal.js $(WEB)/causal.wasm $(B)/report/viewer_text.c $@

-include $(WEB_OBJECTS:.o=.d)
