package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/internal/suite"
)

// saved tells where a case was written.
type saved struct {
	File string `json:"file"`
	Case string `json:"case"`
}

// maxSuite bounds the suites that are appended to.
const maxSuite = 16 << 20

// saveTest appends a case to the suite: the selector at the call that is shown, with what it selects now. A suite that does not
// exist is made. It is replaced as a whole, after it was read and found to hold one case more than before.
func (h *handler) saveTest(w http.ResponseWriter, r *http.Request) error {
	if h.options.Tests == "" {
		return errors.New("no suite to save to: start pactkit inspect with --tests FILE.suite.txtar")
	}
	session, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	text := r.FormValue("selector")
	if !strings.HasPrefix(strings.TrimSpace(text), "@") {
		text = fmt.Sprintf("@c%d %s", s.Cycle(), strings.TrimSpace(text))
	}
	q, _ := prepare.Select(text, session.timeline.Edition())
	if q == nil || strings.ContainsAny(text, "\r\n") {
		return errors.New("the selector has an error")
	}
	answer, err := suite.AnswerOf(q.Plan.Select(r.Context(), session.timeline, eval.Options{Text: text}))
	if err != nil {
		return err
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
	next, err := appended(string(old), h.options.Tests, file, text, answer.Lines())
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
	return answerJSON(w, saved{File: h.options.Tests, Case: text})
}

// fixture returns the name of the file of a session as the suite writes it: relative to the suite where that is possible.
func (h *handler) fixture(r *http.Request) (string, error) {
	session, err := strconv.Atoi(r.FormValue("session"))
	if err != nil {
		return "", err
	}
	e, err := h.source.entry(session)
	if err != nil {
		return "", err
	}
	name := e.address
	if strings.Contains(name, "://") {
		return name, nil
	}
	from, err := filepath.Abs(filepath.Dir(h.options.Tests))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(from, to); err == nil {
		to = rel
	}
	return filepath.ToSlash(to), nil
}

// appended returns a suite with one case more.
func appended(old, name, file, selector string, answer []string) (string, error) {
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
	fmt.Fprintf(&b, "%%files %s\n\n%s\n", file, selector)
	for _, line := range answer {
		b.WriteString("=> " + line + "\n")
	}
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
