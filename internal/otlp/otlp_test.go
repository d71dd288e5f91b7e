package otlp

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/record"
)

func text(name, value string) *common.KeyValue {
	return &common.KeyValue{Key: name, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}}
}

func oneSpan(attributes ...*common.KeyValue) *trace.TracesData {
	return &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte("01234567"), Name: "chat", Kind: 3, StartTimeUnixNano: 1795876228679998511, Attributes: attributes,
	}}}}}}}
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	out, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

const (
	spanJSON = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"30313233343536373839616263646566","spanId":"3031323334353637","name":"chat","kind":3,` +
		`"startTimeUnixNano":"1795876228679998511","attributes":[{"key":"a","value":{"stringValue":"é\u003c"}}]}]}]}]}`
	protobuf = "application/x-protobuf"
	asJSON   = "application/json"
)

type request struct {
	method, path, kind, encoding string
	headers                      map[string]string
	host                         string
	body                         []byte
}

func (q request) send(h http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequest(q.method, "http://"+q.host+q.path, bytes.NewReader(q.body))
	r.Header.Set("Content-Type", q.kind)
	if q.encoding != "" {
		r.Header.Set("Content-Encoding", q.encoding)
	}
	for name, value := range q.headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func open(t *testing.T) (*Receiver, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "run")
	f, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return NewReceiver(f), folder
}

func written(t *testing.T, folder string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, record.OTLPName))
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestEncodings sends the same span in all encodings.
func TestEncodings(t *testing.T) {
	r, folder := open(t)
	binary := marshal(t, oneSpan(text("a", "é<")))
	for _, q := range []request{
		{kind: protobuf, body: binary},
		{kind: protobuf, encoding: "gzip", body: gzipped(binary)},
		{kind: asJSON + "; charset=utf-8", body: []byte(spanJSON)},
		{kind: asJSON, encoding: "gzip", body: gzipped([]byte(strings.Replace(spanJSON, `"kind":3`, `"kind":"SPAN_KIND_CLIENT","new":[1]`, 1)))},
	} {
		q.method, q.host, q.path = "POST", "localhost:4318", "/v1/traces"
		w := q.send(r)
		kind, _, _ := strings.Cut(q.kind, ";")
		if body := w.Body.String(); w.Code != 200 || w.Header().Get("Content-Type") != kind || body != map[string]string{protobuf: "", asJSON: "{}"}[kind] {
			t.Errorf("%s %s: %d %q %v", q.kind, q.encoding, w.Code, body, w.Header())
		}
	}
	var want any
	if err := json.Unmarshal([]byte(spanJSON), &want); err != nil {
		t.Fatal(err)
	}
	lines := written(t, folder)
	for _, line := range lines {
		var got any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if len(lines) != 4 || r.counts.Requests != 4 {
		t.Errorf("%d lines, %+v", len(lines), r.counts)
	}
	for name, mode := range map[string]os.FileMode{folder: 0o700, filepath.Join(folder, record.OTLPName): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// TestRefused sends requests that are not OTLP or not from this machine. Each gets its status, and
// nothing is written.
func TestRefused(t *testing.T) {
	r, folder := open(t)
	binary := marshal(t, oneSpan())
	good := request{"POST", "/v1/traces", protobuf, "", nil, "127.0.0.1:4318", binary}
	change := func(f func(*request)) request {
		q := good
		f(&q)
		return q
	}
	bomb := gzipped(make([]byte, mostBody+1))
	deep := strings.Repeat(`{"arrayValue":{"values":[`, 1000) + strings.Repeat(`]}}`, 1000)
	for name, c := range map[string]struct {
		request
		status int
	}{
		"rebinding": {change(func(q *request) { q.host = "evil.example" }), 403},
		"page":      {change(func(q *request) { q.headers = map[string]string{"Origin": "http://localhost:3000"} }), 403},
		"image":     {change(func(q *request) { q.headers = map[string]string{"Sec-Fetch-Site": "same-site"} }), 403},
		"path":      {change(func(q *request) { q.path = "/v1/trace" }), 404},
		"get":       {change(func(q *request) { q.method = "GET" }), 405},
		"form":      {change(func(q *request) { q.kind = "text/plain" }), 415},
		"brotli":    {change(func(q *request) { q.encoding = "br" }), 415},
		"not gzip":  {change(func(q *request) { q.encoding = "gzip" }), 400},
		"cut gzip":  {change(func(q *request) { q.encoding, q.body = "gzip", gzipped(binary)[:20] }), 400},
		"bomb":      {change(func(q *request) { q.encoding, q.body = "gzip", bomb }), 413},
		"large":     {change(func(q *request) { q.body = make([]byte, mostBody+1) }), 413},
		"garbage":   {change(func(q *request) { q.body = []byte("hello") }), 400},
		"not JSON":  {change(func(q *request) { q.kind, q.body = asJSON, []byte("{") }), 400},
		"deep": {change(func(q *request) {
			q.kind = asJSON
			q.body = []byte(strings.Replace(spanJSON, `{"stringValue":"é\u003c"}`, deep, 1))
		}), 400},
	} {
		w := c.send(r)
		if w.Code != c.status || w.Body.Len() == 0 {
			t.Errorf("%s: %d %q, want %d", name, w.Code, w.Body, c.status)
		}
		if c.kind == asJSON {
			var status struct{ Message string }
			if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil || status.Message == "" {
				t.Errorf("%s: %q", name, w.Body)
			}
		}
	}
	if w := change(func(q *request) { q.path = "/v1/metrics" }).send(r); w.Code != 200 {
		t.Errorf("metrics: %d", w.Code)
	}
	if w := change(func(q *request) { q.body = nil }).send(r); w.Code != 200 {
		t.Errorf("an empty request: %d", w.Code)
	}
	if lines := written(t, folder); lines[0] != "" || r.counts.Requests != 0 {
		t.Errorf("%q", lines)
	}
}

// TestNoMemory sends a request that exceeds the memory limit.
func TestNoMemory(t *testing.T) {
	defer budget.Set(0)
	budget.Set(160 << 20)
	r, _ := open(t)
	for size, status := range map[int]int{4 << 20: 400, 8 << 20: 413} {
		q := request{"POST", "/v1/traces", protobuf, "", nil, "127.0.0.1:4318", make([]byte, size)}
		if w := q.send(r); w.Code != status {
			t.Errorf("%d bytes: %d %q", size, w.Code, w.Body)
		}
		q.encoding, q.body = "gzip", gzipped(q.body)
		if w := q.send(r); w.Code != status {
			t.Errorf("%d bytes, gzip: %d %q", size, w.Code, w.Body)
		}
	}
}

// TestPartial sends spans with invalid ids. The answer counts them.
func TestPartial(t *testing.T) {
	r, folder := open(t)
	m := oneSpan()
	spans := &m.ResourceSpans[0].ScopeSpans[0].Spans
	*spans = append(*spans, &trace.Span{TraceId: []byte("short"), SpanId: []byte("01234567")}, &trace.Span{Name: "without"},
		&trace.Span{TraceId: []byte("0123456789abcdef"), SpanId: []byte("76543210"), Links: []*trace.Span_Link{{TraceId: []byte("x")}}})
	w := request{method: "POST", path: "/v1/traces", kind: protobuf, host: "[::1]:4318", body: marshal(t, m)}.send(r)
	if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, "ids must have") {
		t.Errorf("%d %q", w.Code, got)
	}
	if got := strings.Count(written(t, folder)[0], `"spanId"`); got != 2 || r.counts.Rejected != 2 {
		t.Errorf("%d spans, %+v", got, r.counts)
	}
	l := marshal(t, &logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{ScopeLogs: []*logs.ScopeLogs{{LogRecords: []*logs.LogRecord{{EventName: "e"}, {TraceId: []byte("x")}}}}}}})
	if w := (request{method: "POST", path: "/v1/logs", kind: protobuf, host: "localhost", body: l}).send(r); w.Code != 200 || w.Body.Len() == 0 {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	if got := (signal{rejected: "rejectedSpans"}).answer(2, true); !strings.Contains(string(got), `"rejectedSpans":"2"`) {
		t.Errorf("%s", got)
	}
}

// TestCredentials sends credentials in attributes. Only those in messages are written.
func TestCredentials(t *testing.T) {
	r, folder := open(t)
	const key, message = "sk-ant-Zk3vQ81mLw0pYt6xZk3vQ81m", "my key is sk-ant-Zk3vQ81mLw0pYt6xZk3vQ81m"
	for i, a := range []*common.KeyValue{
		text("http.request.header.authorization", "Bearer "+key), text("http.request.header.x_api_key", key), text("http.response.header.set-cookie", "s="+key),
		text("url.full", "https://x.example/v1?key="+key+"&b=1"), text("http.url", "https://u:"+key+"@x.example/"), text("db.password", key),
		text("llm.api_key", key), text("process.command_line", "agent --token "+key), text("exception.message", "Incorrect API key: "+key),
		{Key: "http.request.header.authorization", Value: &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: []*common.AnyValue{text("", key).Value}}}}},
		{Key: "headers", Value: &common.AnyValue{Value: &common.AnyValue_KvlistValue{KvlistValue: &common.KeyValueList{Values: []*common.KeyValue{text("authorization", key)}}}}},
	} {
		q := request{method: "POST", path: "/v1/traces", kind: protobuf, host: "localhost", headers: map[string]string{"Authorization": "Bearer " + key}, body: marshal(t, oneSpan(a, text("gen_ai.input.messages", message)))}
		if w := q.send(r); w.Code != 200 {
			t.Fatal(w.Code)
		}
		line := written(t, folder)[i]
		if !strings.Contains(line, message) || strings.Contains(strings.ReplaceAll(line, message, ""), key) {
			t.Errorf("%s: %s", a.Key, line)
		}
	}
}

// TestRestart continues the file of a receiver that was killed while it wrote a line.
func TestRestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run")
	send := func(r *Receiver) int {
		return request{method: "POST", path: "/v1/traces", kind: asJSON, host: "localhost", body: []byte(spanJSON)}.send(r).Code
	}
	for i, torn := range []string{"", `{"resourceSpans":[{"sco`, strings.Repeat("x", 1<<17)} {
		f, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(folder); !errors.Is(err, atomicfile.ErrInUse) {
			t.Errorf("a second receiver: %v", err)
		}
		if code := send(NewReceiver(f)); code != 200 {
			t.Fatal(code)
		}
		if lines := written(t, folder); len(lines) != i+1 || strings.TrimSpace(lines[0]) != strings.TrimSpace(lines[i]) {
			t.Errorf("%q", lines)
		}
		if _, err := io.WriteString(f, torn); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if code := send(NewReceiver(f)); code != 503 { // writing to a closed file fails
			t.Errorf("%d, want 503", code)
		}
	}
}

func TestConcurrentRequests(t *testing.T) {
	r, folder := open(t)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if w := (request{method: "POST", path: "/v1/traces", kind: asJSON, host: "localhost", body: []byte(spanJSON)}).send(r); w.Code != 200 {
				t.Error(w.Code)
			}
		})
	}
	all.Wait()
	if n := len(written(t, folder)); n != 50 {
		t.Errorf("%d lines", n)
	}
}

func TestAddress(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:4318": true, "localhost:0": true, "[::1]:4318": true, "127.0.0.7:1": true,
		"0.0.0.0:4318": false, ":4318": false, "192.168.1.2:4318": false, "example.org:4318": false, "127.0.0.1": false, "127.0.0.1:http": false, "[::]:1": false,
	} {
		if err := CheckAddress(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(spanJSON), true)
	f.Add(marshal(f, oneSpan(text("http.url", "x"))), false)
	f.Fuzz(func(t *testing.T, body []byte, isJSON bool) {
		for path, s := range signals {
			got, err := s.read(body, isJSON, new(scrubber).attributes)
			if err == nil && len(got.line) > 0 && (!json.Valid(got.line) || bytes.Count(got.line, []byte("\n")) != 1) {
				t.Errorf("%s: %q", path, got.line)
			}
			if again, _ := s.read(got.line, true, new(scrubber).attributes); err == nil && !bytes.Equal(again.line, got.line) {
				t.Errorf("%s: %q is read again as %q", path, got.line, again.line)
			}
		}
	})
}
