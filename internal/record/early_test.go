package record

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestEarlyAnswer gets an answer that begins before the request has ended.
func TestEarlyAnswer(t *testing.T) {
	base, _, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		_ = c.EnableFullDuplex()
		_ = c.Flush()
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
	})
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	body := `{"messages":["` + strings.Repeat("x", 10_000) + `"]}`
	fmt.Fprintf(c, "POST %s/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", u.Path, len(body), body[:9000])
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, body[9000:])
	if got, err := io.ReadAll(resp.Body); err != nil || string(got) != body {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	c.Close()
	if _, lines := done(); len(lines) != 4 || !strings.Contains(lines[2], `"end":"complete"`) || !strings.Contains(lines[1], body) {
		t.Errorf("%q", lines)
	}
}
