# startup.mk: `make bench-startup` measures what short runs cost, beside an empty program.
.PHONY: bench-startup
bench-startup: all $(B)/startup $(B)/plain ## what short runs cost, beside an empty C program
	@bench/startup.sh $(B)/startup $(B)/plain

$(B)/startup $(B)/plain: $(B)/%: $(B)/bench/%.o
	$(CC) $(MODE_FLAGS) $^ $(LDFLAGS) -o $@
