package record

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/internal/redact"
)

// recorder starts a provider and a proxy to it. done ends the recording and returns its lines.
func recorder(t *testing.T, provider http.HandlerFunc) (base, folder string, done func() (End, []string)) {
	t.Helper()
	return recorderWith(t, nil, provider)
}

// recorderWith is recorder with a redactor.
func recorderWith(t *testing.T, using *redact.Redactor, provider http.HandlerFunc) (base, folder string, done func() (End, []string)) {
	t.Helper()
	stub := httptest.NewServer(provider)
	t.Cleanup(stub.Close)
	return recorderOf(t, using, stub.URL+"/v1")
}

// recorderOf is recorderWith for a provider that has an address.
func recorderOf(t *testing.T, using *redact.Redactor, address string) (base, folder string, done func() (End, []string)) {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(t.TempDir(), "recording")
	l, err := Create(folder, Header{Command: []string{"agent", "--api-key", "hunter2hunter2"}, Start: time.Unix(0, 0).UTC(), Folder: "/home/ada/shop", Redactor: using})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Listen(l, []Upstream{{Name: "openai", URL: to}})
	if err != nil {
		t.Fatal(err)
	}
	return p.Base("openai"), folder, func() (End, []string) {
		p.Close(t.Context())
		end := l.Close(nil)
		data, err := os.ReadFile(filepath.Join(folder, LogName))
		if err != nil {
			t.Fatal(err)
		}
		return end, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
}

func post(t *testing.T, address, body string, header ...string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// TestProxy passes two requests on, one of which is answered by a stream.
func TestProxy(t *testing.T) {
	base, folder, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/chat/completions" || r.URL.RawQuery != "a=%20b" || r.Header.Get("X-Forwarded-For") != "1.2.3.4" {
			t.Errorf("the provider got %s, %v", r.URL, r.Header)
		}
		if !strings.Contains(string(body), `"stream"`) {
			io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"one"}}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"tw", "o"} {
			io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"`+piece+`"}}]}`+"\n\n")
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: [DONE]\n\n")
	})
	first := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("a long question ", 40) + `"}]}`
	second := strings.TrimSuffix(first, "]}") + `,{"role":"assistant","content":"one"},{"role":"user","content":"on"}],"stream":true}`
	post(t, base+"/chat/completions?a=%20b", "\n "+first+"\n", "X-Forwarded-For", "1.2.3.4")
	if got := post(t, base+"/chat/completions?a=%20b", second, "X-Forwarded-For", "1.2.3.4"); strings.Count(got, "data: ") != 3 {
		t.Errorf("the stream is %q", got)
	}
	end, lines := done()
	if len(lines) != 6 || end.Calls != 2 || end.Lost != 0 || end.Notes != nil {
		t.Fatalf("%+v\n%s", end, strings.Join(lines, "\n"))
	}
	var call struct {
		Kept    map[string][]int
		Request struct{ Messages []any }
	}
	if err := json.Unmarshal([]byte(lines[3]), &call); err != nil || len(call.Request.Messages) != 2 || len(call.Kept["messages"]) != 2 {
		t.Errorf("%v: %s", err, lines[3])
	}
	if !strings.Contains(lines[4], `"content":"two"`) || !strings.Contains(lines[4], `"end":"complete"`) {
		t.Error(lines[4])
	}
	if strings.Contains(lines[0], "hunter2") || !strings.Contains(lines[0], `"<credential 1>"`) {
		t.Error(lines[0])
	}
	for name, want := range map[string]os.FileMode{"": 0o700, LogName: 0o600, StreamsName: 0o600} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}
