# predict.mk: `make bench-predict` times prediction beside the monitor.
.PHONY: bench-predict
bench-predict: all $(B)/gen-trace $(B)/predict-run ## time prediction on families of runs, beside the monitor (EVENTS=)
	@bench/predict.sh $(B) $(EVENTS)

$(B)/predict-run: $(B)/bench/predict.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

.PHONY: bench-analysis
bench-analysis: all $(B)/gen-trace ## time the run-time analyses on families of runs
	@bench/analysis.sh

.PHONY: bench-locks
bench-locks: all ## time prediction with locks
	@bench/locks.sh
