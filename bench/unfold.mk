# unfold.mk: `make bench-unfold` times the unfolder on the nets of SHARED_DATA, and on families of nets that grow;
# `make bench-twice` what a second core could bring.
SHARED_DATA ?= ../shared
BENCH_COMMON := $(B)/bench/measure.o $(B)/bench/families.o

.PHONY: bench-unfold bench-twice
bench-unfold: $(B)/bench-unfold $(B)/bench-grow ## time the unfolder on the nets of ../shared/nets, and on nets that grow
	@$(B)/bench-unfold bench/unfold.txt $(SHARED_DATA)/nets
	@echo
	@$(B)/bench-grow

$(B)/bench-%: $(B)/bench/%.o $(BENCH_COMMON) $(B)/libcausal.a
	$(CC) $(MODE_FLAGS) $^ $(PACKAGE_LIBS) -lm $(LDFLAGS) -o $@

TWICE_NETS := $(addprefix $(SHARED_DATA)/nets/,ftp_1.sync.ll_net key_4.ll_net acquire1_11_unreduced.ll_net) dme:25 key:5 rw:16
bench-twice: $(B)/bench-twice ## what a second core could bring to the unfolder: by the hardware, by Amdahl's law
	@$(B)/bench-twice $(TWICE_NETS)
	@echo
	@bench/share.sh $(B)/bench-twice $(TWICE_NETS)
