# trace.mk: programs for the bench of runs.
$(B)/gen-trace: $(B)/bench/gen_trace.o $(B)/bench/trace_families.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

$(B)/trace-read: $(B)/bench/trace_read.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

.PHONY: bench-trace
bench-trace: all $(B)/gen-trace $(B)/trace-read ## time the monitor on families of runs: events per second, memory over the length
	@bench/trace.sh
