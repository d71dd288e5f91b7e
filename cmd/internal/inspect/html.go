package inspect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/steps"
)

// contents is where a page in one file has its sessions. The page is a list of blobs: elements with
// compressed JSON in base64. Those of a session follow each other: its [steps.Step] values and
// tokens; its nodes and threads; its [texts]; its [figures]; and the shares of its calls.
type contents struct {
	Sessions []Summary `json:"sessions"`
	Blobs    []int     `json:"blobs"` // the number of the first blob of each session
}

// WriteHTML writes the page with its data as one file that needs no process and no network. It
// searches for text instead of running selectors. It has each different text of a session once,
// compressed. Time and size are linear in the calls and in the texts of the sessions, and only one
// session at a time is in memory.
func WriteHTML(ctx context.Context, w io.Writer, src *Source) error {
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
	if _, err := strings.NewReplacer("POLICY", policy, "STYLE", string(style)).WriteString(w, beforeData); err != nil {
		return err
	}
	all, err := writeSessions(ctx, w, src)
	if err != nil {
		return err
	}
	list := newBlob()
	if err := list.json.Encode(all); err != nil {
		return err
	}
	if err := writeBlob(w, "data", list.bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, afterData, script)
	return err
}

// writeSessions writes the blobs of the sessions as they are found.
func writeSessions(ctx context.Context, w io.Writer, src *Source) (*contents, error) {
	all := &contents{Sessions: []Summary{}, Blobs: []int{}}
	for n, written := 0, 0; ; {
		list, more := src.after(n)
		for _, s := range list {
			n++
			if s.Error != "" {
				continue
			}
			blobs, err := src.blobs(ctx, n-1)
			if err != nil {
				return nil, err
			}
			all.Sessions, all.Blobs = append(all.Sessions, s), append(all.Blobs, written)
			for _, b := range blobs {
				if err := writeBlob(w, fmt.Sprintf("blob%d", written), b); err != nil {
					return nil, err
				}
				written++
			}
		}
		if more == nil {
			return all, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// writeBlob writes an element that browsers neither show nor run.
func writeBlob(w io.Writer, id string, data []byte) error {
	text := make([]byte, 0, base64.StdEncoding.EncodedLen(len(data))+80)
	text = fmt.Appendf(text, `<script type="application/gzip" id=%q>`, id)
	text = append(base64.StdEncoding.AppendEncode(text, data), "</script>\n"...)
	_, err := w.Write(text)
	return err
}

// blobs returns the blobs of a session. If they were made when it was found, it does not keep them.
func (s *Source) blobs(ctx context.Context, session int) ([][]byte, error) {
	if _, err := s.entry(session); err != nil {
		return nil, err
	}
	s.mu.Lock()
	made := s.list[session].blobs
	s.list[session].blobs = nil
	s.mu.Unlock()
	if made != nil {
		return made, nil
	}
	h, err := s.whole(ctx, session)
	if err != nil {
		return nil, err
	}
	return s.pack(ctx, h)
}

// pack returns the blobs of a history.
func (s *Source) pack(ctx context.Context, h *history) ([][]byte, error) {
	long := &texts{number: map[string]int{}}
	sent, m := newThreads(long.refer), steps.NewMaker()
	changes, nodes := newBlob(), newBlob()
	changes.begin(`{"steps":`)
	nodes.begin(`{"nodes":`)
	tokens, done := []int{}, 0
	for st := range m.Steps(h.History, 0) {
		state := h.States[done]
		done++
		if err := changes.add(st); err != nil {
			return nil, err
		}
		for i, r := range st.Open {
			n, _ := state.Find(r.ID)
			if err := nodes.add(steps.DetailOf(n, long.refer)); err != nil {
				return nil, err
			}
			tokens = append(tokens, m.Texts[i].Count(s.counts))
		}
		m.Texts = m.Texts[:0]
		if err := sent.add(ctx, state, st); err != nil {
			return nil, err
		}
	}
	if err := sent.flush(ctx); err != nil {
		return nil, err
	}
	long.flush()
	changes.end()
	nodes.end()
	err := errors.Join(changes.member("counts", tokens), changes.member("about", s.counts.Sampled()),
		nodes.member("parts", sent.parts), nodes.member("threads", sent.out), nodes.member("texts", long.first))
	changes.text("}")
	nodes.text("}")
	if err != nil {
		return nil, err
	}
	figures, err := s.packFigures(ctx, h)
	return slices.Concat([][]byte{changes.bytes(), nodes.bytes()}, long.blobs, figures), err
}

const (
	// countedBytes is how much of the texts of a page is counted exactly, about a second of work.
	countedBytes = 3 << 20
	// sharesBlob is the number of calls whose shares are in one blob.
	sharesBlob = 100
)

// packFigures returns the blobs with the [figures] of a history and the shares of each call.
func (s *Source) packFigures(ctx context.Context, h *history) ([][]byte, error) {
	var list *blob
	var blobs [][]byte
	n := 0
	flush := func() {
		if list != nil {
			list.end()
			blobs, list = append(blobs, list.bytes()), nil
		}
	}
	all, err := s.known.measure(ctx, h, calls.Options{Shares: true, Files: pageFiles, Counts: s.counts}, func(c *calls.Call) error {
		if n%sharesBlob == 0 {
			flush()
			list = newBlob()
			list.begin("")
		}
		n++
		return list.add(titled(c.Tokens.Shares))
	})
	if err != nil {
		return nil, err
	}
	flush()
	first := newBlob()
	err = first.json.Encode(all)
	return append([][]byte{first.bytes()}, blobs...), err
}

const beforeData = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="POLICY">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pactkit inspect</title>
<link rel="icon" href="data:,">
<style>STYLE</style>
</head>
<body>
<noscript>This page shows a context with JavaScript.</noscript>
<div id="app"></div>
`

const afterData = `<script type="module">%s</script>
</body>
</html>
`
