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

	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/thread"
)

// embedded is what a page in one file shows. Its members are those of the page's type of the same name.
type embedded struct {
	Sessions []Summary           `json:"sessions"`
	Steps    [][]step            `json:"steps"`
	Nodes    []map[string]detail `json:"nodes"` // by the number of the step that begins a version, a blank, and the id
	Threads  [][]json.RawMessage `json:"threads"`
}

// WriteHTML writes the page with its data as one file that needs no process and no network. It searches text instead of
// asking selectors. The size is that of the log and of each version of each node, and the messages of each call.
func WriteHTML(ctx context.Context, w io.Writer, src *Source) error {
	var data embedded
	for n := range src.list {
		if src.address[n] == "" {
			continue
		}
		h, err := src.history(ctx, n)
		if err != nil {
			return err
		}
		list, nodes, threads := []step{}, map[string]detail{}, []json.RawMessage{}
		for s, err := range steps(ctx, h.timeline, calls.Options{}) {
			if err != nil {
				return err
			}
			state := h.states[len(list)]
			for _, r := range s.Open {
				if node, ok := state.Find(r.ID); ok {
					nodes[fmt.Sprintf("%d %s", len(list), r.ID)] = detailOf(node)
				}
			}
			out, err := thread.Render(state, thread.OpenAI, thread.RenderOptions{})
			if err != nil {
				return err
			}
			threads = append(threads, out.JSON)
			list = append(list, s)
		}
		data.Sessions = append(data.Sessions, src.list[n])
		data.Steps, data.Nodes, data.Threads = append(data.Steps, list), append(data.Nodes, nodes), append(data.Threads, threads)
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
