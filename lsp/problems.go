package lsp

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/config"
)

// problem is what is wrong with the configuration: an error in a file of it, or a fixture that cannot be read.
type problem struct {
	path string // of the configuration file
	src  string // its text when it was read
	at   ast.Span
	text string
}

// problems are those of the configuration that holds for a path.
func (w *world) problems(path string) []problem {
	cfg, found := w.resolver.For(path)
	var list []problem
	for _, p := range found {
		text := p.Diagnostic.Message
		if p.Diagnostic.Hint != "" {
			text += "\n" + p.Diagnostic.Hint
		}
		list = append(list, problem{p.Path, p.Source, p.Diagnostic.Span, text})
	}
	if cfg == nil {
		return list
	}
	_, origin := cfg.Literal(config.Key{Name: "fixtures"})
	for _, path := range cfg.Fixtures() {
		if _, err := w.facts.Fixture(path); err != nil {
			p := problem{path: origin.Path, text: fmt.Sprintf("the fixture %s cannot be read: %v", base(path), err)}
			p.at = ast.Span{Start: origin.Line, End: origin.Line} // resolved to the line by [server.configured]
			list = append(list, p)
		}
	}
	return list
}

// configured is what is found in a configuration file, as it was when it was last read.
func (s *server) configured(d *document, w *world) []diagnostic {
	out := []diagnostic{}
	if !isOwn(d.path) {
		return out
	}
	for _, p := range w.problems(d.path) {
		if p.path != d.path {
			continue
		}
		t := d.text
		if p.src != "" {
			t = newText(p.src, d.enc)
		} else if line := p.at.Start - 1; line >= 0 && line < d.lines.Count() {
			p.at = ast.Span{Start: d.lines.Start(line), End: d.lineEnd(line)}
		}
		out = append(out, diagnostic{
			Range: t.rangeOf(p.at), Severity: severities[diag.Error], Code: "configuration", Source: source, Message: p.text,
		})
	}
	return out
}

// said are the problems that were shown as messages, so that none is shown twice.
type said struct {
	mu   sync.Mutex
	text map[string]bool
}

const errorMessage = 1 // of window/showMessage

// tellProblems shows what is wrong with the configuration of the workspace and of open documents, where no open
// document can show it.
func (s *server) tellProblems() {
	w := s.world.newest.Load()
	docs := s.docs.all()
	var paths []string
	for _, folder := range w.folders {
		paths = append(paths, folder+"/untitled")
	}
	for d := range docs.each() {
		if d.path != "" {
			paths = append(paths, d.path)
		}
	}
	now := map[string]bool{}
	var list []string
	for _, path := range paths {
		for _, p := range w.problems(path) {
			text := fmt.Sprintf("%s: %s", p.path, strings.ReplaceAll(p.text, "\n", "; "))
			if docs[p.path] == nil && !now[text] {
				now[text] = true
				list = append(list, text)
			}
		}
	}
	s.said.mu.Lock()
	before := s.said.text
	s.said.text = now
	s.said.mu.Unlock()
	for _, text := range slices.DeleteFunc(list, func(t string) bool { return before[t] }) {
		s.notify("window/showMessage", map[string]any{"type": errorMessage, "message": text})
	}
}
