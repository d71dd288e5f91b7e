; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; An untyped marker names a string that proves itself to be a selector.
(call
  receiver: (_) @_receiver method: (identifier) @_name
  arguments: (argument_list (string . (string_content) @injection.content .))
  (#any-of? @_name "select" "Select" "SelectRange" "diff" "Diff")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

(call
  receiver: (_) @_receiver method: (identifier) @_name
  arguments: (argument_list (string . (string_content) @injection.content .))
  (#match? @_receiver "(^|[^a-zA-Z0-9_])ctx$")
  (#any-of? @_name "insert" "Insert" "move" "Move" "replace" "Replace" "delete" "Delete")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

; Markers that name nothing but selectors.
(call
  receiver: (_) @_receiver method: (identifier) @_name
  arguments: (argument_list (string . (string_content) @injection.content .))
  (#eq? @_receiver "pactkit")
  (#any-of? @_name "MustCompile" "Parse" "Format")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

(call
  receiver: (_) @_receiver method: (identifier) @_name
  arguments: (argument_list (string . (string_content) @injection.content .))
  (#eq? @_receiver "pact")
  (#eq? @_name "compile")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

; A comment before a string, or alone on the line above it.
((comment) @_comment . [
  (string . (string_content) @injection.content .)
  (assignment right: (string . (string_content) @injection.content .))
  (call arguments: (argument_list . (string . (string_content) @injection.content .)))
]
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))
