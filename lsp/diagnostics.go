package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/config"
)

// source is the name under which clients show findings.
const source = "pactkit"

// ruleDocs is the address of the documentation of the rules.
const ruleDocs = "https://github.com/pactkit/pactkit/blob/main/docs/reference/rules.md#"

// diagnostic is a finding in the form of the protocol. It replaces the type of glsp, whose code
// glsp cannot unmarshal.
type diagnostic struct {
	Range       protocol.Range   `json:"range"`
	Severity    int              `json:"severity"`
	Code        string           `json:"code"`
	Description *codeDescription `json:"codeDescription,omitempty"`
	Source      string           `json:"source"`
	Message     string           `json:"message"`
	Tags        []int            `json:"tags,omitempty"`
	Related     []related        `json:"relatedInformation,omitempty"`
	Data        *diagnosticData  `json:"data,omitempty"`
}

// related is a location that is related to a finding.
type related struct {
	Location protocol.Location `json:"location"`
	Message  string            `json:"message"`
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

// severities maps severities to those of the protocol.
var severities = map[diag.Severity]int{diag.Error: 1, diag.Warning: 2, diag.Info: 3, diag.Hint: 4}

// The tags of the protocol. Clients fade what is unnecessary and strike through what is deprecated.
const (
	tagUnnecessary = 1
	tagDeprecated  = 2
)

var unnecessary = map[string]bool{
	"correctness/covered-fragment": true, "correctness/idle-control": true, "style/duplicate-filters": true,
	"style/redundant-root": true, "suppress/unused": true,
}

// diagnose returns the findings in the selectors of a document, in a configuration file, or in a
// suite. Once ctx is done, they may be incomplete.
func (s *server) diagnose(ctx context.Context, d *document, sn *snapshot) findings {
	if config.IsOwn(d.path) {
		return s.configured(ctx, d, sn)
	}
	mistakes := s.mistakes(sn, d)
	var found []check.Finding
	steps := map[int][]related{}
	if d.host != nil {
		a := d.analyze(ctx, sn)
		if a.refused {
			return tooLarge
		}
		found = a.result(ctx).Findings
		for i := range found {
			if s.client.related && found[i].Rule.ID == "correctness/matches-nothing" {
				steps[i] = a.emptyIn(ctx, &found[i])
			}
		}
	}
	return func(yield func(*diagnostic) bool) {
		for i := range mistakes {
			if !yield(&mistakes[i]) {
				return
			}
		}
		var x diagnostic
		for i := range found {
			x = s.diagnosticOf(d, &found[i])
			x.Related = steps[i]
			if !yield(&x) {
				return
			}
		}
	}
}

// tooLarge yields the finding in a document whose selectors need too much memory.
func tooLarge(yield func(*diagnostic) bool) {
	yield(&diagnostic{
		Severity: severities[diag.Error], Code: string(engine.ErrMemory), Source: source,
		Message: "the selectors are not checked: " + budget.Refusal() + "\n--max-memory raises the limit; or distribute the selectors over several files",
	})
}

func (s *server) diagnosticOf(d *document, f *check.Finding) diagnostic {
	x := diagnostic{
		Range: d.rangeOf(f.Span), Severity: severities[f.Severity], Code: f.Rule.ID, Source: source, Message: f.Message,
	}
	if f.Hint != "" {
		x.Message += "\n" + f.Hint
	}
	if s.client.codeDescription {
		x.Description = &codeDescription{rulePage(f.Rule)}
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

// hasFindings reports whether a document is of a kind that can have findings.
func (s *server) hasFindings(d *document) bool {
	return d.host != nil || config.IsOwn(d.path) || s.suite(d)
}

// changed pushes the diagnostics of a document to a client that does not pull them.
func (s *server) changed(d *document) {
	s.refresh.touch()
	s.resultDocs.stale(s, d)
	if !s.client.pull && s.hasFindings(d) {
		ctx, stop := context.WithCancel(s.ctx)
		d.memory.replacePush(d.serial, stop)
		s.spawn(func() {
			defer stop()
			s.push(ctx, d)
		})
	}
}

// Requests that the client sends with an edit are answered before diagnostics are pushed, because
// the user is waiting for completion.
const (
	pushDelay   = 2 * time.Millisecond
	longestPush = 50 * time.Millisecond // after this time they are pushed anyway
)

// waitForRequests waits until no request is running, but at most for longestPush.
func (s *server) waitForRequests() {
	for range longestPush / pushDelay {
		time.Sleep(pushDelay)
		s.state.Lock()
		running := len(s.running)
		s.state.Unlock()
		if running == 0 {
			return
		}
	}
}

// push sends the diagnostics of the newest version of a document. If ctx is canceled, a newer
// version or snapshot has its own push.
func (s *server) push(ctx context.Context, d *document) {
	s.waitForRequests()
	stale := func() bool { return ctx.Err() != nil || s.docs.get(d.uri) != d }
	if stale() {
		return
	}
	found := s.diagnose(ctx, d, s.session.snapshot())
	s.pushing.Lock()
	defer s.pushing.Unlock()
	if !stale() {
		s.publish(d.uri, &d.version, found)
	}
}

func (s *server) publish(uri string, version *int32, found findings) {
	if !s.client.versioned {
		version = nil
	}
	s.notify("textDocument/publishDiagnostics", published{uri, version, found})
}

// closed withdraws the diagnostics that were pushed for a document.
func (s *server) closed(d *document) {
	d.memory.replacePush(d.serial, func() {})
	if s.client.pull || !s.hasFindings(d) {
		return
	}
	s.pushing.Lock()
	defer s.pushing.Unlock()
	s.publish(d.uri, nil, noFindings)
}

// refreshClient makes the client request again what a new snapshot changes.
func (s *server) refreshClient() {
	s.refresh.touch()
	s.resultDocs.stale(s, nil)
	s.spawn(s.reportProblems)
	if s.client.pull {
		if s.client.refreshPull {
			s.call("workspace/diagnostic/refresh", nil)
		}
	} else {
		for d := range s.docs.all().each() {
			s.changed(d)
		}
	}
	if s.client.refreshHints {
		s.call("workspace/inlayHint/refresh", nil)
	}
	if s.client.refreshFolds {
		s.call("workspace/foldingRange/refresh", nil)
	}
	if s.client.refreshLenses {
		s.call("workspace/codeLens/refresh", nil)
	}
}

type pullParams struct {
	docParams
	Previous string `json:"previousResultId"`
}

// resultID identifies the diagnostics of one version of a document in one snapshot.
func resultID(d *document, sn *snapshot) string {
	if d.open {
		return fmt.Sprintf("%d.%d", d.serial, sn.number)
	}
	return fmt.Sprintf("file%d.%d", d.serial, sn.number)
}

// pullDiagnostics answers textDocument/diagnostic.
func (s *server) pullDiagnostics(ctx context.Context, v *view, p *pullParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	sn := v.snapshot
	id := resultID(d, sn)
	if id == p.Previous {
		return map[string]any{"kind": "unchanged", "resultId": id}, nil
	}
	return fullReport{id, s.diagnose(ctx, d, sn)}, nil
}

// fileReport has the diagnostics of one file of the workspace.
type fileReport struct {
	Kind    string        `json:"kind"`
	URI     string        `json:"uri"`
	Version *int32        `json:"version"`
	ID      string        `json:"resultId,omitempty"`
	Items   *[]diagnostic `json:"items,omitempty"`
}

type workspacePullParams struct {
	Previous []struct {
		URI   string `json:"uri"`
		Value string `json:"value"`
	} `json:"previousResultIds"`
}

// The workspace is checked again when something changes, and after waitForChange at the latest,
// because not every client reports changes on disk. A partial result has partialFiles files.
const (
	waitForChange = 30 * time.Second
	partialFiles  = 100
)

// pullWorkspace answers workspace/diagnostic. A client that already knows the answer gets the next
// one when it changes.
func (s *server) pullWorkspace(ctx context.Context, v *view, p *workspacePullParams) (any, error) {
	for {
		next := s.refresh.mark()
		s.renew(v) // a change before the mark does not close next
		reports, changed, err := s.workspaceReports(ctx, v, p)
		if err != nil || changed || len(p.Previous) == 0 {
			return map[string]any{"items": reports}, err
		}
		timer := time.NewTimer(waitForChange)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-next:
		case <-timer.C:
		}
		timer.Stop()
		v.work = nil // its progress has been shown
	}
}

// workspaceReports checks the workspace. changed reports whether a result is new to the client.
func (s *server) workspaceReports(ctx context.Context, v *view, p *workspacePullParams) (list []fileReport, changed bool, err error) {
	known := map[string]string{}
	uris := map[string]string{}
	for _, id := range p.Previous {
		known[keyOf(id.URI)], uris[keyOf(id.URI)] = id.Value, id.URI
	}
	list = []fileReport{}
	add := func(r fileReport) {
		list = append(list, r)
		if v.partial != nil && changed && len(list) >= partialFiles {
			s.notify("$/progress", map[string]any{"token": v.partial, "value": map[string]any{"items": list}})
			list = []fileReport{}
		}
	}
	for d := range s.files(ctx, v, "Checking selectors") {
		key := keyOf(d.uri)
		r := fileReport{Kind: "unchanged", URI: d.uri, ID: resultID(d, v.snapshot)}
		if d.open {
			r.Version = &d.version
		}
		before, had := known[key]
		delete(known, key)
		if before == r.ID {
			add(r)
			continue
		}
		found := s.diagnose(ctx, d, v.snapshot).list()
		if len(found) == 0 && !had {
			continue // nothing to report, and nothing to withdraw
		}
		changed = true
		r.Kind, r.Items = "full", &found
		add(r)
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	for _, key := range slices.Sorted(maps.Keys(known)) { // files that are gone, or no longer have selectors
		changed = true
		add(fileReport{Kind: "full", URI: uris[key], Items: &[]diagnostic{}})
	}
	return list, changed, nil
}
