if exists('b:did_ftplugin') | finish | endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,:// shiftwidth=2 expandtab
setlocal suffixesadd=.smlt,.sml
compiler causalcheck
let b:undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< expandtab< suffixesadd< makeprg< errorformat<'
