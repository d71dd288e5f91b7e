; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; Values of the keys selector and selectors that prove themselves to be selectors.
(block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (flow_node (plain_scalar (string_scalar) @injection.content))
  (#eq? @_key "selector")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

(block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (block_node (block_sequence (block_sequence_item (flow_node (plain_scalar (string_scalar) @injection.content)))))
  (#eq? @_key "selectors")
  (#match? @injection.content "(^|[ \t\r\n(,>])\\^(sys|seq|ah|root)($|[ \t\r\n>,):\\[{+#@])|(^|[ \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[ \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[ \t\r\n]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#set! injection.language "pactsel_inline"))

; Only in Neovim: the quotes belong to the node and are left out by an offset.
(block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (flow_node [(single_quote_scalar) (double_quote_scalar)] @injection.content)
  (#eq? @_key "selector")
  (#match? @injection.content "(^|[\"' \t\r\n(,>])\\^(sys|seq|ah|root)($|[\"' \t\r\n>,):\\[{+#@])|(^|[\"' \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[\"' \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[\"'][ \t]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "pactsel_inline"))

(block_mapping_pair
  key: (flow_node (plain_scalar) @_key)
  value: (block_node (block_sequence (block_sequence_item (flow_node [(single_quote_scalar) (double_quote_scalar)] @injection.content))))
  (#eq? @_key "selectors")
  (#match? @injection.content "(^|[\"' \t\r\n(,>])\\^(sys|seq|ah|root)($|[\"' \t\r\n>,):\\[{+#@])|(^|[\"' \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[\"' \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[\"'][ \t]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "pactsel_inline"))
