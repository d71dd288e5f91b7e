package inspect

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/internal/sessions"
)

const logs = "../../../thread/source/testdata/inspect"

// reader plays the page: it sends requests to a handler.
type reader struct {
	t      testing.TB
	server *httptest.Server
	source *Source
}

const token = "token-of-the-test"

func inspecting(t testing.TB, o Options, args ...string) *reader {
	t.Helper()
	return inspectingAs(t, o, sessions.Options{}, Known{}, args...)
}

// inspectingAs reads logs with options and knows prices.
func inspectingAs(t testing.TB, o Options, read sessions.Options, known Known, args ...string) *reader {
	t.Helper()
	src, err := Open(t.Context(), args, read, known)
	if err != nil {
		t.Fatal(err)
	}
	o.Token = token
	server := httptest.NewServer(Handler(src, o))
	t.Cleanup(server.Close)
	return &reader{t, server, src}
}

// do sends a request and returns the status and the body.
func (r *reader) do(method, path string, change func(*http.Request)) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (r *reader) get(path string, v any) {
	r.t.Helper()
	status, body := r.do("GET", path, nil)
	if status != http.StatusOK {
		r.t.Fatalf("%s: %d %s", path, status, body)
	}
	if err := json.Unmarshal([]byte(body), v); err != nil {
		r.t.Fatalf("%s: %v in %s", path, err, body)
	}
}

// sessions returns the list once it is complete.
func (r *reader) sessions() []Summary {
	r.t.Helper()
	_, body := r.do("GET", "/api/sessions", nil)
	var out []Summary
	for d := json.NewDecoder(strings.NewReader(body)); d.More(); {
		var s Summary
		if err := d.Decode(&s); err != nil {
			r.t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestSteps builds the tree at each call from the steps, as the page does, and compares it with the
// snapshot.
func TestSteps(t *testing.T) {
	for _, name := range []string{logs + "/summary.eval", logs + "/edit.eval", logs + "/trim.eval", "../../../testdata/fixtures/selectors_1.0.json"} {
		r := inspecting(t, Options{}, name)
		for n := range r.sessions() {
			h, err := r.source.whole(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			var rows []steps.Row
			there := map[int]bool{}
			at := 0
			for s := range steps.NewMaker().Steps(h.History, 0) {
				for _, row := range s.Close {
					if !there[row] {
						t.Fatalf("%s: step %d ends version %d, which is not there", name, at, row)
					}
					delete(there, row)
				}
				for _, row := range s.Open {
					there[len(rows)] = true
					rows = append(rows, row)
				}
				var got, want []string
				for row := range there {
					got = append(got, rows[row].ID+" in "+rows[row].Parent)
				}
				for node := range h.States[at].All() {
					if up, ok := node.Parent(); ok {
						parent := up.ID()
						if _, ok := up.Parent(); !ok {
							parent = ""
						}
						want = append(want, node.ID()+" in "+parent)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s: step %d (-want +got):\n%s", name, at, diff)
				}
				at++
			}
			if at != len(h.States) {
				t.Errorf("%s has %d steps and %d states", name, at, len(h.States))
			}
		}
	}
}

// TestStrangers sends requests that do not come from the page.
func TestStrangers(t *testing.T) {
	r := inspecting(t, Options{}, logs+"/edit.eval")
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		want   int
	}{
		"the page":                  {"/", func(q *http.Request) { q.Header.Del("Authorization") }, http.StatusOK},
		"the data":                  {"/api/sessions", nil, http.StatusOK},
		"from the page":             {"/api/sessions", func(q *http.Request) { q.Header.Set("Origin", "http://"+q.URL.Host) }, http.StatusOK},
		"without the token":         {"/api/sessions", func(q *http.Request) { q.Header.Del("Authorization") }, http.StatusUnauthorized},
		"with another token":        {"/api/sessions", func(q *http.Request) { q.Header.Set("Authorization", "Bearer x") }, http.StatusUnauthorized},
		"another origin":            {"/api/sessions", func(q *http.Request) { q.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"another port":              {"/api/sessions", func(q *http.Request) { q.Header.Set("Origin", "http://127.0.0.1:1") }, http.StatusForbidden},
		"no origin":                 {"/api/sessions", func(q *http.Request) { q.Header.Set("Origin", "null") }, http.StatusForbidden},
		"another site":              {"/", func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"a name for this machine":   {"/api/sessions", func(q *http.Request) { q.Host = "rebound.example" }, http.StatusForbidden},
		"an address of another":     {"/api/sessions", func(q *http.Request) { q.Host = "10.0.0.1:80" }, http.StatusForbidden},
		"a name that looks like it": {"/api/sessions", func(q *http.Request) { q.Host = "localhost.evil.example" }, http.StatusForbidden},
		"a file of the folder":      {"/../server.go", nil, http.StatusNotFound},
		"a call that is not there":  {"/api/nodes?session=0&at=999&id=x", nil, http.StatusUnprocessableEntity},
		"a session that is not":     {"/api/steps?session=7", nil, http.StatusUnprocessableEntity},
		"saving without a suite":    {"/api/test?session=0&at=0&selector=.block", func(q *http.Request) { q.Method = "POST" }, http.StatusUnprocessableEntity},
		"an address and a name":     {"/api/sessions", func(q *http.Request) { q.Host += ".evil.example" }, http.StatusForbidden},
		"two origins": {"/api/sessions", func(q *http.Request) {
			q.Header["Origin"] = []string{"http://" + q.URL.Host, "http://evil.example"}
		}, http.StatusForbidden},
		"an origin with a user": {"/api/sessions", func(q *http.Request) { q.Header.Set("Origin", "http://u@"+q.URL.Host) }, http.StatusForbidden},
		"the language server":   {"/lsp", func(q *http.Request) { q.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if got, body := r.do("GET", c.path, c.change); got != c.want {
				t.Errorf("%d, not %d: %s", got, c.want, body)
			}
		})
	}
}

// TestSelect runs selectors at a call.
func TestSelect(t *testing.T) {
	r := inspecting(t, Options{}, logs+"/edit.eval")
	var got found
	r.get("/api/select?session=0&at=3&selector="+url.QueryEscape(".block+user"), &got)
	if len(got.IDs) != 1 || len(got.Steps) != 1 || got.Warnings != nil {
		t.Errorf("found %+v", got)
	}
	got = found{}
	r.get("/api/select?session=0&at=3&selector="+url.QueryEscape(".block+usr, .blok, .block{nmae=x}"), &got)
	want := []problem{{"unknown tag `usr`", "did you mean `user`?"}, {"unknown type `blok`", "did you mean `block`?"}, {"unknown attribute `nmae`", "did you mean `name`?"}}
	if len(got.IDs) != 0 || !slices.Equal(got.Warnings, want) {
		t.Errorf("found %+v, want the warnings %+v", got, want)
	}
	var calls []int
	r.get("/api/calls?session=0&selector="+url.QueryEscape(".block+user"), &calls)
	if len(calls) == 0 || calls[0] != 0 {
		t.Errorf("found in calls %d", calls)
	}
	var problems []problem
	r.get("/api/select?session=0&at=3&selector="+url.QueryEscape(".block+"), &problems)
	if len(problems) != 1 || problems[0].Message == "" {
		t.Errorf("problems %+v", problems)
	}
}

// TestCompare compares a session with itself and with another one.
func TestCompare(t *testing.T) {
	r := inspecting(t, Options{}, logs+"/edit.eval", logs+"/trim.eval")
	r.sessions() // all are found
	var self, got compared
	r.get("/api/compare?session=0&other=0", &self)
	if self.Parted != "" || self.Same == 0 || len(self.Rows) == 0 {
		t.Errorf("with itself: %+v", self)
	}
	r.get("/api/compare?session=0&other=1", &got)
	if got.Parted == "" || !slices.ContainsFunc(got.Rows, func(x comparedRow) bool { return x.State == "only-a" && x.A != "" && x.B == "" }) {
		t.Errorf("with another: %+v", got)
	}
}

// TestSaveTest saves cases, and refuses invalid ones.
func TestSaveTest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.suite.txtar")
	log, err := filepath.Abs(logs + "/edit.eval")
	if err != nil {
		t.Fatal(err)
	}
	r := inspecting(t, Options{Tests: name}, log)
	save := func(selector, expect string) (int, string) {
		return r.do("POST", "/api/test?session=0&at=3&expect="+expect+"&selector="+url.QueryEscape(selector), nil)
	}
	for _, c := range []struct{ selector, expect string }{
		{".block+user", "answer"}, {"@* .block+tool", ""}, {".block+user", "left"}, {".block+tool", "left"}, {".block+user", "cache"}, {"", "tokens"},
	} {
		if status, body := save(c.selector, c.expect); status != http.StatusOK {
			t.Fatal(c, body)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.Parse(name, string(data))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Cases {
		got = append(got, strings.Join(append([]string{c.Selector}, c.Want.Lines()...), " => "))
	}
	want := []string{
		"@c4 .block+user => iQykZMZU4S4ZpZQQVUeiSN",
		"@* .block+tool => UjDsQDzHfHmffrgAxt8km5 => fg8icMJcw6iPeDfpbGT9EG => Evtt5DQWnsviGKDmZGLwLn => 9dobqV4zFjFAiAckRECxvA => hhjGQ4Yx333TjnSaHGz5S7",
		".block+user => left: none",
		".block+tool => left: {count: 1}",
		" => cache: {broken: 1}",
		" => tokens: {max: 976}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("saved (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ selector, expect string }{
		{".block+", ""}, {".a\n.b", ""}, {"", ""}, {"@c4 .block", "left"}, {".block+nobody", "left"},
	} {
		if status, body := save(c.selector, c.expect); status != http.StatusUnprocessableEntity {
			t.Errorf("%q was saved: %s", c, body)
		}
	}
	after, err := os.ReadFile(name)
	if diff := cmp.Diff(string(data), string(after)); err != nil || diff != "" {
		t.Errorf("the suite has changed: %v\n%s", err, diff)
	}
}

// TestSaveTestOfFormat saves a case of a log only if pactkit test, which takes no --from and no
// --messages, reads the same history.
func TestSaveTestOfFormat(t *testing.T) {
	dir := t.TempDir()
	const messages = `[{"role":"user","content":"hello"},{"role":"assistant","content":"yes"}]`
	for name, text := range map[string]string{
		"known.json":   messages,
		"wrapped.json": `{"trace":{"steps":` + messages + `}}`,
		"two.json":     `{"messages":` + messages + `,"history":[{"role":"user","content":"bye"},{"role":"assistant","content":"no"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		read sessions.Options
		want int
	}{
		{"known.json", sessions.Options{From: "openai"}, http.StatusOK},
		{"wrapped.json", sessions.Options{From: "openai", Messages: "trace.steps"}, http.StatusUnprocessableEntity},
		{"two.json", sessions.Options{Messages: "history"}, http.StatusUnprocessableEntity},
	} {
		suite := filepath.Join(dir, c.name+".suite.txtar")
		r := inspectingAs(t, Options{Tests: suite}, c.read, Known{}, filepath.Join(dir, c.name))
		status, body := r.do("POST", "/api/test?session=0&at=0&selector=.block%2Buser", nil)
		if status != c.want || status != http.StatusOK && !strings.Contains(body, "import it") {
			t.Errorf("%s: %d %s", c.name, status, body)
		}
		if _, err := os.Stat(suite); (err == nil) != (c.want == http.StatusOK) {
			t.Errorf("%s: the suite: %v", c.name, err)
		}
	}
}

// TestFollow lets a file grow while its steps are read.
func TestFollow(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	request := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"model":"m","messages":[{"role":"user","content":"hello"}`)
		for range n {
			b.WriteString(`,{"role":"assistant","content":"yes"},{"role":"user","content":"more"}`)
		}
		return b.String() + "]}\n"
	}
	text := request(0) + request(1)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := inspecting(t, Options{}, name)
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.server.URL+"/api/steps?session=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	in := json.NewDecoder(res.Body)
	read := func() (out struct {
		kept
		counted
		Call struct{ Cycle int64 }
	}) {
		t.Helper()
		if err := in.Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	h, err := r.source.whole(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for range h.States {
		read()
	}
	for sum := 0; sum == 0; {
		for _, n := range read().Counts {
			sum += n
		}
	}
	if err := os.WriteFile(name, []byte(text+request(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	got := read()
	for got.Counts != nil {
		got = read()
	}
	if got.Keep != 2 {
		t.Errorf("the page keeps %d steps", got.Keep)
	}
	if got := read(); got.Call.Cycle != 3 {
		t.Errorf("the next step is of cycle %d", got.Call.Cycle)
	}
}

// TestHTML writes hostile content into a page, and checks that the page has the policy and the
// script, and none of the content as markup.
func TestHTML(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	text := `{"model":"m","messages":[{"role":"user","content":"</script><script>alert(1)</script><img src=x onerror=alert(2)> <!-- ]]>"}]}` + "\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Open(t.Context(), []string{name}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteHTML(t.Context(), &b, src); err != nil {
		t.Fatal(err)
	}
	if got, want := len(regexp.MustCompile(`(?i)</script`).FindAllString(b.String(), -1)), strings.Count(b.String(), "<script type="); got != want {
		t.Errorf("%d ends of %d scripts", got, want)
	}
	for _, bad := range []string{"<script>alert", "<img src=x"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%s is in the page", bad)
		}
	}
	all := readPage(t, b.String())
	if len(all) != 1 || len(all[0].Steps) != len(all[0].Threads) {
		t.Errorf("%d sessions", len(all))
	}
	if got := string(all[0].resolve(all[0].Nodes[len(all[0].Nodes)-1].Content)); !strings.Contains(got, "<script>alert") {
		t.Errorf("the page has %s", got)
	}
}

// TestOpen has nothing to show, or something beside a file that cannot be read.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(t.Context(), []string{dir}, sessions.Options{}, Known{}); err == nil {
		t.Error("an empty folder was opened")
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte(`{"messages": [`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), []string{filepath.Join(dir, "bad.json")}, sessions.Options{}, Known{}); err == nil {
		t.Error("a broken file was opened")
	}
	src, err := Open(t.Context(), []string{filepath.Join(dir, "bad.json"), logs + "/edit.eval"}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.whole(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	list, more := src.after(0)
	for ; more != nil; list, more = src.after(0) {
		<-more
	}
	if len(list) != 2 || list[0].Error == "" || list[1].Calls == 0 {
		t.Errorf("%+v", list)
	}
	if _, err := src.whole(t.Context(), 0); err == nil {
		t.Error("a broken file has a history")
	}
}

// TestSummary reads what the list of sessions shows of a session.
func TestSummary(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, name, []byte(`{"sessionId":"s","uuid":"u","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","type":"user","message":{"role":"user","content":"why is it flaky?"}}
{"sessionId":"s","uuid":"a","parentUuid":"u","timestamp":"2026-01-01T00:00:01Z","type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":100000,"output_tokens":10}}}
{"sessionId":"s","uuid":"v","parentUuid":"a","timestamp":"2026-01-01T00:00:02Z","type":"user","message":{"role":"user","content":"and?"}}
{"sessionId":"s","uuid":"b","parentUuid":"v","timestamp":"2026-01-01T00:00:03Z","type":"assistant","message":{"id":"m2","role":"assistant","model":"nobody-knows","content":[{"type":"text","text":"Time."}],"usage":{"input_tokens":120,"output_tokens":10}}}
`))
	src, err := Open(t.Context(), []string{name}, sessions.Options{}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	list, _ := src.after(0)
	got := list[0]
	if got.Prompt != "why is it flaky?" || got.Model != "nobody-knows" || got.Models != 2 || got.Path != name || got.Begin == "" || got.Begin >= got.Time {
		t.Errorf("%+v", got)
	}
	if got.Calls != 2 || got.Priced != 1 || got.Cost < 0.29 || got.Cost > 0.32 || got.Full != 0.5 {
		t.Errorf("%d calls, %d of them cost %v, and fill %v", got.Calls, got.Priced, got.Cost, got.Full)
	}
}
