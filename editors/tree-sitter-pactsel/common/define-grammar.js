/**
 * The rules of grammar/PactParser.g4. All tokens come from the external scanner, which runs the automaton of
 * grammar/PactLexer.g4. parser/treesitter_test.go compares both with the tables of the ANTLR grammar.
 *
 * Tokens have the names of the ANTLR grammar, in lower case; a sign is written as itself. White space and comments that
 * are part of a token there are not part of its node. Four kinds of tokens are split in two, so that every bracket is a
 * node: `depth(` and the like before the bracket, ` in [` before the bracket, and `@limit=10` around the sign.
 */

const args = ($) => ["(", repeat($._argument), ")"];

/** @param {boolean} file whether the source is a file of selectors rather than one selector */
module.exports = (file) =>
  grammar({
    name: file ? "pactsel" : "pactsel_inline",

    extras: ($) => [/[ \t\r\n]/, $.comment],

    // The tokens of PactLexer.g4, in its order, on which the scanner relies.
    // prettier-ignore
    externals: ($) => [
      $.time, $.every, $.history, $.late_time,
      $.control_name,
      "..", "??", "?", ",",
      $.region, $.type, $.dot_part, $.key, $.quoted_key, $.tag, "*", $.star_sign,
      $.depth, $.depth_decimal, $.depth_call, $.within_call, $.cont_at,
      $.nth_call, $.late_nth, $.depth_pseudo, $.late_depth, $.colon_name, $.colon_part, $.late_name, ":",
      "(", ")", "[", "]", "{", "}",
      ">", "=", "!=", "<", "<=", ">=", "~", "in", $.bad_operator,
      $.string, $.int, $.decimal, $.name, "-",
      $.trailing, $.descendant,
      $.bad_word, $.bad_time, $.bad_key, $.bad_string, $.bad_char,
      // Tokens that PactLexer.g4 does not have.
      $.comment, $.control_value, $._before_in, $._begin, $._end,
    ],

    inline: ($) => [$._anchor, $._qualifier, $._argument, $._instant, $._value],

    rules: {
      source_file: ($) =>
        file ? seq(repeat(seq(optional($.selector), $._end)), optional($.selector)) : $.selector,

      selector: ($) =>
        seq(...(file ? [$._begin] : []), $.fragment, repeat(seq(",", $.fragment))),

      fragment: ($) =>
        seq(
          optional($.time_range),
          optional("??"),
          $.chain,
          repeat(seq("??", $.chain)),
          optional("?"),
          optional($.tail),
        ),

      _instant: ($) => choice($.time, $.every, $.history),
      time_range: ($) =>
        seq(
          $._instant,
          optional(choice(seq(choice("..", ":", ","), choice($._instant, $.int)), $.colon_part)),
          optional($.descendant),
        ),

      tail: ($) =>
        seq(
          choice($.control, $.late_time_range),
          repeat(choice($.control, $.late_time_range, $.tag, $.properties, $.behavior)),
        ),
      control: ($) =>
        seq(
          field("name", $.control_name),
          optional(seq("=", field("value", $.control_value))),
        ),
      late_time_range: ($) =>
        seq(
          choice($.late_time, $._instant),
          optional(choice(seq(choice("..", ":"), choice($._instant, $.int)), $.colon_part)),
        ),

      chain: ($) =>
        seq(
          $.step,
          repeat(choice(seq(choice(">", $.descendant), $.step), alias($.late_step, $.step))),
        ),
      late_step: ($) => seq($.late, repeat($._qualifier)),
      step: ($) => seq($._anchor, repeat($._qualifier)),

      _anchor: ($) =>
        choice(
          "*",
          $.star_sign,
          $.region,
          $.depth_range,
          $.type,
          $.key,
          $.quoted_key,
          $.tag,
          $.properties,
          $.behavior,
          $.colon_name,
          $.call,
          $.late,
          $.paren,
          $.within,
          $.cont_at,
          $.int,
          $.name,
        ),
      late: ($) => choice($.late_name, seq(choice($.late_nth, $.late_depth), ...args($))),
      depth_range: ($) =>
        choice(
          seq(
            choice($.depth, $.depth_decimal),
            optional(seq("..", choice($.depth, $.int, $.decimal, $.depth_decimal))),
          ),
          seq($.depth_call, ...args($)),
        ),
      paren: ($) => seq("(", optional($.item), repeat(seq(",", optional($.item))), ")"),
      within: ($) =>
        seq($.within_call, "(", optional($.item), repeat(seq(",", optional($.item))), ")"),
      item: ($) => seq($.chain, repeat(seq("??", $.chain))),

      _qualifier: ($) =>
        choice(
          $.tag,
          $.properties,
          $.behavior,
          $.group,
          $.pseudo,
          $.call,
          $.key,
          $.quoted_key,
        ),
      pseudo: ($) =>
        seq(choice($.colon_name, $.colon_part), repeat(choice($.type, $.dot_part))),
      properties: ($) => seq("{", optional($._attributes), "}"),
      behavior: ($) => seq("[", optional($._attributes), "]"),
      group: ($) => seq("(", optional($._attributes), ")"),
      call: ($) => seq(choice($.nth_call, $.depth_pseudo), ...args($)),
      // prettier-ignore
      _argument: ($) =>
        choice(
          $.int, $.decimal, $.depth, $.name, $.string, ",", $.descendant, "..", "-",
          ">", ">=", "<", "<=", "*", "{", "}",
        ),

      _attributes: ($) =>
        seq($.attribute, repeat(seq(choice(",", $.descendant), $.attribute))),
      attribute: ($) =>
        seq(
          field("name", $.attribute_name),
          optional(
            choice(
              seq(
                field("operator", "="),
                choice(field("value", $._value), seq("[", optional($._values), "]")),
              ),
              seq(
                field("operator", choice("!=", "<", "<=", ">", ">=", "~", $.bad_operator)),
                field("value", $._value),
              ),
              seq($._before_in, field("operator", "in"), "[", optional($._values), "]"),
            ),
          ),
        ),
      _values: ($) => seq(field("value", $._value), repeat(seq(",", field("value", $._value)))),
      _value: ($) => choice($.string, $.int, $.decimal, $.bad_word, $.word),
      attribute_name: ($) => seq(choice($.name, $.depth), repeat(choice($.colon_name, $.colon_part))),
      word: ($) => seq(choice($.name, $.depth), repeat(choice($.colon_name, $.colon_part))),
    },
  });
