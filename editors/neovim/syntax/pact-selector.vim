" Colors of selectors. Semantic tokens of the server, where Neovim shows them, are laid over these.
if exists("b:current_syntax")
  finish
endif
syntax match pactType /\.\a[[:alnum:]_-]*/
syntax match pactKey /#\a[[:alnum:]_.-]*/
syntax match pactTag /+\a[[:alnum:]_-]*/
syntax match pactPseudo /:\a[[:alnum:]_-]*/
syntax match pactRegion /\^\a[[:alnum:]_-]*/
syntax match pactDepth /\<d[+-]\?\d\+\>/
syntax match pactControl /@\a[[:alnum:]_-]*/
syntax match pactTime /@\%(t\%([+-]\?\d\+\|[+-]\*\)\|c[+-]\?\d\+\|\*\|history\>\)/
syntax match pactAttribute /\<\a[[:alnum:]_-]*\ze\s*\%(=\|!=\|<\|>\|\~\|in\s*\[\)/
syntax match pactNumber /[+-]\?\<\d\+\%(\.\d\+\)\?\>/
syntax match pactOperator /??\|!=\|<=\|>=\|\.\.\|[?>=<~*]/
syntax match pactString /#\?'\%([^'\\]\|\\.\)*'/
syntax match pactString /#\?"\%([^"\\]\|\\.\)*"/
syntax match pactComment /\%(^\|\s\@<=\)#\%([ \t#].*\)\?$/
highlight default link pactType Type
highlight default link pactKey Identifier
highlight default link pactTag Tag
highlight default link pactPseudo Special
highlight default link pactRegion Keyword
highlight default link pactTime Keyword
highlight default link pactControl PreProc
highlight default link pactDepth Constant
highlight default link pactAttribute Identifier
highlight default link pactNumber Number
highlight default link pactOperator Operator
highlight default link pactString String
highlight default link pactComment Comment
let b:current_syntax = "pact-selector"
