package lsp

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
)

// knownLists maps each rule about unknown words to the setting that makes a word known.
var knownLists = map[string]string{
	"correctness/unknown-type": "types", "correctness/unknown-tag": "tags", "correctness/unknown-key": "keys",
	"correctness/unknown-attribute": "attributes", "correctness/unknown-control": "controls",
}

// addWord returns the action that adds an unknown word to the configuration.
func (s *server) addWord(ctx context.Context, v *view, d *document, a *analysis, f *check.Finding) (action, bool) {
	name, ok := knownLists[f.Rule.ID]
	word := strings.Trim(f.Span.Text(d.src), `.+#@'"`)
	if !ok || !s.client.documentChanges || d.path == "" || !isName(word) {
		return action{}, false
	}
	path := s.configFile(a, d.path, "known."+name)
	x := action{Title: "add `" + word + "` to the known " + name, Kind: "quickfix", Edit: &workspaceEdit{}}
	file, err := s.document(v, uriOf(path))
	if err != nil {
		if !s.client.createFiles {
			return action{}, false
		}
		file = newDocument(uriOf(path), "", 0, "", s.client.encoding)
		x.Edit.DocumentChanges = append(x.Edit.DocumentChanges, createFile(file.uri))
	}
	s.addEdits(x.Edit, file, []diag.Edit{addToList(file, "known", name, word)})
	return x, true
}

// configFile returns the path of the configuration file that sets a key for a document, or else the
// nearest one, or else a new one in the workspace folder.
func (s *server) configFile(a *analysis, path, key string) string {
	if _, origin := a.config.Literal(config.Lookup(key)); origin.Path != "" {
		return origin.Path
	}
	top := filepath.Dir(path)
	for _, folder := range a.snapshot.folders {
		if within(path, folder) {
			top = folder
			break
		}
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		file := filepath.Join(folder, config.FileName)
		if _, err := atomicfile.Stat(file); err == nil || folder == top || folder == filepath.Dir(folder) {
			return file
		}
	}
}

// addToList returns the edit of a configuration file that adds a word to a list of a table.
func addToList(d *document, table, key, word string) diag.Edit {
	quoted := config.Literal(word)
	insert := func(at int, text string) diag.Edit { return diag.Edit{Span: ast.Span{Start: at, End: at}, Text: text} }
	inTable, header := false, -1
	for line := range d.lines.Count() {
		start, end := d.lines.Start(line), d.lineEnd(line)
		text := strings.TrimSpace(d.src[start:end])
		name, _, isSetting := strings.Cut(text, "=")
		name = strings.ReplaceAll(name, " ", "")
		switch {
		case strings.HasPrefix(text, "["):
			inTable = strings.ReplaceAll(text, " ", "") == "["+table+"]"
			if inTable {
				header = d.lines.Start(line + 1)
			}
		case isSetting && (inTable && name == key || header < 0 && name == table+"."+key):
			open := start + strings.IndexByte(d.src[start:], '=') + 1
			for at := range tokens(d.src[open:]) {
				if d.src[open+at.Start] != ']' {
					continue
				}
				list := strings.TrimRight(d.src[open:open+at.Start], " \t\r\n")
				if strings.HasSuffix(list, ",") {
					quoted = " " + quoted
				} else if !strings.HasSuffix(list, "[") {
					quoted = ", " + quoted
				}
				return insert(open+len(list), quoted)
			}
		}
	}
	if header >= 0 {
		return insert(header, key+" = ["+quoted+"]\n")
	}
	text := "[" + table + "]\n" + key + " = [" + quoted + "]\n"
	if d.src != "" {
		text = "\n" + text
		if !strings.HasSuffix(d.src, "\n") {
			text = "\n" + text
		}
	}
	return insert(len(d.src), text)
}

// tokens yields the strings of a TOML text, with their quotes, and every other byte that is not in
// a comment.
func tokens(src string) iter.Seq[ast.Span] {
	return func(yield func(ast.Span) bool) {
		for at := 0; at < len(src); {
			end := at + 1
			switch src[at] {
			case '"', '\'':
				end = min(stringEnd(src, at)+1, len(src))
			case '#':
				n := strings.IndexByte(src[at:], '\n')
				if n < 0 {
					return
				}
				at += n
				continue
			}
			if !yield(ast.Span{Start: at, End: end}) {
				return
			}
			at = end
		}
	}
}

// stringEnd returns the offset of the quote that ends a string of one line.
func stringEnd(src string, at int) int {
	for i := at + 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && src[at] == '"':
			i++
		case src[i] == src[at] || src[i] == '\n':
			return i
		}
	}
	return len(src)
}

// willRenameFiles answers workspace/willRenameFiles: the configurations that name a fixture get its
// new path.
func (s *server) willRenameFiles(ctx context.Context, v *view, p *struct {
	Files []struct {
		Old string `json:"oldUri"`
		New string `json:"newUri"`
	} `json:"files"`
}) (any, error) {
	var paths []string
	for _, folder := range v.snapshot.folders {
		paths = append(paths, filepath.Join(folder, "untitled"))
	}
	for _, f := range p.Files {
		paths = append(paths, pathOf(f.Old))
	}
	for d := range v.docs.each() {
		paths = append(paths, d.path)
	}
	files := map[string]bool{}
	for _, path := range paths {
		cfg, _ := v.snapshot.configOf(path)
		if _, origin := cfg.Literal(config.Lookup("fixtures")); origin.Path != "" {
			files[origin.Path] = true
		}
	}
	var edit workspaceEdit
	for _, path := range slices.Sorted(maps.Keys(files)) {
		d, err := s.document(v, uriOf(path))
		if err != nil {
			continue // it was removed meanwhile
		}
		var edits []diag.Edit
		for at := range tokens(d.src) {
			for _, f := range p.Files {
				if text, ok := renamedPath(filepath.Dir(path), at.Text(d.src), pathOf(f.Old), pathOf(f.New)); ok {
					edits = append(edits, diag.Edit{Span: at, Text: text})
					break
				}
			}
		}
		if len(edits) > 0 {
			s.addEdits(&edit, d, edits)
		}
	}
	if len(edit.Changes)+len(edit.DocumentChanges) == 0 {
		return nil, nil
	}
	return edit, nil
}

// renamedPath returns the new string literal for a path in a configuration file when a file, or a
// folder above it, is renamed. It returns false if the path is not affected.
func renamedPath(folder, literal, before, after string) (string, bool) {
	var text string
	if before == "" || after == "" || len(literal) < 2 {
		return "", false
	}
	if literal[0] == '\'' {
		text = strings.Trim(literal, "'")
	} else if json.Unmarshal([]byte(literal), &text) != nil {
		return "", false
	}
	scheme, id := "", ""
	if dir, ok := strings.CutPrefix(text, "file:"); ok {
		scheme, text = "file:", dir
	}
	path := filepath.FromSlash(text)
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if i := strings.LastIndexByte(path, '#'); i >= 0 && !within(path, before) {
		path, id = path[:i], path[i:]
	}
	if text == "" || !within(path, before) {
		return "", false
	}
	path = after + strings.TrimPrefix(path, before)
	if rel, err := filepath.Rel(folder, path); err == nil && !filepath.IsAbs(filepath.FromSlash(text)) {
		path = rel
	}
	return config.Literal(scheme + filepath.ToSlash(path) + id), true
}

// extract returns the action that copies the selector of a string to a selector file beside the
// program. The string stays, because programs cannot refer to a selector in a file.
func (s *server) extract(ctx context.Context, v *view, d *document, a *analysis, sel *check.Selector) (action, bool) {
	if d.selectors() || d.path == "" || sel.Bad || a.doubtful(sel) || !s.client.documentChanges {
		return action{}, false
	}
	path := strings.TrimSuffix(d.path, filepath.Ext(d.path)) + ".pactsel"
	x := action{Title: "copy to the selector file " + base(path), Kind: extractKind, Edit: &workspaceEdit{}}
	file, err := s.document(v, uriOf(path))
	if err != nil {
		if !s.client.createFiles {
			return action{}, false
		}
		file = newDocument(uriOf(path), "", 0, "", s.client.encoding)
		x.Edit.DocumentChanges = append(x.Edit.DocumentChanges, createFile(file.uri))
	}
	text := sel.Canonical() + "\n"
	if file.src != "" && !strings.HasSuffix(file.src, "\n") {
		text = "\n" + text
	}
	s.addEdits(x.Edit, file, []diag.Edit{{Span: ast.Span{Start: len(file.src), End: len(file.src)}, Text: text}})
	return x, true
}
