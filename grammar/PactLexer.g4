// The words of the PACT selector language, both editions, and the shapes of common mistakes.
//
// White space has a meaning only between two steps, where it is the descendant combinator. Every token
// that may be next to meaningless white space absorbs it (the longest match wins), so the only white
// space left over is DESC. There are no predicates, modes or actions: the lexer is a deterministic
// automaton, and it never fails. What is not a word of the language is one of the BAD_* tokens, so the
// parser can say what is wrong with it.
lexer grammar PactLexer;

// ---- time ------------------------------------------------------------------------------------------
TIME          : '@t' ( [+-]? DIGIT+ | [+-] '*' ) | '@c' [+-]? DIGIT+ ;
EVERY         : '@*' ;
HISTORY       : '@history' ;
// A time after the start of the selector, which is always an error.
LATE_TIME     : BLANK ( '@t' ( [+-]? DIGIT+ | [+-] '*' ) | '@c' [+-]? DIGIT+ | '@*' | '@history' ) ;

// ---- controls: one token each, because no white space is allowed inside a value ---------------------
CONTROL       : BLANK? '@' IDENT ( BLANK? '=' BLANK? ( WORD ( [:,.] WORD )* | QUOTED ) )? ;

// ---- between steps ---------------------------------------------------------------------------------
RANGE         : BLANK? '..' BLANK? ;
FALLBACK      : BLANK? '??' BLANK? ;
OPTIONAL      : BLANK? '?' ;
COMMA         : BLANK? ',' BLANK? ;

// ---- anchors ---------------------------------------------------------------------------------------
REGION        : '^' IDENT ;
TYPE          : '.' IDENT ( '.' IDENT )* ;
DOT_PART      : '.' DIGITS CONT* ;                    // `.2` after a key: #a:b.2
KEY           : '#' IDENT ( '.' PART )* ;
QUOTED_KEY    : '#' QUOTED ;
TAG           : BLANK? '+' IDENT ;
STAR          : '*' ;
STAR_SIGN     : '*@' [+-] ;                           // legacy
DEPTH         : 'd' [+-]? DIGIT+ ;
DEPTH_DECIMAL : 'd' [+-]? DIGIT+ '.' DIGIT+ ;         // an error with a code of its own
DEPTH_CALL    : 'depth(' BLANK? ;
WITHIN_CALL   : 'within(' BLANK? ;                    // legacy
CONT_AT       : 'c@' [+-]? DIGIT+ ;                   // legacy, ambiguous

// ---- pseudos and suffixes; a pseudo after white space is a step of its own --------------------------
NTH_CALL      : ':nth(' BLANK? ;
LATE_NTH      : BLANK ':nth(' BLANK? ;
DEPTH_PSEUDO  : ':depth(' BLANK? ;                    // edition 0.1
LATE_DEPTH    : BLANK ':depth(' BLANK? ;
COLON_NAME    : ':' IDENT ;
COLON_PART    : ':' DIGITS CONT* ;
LATE_NAME     : BLANK ':' IDENT ;
COLON         : BLANK? ':' BLANK? ;

// ---- brackets --------------------------------------------------------------------------------------
LPAREN        : '(' BLANK? ;
RPAREN        : BLANK? ')' ;
LBRACK        : BLANK? '[' BLANK? ;
RBRACK        : BLANK? ']' ;
LBRACE        : BLANK? '{' BLANK? ;
RBRACE        : BLANK? '}' ;

// ---- operators -------------------------------------------------------------------------------------
GT            : BLANK? '>' BLANK? ;                   // child combinator and comparison
EQ            : BLANK? '=' BLANK? ;
NE            : BLANK? '!=' BLANK? ;
LT            : BLANK? '<' BLANK? ;
LE            : BLANK? '<=' BLANK? ;
GE            : BLANK? '>=' BLANK? ;
MATCH         : BLANK? '~' BLANK? ;
IN            : BLANK 'in' BLANK? '[' BLANK? ;        // ` in [`; `in` alone is a name
BAD_OPERATOR  : BLANK? ( '==' '='? | '=~' | '~=' | '!~' | '<>' | '=>' | '=<' | '^=' | '$=' | '|=' | '*=' ) BLANK? ;

// ---- values ----------------------------------------------------------------------------------------
STRING        : QUOTED ;
INT           : [+-]? DIGIT+ ;
DECIMAL       : [+-]? DIGIT+ '.' DIGIT+ ;
NAME          : IDENT ;
MINUS         : '-' ;                                 // `:depth(1 - 3)`, edition 0.1

// ---- white space -----------------------------------------------------------------------------------
TRAILING      : BLANK EOF -> skip ;
DESC          : BLANK ;

// ---- not words of the language -----------------------------------------------------------------------
BAD_WORD      : [+-]? DIGIT+ START CONT* ;
BAD_TIME      : BLANK? ( '@t' ( '+' DIGIT+ | [+-] '*' ) | '@c+' DIGIT+ | '@*' ) START CONT* ; // @t0x is a CONTROL
BAD_KEY       : '#' DIGITS CONT* ;
BAD_STRING    : '#'? ( '\'' ( ~['\\\r\n] | '\\' ~[\r\n] )* '\\'? | '"' ( ~["\\\r\n] | '\\' ~[\r\n] )* '\\'? ) ;
BAD_CHAR      : . ;

fragment IDENT   : START CONT* ;                      // the parser rejects a trailing '-'
fragment PART    : CONT_FIRST CONT* ;                 // an identifier that may begin with a digit
fragment WORD    : [+-]? DIGIT+ ( '.' DIGIT+ )? | PART ;
fragment START   : [\p{L}_] ;
fragment CONT_FIRST : START | DIGITS ;
fragment CONT    : [\p{L}\p{M}\p{Nd}_-] ;
fragment DIGIT   : [0-9] ;
fragment DIGITS  : [\p{Nd}] ;                           // of any script: they begin a part
fragment QUOTED  : '\'' ( ~['\\\r\n] | '\\' ~[\r\n] )* '\'' | '"' ( ~["\\\r\n] | '\\' ~[\r\n] )* '"' ;
// White space, and comments in it: a '#' after white space and before white space, another '#' or the
// end of the line starts a comment that runs to the end of the line.
fragment BLANK   : SPACE ( SPACE | COMMENT )* ;
fragment SPACE   : [ \t\r\n] ;
fragment COMMENT : '#' ( [ \t#] ~[\r\n]* )? ( [\r\n] | EOF ) ;
