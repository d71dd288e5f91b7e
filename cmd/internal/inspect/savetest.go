package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
)

// saved tells where a case was written.
type saved struct {
	File string `json:"file"`
	Case string `json:"case"`
}

// maxSuite bounds the suites that are appended to.
const maxSuite = 16 << 20

// seeds are the expectations about all calls that a case can have, by name, before their current
// numbers are known.
var seeds = map[string]string{"left": "left: none", "cache": "cache: {broken: 0}", "tokens": "tokens: {max: 0}"}

// saveTest appends a case to the suite: the selector at the current call, with what it selects now;
// or an expectation about the calls of the session that holds now, in the case of "left" restricted
// to the nodes that the selector selects. A suite that does not exist is created. It is replaced as
// a whole, after the case has been run as by pactkit test, and has passed.
func (h *handler) saveTest(w http.ResponseWriter, r *http.Request) error {
	if h.options.Tests == "" {
		return errors.New("no suite to save to: start pactkit inspect with --tests FILE.suite.txtar")
	}
	session, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(r.FormValue("selector"))
	var lines []string
	switch seed, ok := seeds[r.FormValue("expect")]; {
	case ok && r.FormValue("expect") != "left":
		text, lines = "", []string{"=> " + seed}
	case ok:
		lines = []string{text, "=> " + seed}
	case !strings.HasPrefix(text, "@"):
		text = fmt.Sprintf("@c%d %s", s.Cycle(), text)
		fallthrough
	default:
		lines = []string{text}
	}
	if q, _ := compiled.Select(text, session.Timeline.Edition()); text != "" && q == nil || strings.ContainsAny(text, "\r\n") {
		return errors.New("the selector has an error")
	}
	file, err := h.fixture(r)
	if err != nil {
		return err
	}
	h.saving.Lock()
	defer h.saving.Unlock()
	old, err := atomicfile.Read(h.options.Tests, maxSuite)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	next, err := appended(string(old), h.options.Tests, file, lines)
	if err != nil {
		return err
	}
	next, answer, err := h.answered(r.Context(), next, s)
	if err != nil {
		return err
	}
	if old == nil {
		err = atomicfile.Write(h.options.Tests, []byte(next))
	} else {
		err = atomicfile.Replace(h.options.Tests, old, []byte(next))
	}
	if err != nil {
		return err
	}
	return answerJSON(w, saved{File: h.options.Tests, Case: strings.TrimSpace(text + " => " + answer)})
}

// answered returns a suite whose last case, about the session of a snapshot, has the current
// answer, and the first line of that case.
func (h *handler) answered(ctx context.Context, text string, shown *engine.Snapshot) (next, answer string, err error) {
	runner := suite.Runner{
		Open: func(ctx context.Context, name string, o engine.ReadOptions) (*engine.Timeline, error) {
			one, err := sessions.One(ctx, sessions.Rooted(name, filepath.Dir(h.options.Tests)), sessions.Options{Strict: o.Strict})
			if h.source.hasFormat() && (err != nil || !has(one.Timeline, shown)) {
				return nil, fmt.Errorf("pactkit test reads %s without --from and --messages, and finds another history or none: import it, and inspect the journal", name)
			}
			return one.Timeline, err
		},
		Archived: func(string, *engine.Timeline) {}, // its warnings are those of pactkit test
		Edition:  (*engine.Timeline).Edition,
	}
	last := func() (*suite.Suite, suite.Outcome, error) {
		s, err := suite.Parse(h.options.Tests, text)
		if err != nil {
			return nil, suite.Outcome{}, err
		}
		out := runner.Run(ctx, s, s.Cases[len(s.Cases)-1])
		return s, out, out.Err
	}
	s, out, err := last()
	if err != nil {
		return "", "", err
	}
	if !out.Passed {
		answers := make([]*suite.Answer, len(s.Cases))
		answers[len(answers)-1] = &out.Answer
		if text, err = s.Rewrite(answers); err != nil {
			return "", "", err
		}
		if _, out, err = last(); err != nil {
			return "", "", err
		}
	}
	switch {
	case len(out.Failures) > 0:
		return "", "", errors.New(out.Failures[0].Message)
	case !out.Passed:
		return "", "", errors.New("the selector gives another result each time it is run")
	}
	return text, out.Answer.Lines()[0], nil
}

// has reports whether a timeline has a snapshot of another one.
func has(t *engine.Timeline, s *engine.Snapshot) bool {
	same, _ := t.OfCycle(s.Cycle())
	return same != nil && bytes.Equal(same.AppendJSON(nil), s.AppendJSON(nil))
}

// fixture returns the name of the file of a session for the suite: relative to the suite if
// possible.
func (h *handler) fixture(r *http.Request) (string, error) {
	session, err := strconv.Atoi(r.FormValue("session"))
	if err != nil {
		return "", err
	}
	e, err := h.source.entry(session)
	if err != nil {
		return "", err
	}
	name, scheme := e.address, ""
	if store.IsAddress(name) {
		dir, ok := strings.CutPrefix(name, "file:")
		if !ok || strings.HasPrefix(dir, "//") {
			return store.Redacted(name), nil
		}
		name, scheme = dir, "file:"
	}
	from, err := filepath.Abs(filepath.Dir(h.options.Tests))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(h.source.abs(name))
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(from, to); err == nil {
		to = rel
	}
	return scheme + filepath.ToSlash(to), nil
}

// appended returns a suite with one more case, made of these lines.
func appended(old, name, file string, lines []string) (string, error) {
	count := 0
	if old == "" {
		old = "Saved from the inspector.\n\n-- cases --\n"
	} else {
		before, err := suite.Parse(name, old)
		if err != nil {
			return "", err
		}
		count = len(before.Cases)
	}
	archive := txtar.Parse([]byte(old))
	at := -1
	for i, f := range archive.Files {
		if f.Name == "cases" || strings.HasSuffix(f.Name, ".cases") {
			at = i
		}
	}
	if at < 0 {
		return "", fmt.Errorf("%s has no file of cases", name)
	}
	var b strings.Builder
	b.Write(archive.Files[at].Data)
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%%files %s\n\n%s\n", file, strings.Join(lines, "\n"))
	archive.Files[at].Data = []byte(b.String())
	next := string(txtar.Format(archive))
	after, err := suite.Parse(name, next)
	if err != nil {
		return "", err
	}
	if len(after.Cases) != count+1 {
		return "", errors.New("the case cannot be written in a suite")
	}
	return next, nil
}
