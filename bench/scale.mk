# scale.mk: `make bench-scale` times the checker on programs of many threads (bench/shapes.c), as a table and a picture.
.PHONY: bench-scale
bench-scale: all $(B)/bench-shapes ## time the checker on programs of many threads, and draw it: out/scale.svg
	@mkdir -p out
	@bench/scale.sh $(B)/bench-shapes out/scale.svg

$(B)/bench-shapes: $(B)/bench/shapes.o
	$(CC) $(MODE_FLAGS) $^ $(LDFLAGS) -o $@
