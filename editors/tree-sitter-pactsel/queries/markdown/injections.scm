; extends

; A block of the language pactsel finds its grammar by its name.
(fenced_code_block
  (info_string (language) @_language)
  (code_fence_content) @injection.content
  (#eq? @_language "pact")
  (#set! injection.language "pactsel"))
