" SML, the Simple Multithreaded Language of causalcheck. A .sml file is Standard ML unless it looks like this language.
autocmd BufNewFile,BufRead *.smlt setfiletype smlt
autocmd BufNewFile,BufRead *.sml if s:looks_like_smlt() | set filetype=smlt | endif

function! s:looks_like_smlt() abort
  return search('\v^\s*(begin>|acquire\s*\(|\|\||lock\s+\w)', 'nw') > 0 && search('\v^\s*(structure|signature|functor|val|fun)>', 'nw') == 0
endfunction
