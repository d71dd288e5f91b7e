// Command pact-lsp is the language server of selectors. It speaks the Language Server Protocol on standard input and
// output.
package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/pactkit/pactkit/lsp"
)

func main() {
	// Only frames may reach standard output, whatever a library prints.
	frames := os.Stdout
	os.Stdout = os.Stderr
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	os.Exit(lsp.Serve(ctx, pipes{os.Stdin, frames}, lsp.Options{Log: log}))
}

// pipes are standard input and output.
type pipes struct {
	io.ReadCloser
	io.Writer
}
