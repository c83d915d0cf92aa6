# programs.mk: `make bench-programs`: the table of the CAV'08 paper.
.PHONY: bench-programs
bench-programs: all       ## the table of the CAV'08 paper: the programs of samples/c, recorded and monitored
	@bench/programs.sh

.PHONY: bench-compare
bench-compare: all ## what all the analyses say of the programs of samples/c
	@bench/compare.sh

.PHONY: bench-record
bench-record: all ## what recording costs, beside libtsan (RUNS=)
	@bench/record.sh

.PHONY: bench-watch
bench-watch: all ## what watching a run costs, beside libtsan (RUNS=, PBZIP2=, PIGZ=folders of sources)
	@bench/watch.sh
