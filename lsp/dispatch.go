package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// The error codes of the protocol that jsonrpc2 does not name.
const (
	codeNotInitialized  = -32002
	codeRequestFailed   = -32803
	codeRequestCanceled = -32800
)

// method is one entry of the table of methods.
type method struct {
	name   string
	handle handler
	// announce sets the capability of the method in the answer to initialize. It is nil if the
	// protocol has no such capability, or another entry sets it.
	announce func(*client, *capabilities)
}

// handler answers a request, or handles a notification, given its raw parameters.
type handler func(s *server, ctx context.Context, v *view, params json.RawMessage) (any, error)

// request makes a handler from a function that takes decoded parameters and returns a result.
func request[P, R any](f func(*server, context.Context, *view, *P) (R, error)) handler {
	return func(s *server, ctx context.Context, v *view, params json.RawMessage) (any, error) {
		p := new(P)
		if err := json.Unmarshal(params, p); err != nil {
			return nil, invalidParams(err)
		}
		return f(s, ctx, v, p)
	}
}

// notification makes a handler from a function that takes decoded parameters. Notifications are
// applied to what is current.
func notification[P any](f func(*server, context.Context, *P) error) handler {
	return request(func(s *server, ctx context.Context, _ *view, p *P) (any, error) { return nil, f(s, ctx, p) })
}

// methods is the table of everything the server understands, except $/cancelRequest and exit, which
// never wait in the queue (see [server.Handle]).
func methods() []method {
	return []method{
		{"initialize", (*server).initialize, nil},
		{"initialized", notification((*server).initialized), nil},
		{"shutdown", request((*server).shutDown), nil},
		{"$/setTrace", notification((*server).setTrace), nil},
		{"window/workDoneProgress/cancel", notification((*server).cancelProgress), nil},

		{"textDocument/didOpen", notification((*server).didOpen), announceSync},
		{"textDocument/didChange", notification((*server).didChange), nil},
		{"textDocument/didClose", notification((*server).didClose), nil},
		{"textDocument/didSave", notification((*server).didSave), nil},
		{"workspace/didChangeWorkspaceFolders", notification((*server).didChangeFolders), announceFolders},
		{"workspace/didChangeWatchedFiles", notification((*server).didChangeFiles), nil},
		{"workspace/didChangeConfiguration", notification((*server).didChangeConfiguration), nil},

		{"textDocument/diagnostic", request((*server).pullDiagnostics), announceDiagnostics},
		{"workspace/diagnostic", request((*server).pullWorkspace), nil},
		{"textDocument/completion", request((*server).completion), announceCompletion},
		{"completionItem/resolve", request((*server).resolveCompletion), nil},
		{"textDocument/hover", request((*server).hover), func(_ *client, c *capabilities) { c.HoverProvider = true }},
		{"textDocument/inlineCompletion", request((*server).inlineCompletion), announceInline},
		{"textDocument/signatureHelp", request((*server).signatures), announceSignatures},

		{"textDocument/definition", request((*server).definition), func(_ *client, c *capabilities) { c.DefinitionProvider = true }},
		{"textDocument/references", request((*server).references), func(_ *client, c *capabilities) { c.ReferencesProvider = true }},
		{"textDocument/documentHighlight", request((*server).highlights), func(_ *client, c *capabilities) { c.DocumentHighlightProvider = true }},
		{"textDocument/rename", request((*server).rename), announceRename},
		{"textDocument/prepareRename", request((*server).prepareRename), nil},
		{"textDocument/linkedEditingRange", request((*server).linkedRanges), func(_ *client, c *capabilities) { c.LinkedEditingRangeProvider = true }},

		{"textDocument/documentSymbol", request((*server).symbols), func(_ *client, c *capabilities) { c.DocumentSymbolProvider = true }},
		{"workspace/symbol", request((*server).workspaceSymbols), func(_ *client, c *capabilities) { c.WorkspaceSymbolProvider = true }},
		{"textDocument/foldingRange", request((*server).folds), func(_ *client, c *capabilities) { c.FoldingRangeProvider = true }},
		{"textDocument/selectionRange", request((*server).selections), func(_ *client, c *capabilities) { c.SelectionRangeProvider = true }},
		{"textDocument/documentLink", request((*server).links), func(_ *client, c *capabilities) { c.DocumentLinkProvider = &protocol.DocumentLinkOptions{} }},
		{"textDocument/semanticTokens/full", request((*server).semantic), announceTokens},
		{"textDocument/semanticTokens/full/delta", request((*server).semanticDelta), nil},
		{"textDocument/semanticTokens/range", request((*server).semanticRange), nil},
		{"textDocument/inlayHint", request((*server).hints), announceHints},
		{"textDocument/codeLens", request((*server).lenses), announceLenses},
		{"codeLens/resolve", request((*server).resolveLens), nil},

		{"textDocument/codeAction", request((*server).actions), announceActions},
		{methodFormat, request((*server).format), announceFormat},
		{methodFormatRange, request((*server).formatRange), announceFormatRange},
		{methodFormatRanges, request((*server).formatRanges), nil},
		{methodFormatType, request((*server).formatOnType), announceFormatType},

		{"workspace/willRenameFiles", request((*server).willRenameFiles), announceRenames},
		{"workspace/executeCommand", request((*server).execute), announceCommands},
		{"workspace/textDocumentContent", request((*server).content), announceContent},
		{"pactkit/evaluate", request((*server).evaluateRequest), nil},
	}
}

func methodTable() map[string]handler {
	table := map[string]handler{}
	for _, m := range methods() {
		table[m.name] = m.handle
	}
	return table
}

// Handle implements [jsonrpc2.Handler]. It runs on the read loop and only enqueues messages, so a
// slow request delays no other, and a cancellation is handled at once.
func (s *server) Handle(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	for i, pause := range idlePauses {
		s.idle[i].Reset(pause)
	}
	switch {
	case req.Method == protocol.MethodCancelRequest && req.Notif:
		s.cancel(req)
		return
	case req.Method == protocol.MethodExit:
		s.queue.put(func() {
			s.setPhase(exited)
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
		v := s.viewFor(req, stop)
		if req.Notif || req.Method == protocol.MethodInitialize || req.Method == protocol.MethodShutdown {
			s.run(ctx, v, req)
			return
		}
		s.requests.Go(func() { s.run(ctx, v, req) })
	})
}

// loop applies what the read loop has enqueued, in order.
func (s *server) loop() {
	for f := range s.queue.all() {
		f()
	}
}

func (s *server) cancel(req *jsonrpc2.Request) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if req.Params == nil || json.Unmarshal(*req.Params, &p) != nil {
		return
	}
	id, _ := wireID(p.ID)
	s.state.Lock()
	defer s.state.Unlock()
	if stop := s.running[id]; stop != nil {
		stop()
	}
}

// run answers a request, or applies a notification.
func (s *server) run(ctx context.Context, v *view, req *jsonrpc2.Request) {
	if req.Notif {
		if _, err := s.dispatch(ctx, v, req); err != nil {
			s.options.Log.Warn("notification", "method", req.Method, "error", err)
		}
		return
	}
	var result any
	var err error
	if req.Method == protocol.MethodInitialize || req.Method == protocol.MethodShutdown {
		result, err = s.dispatch(ctx, v, req)
	} else {
		result, err = s.await(ctx, v, req)
	}
	v.stop()
	s.state.Lock()
	delete(s.running, req.ID)
	s.state.Unlock()
	s.reply(req, result, err)
}

// reply sends the answer to a request.
func (s *server) reply(req *jsonrpc2.Request, result any, err error) {
	if err == nil && s.out != nil {
		err = s.write(`"id":`, []byte(req.ID.Str), `"result":`, result)
	} else if err == nil {
		err = s.conn.Reply(s.ctx, req.ID, result)
	} else {
		e, ok := errors.AsType[*jsonrpc2.Error](err)
		if !ok {
			e = &jsonrpc2.Error{Code: codeRequestFailed, Message: err.Error()}
		}
		err = s.conn.ReplyWithError(s.ctx, req.ID, e)
	}
	if err != nil {
		s.options.Log.Debug("reply", "method", req.Method, "error", err)
	}
}

// await runs a request. If the request is canceled, await returns immediately, and the work ends
// when it next checks its context.
func (s *server) await(ctx context.Context, v *view, req *jsonrpc2.Request) (any, error) {
	type answer struct {
		result any
		err    error
	}
	done := make(chan answer, 1)
	s.requests.Go(func() {
		result, err := s.dispatch(ctx, v, req)
		done <- answer{result, err}
	})
	select {
	case a := <-done:
		if ctx.Err() == nil {
			return a.result, a.err
		}
	case <-ctx.Done():
	}
	return nil, &jsonrpc2.Error{Code: codeRequestCanceled, Message: "the request was canceled"}
}

// dispatch calls the handler of a message. A panic is a bug in the server and fails only the one
// request.
func (s *server) dispatch(ctx context.Context, v *view, req *jsonrpc2.Request) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.options.Log.Error("panic", "method", req.Method, "panic", r, "stack", string(debug.Stack()))
			err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error in %s: %v", req.Method, r)}
		}
	}()
	if err := s.checkState(req); err != nil {
		return nil, err
	}
	handle := s.methods[req.Method]
	switch {
	case handle == nil && req.Notif && strings.HasPrefix(req.Method, "$/"):
		return nil, nil // the protocol allows ignoring these
	case handle == nil:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown method " + req.Method}
	}
	params := json.RawMessage("{}")
	if req.Params != nil {
		params = *req.Params
	}
	return handle(s, ctx, v, params)
}

func invalidParams(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprint(err)}
}

// checkState rejects messages that are invalid in the current state of the server.
func (s *server) checkState(req *jsonrpc2.Request) error {
	s.state.Lock()
	defer s.state.Unlock()
	switch {
	case s.phase == fresh && req.Method != protocol.MethodInitialize:
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server is not initialized"}
	case s.phase == live && req.Method == protocol.MethodInitialize:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is already initialized"}
	case s.phase >= closing:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server has shut down"}
	}
	return nil
}

// nonNull returns a token, or nil if it is null.
func nonNull(token json.RawMessage) json.RawMessage {
	if string(token) == "null" {
		return nil
	}
	return token
}
