package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Options configure a server.
type Options struct {
	Version       string       // of the program
	Log           *slog.Logger // nil: nothing is logged
	ClientProcess int          // the connection ends when this process does; 0 means the process that initialize names
	// Token, unless empty, must be the initializationOptions.token of initialize, within ten
	// seconds. Otherwise the connection ends.
	Token string
	// Admit, unless nil, is called when a client has sent the token. If it returns false, there are
	// too many clients, and the connection ends.
	Admit func() bool

	Suites Suites // what the server knows about suites of tests
}

// Serve serves one client until the client sends exit, the connection ends, or ctx is done. It
// returns the exit code that the protocol prescribes: 0 after a shutdown, else 1.
func Serve(ctx context.Context, conn io.ReadWriteCloser, o Options) int {
	return ServeStream(ctx, newStream(conn), o)
}

// ServeStream is [Serve] for connections that frame their messages themselves.
func ServeStream(ctx context.Context, messages jsonrpc2.ObjectStream, o Options) int {
	if o.Log == nil {
		o.Log = discard()
	}
	return newServer(o).serve(ctx, messages)
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (s *server) serve(ctx context.Context, messages jsonrpc2.ObjectStream) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	s.out, _ = messages.(rawWriter)
	for i, pause := range idlePauses {
		s.idle[i] = time.AfterFunc(pause, debug.FreeOSMemory)
		defer s.idle[i].Stop()
	}
	s.conn = jsonrpc2.NewConn(ctx, messages, s, jsonrpc2.SetLogger(quiet{}))
	if s.options.ClientProcess > 0 {
		s.spawn(func() { s.watchParent(s.options.ClientProcess) })
	}
	if s.options.Token != "" {
		late := time.AfterFunc(initializeTimeout, s.closeIfFresh)
		defer late.Stop()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.loop()
	}()
	<-s.conn.DisconnectNotify()
	cancel()
	s.refresh.touch()
	s.queue.close()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		<-done
		s.requests.Wait()
	}()
	select {
	case <-finished:
	case <-time.After(exitTimeout): // the remaining requests wait for a client that does not read
	}
	s.state.Lock()
	defer s.state.Unlock()
	if s.phase == exited && s.shutdown {
		return 0
	}
	return 1
}

// idlePauses are the times after the last message at which memory is returned to the system. In an
// idle server, the next garbage collection may be far away. The second pause is for work that the
// message started.
var idlePauses = [...]time.Duration{2 * time.Second, 6 * time.Second}

// exitTimeout is how long the server waits for running requests after the connection has ended.
const exitTimeout = 2 * time.Second

// initializeTimeout is how long a client has to send its token.
const initializeTimeout = 10 * time.Second

// closeIfFresh ends a connection that is not initialized.
func (s *server) closeIfFresh() {
	s.state.Lock()
	fresh := s.phase == fresh
	s.state.Unlock()
	if fresh {
		_ = s.conn.Close() // it may be closed already
	}
}

// quiet drops the messages that jsonrpc2 would log when a connection ends.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// phase is the state of a connection.
type phase uint8

const (
	fresh phase = iota // before initialize
	live
	closing // after shutdown
	exited
)

// server serves one connection. Its loop applies notifications in order; requests run concurrently.
// It has a field for each kind of state that outlives a request.
type server struct {
	options Options
	ctx     context.Context // of the connection; the read loop of jsonrpc2 does not pass one on
	conn    *jsonrpc2.Conn
	out     rawWriter // of conn; nil for a stream of another package
	queue   queue
	methods map[string]handler

	state    sync.Mutex // guards the next three
	phase    phase
	shutdown bool
	running  map[jsonrpc2.ID]context.CancelFunc

	requests sync.WaitGroup
	idle     [len(idlePauses)]*time.Timer

	client     client // set once, by initialize
	settings   atomic.Pointer[settings]
	docs       documents
	disk       diskFiles
	session    session
	tokens     tokenResults
	matches    matchCounts
	pushing    sync.Mutex // keeps pushed diagnostics in order: an older version never follows a newer one
	reported   reported
	pending    pendingProgress
	resultDocs resultDocs
	refresh    refreshSignal

	embeddedFormat embeddedFormat
}

func newServer(o Options) *server {
	s := &server{options: o, running: map[jsonrpc2.ID]context.CancelFunc{}, methods: methodTable()}
	s.settings.Store(readSettings(nil))
	s.session.background = func(read func(ctx context.Context)) {
		s.spawn(func() {
			read(s.ctx)
			s.reload() // with the fixture that was read
		})
	}
	s.queue.init()
	return s
}

// view is what a message works on: the documents and the snapshot as they were when it arrived, and
// what else came with a request. Only [server.renew] changes it.
type view struct {
	docs     docSet
	snapshot *snapshot
	stop     context.CancelFunc // cancels the request; nil for a notification
	work     json.RawMessage    // the token of its progress; nil: the client does not ask for progress
	partial  json.RawMessage    // the token of its partial results; nil: the client wants the whole result at once
}

// now returns a view of the current documents and snapshot.
func (s *server) now() *view { return &view{docs: s.docs.all(), snapshot: s.session.snapshot()} }

// viewFor returns the view for a message that has just arrived.
func (s *server) viewFor(req *jsonrpc2.Request, stop context.CancelFunc) *view {
	var tokens struct {
		Work    json.RawMessage `json:"workDoneToken"`
		Partial json.RawMessage `json:"partialResultToken"`
	}
	if !req.Notif && req.Params != nil {
		_ = json.Unmarshal(*req.Params, &tokens) // the method refuses parameters that are not an object
	}
	v := s.now()
	v.stop, v.work, v.partial = stop, nonNull(tokens.Work), nonNull(tokens.Partial)
	return v
}

// renew updates the view of a request that waits for changes. It updates it in place, because the
// goroutines of the request refer to it, and another view would leave closed documents in memory.
func (s *server) renew(v *view) { v.docs, v.snapshot = s.docs.all(), s.session.snapshot() }

func (s *server) setPhase(p phase) {
	s.state.Lock()
	defer s.state.Unlock()
	s.phase = p
	if p == closing {
		s.shutdown = true
		for _, stop := range s.running { // the client no longer waits for these
			stop()
		}
	}
}

// spawn runs f concurrently. A panic in it is a bug in the server and does not end the connection.
func (s *server) spawn(f func()) {
	s.requests.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				s.options.Log.Error("panic", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		f()
	})
}

// rawWriter is a stream that accepts encoded messages. jsonrpc2 encodes a message three times,
// which matters if it has thousands of diagnostics.
type rawWriter interface{ write(data []byte) error }

// notify sends a notification to the client.
func (s *server) notify(method string, params any) {
	var err error
	if s.out == nil {
		err = s.conn.Notify(s.ctx, method, params)
	} else {
		err = s.write(`"method":`, canonjson.AppendString(nil, method), `"params":`, params)
	}
	if err != nil {
		s.options.Log.Debug("notify", "method", method, "error", err)
	}
}

// write encodes and sends a message of two members, the first of which is already encoded.
func (s *server) write(name string, first []byte, other string, second any) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	b := append((*buffer)[:0], `{"jsonrpc":"2.0",`...)
	b = append(append(append(b, name...), first...), ',')
	b, err := appendJSON(append(b, other...), second)
	if err != nil {
		return err
	}
	*buffer = append(b, '}')
	return s.out.write(*buffer)
}

// buffers are for messages, which may be large and follow every keystroke.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// answerTimeout is how long the server waits for an answer of the client.
const answerTimeout = time.Minute

// call sends a request to the client and does not wait for the answer.
func (s *server) call(method string, params any) {
	s.spawn(func() {
		ctx, stop := context.WithTimeout(s.ctx, answerTimeout)
		defer stop()
		if err := s.conn.Call(ctx, method, params, nil); err != nil {
			s.options.Log.Debug("call", "method", method, "error", err)
		}
	})
}
