package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/cmd/internal/failure"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/store"
)

// failed returns an error of the worker with a hint.
func failed(code engine.Code, hint, format string, args ...any) *failure.Failure {
	return &failure.Failure{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// problem is an error of an operation.
type problem struct {
	*failure.Failure
	Changed json.RawMessage `json:"changed,omitempty"` // what others committed, for a conflict
}

// appendError appends the error of an operation on a context.
func (s *server) appendError(ctx context.Context, b *bytes.Buffer, err error, q *request) {
	if e, ok := errors.AsType[*pactkit.SelectorError](err); ok {
		err = &eval.Error{Diagnostics: e.Diagnostics}
	}
	p := problem{Failure: s.problemOf(inTime(err, q.timeout), "")}
	e, ok := errors.AsType[*store.Error](err)
	if c := s.shelf.open[q.source.Context]; ok && e.Code == store.ErrConflict && c != nil && e.ID == c.id {
		p.Hint, p.Changed = "reload, and make the changes again", c.news(ctx)
	}
	fmt.Fprintf(b, `,"error":%s`, canonjson.EncodeLine(p))
}

// news returns what others have committed since the newest snapshot of a context. It returns nil if
// it cannot read the history.
func (c *live) news(ctx context.Context) []byte {
	there, err := c.kept.Stored(ctx)
	if err != nil {
		return nil
	}
	now := there.Recorded().At(0)
	if now == nil {
		return nil
	}
	var changes engine.Changes
	if before := newest(c.tree.Engine()); before != nil {
		changes = engine.Diff(before, now)
	} else {
		changes.Added = slices.Collect(now.All())
	}
	return fmt.Appendf(nil, `{"newest":%d,%s`, now.Cycle(), changes.AppendJSON(nil)[1:])
}
