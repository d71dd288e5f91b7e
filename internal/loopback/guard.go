package loopback

import (
	"context"
	"net"
	"slices"
	"sync"
)

// mostStrangers is the largest number of connections of strangers that a [Guard] keeps.
const mostStrangers = 128

// A Guard limits the connections of strangers: clients that have not proved that they may connect.
// It closes the oldest connection when there are too many, so idle strangers cannot keep others
// out. The zero value is ready to use.
type Guard struct {
	mu        sync.Mutex
	strangers []*guarded // oldest first
}

// Listener returns a listener whose connections belong to strangers until [Guard.Admit].
func (g *Guard) Listener(l net.Listener) net.Listener { return guardedListener{l, g} }

// Admit records that the client of a connection may connect.
func (g *Guard) Admit(c net.Conn) {
	if c, ok := c.(*guarded); ok {
		g.forget(c)
	}
}

func (g *Guard) forget(c *guarded) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.strangers = slices.DeleteFunc(g.strangers, func(x *guarded) bool { return x == c })
}

type guardedListener struct {
	net.Listener
	g *Guard
}

// Accept closes the oldest connection of a stranger if there are too many.
func (l guardedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &guarded{conn, l.g}
	l.g.mu.Lock()
	l.g.strangers = append(l.g.strangers, c)
	var oldest *guarded
	if len(l.g.strangers) > mostStrangers {
		oldest, l.g.strangers = l.g.strangers[0], slices.Delete(l.g.strangers, 0, 1)
	}
	l.g.mu.Unlock()
	if oldest != nil {
		_ = oldest.Conn.Close()
	}
	return c, nil
}

type guarded struct {
	net.Conn
	g *Guard
}

func (c *guarded) Close() error {
	c.g.forget(c)
	return c.Conn.Close()
}

type connKey struct{}

// WithConn is the ConnContext of a [net/http.Server] whose handlers call [Admit].
func WithConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Admit records that the client that sent a request may connect. ctx is the context of the request.
func Admit(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(*guarded); ok {
		c.g.forget(c)
	}
}
