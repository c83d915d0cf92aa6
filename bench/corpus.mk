# corpus.mk: `make corpus` makes programs, nets and runs with their right verdicts (docs/corpus.md).
SIZES ?= 6
CORPUS ?= out/corpus
CORPUS_PROGRAMS := $(B)/differential $(B)/gen-trace $(B)/bench-shapes $(B)/net-of

.PHONY: corpus
corpus: all $(CORPUS_PROGRAMS) ## make a corpus with right verdicts, and run the tools over it (SIZES=6: 10^6 events at most; CORPUS=out/corpus)
	@BIN='$(abspath $(B))/bin' bench/corpus/make.sh '$(CORPUS)' '$(SIZES)'
	@BIN='$(abspath $(B))/bin' bench/corpus/run.sh '$(CORPUS)'

.PHONY: check-corpus
check-corpus: $(TOOLS:%=$(B)/bin/%) $(C2NET:%=$(B)/bin/%) $(CORPUS_PROGRAMS) ## a small corpus is made, and the tools are run over it
	@$(BUILT) tests/corpus.sh

test-programs: $(CORPUS_PROGRAMS)

$(B)/net-of: $(B)/bench/net_of.o $(B)/bench/families.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@
