# fleet.mk: `make bench-fleet` simulates many machines (docs/scale.md).
.PHONY: bench-fleet
bench-fleet: all $(B)/gen-trace ## what a fleet of machines takes for many runs, by simulation over measured times
	@bench/fleet.sh
