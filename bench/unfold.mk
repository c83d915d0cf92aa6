# unfold.mk: `make bench-unfold` times the unfolder on the nets of SHARED_DATA.
SHARED_DATA ?= ../shared

.PHONY: bench-unfold
bench-unfold: $(B)/bench-unfold ## time the unfolder on the nets of ../shared/nets
	@$(B)/bench-unfold bench/unfold.txt $(SHARED_DATA)/nets

$(B)/bench-unfold: $(B)/bench/unfold.o $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@
