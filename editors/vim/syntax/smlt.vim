" SML, the Simple Multithreaded Language of causalcheck (docs/language.md)
if exists('b:current_syntax') | finish | endif
syntax keyword smltStatement skip while if else begin end acquire release fork join p v rdlock wrlock unlock atomic await assert call
syntax keyword smltType thread int bool gap lock sem rwlock local proc
syntax keyword smltConstant true false nondet self
syntax keyword smltOperator not and or
syntax match smltOperator /:=\|[<>=!]=\|[-+*\/%<>=!≤≥≠∨∧¬∗×÷−]\|&&/
syntax match smltThreads /||\|∥/
syntax match smltNumber /\<\d\+\>/
syntax match smltBlock /\(begin:\)\@<=\h[[:alnum:]_']*/
syntax match smltComment /\/\/.*/ contains=smltExpect,@Spell
syntax match smltExpect /\(expect\|expect-block\|run\):/ contained
syntax region smltComment start=/\/\*/ end=/\*\// contains=@Spell
highlight default link smltStatement Statement
highlight default link smltType Type
highlight default link smltConstant Constant
highlight default link smltOperator Operator
highlight default link smltThreads Special
highlight default link smltNumber Number
highlight default link smltBlock Label
highlight default link smltExpect Todo
highlight default link smltComment Comment
let b:current_syntax = 'smlt'
