; Of two patterns for one node some editors take the first and some the last, so no two fit one.

(comment) @comment

[(time) (late_time) (every) (history)] @keyword
(time_range (int) @number)
(late_time_range (int) @number)

(control_name) @keyword.directive
(control_value) @constant

(region) @variable.builtin
[(type) (dot_part)] @type
[(key) (quoted_key)] @label
(tag) @tag
(step (name) @variable)

(step (colon_name) @attribute)
(pseudo [(colon_name) (colon_part)] @attribute)
(late_name) @attribute
[(depth_call) (within_call) (nth_call) (late_nth) (depth_pseudo) (late_depth)] @function.builtin

[(depth_range [(depth) (depth_decimal) (int) (decimal)] @number)
 (call [(depth) (int) (decimal)] @number)
 (late [(depth) (int) (decimal)] @number)
 (step (int) @number)]
(cont_at) @number

(attribute_name) @property
(attribute value: [(int) (decimal)] @number)
(attribute value: (string) @string)
(attribute value: (word) @boolean (#any-of? @boolean "true" "false"))
(attribute value: (word) @constant.builtin (#any-of? @constant.builtin "null" "None"))
(attribute value: (word) @string (#not-match? @string "^(true|false|null|None)$"))

["*" (star_sign) ">" "=" "!=" "<" "<=" ">=" "~" ".." "??" "?" "-"] @operator
"in" @keyword.operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":"] @punctuation.delimiter

; A selector that is being typed.
(ERROR (string) @string)
(ERROR [(int) (decimal) (depth) (depth_decimal)] @number)
(ERROR [(colon_name) (colon_part)] @attribute)
