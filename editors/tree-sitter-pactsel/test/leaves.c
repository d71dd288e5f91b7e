// Prints the leaves of trees, for parser/treesitter_test.go.
//
// Input is any number of sources: a line with the grammar (pactsel or pactsel_inline) and the size in bytes, then the
// source. Output is one line for each: "ok" or "error", then the name of each leaf and where it starts and ends, in
// bytes. Each source is read once more as an editor does, by an edit of a source that lacks a part of it; "incremental"
// stands for a difference.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_pactsel(void);
const TSLanguage *tree_sitter_pactsel_inline(void);

static char *leaves(const TSTree *tree) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  TSNode root = ts_tree_root_node(tree);
  fputs(ts_node_has_error(root) ? "error" : "ok", out);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (bool more = true; more;) {
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    TSNode node = ts_tree_cursor_current_node(&cursor);
    // An error without children holds hidden tokens alone.
    if (!ts_node_is_missing(node) && !ts_node_is_error(node) && !ts_node_eq(node, root)) {
      fprintf(out, " %s %u %u", ts_node_type(node), ts_node_start_byte(node), ts_node_end_byte(node));
    }
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)) && ts_tree_cursor_goto_parent(&cursor)) {
    }
  }
  ts_tree_cursor_delete(&cursor);
  fclose(out);
  return text;
}

static TSPoint point(const char *source, uint32_t at) {
  TSPoint p = {0, 0};
  for (uint32_t i = 0; i < at; i++) {
    p.column++;
    if (source[i] == '\n') p = (TSPoint){p.row + 1, 0};
  }
  return p;
}

// Reads a source by an insertion of its middle.
static TSTree *insert(TSParser *parser, const char *source, uint32_t size) {
  uint32_t from = size / 3, to = size / 2;
  char *part = malloc(size + 1);
  memcpy(part, source, from);
  memcpy(part + from, source + to, size - to);
  TSTree *before = ts_parser_parse_string(parser, NULL, part, size - (to - from));
  free(part);
  ts_tree_edit(before, &(TSInputEdit){from, from, to, point(source, from), point(source, from), point(source, to)});
  TSTree *after = ts_parser_parse_string(parser, before, source, size);
  ts_tree_delete(before);
  return after;
}

int main(void) {
  char name[32];
  unsigned size;
  TSParser *parser = ts_parser_new();
  while (scanf("%31s %u", name, &size) == 2) {
    char *source = malloc(size + 1);
    if (getchar() != '\n' || !source || fread(source, 1, size, stdin) != size) return 1;
    bool is_file = strcmp(name, "pactsel") == 0;
    if (!ts_parser_set_language(parser, is_file ? tree_sitter_pactsel() : tree_sitter_pactsel_inline())) return 1;
    TSTree *tree = ts_parser_parse_string(parser, NULL, source, size);
    TSTree *edited = insert(parser, source, size);
    char *want = leaves(tree), *got = leaves(edited);
    if (strcmp(want, got) != 0) printf("incremental ");
    puts(want);
    free(want);
    free(got);
    ts_tree_delete(edited);
    fflush(stdout);
    ts_tree_delete(tree);
    free(source);
  }
  ts_parser_delete(parser);
  return 0;
}
