/* unrecorded.h: what is accessed by no instruction that is recorded. */
#ifdef __clang__
#define UNRECORDED __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define UNRECORDED __attribute__((no_sanitize("thread"), noinline))
#endif
