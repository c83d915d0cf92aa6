# startup.mk: `make bench-startup` measures what short runs cost, beside an empty program.
.PHONY: bench-startup
bench-startup: all $(B)/startup ## what short runs cost, beside an empty C program
	@bench/startup.sh $(B)/startup

$(B)/startup: $(B)/bench/startup.o
	$(CC) $(MODE_FLAGS) $^ $(LDFLAGS) -o $@
