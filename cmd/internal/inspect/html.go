package inspect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// embedded is what a page in one file shows. Its members are those of the page's type of the same
// name.
type embedded struct {
	Sessions []Summary           `json:"sessions"`
	Steps    [][]step            `json:"steps"`
	Counts   [][]int             `json:"counts"` // tokens of the versions
	Nodes    []map[string]detail `json:"nodes"`  // by the number of the step that begins a version, a blank, and the id
	Parts    [][]json.RawMessage `json:"parts"`  // of the threads
	Threads  [][]threadStep      `json:"threads"`
}

// WriteHTML writes the page with its data as one file that needs no process and no network. It
// searches for text instead of running selectors. Its size is about twice that of the distinct
// content of the log: it has each version of each node, and each distinct message.
func WriteHTML(ctx context.Context, w io.Writer, src *Source) error {
	var data embedded
	n := 0
	for {
		list, more := src.after(n)
		for _, s := range list {
			n++
			if s.Error != "" {
				continue
			}
			e, err := src.entry(n - 1)
			if err != nil {
				return err
			}
			data.Sessions = append(data.Sessions, s)
			if e.page != nil {
				data.take(e.page)
				continue
			}
			h, err := src.whole(ctx, n-1)
			if err != nil {
				return err
			}
			if err := data.add(ctx, h); err != nil {
				return err
			}
		}
		if more == nil {
			break
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	text, err := json.Marshal(data) // which escapes <, > and &
	if err != nil {
		return err
	}
	script, err := fs.ReadFile(page, "dist/app.js")
	if err != nil {
		return err
	}
	style, err := fs.ReadFile(page, "dist/app.css")
	if err != nil {
		return err
	}
	script = bytes.ReplaceAll(script, []byte("</script"), []byte(`<\/script`))
	sum := sha256.Sum256(script)
	policy := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
	_, err = strings.NewReplacer("POLICY", policy, "STYLE", string(style), "DATA", string(text), "SCRIPT", string(script)).WriteString(w, oneFile)
	return err
}

// take adds the sessions of another page.
func (e *embedded) take(o *embedded) {
	e.Steps, e.Counts, e.Nodes = append(e.Steps, o.Steps...), append(e.Counts, o.Counts...), append(e.Nodes, o.Nodes...)
	e.Parts, e.Threads = append(e.Parts, o.Parts...), append(e.Threads, o.Threads...)
}

// pageOf returns what a page has of one session, except its summary.
func pageOf(ctx context.Context, t *engine.Timeline) (*embedded, error) {
	h, err := newHistory(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	var out embedded
	return &out, out.add(ctx, h)
}

// add adds a session.
func (e *embedded) add(ctx context.Context, h *history) error {
	list, nodes, sent := []step{}, map[string]detail{}, newThreads()
	m := newMaker()
	for s, err := range m.steps(ctx, h, 0) {
		if err != nil {
			return err
		}
		state := h.states[len(list)]
		for _, r := range s.Open {
			if node, ok := state.Find(r.ID); ok {
				nodes[fmt.Sprintf("%d %s", len(list), r.ID)] = detailOf(node)
			}
		}
		if err := sent.add(ctx, state, s); err != nil {
			return err
		}
		list = append(list, s)
	}
	if err := sent.flush(ctx); err != nil {
		return err
	}
	var known counts
	tokens := make([]int, 0, len(m.texts))
	for _, t := range m.texts {
		tokens = append(tokens, known.of(t))
	}
	e.Steps, e.Counts, e.Nodes = append(e.Steps, list), append(e.Counts, tokens), append(e.Nodes, nodes)
	e.Parts, e.Threads = append(e.Parts, sent.parts), append(e.Threads, sent.out)
	return nil
}

const oneFile = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="POLICY">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pactkit inspect</title>
<style>STYLE</style>
</head>
<body>
<noscript>This page shows a context with JavaScript.</noscript>
<div id="app"></div>
<script type="application/json" id="data">DATA</script>
<script type="module">SCRIPT</script>
</body>
</html>
`
