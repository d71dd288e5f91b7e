package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// The limits of what a client may send.
const (
	maxFrame  = 64 << 20 // bytes of one message
	maxHeader = 8 << 10  // bytes of one header line
)

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
		if err = json.Unmarshal(body, v); err == nil {
			return nil
		}
		code := int64(jsonrpc2.CodeInvalidRequest)
		if !json.Valid(body) {
			code = jsonrpc2.CodeParseError
		}
		if err := s.WriteObject(map[string]any{
			"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": err.Error()},
		}); err != nil {
			return err
		}
	}
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
		if name, value, ok := strings.Cut(text, ":"); ok && strings.EqualFold(name, "Content-Length") {
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
