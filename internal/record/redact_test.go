package record

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/redact"
)

// TestRedacted sends secrets in all parts of requests and answers, whole and in the pieces of a
// stream. Nothing on the disk has them, and the rest is what was sent.
func TestRedacted(t *testing.T) {
	const (
		token = "glpat-Ab3dE5gH7jK9mN1pQ3sT"
		image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
	)
	using, err := redact.New(redact.Options{Names: []string{"Lovelace"}})
	if err != nil {
		t.Fatal(err)
	}
	base, folder, done := recorderWith(t, using, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "jo@example.org")
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream"`) {
			fmt.Fprintf(w, `{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"it is %s"}}]}`, token)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"it is ", token[:9], token[9:], " of 10.1.2.3"} {
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%q}}]}\n\n", piece)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	})
	messages := []string{
		`{"role":"user","content":"I am jo@example.org, Lovelace, in /home/jo/app \u0031 1.50"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_` + token + `","type":"function","function":{"name":"login","arguments":"{\"password\":\"hunter2x\"}"}}]}`,
		`{"role":"tool","tool_call_id":"call_` + token + `","content":"echo hunter2x from 10.1.2.3"}`,
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + image + `"}}]}`,
		`{"role":"user","content":"ok"}`,
	}
	body := func(n int, more string) string {
		return `{"model":"m","temperature":1.50` + more + `,"messages":[` + strings.Join(messages[:n], ",") + `]}`
	}
	post(t, base+"/chat/completions?user=jo@example.org", body(3, ""))
	post(t, base+"/chat/completions", body(5, `,"stream":true`))
	post(t, base+"/chat/completions", body(5, ""))
	post(t, base+"/chat/completions", strings.ReplaceAll(body(1, ""), "I am", `\ud800 I am`)) // cannot be searched
	end, lines := done()
	disk := everything(t, folder)
	for _, secret := range []string{token[:9], token[9:], image, "jo@", "home/jo", "hunter2x", "10.1.2.3", "Lovelace", "/ada"} {
		if at := strings.Index(disk, secret); at >= 0 {
			t.Errorf("%s is on the disk: %s", secret, disk[max(0, at-150):min(len(disk), at+60)])
		}
	}
	if !strings.Contains(lines[0], `"redacted":true`) {
		t.Error(lines[0])
	}
	want := &redact.Report{Redacted: 7, Kinds: map[string]int{"home-folder": 2, "email": 1, "name": 1, "gitlab-pat": 1, "credential": 1, "ip": 1}, Images: 1}
	if !reflect.DeepEqual(end.Redacted, want) || end.Lost > 0 || len(end.Notes) != 1 {
		t.Errorf("%+v %+v", end, end.Redacted)
	}
	for _, part := range []string{
		`"temperature":1.50`, `"kept":{"messages":[1,5]}`, `"why":"cannot be searched for secrets"`, `"content":"it is [redacted gitlab-pat 1] of [redacted ip 1]"`,
		`"id":"call_[redacted gitlab-pat 1]"`, `"tool_call_id":"call_[redacted gitlab-pat 1]","content":"echo [redacted credential 1] from [redacted ip 1]"`,
		`"stream":true`, `base64,[image/png of 96 characters left out]`, `1.50"}`,
	} {
		if !strings.Contains(disk, part) {
			t.Errorf("%s is missing in %s", part, disk)
		}
	}
}
