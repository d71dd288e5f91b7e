// The scanner of both grammars. It names tokens as parser/internal/ll1 does, whatever the parser expects: lexicon.h
// holds the automaton that grammargen compiles from grammar/PactLexer.g4.
//
// A token of PactLexer.g4 may hold white space and comments at its ends. Here they stand between the tokens, so the
// scanner remembers after a token that the white space after it means nothing. In a file of selectors it also finds
// where each selector ends, as parser/split.go does.
//
// Who includes it says in IS_FILE whether the source is a file of selectors or one selector.

#include "lexicon.h"
#include "tree_sitter/alloc.h"
#include "tree_sitter/array.h"
#include "tree_sitter/parser.h"

#include <string.h>

// The symbols after the tokens of PactLexer.g4, which lexicon.h numbers from 1; see externals in define-grammar.js.
enum { COMMENT = TOKENS, CONTROL_VALUE, BEFORE_IN, BEGIN, END };

// What the white space before the next token means.
enum { BLANK_SEPARATES, BLANK_IS_NOTHING, BLANK_IS_NOTHING_AT_START };

typedef struct {
  uint8_t blank;
  uint8_t control; // 1 after a control whose value follows, 2 after its "="
  uint8_t in;      // the word "in" follows
  uint8_t inside;  // a selector has begun
  uint8_t open;    // how many selectors before have brackets that stay open
  uint32_t breaks; // line breaks left in the selector
} Scanner;

static inline bool is_break(int32_t c) { return c == '\n' || c == '\r'; }

static inline bool is_space(int32_t c) { return c == ' ' || c == '\t' || is_break(c); }

// A byte that is not UTF-8 counts as a character that no word has.
static uint8_t class_of(int32_t c) {
  if (c < 0) return lexicon_ascii[0];
  if (c < 128) return lexicon_ascii[c];
  unsigned low = 0, high = sizeof lexicon_ranges / sizeof lexicon_ranges[0];
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    if (lexicon_ranges[middle].first <= c) low = middle; else high = middle;
  }
  return lexicon_ranges[low].class;
}

static inline uint8_t step(uint8_t state, int32_t c) { return lexicon_next[state][class_of(c)]; }

static uint8_t after(const char *text) {
  uint8_t state = LEXICON_START;
  for (; *text; text++) state = step(state, *text);
  return state;
}

static inline void skip_break(TSLexer *lexer, bool skip) {
  bool cr = lexer->lookahead == '\r';
  lexer->advance(lexer, skip);
  if (cr && lexer->lookahead == '\n') lexer->advance(lexer, skip);
}

// ---- the lines of a selector ------------------------------------------------------------------------

typedef struct {
  int32_t closed; // the last line on which a bracket opened on this one is closed; -1 if one never is
  bool continues; // the line is indented and begins with what cannot begin a selector
  bool comment;   // it is indented and holds a comment alone
} Line;

typedef struct {
  TSLexer *lexer;
  uint32_t read; // characters
  Array(Line) lines;
  Array(int32_t) brackets; // the lines of the open ones
} Reader;

static inline int32_t peek(const Reader *r) { return r->lexer->lookahead; }

static inline bool at_break(const Reader *r) { return r->lexer->eof(r->lexer) || is_break(peek(r)); }

static inline void take(Reader *r) {
  r->lexer->advance(r->lexer, false);
  r->read++;
}

static bool is_name_part(int32_t c) { return lexicon_accept[step(after("@a"), c)] == CONTROL; }

// Reads the word after an "@" that begins a line, and reports whether it is a control rather than an instant.
static bool take_control(Reader *r) {
  const char *history = "history";
  if (!is_name_part(peek(r))) return peek(r) != '*';
  if (peek(r) != 't' && peek(r) != 'c') {
    for (; *history && peek(r) == *history; history++) take(r);
    return *history || is_name_part(peek(r));
  }
  take(r);
  while (peek(r) == '-') take(r);
  if (!is_name_part(peek(r))) return peek(r) != '+' && peek(r) != '*';
  while (peek(r) >= '0' && peek(r) <= '9') take(r);
  return is_name_part(peek(r));
}

// Reports whether a line continues the selector above it, and reads what it needs to see for that.
static bool take_start(Reader *r) {
  int32_t c = peek(r);
  if (c != '?' && c != '@') return c == '>' || c == ',' || c == '{' || c == '[' || c == '+';
  take(r);
  return c == '?' ? peek(r) == '?' : take_control(r);
}

static void take_string(Reader *r, int32_t quote) {
  while (!at_break(r)) {
    int32_t c = peek(r);
    take(r);
    if (c == quote) return;
    if (c == '\\' && !at_break(r)) take(r);
  }
}

// Reads a line up to its break, and notes the brackets on it.
static void take_line(Reader *r) {
  int32_t number = (int32_t)r->lines.size, before = ' ';
  Line line = {.closed = number};
  if (number > 0 && (peek(r) == ' ' || peek(r) == '\t')) {
    while (peek(r) == ' ' || peek(r) == '\t') take(r);
    line.comment = peek(r) == '#';
    if (peek(r) == '?' || peek(r) == '@') before = peek(r);
    line.continues = take_start(r);
  }
  array_push(&r->lines, line);
  for (int32_t c; !at_break(r); before = c) {
    c = peek(r);
    take(r);
    if (c == '#' && is_space(before)) {
      if (at_break(r) || is_space(peek(r)) || peek(r) == '#') {
        while (!at_break(r)) take(r);
        return;
      }
      r->lines.contents[number].comment = false;
    } else if (c == '\'' || c == '"') {
      take_string(r, c);
    } else if (c == '(' || c == '[' || c == '{') {
      array_push(&r->brackets, number);
    } else if ((c == ')' || c == ']' || c == '}') && r->brackets.size > 0) {
      r->lines.contents[array_pop(&r->brackets)].closed = number;
    }
  }
}

// Returns the last line of the selector that begins on the first line.
static uint32_t last_line(Reader *r) {
  Line *lines = r->lines.contents;
  int32_t count = (int32_t)r->lines.size;
  for (uint32_t i = 0; i < r->brackets.size; i++) lines[r->brackets.contents[i]].closed = -1;
  for (int32_t i = count - 1; i >= 0; i--) {
    if (lines[i].closed > i) lines[i].closed = lines[lines[i].closed].closed;
  }
  for (int32_t line = 0, next;; line = next) {
    if (lines[line].closed >= 0) line = lines[line].closed;
    for (next = line + 1; next < count && lines[next].comment;) next++;
    if (next >= count || !lines[next].continues) return (uint32_t)line;
  }
}

// Counts the line breaks in the selector that begins here. A bracket that stays open makes it read as far as it may;
// how far halves with each selector that has one, so a file costs time in proportion to its size.
static void count_breaks(Scanner *s, TSLexer *lexer) {
  Reader r = {.lexer = lexer, .lines = array_new(), .brackets = array_new()};
  uint32_t reach = (1u << 20) >> (s->open < 12 ? s->open : 12);
  for (;;) {
    bool closed = r.brackets.size == 0;
    take_line(&r);
    Line *line = array_back(&r.lines);
    if (closed && r.lines.size > 1 && !line->continues && !line->comment) {
      r.lines.size--;
      r.brackets.size = 0;
      break;
    }
    if (lexer->eof(lexer) || r.read > reach) break;
    skip_break(lexer, false);
    r.read++;
  }
  if (r.brackets.size > 0 && s->open < 12) s->open++;
  s->breaks = last_line(&r);
  array_delete(&r.lines);
  array_delete(&r.brackets);
}

// ---- tokens -----------------------------------------------------------------------------------------

static bool emit(TSLexer *lexer, unsigned symbol) {
  lexer->result_symbol = (TSSymbol)(symbol - 1);
  return true;
}

// Reads a comment after its "#" if there is one; white space at its end is not part of it.
static bool take_comment(TSLexer *lexer) {
  if (!lexer->eof(lexer) && !is_space(lexer->lookahead) && lexer->lookahead != '#') return false;
  lexer->mark_end(lexer);
  while (!lexer->eof(lexer) && !is_break(lexer->lookahead)) {
    bool blank = lexer->lookahead == ' ' || lexer->lookahead == '\t';
    lexer->advance(lexer, false);
    if (!blank) lexer->mark_end(lexer);
  }
  return emit(lexer, COMMENT);
}

// Reports whether the value of the control follows whose name has been read. It changes nothing.
static bool has_value(TSLexer *lexer, uint8_t state, uint32_t breaks) {
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    bool ends = is_break(c) && breaks-- == 0;
    if (ends || (state = step(state, c)) == 0) return false;
    if (is_break(c)) skip_break(lexer, false); else lexer->advance(lexer, false);
    if (lexicon_accept[state] == CONTROL) return true;
  }
  return false;
}

// Reads the longest token. kind is what ends here already, or 0.
static bool take_token(Scanner *s, TSLexer *lexer, uint8_t state, unsigned kind) {
  int32_t first = lexer->lookahead;
  uint32_t breaks = s->breaks;
  s->blank = BLANK_SEPARATES;
  for (bool begun = false; !lexer->eof(lexer); begun = true) {
    int32_t c = lexer->lookahead;
    uint8_t next = step(state, c);
    if (next == 0 || (is_break(c) && breaks == 0)) break;
    unsigned ends = lexicon_accept[next];
    bool in_string = ends == BAD_STRING;
    if (begun && is_space(c) && ends != 0 && ends == lexicon_accept[state] && !in_string) {
      s->blank = BLANK_IS_NOTHING;
      break;
    }
    if (begun && c == '(' && ends != 0 && !in_string) { // as in "depth("
      lexer->mark_end(lexer);
      kind = ends;
      break;
    }
    if (begun && first == '@' && (c == '=' || is_space(c))) {
      if (has_value(lexer, state, breaks)) {
        kind = CONTROL;
        s->control = 1;
      }
      break;
    }
    if (is_break(c)) {
      skip_break(lexer, false);
      breaks--;
    } else {
      lexer->advance(lexer, false);
    }
    state = next;
    if (ends == IN) { // the word is the next token
      s->in = 1;
      kind = BEFORE_IN;
      break;
    }
    if (ends != 0) {
      kind = ends;
      lexer->mark_end(lexer);
    }
  }
  return kind != 0 && emit(lexer, kind);
}

static bool take_in(Scanner *s, TSLexer *lexer) {
  lexer->advance(lexer, false);
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  s->in = 0;
  return emit(lexer, IN);
}

static bool take_end(Scanner *s, TSLexer *lexer) {
  skip_break(lexer, false);
  lexer->mark_end(lexer);
  s->inside = 0;
  return emit(lexer, END);
}

static bool take_value(Scanner *s, TSLexer *lexer) {
  s->control = 0;
  return take_token(s, lexer, after("@a="), 0) && emit(lexer, CONTROL_VALUE);
}

// Reads what stands between two selectors: a comment, or the begin of a selector, which has no length.
static bool scan_between(Scanner *s, TSLexer *lexer) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->eof(lexer)) return false;
  lexer->mark_end(lexer);
  if (lexer->lookahead == '#') {
    lexer->advance(lexer, false);
    if (take_comment(lexer)) return true;
  }
  count_breaks(s, lexer);
  s->inside = 1;
  s->blank = BLANK_IS_NOTHING;
  return emit(lexer, BEGIN);
}

static bool scan(Scanner *s, TSLexer *lexer) {
  if (s->in) return take_in(s, lexer);
  if (!s->inside) return scan_between(s, lexer);
  bool blank = false;
  for (; !lexer->eof(lexer) && is_space(lexer->lookahead); blank = true) {
    if (!is_break(lexer->lookahead)) {
      lexer->advance(lexer, true);
    } else if (s->breaks == 0) {
      return take_end(s, lexer);
    } else {
      skip_break(lexer, true);
      if (IS_FILE) s->breaks--;
    }
  }
  if (lexer->eof(lexer)) return false;
  lexer->mark_end(lexer);
  bool separates = blank && s->blank == BLANK_SEPARATES;
  uint8_t state = separates ? step(LEXICON_START, ' ') : LEXICON_START;
  unsigned kind = separates ? DESC : 0;
  if (lexer->lookahead == '#' && (blank || s->blank == BLANK_IS_NOTHING_AT_START)) {
    lexer->advance(lexer, false);
    if (take_comment(lexer)) return true;
    if (separates) {
      s->blank = BLANK_IS_NOTHING;
      return emit(lexer, DESC);
    }
    lexer->mark_end(lexer);
    state = step(state, '#');
    kind = lexicon_accept[state];
  }
  if (s->control == 2) return take_value(s, lexer);
  if (!take_token(s, lexer, state, kind)) return false;
  if (s->control == 1 && lexer->result_symbol == EQ - 1) s->control = 2;
  return true;
}

// ---- what tree-sitter calls -------------------------------------------------------------------------

static inline void *scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

static inline void scanner_destroy(void *payload) { ts_free(payload); }

static inline unsigned scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

static inline void scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *s = payload;
  memset(s, 0, sizeof *s);
  if (length == sizeof *s) {
    memcpy(s, buffer, sizeof *s);
  } else if (!IS_FILE) {
    s->blank = BLANK_IS_NOTHING_AT_START;
    s->inside = 1;
    s->breaks = UINT32_MAX;
  }
}

static inline bool scanner_scan(void *payload, TSLexer *lexer) { return scan(payload, lexer); }
