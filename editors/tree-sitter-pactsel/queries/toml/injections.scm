; extends

; Selectors in strings, as package host finds them; ../../README.md says what a query cannot tell.

; Only in Neovim: the quotes belong to the node and are left out by an offset.
(pair
  (bare_key) @_key
  (string) @injection.content
  (#eq? @_key "selector")
  (#match? @injection.content "(^|[\"' \t\r\n(,>])\\^(sys|seq|ah|root)($|[\"' \t\r\n>,):\\[{+#@])|(^|[\"' \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[\"' \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[\"'][ \t]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\|^(\"\"\"|''')")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "pactsel_inline"))

(pair
  (bare_key) @_key
  (array (string) @injection.content)
  (#eq? @_key "selectors")
  (#match? @injection.content "(^|[\"' \t\r\n(,>])\\^(sys|seq|ah|root)($|[\"' \t\r\n>,):\\[{+#@])|(^|[\"' \t\r\n(,>.:])[@][tc]([-+]?[0-9]|[-+][*])|(^|[\"' \t\r\n(,>])d-?[0-9]+[.][.]d?-?[0-9]|^[\"'][ \t]*[.#*+(][^/]*([{][^}]*[=~<>][^}]*[}]|\\[[^\\]]*[<>]|[?][?])")
  (#not-match? @injection.content "\\\\|^(\"\"\"|''')")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "pactsel_inline"))
