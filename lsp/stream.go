package lsp

import (
	"bufio"
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
	maxFirst  = 16 << 20 // bytes of one message before initialize
	maxHeader = 8 << 10  // bytes of one header line
)

// headers are the headers that a message may have.
var headers = []string{"Content-Length", "Content-Type"}

// stream reads and writes messages, each after its Content-Length. Malformed JSON is answered with
// a parse error; a malformed frame closes the connection.
type stream struct {
	conn io.Closer
	r    *bufio.Reader
	codec

	mu sync.Mutex
	w  *bufio.Writer
}

func newStream(conn io.ReadWriteCloser) *stream {
	return &stream{conn: conn, r: bufio.NewReaderSize(conn, maxHeader), w: bufio.NewWriter(conn)}
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (s *stream) WriteObject(v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	return s.write(data)
}

func (s *stream) write(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "Content-Length: %d\r\n\r\n", len(data))
	_, _ = s.w.Write(data) // the flush reports errors
	return s.w.Flush()
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *stream) ReadObject(v any) error { return s.readMessage(v, s.frame, s.write) }

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
			return nil, fmt.Errorf("%q is not a header of a message", text) // such as an HTTP request of a browser
		}
		if strings.EqualFold(name, headers[0]) {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > s.limit() {
				return nil, fmt.Errorf("a message cannot have %q bytes", strings.TrimSpace(value))
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

// webSocket reads and writes messages, each in one WebSocket frame.
type webSocket struct {
	conn *websocket.Conn
	codec
	mu sync.Mutex // of writes
}

// NewWebSocket returns a message stream over a connection, for [ServeStream].
func NewWebSocket(conn *websocket.Conn) jsonrpc2.ObjectStream { return &webSocket{conn: conn} }

// WriteObject implements [jsonrpc2.ObjectStream].
func (s *webSocket) WriteObject(v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	return s.write(data)
}

func (s *webSocket) write(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn.WriteMessage(websocket.TextMessage, data)
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *webSocket) ReadObject(v any) error { return s.readMessage(v, s.frame, s.write) }

// Close implements [jsonrpc2.ObjectStream].
func (s *webSocket) Close() error { return s.conn.Close() }

func (s *webSocket) frame() ([]byte, error) {
	s.conn.SetReadLimit(int64(s.limit()))
	_, body, err := s.conn.ReadMessage()
	if _, closed := errors.AsType[*websocket.CloseError](err); closed {
		return nil, io.EOF
	}
	return body, err
}
