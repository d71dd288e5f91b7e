package lsp_test

import (
	"context"
	"io"
	"os"

	"github.com/pactkit/pactkit/lsp"
)

// standardStreams are the streams on which editors talk to a server that they have started.
type standardStreams struct {
	io.Reader
	io.WriteCloser
}

func ExampleServe() {
	os.Exit(lsp.Serve(context.Background(), standardStreams{os.Stdin, os.Stdout}, lsp.Options{Version: "1.0"}))
}
