package look

import (
	"context"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

// sharedRows has the rows of files with several sessions. It reads each file once. It is safe for
// concurrent use.
type sharedRows struct {
	mu    sync.Mutex
	files map[string]func() ([]stats.Session, error)
}

// of returns the rows of a session, also those before an error.
func (r *sharedRows) of(ctx context.Context, s recent.Session) (out []stats.Session, err error) {
	file := sessions.FileOf(s.File)
	if file == s.File {
		return rowsOf(ctx, s.Files)
	}
	r.mu.Lock()
	read, ok := r.files[file]
	if !ok {
		if r.files == nil {
			r.files = map[string]func() ([]stats.Session, error){}
		}
		read = sync.OnceValues(func() ([]stats.Session, error) { return rowsOf(ctx, []string{file}) })
		r.files[file] = read
	}
	r.mu.Unlock()
	rows, err := read()
	for _, row := range rows {
		if slices.Contains(s.Files, sessions.Session{Path: row.File, Name: row.Name}.Address()) {
			out = append(out, row)
		}
	}
	return out, err
}

// rowsOf summarizes the histories of files. It stops at the first error.
func rowsOf(ctx context.Context, files []string) (out []stats.Session, err error) {
	for x, err := range sessions.All(ctx, files, sessions.Options{NoIgnore: true}) {
		if err != nil {
			return out, err
		}
		row, err := stats.Of(ctx, x, stats.Options{NoTokens: true})
		if err != nil {
			return out, err
		}
		out = append(out, row)
	}
	return out, nil
}
