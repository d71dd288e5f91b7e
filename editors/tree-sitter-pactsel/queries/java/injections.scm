; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; An untyped marker names a string that proves itself to be a selector.
(method_invocation
  object: (_) @_receiver name: (identifier) @_name
  arguments: (argument_list (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .))
  (#any-of? @_name "select" "Select" "SelectRange" "diff" "Diff")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

(method_invocation
  object: (_) @_receiver name: (identifier) @_name
  arguments: (argument_list (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .))
  (#match? @_receiver "(^|[^a-zA-Z0-9_])ctx$")
  (#any-of? @_name "insert" "Insert" "move" "Move" "replace" "Replace" "delete" "Delete")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

; Markers that name nothing but selectors.
(method_invocation
  object: (_) @_receiver name: (identifier) @_name
  arguments: (argument_list (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .))
  (#eq? @_receiver "pactkit")
  (#any-of? @_name "MustCompile" "Parse" "Format")
  (#set! injection.language "pactsel_inline"))

(method_invocation
  object: (_) @_receiver name: (identifier) @_name
  arguments: (argument_list (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .))
  (#eq? @_receiver "pact")
  (#eq? @_name "compile")
  (#set! injection.language "pactsel_inline"))

; A comment before a string, or alone on the line above it.
([(line_comment) (block_comment)] @_comment . (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .)
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#set! injection.language "pactsel_inline"))

([(line_comment) (block_comment)] @_comment . [
  (local_variable_declaration (variable_declarator value: (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .)))
  (field_declaration (variable_declarator value: (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .)))
  (expression_statement (method_invocation arguments: (argument_list (string_literal . [(string_fragment) (multiline_string_fragment)] @injection.content .))))
]
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#set! injection.language "pactsel_inline"))
