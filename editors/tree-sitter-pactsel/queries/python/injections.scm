; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; An untyped marker names a string that proves itself to be a selector.
(call
  function: (attribute object: (_) @_receiver attribute: (identifier) @_name)
  arguments: (argument_list (string (string_start) @_start . (string_content) @injection.content . (string_end)))
  (#not-match? @_start "[fF]")
  (#any-of? @_name "select" "Select" "SelectRange" "diff" "Diff")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

(call
  function: (attribute object: (_) @_receiver attribute: (identifier) @_name)
  arguments: (argument_list (string (string_start) @_start . (string_content) @injection.content . (string_end)))
  (#not-match? @_start "[fF]")
  (#match? @_receiver "(^|[^a-zA-Z0-9_])ctx$")
  (#any-of? @_name "insert" "Insert" "move" "Move" "replace" "Replace" "delete" "Delete")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

; Markers that name nothing but selectors.
(call
  function: (attribute object: (_) @_receiver attribute: (identifier) @_name)
  arguments: (argument_list (string (string_start) @_start . (string_content) @injection.content . (string_end)))
  (#not-match? @_start "[fF]")
  (#eq? @_receiver "pactkit")
  (#any-of? @_name "MustCompile" "Parse" "Format")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

(call
  function: (attribute object: (_) @_receiver attribute: (identifier) @_name)
  arguments: (argument_list (string (string_start) @_start . (string_content) @injection.content . (string_end)))
  (#not-match? @_start "[fF]")
  (#eq? @_receiver "pact")
  (#eq? @_name "compile")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

; A comment before a string, or alone on the line above it.
((comment) @_comment . [
  (string (string_start) @_start . (string_content) @injection.content . (string_end))
  (expression_statement (assignment right: (string (string_start) @_start . (string_content) @injection.content . (string_end))))
  (expression_statement (call arguments: (argument_list . (string (string_start) @_start . (string_content) @injection.content . (string_end)))))
  (expression_statement (assignment right: (call arguments: (argument_list . (string (string_start) @_start . (string_content) @injection.content . (string_end))))))
]
  (#not-match? @_start "[fF]")
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))

(call
  function: (attribute attribute: (identifier) @_name)
  arguments: (argument_list
    (keyword_argument name: (identifier) @_keyword value: (string (string_start) @_start . (string_content) @injection.content . (string_end))))
  (#any-of? @_name "select" "diff" "insert" "move" "replace" "delete")
  (#any-of? @_keyword "selector" "position")
  (#not-match? @_start "[fF]")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#set! injection.language "pactsel_inline"))
