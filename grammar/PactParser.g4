// The syntax of the PACT selector language, both editions.
//
// The grammar is LL(1): one token decides everywhere, so the generated parser needs no adaptive
// prediction and the grammar compiles to one table. It accepts some forms that are not allowed (a
// filter after a control, a chain in a coordinate set, a number as a step). The tree builder rejects
// these with a message that says what was probably meant.
parser grammar PactParser;
options { tokenVocab=PactLexer; }

query       : member ( COMMA member )* EOF ;

member      : time? FALLBACK? chain ( FALLBACK chain )* OPTIONAL? tail? ;

time        : ( TIME | EVERY | HISTORY ) timeEnd? DESC? ;
timeEnd     : ( RANGE | COLON | COMMA ) ( TIME | EVERY | HISTORY | INT )
            | COLON_PART ;                            // @t-5:0

tail        : ( CONTROL | lateTime ) ( CONTROL | lateTime | TAG | props | behavior )* ;
lateTime    : ( LATE_TIME | TIME | EVERY | HISTORY ) ( ( RANGE | COLON ) ( TIME | EVERY | HISTORY | INT ) | COLON_PART )? ;

chain       : step ( ( GT | DESC ) step | lateStep )* ;
lateStep    : late qualifier* ;
step        : anchor qualifier* ;

anchor      : STAR
            | STAR_SIGN
            | REGION
            | depth
            | TYPE
            | KEY
            | QUOTED_KEY
            | TAG
            | props
            | behavior
            | COLON_NAME
            | call
            | late
            | paren
            | within
            | CONT_AT
            | INT
            | NAME ;
late        : LATE_NAME
            | ( LATE_NTH | LATE_DEPTH ) argument* RPAREN ;
depth       : ( DEPTH | DEPTH_DECIMAL ) ( RANGE ( DEPTH | INT | DECIMAL | DEPTH_DECIMAL ) )?
            | DEPTH_CALL argument* RPAREN ;
paren       : LPAREN item ( COMMA item )* RPAREN ;
within      : WITHIN_CALL item ( COMMA item )* RPAREN ;
item        : ( chain ( FALLBACK chain )* )? ;

qualifier   : TAG
            | props
            | behavior
            | group
            | ( COLON_NAME | COLON_PART ) ( TYPE | DOT_PART )*
            | call
            | KEY
            | QUOTED_KEY ;
props       : LBRACE attributes RBRACE ;
behavior    : LBRACK attributes RBRACK ;
group       : LPAREN attributes RPAREN ;
call        : ( NTH_CALL | DEPTH_PSEUDO ) argument* RPAREN ;
argument    : INT | DECIMAL | DEPTH | NAME | STRING | COMMA | DESC | RANGE | MINUS
            | GT | GE | LT | LE | STAR | LBRACE | RBRACE ;

attributes  : ( attribute ( ( COMMA | DESC ) attribute )* )? ;
attribute   : name ( EQ ( value | LBRACK values RBRACK )
                   | ( NE | LT | LE | GT | GE | MATCH | BAD_OPERATOR ) value
                   | IN values RBRACK )? ;
values      : ( value ( COMMA value )* )? ;
value       : STRING | INT | DECIMAL | BAD_WORD | name ;
name        : ( NAME | DEPTH ) ( COLON_NAME | COLON_PART )* ;
