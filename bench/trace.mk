# trace.mk: `make bench-trace-read` times the reading of runs.
EVENTS ?= 10000000

.PHONY: bench-trace-read
bench-trace-read: $(B)/gen-trace $(B)/trace-read ## time the reading of runs alone (EVENTS=)
	@bench/trace_read.sh $(B) $(EVENTS)

$(B)/gen-trace: $(B)/bench/gen_trace.o $(B)/bench/trace_families.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

$(B)/trace-read: $(B)/bench/trace_read.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

.PHONY: bench-trace
bench-trace: all $(B)/gen-trace $(B)/trace-read ## time the monitor on families of runs: events per second, memory over the length
	@bench/trace.sh

.PHONY: bench-many
bench-many: all $(B)/gen-trace ## time one call with many runs, beside a shell loop
	@bench/many.sh
