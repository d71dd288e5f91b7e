package record

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// answered is an answer of a provider.
const answered = `{"choices":[{"index":0,"message":{"role":"assistant","content":"fine"}}]}`

// through returns a proxy for a provider, and what it records in the end.
func through(t *testing.T, address string) (base string, recorded func() string) {
	t.Helper()
	base, _, done := recorderOf(t, nil, address)
	return base, func() string {
		_, lines := done()
		return strings.Join(lines, "\n")
	}
}

func wants(t *testing.T, log string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(log, part) {
			t.Errorf("%s is not in\n%s", part, log)
		}
	}
}

// TestEncodings passes compressed bodies on as they are, and records what they say.
func TestEncodings(t *testing.T) {
	makers := map[string]func(io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
		"raw":     func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 5); return z },
		"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd":    func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
	}
	packed := func(names, text string) []byte {
		for name := range strings.SplitSeq(names, ", ") {
			var b bytes.Buffer
			w := makers[name](&b)
			_, _ = io.WriteString(w, text)
			_ = w.Close()
			text = b.String()
		}
		return []byte(text)
	}
	for _, name := range []string{"gzip", "deflate", "raw", "br", "zstd", "gzip, br"} {
		t.Run(name, func(t *testing.T) {
			encoding := strings.Replace(name, "raw", "deflate", 1)
			request := packed(name, `{"messages":[{"role":"user","content":"Hello, `+name+`."}]}`)
			stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if body, _ := io.ReadAll(r.Body); !bytes.Equal(body, request) || r.Header.Get("Content-Encoding") != encoding {
					t.Errorf("the provider got %q", body)
				}
				w.Header().Set("Content-Encoding", encoding)
				_, _ = w.Write(packed(name, answered))
			}))
			defer stub.Close()
			base, recorded := through(t, stub.URL)
			q, _ := http.NewRequest(http.MethodPost, base+"/chat/completions", bytes.NewReader(request))
			q.Header.Set("Content-Encoding", encoding)
			q.Header.Set("Accept-Encoding", encoding)
			r, err := http.DefaultClient.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if !bytes.Equal(body, packed(name, answered)) {
				t.Errorf("the program got %q", body)
			}
			wants(t, recorded(), "Hello, "+name+".", `"response":{"choices"`)
		})
	}
}

// TestVersions passes HTTP/2 and IPv6 of a provider on.
func TestVersions(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":"%s %d. "}}]}`+"\n\n", r.Proto, i)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: [DONE]\n\n")
	})
	two := httptest.NewUnstartedServer(handler)
	two.EnableHTTP2 = true
	two.StartTLS()
	defer two.Close()
	transport := http.DefaultTransport.(*http.Transport)
	transport.TLSClientConfig = &tls.Config{RootCAs: two.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	defer func() { transport.TLSClientConfig = nil }()
	listener, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	six := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}
	six.Start()
	defer six.Close()
	for address, want := range map[string]string{two.URL: "HTTP/2.0 0. HTTP/2.0 1. HTTP/2.0 2. ", six.URL: "HTTP/1.1 0. HTTP/1.1 1. HTTP/1.1 2. "} {
		base, recorded := through(t, address)
		if got := post(t, base+"/chat/completions", `{"messages":[{"role":"user","content":"hi"}]}`); strings.Count(got, "data: ") != 4 {
			t.Errorf("%s: %s", address, got)
		}
		wants(t, recorded(), `"content":"`+want+`"`, `"end":"complete"`)
	}
}

// TestAuthorities reaches a provider that only a variable of the program makes trusted.
func TestAuthorities(t *testing.T) {
	stub := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		io.WriteString(w, answered)
	}))
	defer stub.Close()
	stub.Config.ErrorLog = log.New(io.Discard, "", 0)
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: stub.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range authorities {
		t.Setenv(name, "")
	}
	for _, name := range authorities {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, file)
			base, recorded := through(t, stub.URL)
			if got := post(t, base+"/chat/completions", `{"messages":[]}`); got != answered {
				t.Error(got)
			}
			wants(t, recorded(), `"end":"complete"`)
		})
	}
}

// TestEndless answers a request whose body has no end and whose provider is not there.
func TestEndless(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	base, recorded := through(t, gone.URL)
	body, more := io.Pipe()
	go func() { _, _ = io.WriteString(more, `{"messages":[`) }()
	r, err := http.Post(base+"/chat/completions", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	if r.StatusCode != http.StatusBadGateway || err != nil || !strings.Contains(string(text), "cannot reach") {
		t.Errorf("%s %q %v", r.Status, text, err)
	}
	more.Close()
	r.Body.Close()
	wants(t, recorded(), `"end":"not reached"`)
}

// TestAllProxy reaches a provider through the proxy of ALL_PROXY, except for the hosts of NO_PROXY.
func TestAllProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "all_proxy", "no_proxy"} {
		t.Setenv(name, "")
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Replace(answered, "fine", r.URL.Host, 1))
	}))
	defer proxy.Close()
	t.Setenv("ALL_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "inside.invalid")
	base, recorded := through(t, "http://provider.invalid")
	if got := post(t, base+"/chat/completions", `{"messages":[]}`); !strings.Contains(got, "provider.invalid") {
		t.Error(got)
	}
	recorded()
	base, recorded = through(t, "http://inside.invalid")
	post(t, base+"/chat/completions", `{"messages":[]}`)
	wants(t, recorded(), `"end":"not reached"`)
}

// TestParts passes on what is before and after an answer, and answers without a body.
func TestParts(t *testing.T) {
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // a server that answers earlier resets the connection
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Length", "123")
			return
		}
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Link", "</x>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Set("Trailer", "X-Sum")
		io.WriteString(w, answered)
		w.Header().Set("X-Sum", "7")
	}))
	defer stub.Close()
	base, recorded := through(t, stub.URL)
	do := func(method string) (*http.Response, string) {
		q, _ := http.NewRequest(method, base+"/chat/completions", strings.NewReader(`{"messages":[]}`))
		q.Header.Set("Expect", "100-continue")
		hints := 0
		q = q.WithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			if code == http.StatusEarlyHints {
				hints++
			}
			return nil
		}}))
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, _ := io.ReadAll(r.Body)
		if method == http.MethodPost && hints != 1 {
			t.Errorf("%d hints", hints)
		}
		return r, string(body)
	}
	if r, body := do(http.MethodPost); body != answered || r.Trailer.Get("X-Sum") != "7" {
		t.Errorf("%q %v", body, r.Trailer)
	}
	if r, _ := do(http.MethodHead); r.ContentLength != 123 {
		t.Errorf("%v", r.Header)
	}
	if r, _ := do(http.MethodDelete); r.StatusCode != http.StatusNoContent {
		t.Error(r.Status)
	}
	wants(t, recorded(), `"method":"HEAD"`, `"status":204`, `"status":200`, `"calls":3`)
}

// TestUpgrade passes a connection on that stops speaking HTTP.
func TestUpgrade(t *testing.T) {
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, both, _ := w.(http.Hijacker).Hijack()
		defer connection.Close()
		fmt.Fprintf(both, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		both.Flush()
		for {
			line, err := both.ReadString('\n')
			if err != nil {
				return
			}
			both.WriteString("echo " + line)
			both.Flush()
		}
	}))
	defer stub.Close()
	base, recorded := through(t, stub.URL)
	at, _ := url.Parse(base)
	connection, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "GET %s/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", at.Path)
	in := bufio.NewReader(connection)
	r, err := http.ReadResponse(in, nil)
	if err != nil || r.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v %v", r, err)
	}
	for _, text := range []string{"one", "two"} {
		fmt.Fprintln(connection, text)
		if line, err := in.ReadString('\n'); line != "echo "+text+"\n" {
			t.Errorf("%q %v", line, err)
		}
	}
	connection.Close()
	wants(t, recorded(), `"end":"not recorded"`, "WebSockets were passed on and not recorded")
}
