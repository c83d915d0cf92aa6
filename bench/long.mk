# long.mk: `make bench-long` monitors one long run, packed or not, and kills it.
.PHONY: bench-long
bench-long: all $(B)/gen-trace ## one long run (EVENTS=, RUNS=, PLAIN=no): its rate, packed or not, and killed
	@bench/long.sh $(B)/gen-trace
