#define IS_FILE 1
#include "../../common/scanner.h"

void *tree_sitter_pactsel_external_scanner_create(void) { return scanner_create(); }

void tree_sitter_pactsel_external_scanner_destroy(void *payload) { scanner_destroy(payload); }

unsigned tree_sitter_pactsel_external_scanner_serialize(void *payload, char *buffer) {
  return scanner_serialize(payload, buffer);
}

void tree_sitter_pactsel_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  scanner_deserialize(payload, buffer, length);
}

bool tree_sitter_pactsel_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)valid_symbols; // what a token is does not depend on what is expected
  return scanner_scan(payload, lexer);
}
