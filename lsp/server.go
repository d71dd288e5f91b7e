package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tliron/glsp"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// The error codes of the protocol that jsonrpc2 has no names for.
const (
	codeNotInitialized   = -32002
	codeRequestFailed    = -32803
	codeRequestCancelled = -32800
)

// Options configure a server.
type Options struct {
	Version       string       // of the program
	Log           *slog.Logger // nil: nothing is logged
	ClientProcess int          // ends the connection when it ends; 0 for the one that initialize names
}

// Serve answers one client until it says exit, the connection ends, or ctx is done. It returns the exit code the
// protocol asks for: 0 after a shutdown, else 1.
func Serve(ctx context.Context, conn io.ReadWriteCloser, o Options) int {
	return ServeStream(ctx, newStream(conn), o)
}

// ServeStream does the same on messages that have frames of their own.
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
	s.conn = jsonrpc2.NewConn(ctx, messages, s, jsonrpc2.SetLogger(quiet{}))
	if s.options.ClientProcess > 0 {
		s.spawn(func() { s.watchParent(s.options.ClientProcess) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.loop()
	}()
	<-s.conn.DisconnectNotify()
	cancel()
	s.changes.touch()
	s.queue.close()
	<-done
	s.requests.Wait()
	s.state.Lock()
	defer s.state.Unlock()
	if s.phase == exited && s.shutdown {
		return 0
	}
	return 1
}

// quiet drops what jsonrpc2 would log: a connection that ends is no news.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// phase is how far the life of a connection has come.
type phase uint8

const (
	fresh phase = iota // before initialize
	live
	closing // after shutdown
	exited
)

// server is one connection. Its loop applies notifications in order; requests run beside each other.
type server struct {
	options Options
	ctx     context.Context
	conn    *jsonrpc2.Conn
	queue   queue
	handler *protocol.Handler
	extra   map[string]method // what the handler does not know, or reads wrongly

	state    sync.Mutex
	phase    phase
	shutdown bool
	running  map[jsonrpc2.ID]context.CancelFunc

	requests sync.WaitGroup
	contexts sync.Map // from *glsp.Context to context.Context

	client  client // set once, by initialize
	docs    documents
	disk    diskFiles
	tokens  tokenResults
	world   worlds
	results published
	said    said
	asked   asked
	shown   results
	changes changes
}

// method answers a request, or takes a notification, from its raw parameters.
type method func(ctx context.Context, params json.RawMessage) (any, error)

func newServer(o Options) *server {
	s := &server{options: o, running: map[jsonrpc2.ID]context.CancelFunc{}}
	s.queue.init()
	s.handler = s.newHandler()
	s.extra = s.newMethods()
	return s
}

// Handle implements [jsonrpc2.Handler]. It runs on the read loop and only takes note: a slow request holds up nobody,
// and a cancellation overtakes whatever waits.
func (s *server) Handle(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch req.Method {
	case protocol.MethodCancelRequest:
		s.cancel(req)
		return
	case protocol.MethodExit:
		s.queue.put(func() {
			s.state.Lock()
			s.phase = exited
			s.state.Unlock()
			_ = s.conn.Close() // it may be closed already
		})
		return
	}
	var stop context.CancelFunc
	if !req.Notif {
		ctx, stop = context.WithCancel(s.ctx)
		s.state.Lock()
		s.running[req.ID] = stop
		s.state.Unlock()
	}
	s.queue.put(func() {
		if req.Notif || req.Method == protocol.MethodInitialize || req.Method == protocol.MethodShutdown {
			s.run(ctx, req)
			return
		}
		v := s.now() // the documents as they are when the request comes
		v.stop = stop
		if req.Params != nil {
			_ = json.Unmarshal(*req.Params, v) // parameters that are no object are refused by the method
			v.Work, v.Partial = given(v.Work), given(v.Partial)
		}
		ctx := context.WithValue(ctx, viewKey{}, v)
		s.requests.Go(func() { s.run(ctx, req) })
	})
}

// view is what a request works on: the documents and the world as they were when it came.
type view struct {
	docs    docSet
	world   *world
	stop    context.CancelFunc // cancels the request
	Work    json.RawMessage    `json:"workDoneToken"`      // nil: progress is not asked for
	Partial json.RawMessage    `json:"partialResultToken"` // nil: the result is wanted whole
}

type viewKey struct{}

func (s *server) now() *view { return &view{docs: s.docs.all(), world: s.world.newest.Load()} }

// view returns what the request of a context works on.
func (s *server) view(ctx context.Context) *view {
	if v, ok := ctx.Value(viewKey{}).(*view); ok {
		return v
	}
	return s.now()
}

// loop applies what the read loop has put into the queue, in order.
func (s *server) loop() {
	for f := range s.queue.all() {
		f()
	}
}

func (s *server) cancel(req *jsonrpc2.Request) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if req.Params == nil || json.Unmarshal(*req.Params, &p) != nil {
		return
	}
	s.state.Lock()
	defer s.state.Unlock()
	if stop := s.running[p.ID]; stop != nil {
		stop()
	}
}

// run answers a request, or applies a notification.
func (s *server) run(ctx context.Context, req *jsonrpc2.Request) {
	if req.Notif {
		if _, err := s.dispatch(ctx, req); err != nil {
			s.options.Log.Warn("notification", "method", req.Method, "error", err)
		}
		return
	}
	var result any
	var err error
	if req.Method == protocol.MethodInitialize || req.Method == protocol.MethodShutdown {
		result, err = s.dispatch(ctx, req)
	} else {
		result, err = s.await(ctx, req)
	}
	s.state.Lock()
	s.running[req.ID]()
	delete(s.running, req.ID)
	s.state.Unlock()
	if err == nil {
		if err := s.conn.Reply(s.ctx, req.ID, result); err != nil {
			s.options.Log.Debug("reply", "method", req.Method, "error", err)
		}
		return
	}
	e, ok := errors.AsType[*jsonrpc2.Error](err)
	if !ok {
		e = &jsonrpc2.Error{Code: codeRequestFailed, Message: err.Error()}
	}
	if err := s.conn.ReplyWithError(s.ctx, req.ID, e); err != nil {
		s.options.Log.Debug("reply", "method", req.Method, "error", err)
	}
}

// await works a request out, but does not wait for one that is cancelled: work that nobody looks at any more ends when
// it next looks at its context.
func (s *server) await(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	type answer struct {
		result any
		err    error
	}
	done := make(chan answer, 1)
	s.requests.Go(func() {
		result, err := s.dispatch(ctx, req)
		done <- answer{result, err}
	})
	select {
	case a := <-done:
		if ctx.Err() == nil {
			return a.result, a.err
		}
	case <-ctx.Done():
	}
	return nil, &jsonrpc2.Error{Code: codeRequestCancelled, Message: "the request was cancelled"}
}

// spawn runs f beside the loop. A panic in it is a defect of ours that must not take the connection with it.
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

// dispatch finds who answers a message. A panic is a defect of ours and costs the one request.
func (s *server) dispatch(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.options.Log.Error("panic", "method", req.Method, "panic", r, "stack", string(debug.Stack()))
			err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error in %s: %v", req.Method, r)}
		}
	}()
	if err := s.allowed(req); err != nil {
		return nil, err
	}
	params := json.RawMessage("{}")
	if req.Params != nil {
		params = *req.Params
	}
	if m := s.extra[req.Method]; m != nil {
		return m(ctx, params)
	}
	g := &glsp.Context{Method: req.Method, Params: params}
	s.contexts.Store(g, ctx)
	defer s.contexts.Delete(g)
	result, known, valid, err := s.handler.Handle(g)
	switch {
	case !known && req.Notif && len(req.Method) > 2 && req.Method[:2] == "$/":
		return nil, nil // these may be ignored
	case !known:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + req.Method}
	case !valid:
		return nil, invalidParams(err)
	}
	return result, err
}

func invalidParams(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprint(err)}
}

// allowed checks that a message has come at its time.
func (s *server) allowed(req *jsonrpc2.Request) error {
	s.state.Lock()
	defer s.state.Unlock()
	switch {
	case s.phase == fresh && req.Method != protocol.MethodInitialize:
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server is not initialized"}
	case s.phase == live && req.Method == protocol.MethodInitialize:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is initialized already"}
	case s.phase >= closing:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server was shut down"}
	}
	return nil
}

func (s *server) setPhase(p phase) {
	s.state.Lock()
	defer s.state.Unlock()
	s.phase = p
	if p == closing {
		s.shutdown = true
		for _, stop := range s.running { // nobody wants their answers any more
			stop()
		}
	}
}

// of returns the context of a request that glsp dispatched.
func (s *server) of(g *glsp.Context) context.Context {
	if ctx, ok := s.contexts.Load(g); ok {
		return ctx.(context.Context)
	}
	return s.ctx
}

// notify sends a notification to the client.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil {
		s.options.Log.Debug("notify", "method", method, "error", err)
	}
}

// ask sends a request to the client, off the loop, and passes the result on when it comes.
func (s *server) ask(method string, params any, then func(json.RawMessage)) {
	s.spawn(func() {
		var result json.RawMessage
		if err := s.conn.Call(s.ctx, method, params, &result); err != nil {
			s.options.Log.Debug("ask", "method", method, "error", err)
			return
		}
		if then != nil {
			then(result)
		}
	})
}

// request makes a method of a function that wants its parameters decoded.
func request[P any](f func(ctx context.Context, p *P) (any, error)) method {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalidParams(err)
		}
		return f(ctx, &p)
	}
}
