package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"
)

// The limits of what a client may send.
const (
	maxFrame  = 64 << 20 // bytes of one message
	maxHeader = 8 << 10  // bytes of one header line
)

// headers are those a message may have.
var headers = []string{"Content-Length", "Content-Type"}

// stream reads and writes messages, each behind its Content-Length. A message that is no JSON, or no message, is
// answered with an error and passed over; what is no frame ends the connection.
type stream struct {
	conn io.Closer
	r    *bufio.Reader

	mu sync.Mutex
	w  *bufio.Writer
}

func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{conn: conn, r: bufio.NewReaderSize(conn, maxHeader), w: bufio.NewWriter(conn)}
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (s *stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "Content-Length: %d\r\n\r\n", len(data))
	_, _ = s.w.Write(data) // the flush reports what goes wrong
	return s.w.Flush()
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *stream) ReadObject(v any) error {
	for {
		body, err := s.frame()
		if err != nil {
			return err
		}
		refusal := read(body, v)
		if refusal == nil {
			return nil
		}
		if err := s.WriteObject(refusal); err != nil {
			return err
		}
	}
}

// read decodes a message. One that is no JSON, or no message, gives the answer that says so.
func read(body []byte, v any) (refusal any) {
	err := json.Unmarshal(body, v)
	if err == nil {
		return nil
	}
	code := int64(jsonrpc2.CodeInvalidRequest)
	if !json.Valid(body) {
		code = jsonrpc2.CodeParseError
	}
	return map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": err.Error()}}
}

// Close implements [jsonrpc2.ObjectStream].
func (s *stream) Close() error { return s.conn.Close() }

// frame reads the body of one message.
func (s *stream) frame() ([]byte, error) {
	length := -1
	for {
		line, err := s.r.ReadSlice('\n')
		if err != nil {
			if len(line) > 0 || length >= 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok || !slices.ContainsFunc(headers, func(h string) bool { return strings.EqualFold(h, name) }) {
			return nil, fmt.Errorf("%q is no header of a message", text) // such as what a browser sends to a port
		}
		if strings.EqualFold(name, headers[0]) {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxFrame {
				return nil, fmt.Errorf("a message of %q bytes", strings.TrimSpace(value))
			}
		}
	}
	if length < 0 {
		return nil, errors.New("a message without Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(s.r, body)
	return body, err
}

// messages are those of a WebSocket, each in a frame of its own.
type messages struct {
	conn *websocket.Conn
	mu   sync.Mutex // of writes
}

// NewWebSocket makes messages for [ServeStream] of a connection.
func NewWebSocket(conn *websocket.Conn) jsonrpc2.ObjectStream {
	conn.SetReadLimit(maxFrame)
	return &messages{conn: conn}
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (m *messages) WriteObject(v any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.conn.WriteJSON(v)
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (m *messages) ReadObject(v any) error {
	for {
		_, body, err := m.conn.ReadMessage()
		if _, closed := errors.AsType[*websocket.CloseError](err); closed {
			return io.EOF
		}
		if err != nil {
			return err
		}
		refusal := read(body, v)
		if refusal == nil {
			return nil
		}
		if err := m.WriteObject(refusal); err != nil {
			return err
		}
	}
}

// Close implements [jsonrpc2.ObjectStream].
func (m *messages) Close() error { return m.conn.Close() }
