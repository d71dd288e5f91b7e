package worker

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
)

// asking identifies the request in progress. The worker can ask its caller for summaries.
type asking struct{ id, context string }

// summary asks the caller for a summary of nodes. The engine calls it while it ends a cycle.
func (s *server) summary(nodes []engine.Node) (engine.Draft, error) {
	if c := s.shelf.open[s.asking.context]; c == nil || !c.summarise {
		return engine.Draft{}, errors.New("the caller writes no summaries")
	}
	b := begin(s.asking.id)
	b.WriteString(`,"summarise":{"nodes":`)
	b.Write(canonjson.EncodeLine(nodesOf(nodes)))
	b.WriteString("}}\n")
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return engine.Draft{}, err
	}
	line, size, err := readLine(s.lines, s.MaxBytes)
	if size == 0 && err != nil {
		return engine.Draft{}, fmt.Errorf("no summary came: %w", err)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return engine.Draft{}, err
	}
	d, isSummary, err := parseSummary(line)
	if !isSummary {
		s.next = append(s.next, nextLine{line, size})
		return engine.Draft{}, errors.New("the caller sent another request instead of a summary")
	}
	return d, err
}

// nextLine is a request that came while the worker waited for a summary.
type nextLine struct {
	text string
	size int64
}

// parseSummary parses the line after a question. isSummary reports whether the line answers it.
func parseSummary(line string) (d engine.Draft, isSummary bool, err error) {
	text, reason := "", "the caller has no summary"
	err = members.Read(line, members.Object{
		"id": (*canonjson.Scanner).Skip,
		"error": func(s *canonjson.Scanner) error {
			isSummary = true
			return members.String(&reason)(s)
		},
		"summary": func(s *canonjson.Scanner) (err error) {
			isSummary = true
			text, err = s.Raw()
			return err
		},
	})
	if err != nil {
		return d, isSummary, err
	}
	if text == "" {
		return d, true, errors.New(reason)
	}
	d, err = engine.ParseDraft([]byte(text))
	if content, ok := d.Content.Text(); err == nil && (d.Content.IsZero() || ok && strings.TrimSpace(content) == "") {
		err = errors.New("the summary is empty")
	}
	return d, true, err
}
