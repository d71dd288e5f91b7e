" Colors of selectors in the strings of a program, over the host's own syntax: after a call `select`, when the string has a
" region or an instant, which no other language has. Comments and all other strings keep the colors of the host.
let s:host = get(b:, "current_syntax", "")
unlet! b:current_syntax
syntax include @pactSelector syntax/pact-selector.vim
if s:host !=# ""
  let b:current_syntax = s:host
endif
let s:call = '\v(\.[sS]elect(Range)?\((ctx, )?)@<='
let s:proof = '\ze([^''"`\\]*[ (,>])?(\^(sys|seq|ah|root)>|\@[tc][-+]?\d|\@history>)'
let s:within = ' containedin=typescriptFuncCallArg,typescriptParenExp,javaScriptParen,javaParenT,rubyParentheses,rustFoldBraces'
for [s:name, s:quote] in [["Double", '"'], ["Single", "'"], ["Back", '`']]
  execute 'syntax region pactIn' . s:name . ' matchgroup=String keepend oneline contains=@pactSelector'
        \ . s:within . ' start=+' . s:call . s:quote . s:proof . '+ skip=+\\\\.+ end=+' . s:quote . '+'
endfor
