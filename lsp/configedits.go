package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fileuri"
)

// knownLists maps each rule about unknown words to the setting that makes a word known.
var knownLists = map[string]string{
	"correctness/unknown-type": "types", "correctness/unknown-tag": "tags", "correctness/unknown-key": "keys",
	"correctness/unknown-attribute": "attributes", "correctness/unknown-control": "controls",
}

// addWord returns the action that adds an unknown word to the first vocabulary, or to the
// configuration.
func (s *server) addWord(ctx context.Context, v *view, d *document, a *analysis, f *check.Finding) (action, bool) {
	name, ok := knownLists[f.Rule.ID]
	word := strings.Trim(f.Span.Text(d.src), `.+#@'"`)
	if !ok || !s.client.documentChanges || d.path == "" || !isName(word) {
		return action{}, false
	}
	path, key := s.configFile(a, d.path, "known."+name), "known."+name
	if list := a.config.Vocabularies(); len(list) > 0 {
		path, key = list[0], name
	}
	x := action{Title: "add `" + word + "` to the known " + name, Kind: "quickfix", Edit: &workspaceEdit{}}
	file, err := s.document(v, fileuri.Of(path))
	if err != nil {
		if !s.client.createFiles {
			return action{}, false
		}
		file = newDocument(fileuri.Of(path), "", 0, "", s.client.encoding)
		x.Edit.DocumentChanges = append(x.Edit.DocumentChanges, createFile(file.uri))
	}
	edit, ok := config.AddToList(file.src, key, word)
	s.addEdits(x.Edit, file, []diag.Edit{edit})
	return x, ok
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
		paths = append(paths, fileuri.Path(f.Old))
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
		d, err := s.document(v, fileuri.Of(path))
		if err != nil {
			continue // it was removed meanwhile
		}
		var edits []diag.Edit
		for at, text := range config.Strings(d.src) {
			for _, f := range p.Files {
				if next, ok := renamedPath(filepath.Dir(path), text, fileuri.Path(f.Old), fileuri.Path(f.New)); ok {
					edits = append(edits, diag.Edit{Span: at, Text: config.Literal(next)})
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

// renamedPath returns the new text for a path in a configuration file when a file, or a folder
// above it, is renamed. It returns false if the path is not affected.
func renamedPath(folder, text, before, after string) (string, bool) {
	if before == "" || after == "" {
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
	return scheme + filepath.ToSlash(path) + id, true
}

// extract returns the action that copies the selector of a string to a selector file beside the
// program. The string stays, because programs cannot refer to a selector in a file.
func (s *server) extract(ctx context.Context, v *view, d *document, a *analysis, sel *check.Selector) (action, bool) {
	if d.selectors() || d.path == "" || sel.Bad || a.doubtful(sel) || !s.client.documentChanges {
		return action{}, false
	}
	path := strings.TrimSuffix(d.path, filepath.Ext(d.path)) + ".pactsel"
	x := action{Title: "copy to the selector file " + base(path), Kind: extractKind, Edit: &workspaceEdit{}}
	file, err := s.document(v, fileuri.Of(path))
	if err != nil {
		if !s.client.createFiles {
			return action{}, false
		}
		file = newDocument(fileuri.Of(path), "", 0, "", s.client.encoding)
		x.Edit.DocumentChanges = append(x.Edit.DocumentChanges, createFile(file.uri))
	}
	text := sel.Canonical() + "\n"
	if file.src != "" && !strings.HasSuffix(file.src, "\n") {
		text = "\n" + text
	}
	s.addEdits(x.Edit, file, []diag.Edit{{Span: ast.Span{Start: len(file.src), End: len(file.src)}, Text: text}})
	return x, true
}
