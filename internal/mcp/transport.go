package mcp

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport whose input ends once every request has its answer: the SDK closes the
// connection when the input ends, and a client that writes its requests and closes the pipe would
// miss the answers.
type patient struct{ mcp.Transport }

func (t patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &patientConnection{Connection: c, open: map[any]bool{}, done: make(chan struct{})}, err
}

type patientConnection struct {
	mcp.Connection
	mu    sync.Mutex
	open  map[any]bool // ids of requests without an answer
	ended bool         // the input
	once  sync.Once
	done  chan struct{} // closed when the input has ended and no request is open, or with the connection
}

func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.mu.Lock()
		c.open[r.ID.Raw()] = true
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.mu.Lock()
		c.ended = true
		c.check()
		c.mu.Unlock()
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}
	return m, err
}

func (c *patientConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID.Raw())
		c.check()
		c.mu.Unlock()
	}
	return err
}

// check closes done if there is nothing more to answer.
func (c *patientConnection) check() {
	if c.ended && len(c.open) == 0 {
		c.once.Do(func() { close(c.done) })
	}
}

func (c *patientConnection) Close() error {
	c.once.Do(func() { close(c.done) })
	return c.Connection.Close()
}
