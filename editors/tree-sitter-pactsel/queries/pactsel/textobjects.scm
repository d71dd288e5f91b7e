; A selector is a statement, a fragment of a union or a test a parameter, a step a block. Helix says inside and around,
; others inner and outer.
(selector) @statement.outer @entry.around @entry.inside

(fragment) @parameter.inner @parameter.inside @parameter.outer @parameter.around
(attribute) @parameter.inner @parameter.inside @parameter.outer @parameter.around

(step) @block.outer

(comment) @comment.outer @comment.inner @comment.around @comment.inside
