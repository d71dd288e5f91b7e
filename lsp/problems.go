package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/store"
)

// problem is a problem with the configuration: an error in one of its files, or a fixture that
// cannot be read.
type problem struct {
	path string // of the configuration file
	at   ast.Span
	line int // from 1, of the name of a fixture that cannot be read; otherwise 0
	text string
}

// problems returns the problems with the configuration of a path, as a resolver finds it.
func (sn *snapshot) problems(ctx context.Context, resolver *config.Resolver, path string) []problem {
	cfg, found := resolver.For(path)
	var list []problem
	for _, p := range found {
		text := p.Diagnostic.Message
		if p.Diagnostic.Hint != "" {
			text += "\n" + p.Diagnostic.Hint
		}
		list = append(list, problem{path: p.Path, at: p.Diagnostic.Span, text: text})
	}
	if cfg == nil {
		return list
	}
	_, origin := cfg.Literal(config.Key{Name: "fixtures"})
	for _, path := range cfg.Fixtures() {
		err := sn.refuses(filepath.Dir(origin.Path), path)
		if err == nil {
			_, err = sn.facts.Fixture(ctx, path)
		}
		if err != nil && !errors.Is(err, fixtures.ErrReading) {
			text := fmt.Sprintf("the fixture %s cannot be read: %v", base(store.Redacted(path)), err)
			list = append(list, problem{path: origin.Path, line: origin.Line, text: text})
		}
	}
	return list
}

// configured yields the problems in a configuration file. If it is open, they are those of its text
// in the editor; other documents have the configuration that is on disk.
func (s *server) configured(ctx context.Context, d *document, sn *snapshot) findings {
	problems := sn.problems(ctx, sn.newResolver(map[string]string{d.path: d.src}), d.path)
	return func(yield func(*diagnostic) bool) {
		for _, p := range problems {
			if p.path != d.path {
				continue
			}
			if line := p.line - 1; line >= 0 && line < d.lines.Count() {
				p.at = ast.Span{Start: d.lines.Start(line), End: d.lineEnd(line)}
			}
			x := diagnostic{
				Range: d.rangeOf(p.at), Severity: severities[diag.Error], Code: string(diag.Config), Source: source, Message: p.text,
			}
			if !yield(&x) {
				return
			}
		}
	}
}

// reported has the problems that were shown as messages, so that none is shown twice.
type reported struct {
	mu   sync.Mutex
	text map[string]bool
}

// The types of window/showMessage.
const (
	errorMessage   = 1
	warningMessage = 2
)

// reportProblems shows messages about problems with the configuration of the workspace and of open
// documents, except for configuration files that are open: these have diagnostics.
func (s *server) reportProblems() {
	sn := s.session.snapshot()
	docs := s.docs.all()
	var paths []string
	for _, folder := range sn.folders {
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
		for _, p := range sn.problems(s.ctx, sn.resolver, path) {
			text := fmt.Sprintf("%s: %s", p.path, strings.ReplaceAll(p.text, "\n", "; "))
			if docs[p.path] == nil && !now[text] {
				now[text] = true
				list = append(list, text)
			}
		}
	}
	s.reported.mu.Lock()
	before := s.reported.text
	s.reported.text = now
	s.reported.mu.Unlock()
	for _, text := range slices.DeleteFunc(list, func(t string) bool { return before[t] }) {
		s.notify("window/showMessage", map[string]any{"type": errorMessage, "message": text})
	}
}
