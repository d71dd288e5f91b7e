package lspcli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/loopback"
	"github.com/pactkit/pactkit/lsp"
)

// maxClients bounds the clients that are served at once; further ones get an error.
const maxClients = 8

// minToken and maxToken limit the length of a token from a file.
const (
	minToken = 16
	maxToken = 64 << 10
)

// listener serves clients at an address of this machine, each with its own server.
type listener struct {
	kind, at string   // tcp or ws; host and port
	origins  []string // of the pages that may connect to a WebSocket
	server   lsp.Options

	slots   chan struct{} // one for each client
	serving sync.WaitGroup
}

// newListener reads the flags.
func newListener(o serverFlags, server lsp.Options) (*listener, error) {
	l := &listener{origins: o.origins, server: server, slots: make(chan struct{}, maxClients)}
	l.kind, l.at, _ = strings.Cut(o.listen, ":")
	if l.kind != "tcp" && l.kind != "ws" {
		return nil, fmt.Errorf("--listen %s: the address must be tcp:HOST:PORT or ws:HOST:PORT", o.listen)
	}
	host, _, err := net.SplitHostPort(l.at)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w", o.listen, err)
	}
	if !loopback.IsHost(host) {
		return nil, fmt.Errorf("--listen %s: the server listens on this machine only, as 127.0.0.1, [::1] or localhost", o.listen)
	}
	if o.tokenFile == "" {
		l.server.Token = rand.Text()
		return l, nil
	}
	data, err := atomicfile.Read(o.tokenFile, maxToken)
	if err != nil {
		return nil, fmt.Errorf("--token-file %s: %s", o.tokenFile, atomicfile.Reason(err))
	}
	if l.server.Token = strings.TrimSpace(string(data)); len(l.server.Token) < minToken {
		return nil, fmt.Errorf("--token-file %s: the token must have at least %d characters", o.tokenFile, minToken)
	}
	return l, nil
}

// serve serves clients until ctx is done. It prints the address, whose port may have been 0, and
// the token unless that is read from a file.
func (l *listener) serve(ctx context.Context, printToken bool, out io.Writer) error {
	socket, err := new(net.ListenConfig).Listen(ctx, "tcp", l.at)
	if err != nil {
		return err
	}
	if printToken {
		fmt.Fprintf(out, "pact-lsp: token %s\n", l.server.Token)
	}
	fmt.Fprintf(out, "pact-lsp: listening at %s:%s\n", l.kind, socket.Addr())
	return l.serveOn(ctx, socket)
}

// serveOn serves the clients of a socket. When it returns, they are gone.
func (l *listener) serveOn(ctx context.Context, socket net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.serving.Wait()
	defer cancel()
	if l.kind == "ws" {
		return l.serveWeb(ctx, socket)
	}
	return l.serveTCP(ctx, socket)
}

func (l *listener) serveTCP(ctx context.Context, socket net.Listener) error {
	defer socket.Close()
	stop := context.AfterFunc(ctx, func() { _ = socket.Close() }) // ends Accept
	defer stop()
	var guard loopback.Guard
	socket = guard.Listener(socket)
	for {
		conn, err := socket.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		l.serving.Go(func() {
			l.client(func() { guard.Admit(conn) }, func(o lsp.Options) { lsp.Serve(ctx, conn, o) })
		})
	}
}

// take reports whether there is room for another client.
func (l *listener) take() bool {
	select {
	case l.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

// client serves a connection, which counts as a client once it has sent the token.
func (l *listener) client(admit func(), serve func(lsp.Options)) {
	o, isClient := l.server, false
	o.Admit = func() bool {
		admit()
		isClient = l.take()
		return isClient
	}
	serve(o)
	if isClient {
		<-l.slots
	}
}

func (l *listener) serveWeb(ctx context.Context, socket net.Listener) error {
	up := websocket.Upgrader{CheckOrigin: l.allows}
	server := http.Server{ReadHeaderTimeout: 10 * time.Second, ConnContext: loopback.WithConn, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.serving.Add(1)
		defer l.serving.Done()
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return // Upgrade has answered
		}
		l.client(func() { loopback.Admit(r.Context()) }, func(o lsp.Options) { lsp.ServeStream(ctx, lsp.NewWebSocket(conn), o) })
	})}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ends Serve
	defer stop()
	if err := server.Serve(new(loopback.Guard).Listener(socket)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// allows reports whether a request may open a WebSocket. Its host must be a name of this machine,
// so a public name that resolves to this machine is refused, and a page of a browser must have an
// allowed origin.
func (l *listener) allows(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") { // only a browser sends one
		if !slices.Contains(l.origins, origin) {
			return false
		}
	}
	return loopback.IsHost(r.Host)
}
