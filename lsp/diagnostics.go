package lsp

import (
	"context"
	"fmt"
	"strings"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/check"
)

// source is the name under which clients show our findings.
const source = "pactkit"

// ruleDocs is where the page of a rule lies.
const ruleDocs = "https://github.com/pactkit/pactkit/blob/main/docs/reference/rules.md#"

// diagnostic is a finding as the protocol has it. glsp's type has a code that it cannot read back; ours is plain.
type diagnostic struct {
	Range       protocol.Range   `json:"range"`
	Severity    int              `json:"severity"`
	Code        string           `json:"code"`
	Description *codeDescription `json:"codeDescription,omitempty"`
	Source      string           `json:"source"`
	Message     string           `json:"message"`
	Tags        []int            `json:"tags,omitempty"`
	Data        *diagnosticData  `json:"data,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

// diagnosticData lets a client find the fixes of a diagnostic again.
type diagnosticData struct {
	Version int32  `json:"version"`
	Start   int    `json:"start"` // of the finding, in bytes
	Rule    string `json:"rule"`
}

// severities are those of the protocol.
var severities = map[diag.Severity]int{diag.Error: 1, diag.Warning: 2, diag.Info: 3, diag.Hint: 4}

// The tags of the protocol: what is of no use is shown faded, what is old struck through.
const (
	tagUnnecessary = 1
	tagDeprecated  = 2
)

var unnecessary = map[string]bool{
	"correctness/covered-fragment": true, "correctness/idle-control": true, "style/duplicate-filters": true,
	"style/redundant-root": true, "suppress/unused": true,
}

// diagnose is what is found in a document.
func (s *server) diagnose(d *document, a *analysis) []diagnostic {
	out := []diagnostic{}
	for _, p := range a.problems {
		out = append(out, diagnostic{
			Range: d.rangeOf(ast.Span{}), Severity: 1, Code: "configuration", Source: source,
			Message: fmt.Sprintf("%s: %s", p.Path, p.Diagnostic.Message),
		})
	}
	for _, f := range a.Findings {
		out = append(out, s.diagnosticOf(d, &f))
	}
	return out
}

func (s *server) diagnosticOf(d *document, f *check.Finding) diagnostic {
	x := diagnostic{
		Range: d.rangeOf(f.Span), Severity: severities[f.Severity], Code: f.Rule.ID, Source: source, Message: f.Message,
	}
	if f.Hint != "" {
		x.Message += "\n" + f.Hint
	}
	if s.client.codeDescription {
		x.Description = &codeDescription{ruleDocs + strings.NewReplacer("/", "").Replace(f.Rule.ID)}
	}
	if s.client.codeData {
		x.Data = &diagnosticData{d.version, f.Span.Start, f.Rule.ID}
	}
	if s.client.tags {
		switch {
		case unnecessary[f.Rule.ID]:
			x.Tags = []int{tagUnnecessary}
		case f.Rule.Category() == "legacy":
			x.Tags = []int{tagDeprecated}
		}
	}
	return x
}

// published remembers what was pushed to whom, so that an older version never follows a newer one.
type published struct {
	mu      sync.Mutex
	version map[string]int32
}

// changed tells the client what is found in a document, if the client does not ask itself.
func (s *server) changed(d *document) {
	if s.client.pull || d.host == nil {
		return
	}
	s.requests.Go(func() { s.push(d) })
}

// push sends the findings of the newest version of a document.
func (s *server) push(d *document) {
	if s.docs.get(d.uri) != d {
		return // a newer version has its own push
	}
	found := s.diagnose(d, d.analyse(s.world.newest.Load()))
	s.results.mu.Lock()
	defer s.results.mu.Unlock()
	if s.docs.get(d.uri) != d {
		return
	}
	s.publish(d.uri, &d.version, found)
}

func (s *server) publish(uri string, version *int32, found []diagnostic) {
	p := map[string]any{"uri": uri, "diagnostics": found}
	if s.client.versioned && version != nil {
		p["version"] = *version
	}
	s.notify("textDocument/publishDiagnostics", p)
}

// closed takes back what was pushed for a document.
func (s *server) closed(d *document) {
	if s.client.pull || d.host == nil {
		return
	}
	s.results.mu.Lock()
	defer s.results.mu.Unlock()
	s.publish(d.uri, nil, []diagnostic{})
}

// refresh makes the client see what a new world brings.
func (s *server) refresh() {
	if s.client.pull {
		if s.client.refreshPull {
			s.ask("workspace/diagnostic/refresh", nil, nil)
		}
	} else {
		for d := range s.docs.all() {
			s.changed(d)
		}
	}
	if s.client.refreshHints {
		s.ask("workspace/inlayHint/refresh", nil, nil)
	}
	if s.client.refreshLenses {
		s.ask("workspace/codeLens/refresh", nil, nil)
	}
}

type pullParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Previous     string                          `json:"previousResultId"`
}

// pullDiagnostics answers textDocument/diagnostic.
func (s *server) pullDiagnostics(_ context.Context, p *pullParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	w := s.world.newest.Load()
	id := fmt.Sprintf("%d.%d", d.version, w.number)
	if id == p.Previous {
		return map[string]any{"kind": "unchanged", "resultId": id}, nil
	}
	found := []diagnostic{}
	if d.host != nil {
		found = s.diagnose(d, d.analyse(w))
	}
	return map[string]any{"kind": "full", "resultId": id, "items": found}, nil
}
