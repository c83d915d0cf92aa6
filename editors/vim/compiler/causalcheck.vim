" :make asks causalcheck about the file, :cnext goes through what it says. Options: :make -D N=3
if exists('current_compiler') | finish | endif
let current_compiler = 'causalcheck'
CompilerSet makeprg=causalcheck\ $*\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
