package source_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

func FuzzRequests(f *testing.F)   { fuzz(f, source.Requests, "requests-*") }
func FuzzDumps(f *testing.F)      { fuzz(f, source.Requests, "dumps-*") }
func FuzzClaudeCode(f *testing.F) { fuzz(f, source.ClaudeCode, "claude-*") }
func FuzzCodex(f *testing.F)      { fuzz(f, source.Codex, "codex*") }
func FuzzATIF(f *testing.F)       { fuzz(f, source.ATIF, "atif*") }
func FuzzOTel(f *testing.F)       { fuzz(f, source.OTel, "otel-*") }
func FuzzGeminiCLI(f *testing.F)  { fuzz(f, source.GeminiCLI, "gemini-cli*") }
func FuzzOpencode(f *testing.F)   { fuzz(f, source.Opencode, "opencode*") }
func FuzzMiniSWE(f *testing.F)    { fuzz(f, source.MiniSWE, "mini-swe-agent*") }
func FuzzSWEAgent(f *testing.F)   { fuzz(f, source.SWEAgent, "swe-agent*") }
func FuzzLangChain(f *testing.F)  { fuzz(f, source.LangChain, "langchain-*") }
func FuzzPydanticAI(f *testing.F) { fuzz(f, source.PydanticAI, "pydantic*") }
func FuzzAISDK(f *testing.F)      { fuzz(f, source.AISDK, "aisdk*") }
func FuzzAider(f *testing.F)      { fuzz(f, source.Aider, "aider*") }
func FuzzCline(f *testing.F)      { fuzz(f, source.Cline, "cline*") }
func FuzzCopilot(f *testing.F)    { fuzz(f, source.Copilot, "copilot*") }
func FuzzLangfuse(f *testing.F)   { fuzz(f, source.Langfuse, "langfuse*") }
func FuzzLangSmith(f *testing.F)  { fuzz(f, source.LangSmith, "langsmith*") }
func FuzzAgents(f *testing.F)     { fuzz(f, source.Agents, "agents*") }
func FuzzOpenHands(f *testing.F)  { fuzz(f, source.OpenHands, "openhands*") }
func FuzzGoose(f *testing.F)      { fuzz(f, source.Goose, "goose*") }
func FuzzRecording(f *testing.F)  { fuzz(f, source.Recording, "recording*") }

func FuzzInspect(f *testing.F) {
	for _, name := range []string{"testdata/inspect/summary.eval", "testdata/inspect/edit.eval"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"version":2,"eval":{},"samples":[{"id":"a","epoch":1,"attachments":{"h":"x"},"events":[` +
		`{"event":"model","model":"m","input":[{"id":"m1","role":"user","content":"attachment://h"}],"output":{"choices":[{"message":{"role":"assistant","content":"y"}}]}},` +
		`{"event":"compaction","type":"trim"},{"event":"model","input_refs":[[0,1],[1,2]],"tools":[]}],"message_pool":[{"role":"user","content":"p"},{"role":"tool","tool_call_id":"c"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { read(t, source.Inspect, data) })
}

// separator separates files that are fuzzed together.
const separator = "\n--\n"

// mostFuzzed is the size of the largest input of a fuzz target. Larger ones are tried seldom, and
// find no more.
const mostFuzzed = 4 << 10

// fuzz reads the files of cases, together or, if they are large, each alone.
func fuzz(f *testing.F, kind source.Kind, pattern string) {
	for c := range testkit.Load(f, "../../testdata/source/"+pattern+".txtar") {
		var all [][]byte
		for _, file := range c.Archive.Files {
			if !strings.HasPrefix(file.Name, "want") && len(file.Data) <= mostFuzzed {
				all = append(all, file.Data)
			}
		}
		if whole := bytes.Join(all, []byte(separator)); len(whole) <= mostFuzzed {
			all = [][]byte{whole}
		}
		for _, data := range all {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= mostFuzzed {
			read(t, kind, data)
		}
	})
}

// read reads any input as files in groups, and restores every request from the differences.
func read(t *testing.T, kind source.Kind, data []byte) {
	o := source.Options{Kind: kind, MaxBytes: 1 << 20, Note: func(n thread.Note) {
		if n.File == "" || n.Msg == "" {
			t.Errorf("a note without a file or message: %v", n)
		}
	}}
	var files []source.File
	for i, part := range bytes.SplitN(data, []byte(separator), 4) {
		files = append(files, source.Bytes(fmt.Sprintf("agent-%d.json", i), part))
	}
	groups, err := source.Group(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, group := range groups {
		total += len(group)
		calls := map[string][]*series.Step{}
		err := source.TrackFiles(t.Context(), group, o, func(c *series.Step) error {
			calls[c.Origin.Sample] = append(calls[c.Origin.Sample], c)
			return nil
		})
		if _, ok := errors.AsType[*engine.Error](err); err != nil && !ok {
			t.Errorf("an error without a code: %v", err)
		}
		for _, list := range calls {
			for i, items := range replay(t, list) {
				for _, item := range items {
					if item.Node == nil || item.Part == nil {
						t.Fatal(fmt.Sprint("call ", i, " has a hole"))
					}
				}
			}
		}
	}
	if total != len(files) {
		t.Errorf("%d files of %d", total, len(files))
	}
}

// TestPartial reads the cases of each kind with one member missing, at most some in each case.
func TestPartial(t *testing.T) {
	const most = 25
	for c := range testkit.Load(t, "../../testdata/source/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			for _, file := range c.Archive.Files {
				kind, err := source.Recognize(t.Context(), file.Name, bytes.NewReader(file.Data), int64(len(file.Data)), source.Options{})
				if strings.HasPrefix(file.Name, "want") || err != nil {
					continue
				}
				at := findMembers(file.Data)
				for i := 0; i < len(at); i += 1 + len(at)/most {
					data := slices.Concat(file.Data[:at[i]], []byte("x-"), file.Data[at[i]:])
					o := source.Options{Kind: kind}
					_ = source.Read(t.Context(), file.Name, bytes.NewReader(data), int64(len(data)), o, func(r *series.Request) error {
						checkJSON(t, r)
						return nil
					})
				}
			}
		})
	}
}

// checkJSON fails if a message or a setting of a request is not JSON.
func checkJSON(t *testing.T, r *series.Request) {
	for _, m := range slices.Concat(r.Messages, r.Reply, r.After) {
		if !json.Valid([]byte(m.Value)) || m.About != "" && !json.Valid([]byte(m.About)) {
			t.Errorf("%s:%d: %s: not JSON: %s %s", r.Origin.File, r.Origin.Line, m.Path, m.Value, m.About)
		}
	}
	for _, x := range r.Settings {
		if !json.Valid([]byte(x.Value)) {
			t.Errorf("%s:%d: setting %s is not JSON: %s", r.Origin.File, r.Origin.Line, x.Name, x.Value)
		}
	}
}

// findMembers returns where the names of members begin in a text.
func findMembers(text []byte) (out []int) {
	for _, m := range memberName.FindAllSubmatchIndex(text, -1) {
		out = append(out, m[2])
	}
	return out
}

var memberName = regexp.MustCompile(`[{,]\s*"([a-zA-Z$_]+"\s*:)`)
