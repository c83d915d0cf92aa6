/* bitcode_note.h: `tracerec cc --emit=bitcode` includes it in all that it compiles: a section of the object, and so of
 * what it is linked to, names the bitcode, in a line each. wllvm and gllvm have the same section. */
#if defined CAUSAL_BITCODE && !defined __ASSEMBLER__
__asm__(".pushsection .llvm_bc,\"\",@progbits\n\t.ascii \"" CAUSAL_BITCODE "\"\n\t.popsection");
#endif
