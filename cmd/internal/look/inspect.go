package look

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/inspect"
	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/loopback"
	"github.com/pactkit/pactkit/internal/sessions/recent"
)

const inspectLong = `Show histories in the browser: every model call as a bar, the context at each as a tree, what entered, changed and left and
why, and what a selector finds.

PATH is a journal, a log of any source, a folder of them, a store, or a session of an agent: last, which is the default, or
the beginning of its id ('pactkit sessions' lists them). The page follows a session that grows. It is served on the loopback
interface only, at an address with a random token. It needs no network, and nothing leaves this machine. Ctrl-C ends it.

--html writes the page with its data into one file.

` + open.Redacts + `

Exit codes: 0 ended; 2 there is nothing to show, or the port is in use.`

const inspectExample = `  pactkit inspect refund.jsonl
  pactkit inspect logs --no-open                        print the address only
  pactkit inspect refund.jsonl --html refund.html       one file, to attach to an issue`

// inspectVerb serves the inspector.
type inspectVerb struct {
	*verb.Run
	source open.SessionFlags
	files  verb.FileFlags
	redact open.RedactFlag
	port   int
	noOpen bool
	html   string
	tests  string
}

// Inspect returns the verb inspect.
func Inspect(r *verb.Run) *cobra.Command {
	v := &inspectVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "inspect [PATH]...",
		Short:   "Look at contexts in the browser",
		Long:    inspectLong,
		Example: inspectExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if v.tests != "" && !strings.HasSuffix(v.tests, ".suite.txtar") {
				return fmt.Errorf("--tests %s: the name of a suite ends in .suite.txtar", v.tests)
			}
			if cmd.Flags().Changed("redact") && v.html == "" {
				return errors.New("--redact requires --html: the page that is served stays on this machine")
			}
			return open.CheckStdin(args...)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	cmd.ValidArgsFunction = open.CompleteSessions(-1)
	cmd.Flags().IntVar(&v.port, "port", 0, "serve at this port of the loopback interface (default a free one)")
	cmd.Flags().BoolVar(&v.noOpen, "no-open", false, "print the address and open no browser")
	cmd.Flags().StringVar(&v.html, "html", "", "write the page with its data to `FILE` instead, which needs no process")
	cmd.Flags().StringVar(&v.tests, "tests", "", "append what \"save as test\" makes to the suite `FILE`, named *.suite.txtar")
	v.source.AddMany(cmd)
	v.redact.Add(cmd)
	v.files.AddConfig(cmd)
	return cmd
}

func (v *inspectVerb) run(ctx context.Context, args []string) error {
	if ok, err := v.redact.Start(v.Run, &v.source.LogFlags, &v.files); !ok {
		return err
	}
	cfg, err := (&open.SelectorFlags{Files: v.files}).Configuration(v.Run)
	if err != nil || cfg == nil {
		return err
	}
	if len(args) == 0 {
		args = []string{recent.Last}
	}
	read := inspect.Open
	if v.html != "" {
		read = inspect.OpenPage
	}
	src, err := read(ctx, args, open.SessionOptions(v.Run, &v.source), inspect.Known{Prices: cfg.Prices(), Windows: cfg.Windows()})
	switch {
	case errors.Is(err, context.Canceled):
		v.Interrupt("interrupted")
		return nil
	case err != nil:
		open.FailSession(v.Run, args[0], err, &v.source)
		return nil
	}
	if v.html != "" {
		v.writeHTML(ctx, src)
		v.redact.Report(v.Run)
		return nil
	}
	socket, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", v.port))
	if err != nil {
		v.failPort(err)
		return nil
	}
	token := rand.Text()
	server := http.Server{ReadHeaderTimeout: 10 * time.Second, ConnContext: loopback.WithConn, Handler: inspect.Handler(src, inspect.Options{
		Token: token, Tests: v.tests, Version: verb.BuildVersion(),
	})}
	ctx, cancel := context.WithCancel(ctx)
	var browser sync.WaitGroup
	defer browser.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ends Serve
	defer stop()
	address := fmt.Sprintf("http://%s/#token=%s", socket.Addr(), token)
	fmt.Fprintln(v.Out, address)
	if err := v.Out.Flush(); err != nil {
		_ = socket.Close()
		return nil // the last flush reports the error
	}
	if !v.noOpen {
		browser.Go(func() { v.openBrowser(ctx, address) })
	}
	if err := server.Serve(new(loopback.Guard).Listener(socket)); !errors.Is(err, http.ErrServerClosed) {
		cancel()
		browser.Wait()
		v.Fail("cannot serve the page: %s", atomicfile.Reason(err))
	}
	return nil
}

// writeHTML writes the page with its data to the file of --html.
func (v *inspectVerb) writeHTML(ctx context.Context, src *inspect.Source) {
	err := atomicfile.WriteFrom(v.Abs(v.html), func(w io.Writer) error { return inspect.WriteHTML(ctx, w, src) })
	switch {
	case ctx.Err() != nil:
		v.Interrupt("interrupted: %s is not written", verb.Shown(v.html))
	case err != nil:
		v.Fail("%s: cannot write: %s", verb.Shown(v.html), atomicfile.Reason(err))
	}
}

// errPort is the code of a port at which the page cannot be served.
const errPort = "E_PORT"

// failPort reports that a port is not available.
func (v *inspectVerb) failPort(err error) {
	if syscallErr, ok := errors.AsType[*os.SyscallError](err); ok {
		err = syscallErr.Err
	}
	v.Fail("the page cannot be served at port %d: %v [%s]", v.port, err, errPort)
	v.Hint("choose another --port, or omit it to use a free one")
}

// openBrowser opens an address, and prints a note if that fails: the user has the address.
func (v *inspectVerb) openBrowser(ctx context.Context, address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if err := exec.CommandContext(ctx, name, args...).Run(); err != nil && ctx.Err() == nil {
		v.Note("no browser was opened (%s: %s); open the address yourself", name, atomicfile.Reason(err))
	}
}
