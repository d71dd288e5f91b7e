; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; An untyped marker names a string that proves itself to be a selector.
(call_expression
  function: (member_expression object: (_) @_receiver property: (property_identifier) @_name)
  arguments: (arguments [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ])
  (#any-of? @_name "select" "Select" "SelectRange" "diff" "Diff")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

(call_expression
  function: (member_expression object: (_) @_receiver property: (property_identifier) @_name)
  arguments: (arguments [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ])
  (#match? @_receiver "(^|[^a-zA-Z0-9_])ctx$")
  (#any-of? @_name "insert" "Insert" "move" "Move" "replace" "Replace" "delete" "Delete")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

; Markers that name nothing but selectors.
(call_expression
  function: (member_expression object: (_) @_receiver property: (property_identifier) @_name)
  arguments: (arguments [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ])
  (#eq? @_receiver "pactkit")
  (#any-of? @_name "MustCompile" "Parse" "Format")
  (#set! injection.language "pactsel_inline"))

(call_expression
  function: (member_expression object: (_) @_receiver property: (property_identifier) @_name)
  arguments: (arguments [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ])
  (#eq? @_receiver "pact")
  (#eq? @_name "compile")
  (#set! injection.language "pactsel_inline"))

(call_expression
  function: (identifier) @_tag
  arguments: (template_string . (string_fragment) @injection.content .)
  (#eq? @_tag "pact")
  (#set! injection.language "pactsel_inline"))

; A comment before a string, or alone on the line above it.
((comment) @_comment . [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ]
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#set! injection.language "pactsel_inline"))

((comment) @_comment . [
  (lexical_declaration (variable_declarator value: [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ]))
  (variable_declaration (variable_declarator value: [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ]))
  (expression_statement (call_expression arguments: (arguments [
    (string . (string_fragment) @injection.content .)
    (template_string . (string_fragment) @injection.content .)
  ])))
]
  (#match? @_comment "^[-/*#! \t]*(language[=])?pact[ \t]*([*]/)?$")
  (#set! injection.language "pactsel_inline"))
