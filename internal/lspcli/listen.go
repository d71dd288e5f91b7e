package lspcli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/pactkit/pactkit/lsp"
)

// listen serves clients at an address of this machine, each with its own server, until ctx is done. It prints
// the address, whose port may have been 0.
func listen(ctx context.Context, address string, o lsp.Options, out io.Writer) error {
	kind, at, _ := strings.Cut(address, ":")
	if kind != "tcp" && kind != "ws" {
		return fmt.Errorf("--listen %s: an address is tcp:HOST:PORT or ws:HOST:PORT", address)
	}
	host, _, err := net.SplitHostPort(at)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", address, err)
	}
	if !loopback(host) {
		return fmt.Errorf("--listen %s: only this machine is served, as 127.0.0.1, [::1] or localhost", address)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", at)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "pact-lsp: listening at %s:%s\n", kind, l.Addr())
	if kind == "ws" {
		return serveWeb(ctx, l, o)
	}
	stop := context.AfterFunc(ctx, func() { _ = l.Close() }) // ends Accept
	defer stop()
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		clients.Go(func() { lsp.Serve(ctx, conn, o) })
	}
}

// loopback reports whether a host is this machine: a loopback address or localhost.
func loopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// local reports whether a request comes from this machine and was meant for it: a page of the web that a browser shows
// must not reach the server, neither by its own name nor by one that leads here.
func local(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if !loopback(host) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true // not a browser
	}
	u, err := url.Parse(origin)
	return err == nil && loopback(u.Hostname())
}

func serveWeb(ctx context.Context, l net.Listener, o lsp.Options) error {
	up := websocket.Upgrader{CheckOrigin: local}
	var clients sync.WaitGroup
	server := http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return // Upgrade has answered
		}
		clients.Add(1)
		defer clients.Done()
		lsp.ServeStream(ctx, lsp.NewWebSocket(conn), o)
	})}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ends Serve
	defer stop()
	err := server.Serve(l)
	clients.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
