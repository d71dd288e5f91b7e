package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// When progress is shown.
const (
	progressDelay = time.Second // before the server shows progress that the client did not request
	progressEvery = 250 * time.Millisecond
)

// progress shows the client the progress of a scan of the workspace.
type progress struct {
	server *server
	title  string
	token  json.RawMessage // nil: no progress is shown
	begun  bool
	files  int
	began  time.Time
	last   time.Time
	own    bool               // the server made the token
	stop   context.CancelFunc // cancels the work
}

// pendingProgress maps the tokens that the server made to the functions that cancel the work.
type pendingProgress struct {
	mu    sync.Mutex
	count int
	stop  map[string]context.CancelFunc
}

func (s *server) begin(v *view, title string) *progress {
	return &progress{server: s, title: title, token: v.work, stop: v.stop, began: time.Now()}
}

// step counts a file. If the client sent a token, the progress is shown immediately, otherwise only
// if the scan takes long.
func (p *progress) step(ctx context.Context) {
	p.files++
	if !p.begun {
		if p.token == nil && (!p.server.client.progress || time.Since(p.began) < progressDelay || !p.create(ctx)) {
			return
		}
		p.begun = true
		p.send(map[string]any{"kind": "begin", "title": p.title, "cancellable": true})
	}
	if p.token != nil && time.Since(p.last) > progressEvery {
		p.last = time.Now()
		p.send(map[string]any{"kind": "report", "message": plural(p.files, "file"), "cancellable": true})
	}
}

// create asks the client to show the progress.
func (p *progress) create(ctx context.Context) bool {
	p.begun = true // requested once, whatever the answer
	a := &p.server.pending
	a.mu.Lock()
	a.count++
	token := fmt.Sprintf("pactkit/%d", a.count)
	if a.stop == nil {
		a.stop = map[string]context.CancelFunc{}
	}
	a.stop[token] = p.stop
	a.mu.Unlock()
	p.own, p.token = true, json.RawMessage(fmt.Sprintf("%q", token))
	ctx, stop := context.WithTimeout(ctx, progressDelay) // the search does not wait for a client that does not answer
	defer stop()
	if err := p.server.conn.Call(ctx, "window/workDoneProgress/create", map[string]any{"token": token}, nil); err != nil {
		p.end()
		p.token = nil
		return false
	}
	return true
}

func (p *progress) send(value any) {
	p.server.notify("$/progress", map[string]any{"token": p.token, "value": value})
}

// end ends the display of progress.
func (p *progress) end() {
	if !p.begun || p.token == nil {
		return
	}
	if p.own {
		a := &p.server.pending
		a.mu.Lock()
		delete(a.stop, string(p.token[1:len(p.token)-1]))
		a.mu.Unlock()
	}
	p.send(map[string]any{"kind": "end", "message": plural(p.files, "file")})
	p.token = nil
}

// cancelProgress ends the work of a token that the server made.
func (s *server) cancelProgress(_ context.Context, p *struct {
	Token json.RawMessage `json:"token"`
}) error {
	var token string
	if json.Unmarshal(p.Token, &token) != nil {
		return nil // a number: not made by the server
	}
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	if stop := s.pending.stop[token]; stop != nil {
		stop()
	}
	return nil
}

// refreshSignal wakes requests that wait for a change of a document, a file or the snapshot.
type refreshSignal struct {
	mu      sync.Mutex
	next    chan struct{}
	changes int64
}

// count returns the number of changes.
func (c *refreshSignal) count() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes
}

// mark returns a channel that the next change closes.
func (c *refreshSignal) mark() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	return c.next
}

func (c *refreshSignal) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	if c.next != nil {
		close(c.next)
		c.next = nil
	}
}
