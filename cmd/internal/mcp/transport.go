package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// maxLine is how many bytes a message of a client may have.
const maxLine = 4 << 20

// streams is a transport of one message per line. The one of the SDK closes the connection at a
// line that is not a message; this one answers it with the error of JSON-RPC and continues. The
// messages of a batch are answered one by one.
//
// The input of the SDK ends once every request has its answer: the SDK closes the connection when
// the input ends, and a client that writes its requests and closes the pipe would miss the answers.
type streams struct {
	in  io.ReadCloser
	out io.WriteCloser
}

func (t streams) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{streams: t, messages: make(chan jsonrpc.Message), open: map[any]bool{}, answered: make(chan struct{}), closed: make(chan struct{})}
	go c.readLines()
	return c, nil
}

type connection struct {
	streams
	messages chan jsonrpc.Message // closed at the end of the input
	err      error                // of the input; set before messages is closed

	mu       sync.Mutex
	open     map[any]bool // the ids of requests without an answer
	writes   int          // answers being written
	ended    bool         // the SDK knows that the input has ended
	answered chan struct{}
	once     [2]sync.Once // of answered and closed
	closed   chan struct{}

	writing sync.Mutex
}

// readLines sends the messages of the input to messages, and answers what is not a message.
func (c *connection) readLines() {
	defer close(c.messages)
	in := bufio.NewReaderSize(c.in, 64<<10)
	for n := 0; ; n++ {
		line, isLong, err := readLine(in)
		if n == 0 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if line = bytes.TrimSpace(line); isLong {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message is longer than %d bytes", maxLine))
		} else if len(line) > 0 && !c.take(line) {
			return
		}
		if err != nil {
			c.err = err
			return
		}
	}
}

// readLine returns the next line, which may be the last one without an end. Of a line that is too
// long it returns nothing.
func readLine(in *bufio.Reader) (line []byte, isLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if isLong = isLong || len(line)+len(part) > maxLine; isLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, isLong, err
		}
	}
}

// take sends the message of a line, or the messages of a batch. It returns false if the connection
// was closed.
func (c *connection) take(line []byte) bool {
	if !utf8.Valid(line) {
		c.refuse(nil, jsonrpc.CodeParseError, "a message must be UTF-8")
		return true
	}
	if err := json.Unmarshal(line, new(json.RawMessage)); err != nil {
		c.refuse(nil, jsonrpc.CodeParseError, "a message must be one line of JSON: "+err.Error())
		return true
	}
	list := []json.RawMessage{line}
	if line[0] == '[' {
		_ = json.Unmarshal(line, &list) // is JSON
		if len(list) == 0 {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, "an empty batch")
		}
	}
	for _, text := range list {
		m, err := jsonrpc.DecodeMessage(text)
		if err != nil {
			c.refuse(idOf(text), jsonrpc.CodeInvalidRequest, "not a message of JSON-RPC 2.0: "+err.Error())
			continue
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() && !c.begin(r.ID) {
			c.refuse(r.ID.Raw(), jsonrpc.CodeInvalidRequest, "a request with this id has no answer yet")
			continue
		}
		select {
		case c.messages <- m:
		case <-c.closed:
			return false
		}
	}
	return true
}

// begin records a request as unanswered. It returns false if an unanswered request has the same id,
// because the SDK would answer only one of the two.
func (c *connection) begin(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[id.Raw()] {
		return false
	}
	c.open[id.Raw()] = true
	return true
}

// idOf returns the id of what should be a request, nil if it has none that an answer may have.
func idOf(text []byte) any {
	var request struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(text, &request) != nil {
		return nil
	}
	switch request.ID.(type) {
	case string, float64:
		return request.ID
	}
	return nil
}

// refuse answers what is not a message.
func (c *connection) refuse(id any, code int64, message string) {
	_ = c.writeLine(canonjson.EncodeLine(struct { // an output that fails ends the connection with the next answer
		JSONRPC string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   any    `json:"error"`
	}{"2.0", id, map[string]any{"code": code, "message": message}}))
}

func (c *connection) writeLine(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.messages:
		if !ok {
			break
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	c.ended = true
	c.check()
	c.mu.Unlock()
	select {
	case <-c.answered:
	case <-c.closed:
	case <-ctx.Done():
	}
	return nil, c.err
}

func (c *connection) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	r, isAnswer := m.(*jsonrpc.Response)
	if isAnswer { // the client may use the id again as soon as it has read the answer
		c.mu.Lock()
		delete(c.open, r.ID.Raw())
		c.writes++
		c.mu.Unlock()
	}
	if err == nil {
		err = c.writeLine(line)
	}
	if isAnswer {
		c.mu.Lock()
		c.writes--
		c.check()
		c.mu.Unlock()
	}
	return err
}

// check closes answered if there is nothing more to answer.
func (c *connection) check() {
	if c.ended && len(c.open) == 0 && c.writes == 0 {
		c.once[0].Do(func() { close(c.answered) })
	}
}

// Close ends reading and writing.
func (c *connection) Close() error {
	var err error
	c.once[1].Do(func() {
		close(c.closed)
		err = errors.Join(c.in.Close(), c.out.Close())
	})
	return err
}

// SessionID is empty: there is one session.
func (c *connection) SessionID() string { return "" }
