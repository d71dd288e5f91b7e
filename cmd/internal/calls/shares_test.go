package calls_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// tree writes shares, each below what it is part of.
func tree(list []calls.Share, indent string) (out []string) {
	for _, x := range list {
		line := fmt.Sprintf("%s%s %d of %d", indent, strings.TrimSpace(x.What+" "+x.Name), x.Tokens, x.Nodes)
		if x.Label == calls.AtLeast {
			line += " at least"
		}
		out = append(append(out, line), tree(x.Shares, indent+"  ")...)
	}
	return out
}

// TestShares checks the tree of what a call was sent.
func TestShares(t *testing.T) {
	const log = `{"request":{"model":"gpt-4o","tools":[
{"type":"function","function":{"name":"mcp__git__log"}},{"type":"function","function":{"name":"mcp__git__show"}},{"type":"function","function":{"name":"Read"}}],
"messages":[{"role":"system","content":"Be brief."},
{"role":"user","content":[{"type":"text","text":"<system-reminder>\n# currentDate\nIt is Friday.\n</system-reminder>"},{"type":"text","text":"<b>Read</b> it."},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]},
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"Read","arguments":"{\"file_path\":\"/a.go\"}"}},{"id":"c2","type":"function","function":{"name":"mcp__git__log","arguments":"{\"path\":\"/b\"}"}}]},
{"role":"tool","tool_call_id":"c1","content":"package a"},{"role":"tool","tool_call_id":"c2","content":"commit 1, commit 2, commit 3"}]},
"response":{"choices":[{"message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":400,"completion_tokens":1}}}`
	list := collect(t, read(t, "log.jsonl", []byte(strings.ReplaceAll(log, "\n", "")))[0], calls.Options{Shares: true})
	shares := list[0].Tokens.Shares
	want := `
rest images, sounds and files 282 of 0
tools 46 of 0
  server git 34 of 0
    tool log 17 of 0
    tool show 17 of 0
  tool Read 12 of 0
reminder 18 of 1
  text currentDate 18 of 1
image 16 of 1 at least
call 14 of 2
  tool Read 8 of 1
    file /a.go 8 of 1
  server git 6 of 1
    tool log 6 of 1
      file /b 6 of 1
result 13 of 2
  server git 11 of 1
    tool log 11 of 1
      file /b 11 of 1
  tool Read 2 of 1
    file /a.go 2 of 1
user 8 of 1
system 3 of 1`
	if diff := cmp.Diff(strings.Split(want, "\n")[1:], tree(shares, "")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, tokens := sumShares(t, shares); tokens != 400 {
		t.Errorf("the shares add up to %d", tokens)
	}
	sum := calls.SumShares(calls.SumShares(nil, shares), shares)
	if _, tokens := sumShares(t, sum); tokens != 800 {
		t.Errorf("the shares of two calls add up to %d", tokens)
	}
}

// TestCompactions checks what a compaction takes away, and what is fetched again.
func TestCompactions(t *testing.T) {
	line := func(id, parent, kind, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2026-01-01T10:00:00Z",%s}`, kind, id, parent, rest)
	}
	called := func(id, tool, input, usage string) string {
		return fmt.Sprintf(`"message":{"id":%q,"model":"claude-haiku-4-5","role":"assistant","content":[{"type":"tool_use","id":"t%s","name":%q,"input":%s}],"usage":%s}`, id, id, tool, input, usage)
	}
	result := func(of, text string) string {
		return fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%s","content":%q}]}`, of, text)
	}
	log := strings.Join([]string{
		line("u1", "null", "user", `"message":{"role":"user","content":"go"}`),
		line("a1", `"u1"`, "assistant", called("m1", "Read", `{"file_path":"/a","limit":5}`, billed(5, 0, 0, 0, 1))),
		line("r1", `"a1"`, "user", result("m1", words(8))),
		line("a2", `"r1"`, "assistant", called("m2", "Bash", `{"command":"ls","timeout":1}`, billed(9, 0, 0, 0, 1))),
		line("r2", `"a2"`, "user", result("m2", words(3))),
		line("a3", `"r2"`, "assistant", called("m3", "Edit", `{"file_path":"/a"}`, billed(150000, 0, 0, 0, 7))),
		line("r3", `"a3"`, "user", result("m3", "done")),
		`{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"r3","sessionId":"s","timestamp":"2026-01-01T10:00:00Z","compactMetadata":{"trigger":"auto"}}`,
		line("s1", `"b"`, "user", `"isCompactSummary":true,"message":{"role":"user","content":"Summary."}`),
		line("a4", `"s1"`, "assistant", called("m4", "Read", `{"limit":9,"file_path":"/a"}`, billed(300, 0, 0, 0, 1))),
		line("r4", `"a4"`, "user", result("m4", words(8))),
		line("a5", `"r4"`, "assistant", called("m5", "Bash", `{"timeout":1,"command":"ls"}`, billed(9, 0, 0, 0, 1))),
		line("r5", `"a5"`, "user", result("m5", words(3))),
		line("a6", `"r5"`, "assistant", called("m6", "Edit", `{"file_path":"/a","new":1}`, billed(9, 0, 0, 0, 1))),
		line("r6", `"a6"`, "user", result("m6", "done")),
		line("a7", `"r6"`, "assistant", called("m7", "Bash", `{"command":"ls","timeout":1}`, billed(9, 0, 0, 0, 1))),
	}, "\n")
	var k calls.Compactions
	for _, c := range collect(t, read(t, "log.jsonl", []byte(log))[0], calls.Options{States: true}) {
		k.Add(c)
	}
	if len(k.List()) != 1 {
		t.Fatalf("%d compactions", len(k.List()))
	}
	x := k.List()[0]
	if x.Trigger != "auto" || x.Before != 150007 || x.After != 300 || *x.Free != 200000-150007 || x.By != "s1" {
		t.Errorf("%+v", x)
	}
	if diff := cmp.Diff([]calls.Kind{
		{What: "call", Name: "Bash", Nodes: 1}, {What: "call", Name: "Edit", Nodes: 1}, {What: "call", Name: "Read", Nodes: 1},
		{What: "result", Name: "Bash", Nodes: 1}, {What: "result", Name: "Edit", Nodes: 1}, {What: "result", Name: "Read", Nodes: 1}, {What: "user", Nodes: 1},
	}, x.Left); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var again []string
	for _, a := range x.Again {
		again = append(again, fmt.Sprintf("%s for %s: %s, the same %s %s, %d tokens for %v", a.ID, a.Of, a.Tool, a.Same, a.File, a.Tokens, *a.Cost))
	}
	if diff := cmp.Diff([]string{
		"tm4 for tm1: Read, the same file /a, 8 tokens for 8e-06", "tm5 for tm2: Bash, the same arguments , 3 tokens for 3e-06",
	}, again); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestManyFiles checks that the shares of a call have only the largest of very many files, and that
// they add up.
func TestManyFiles(t *testing.T) {
	var log strings.Builder
	log.WriteString(`{"model":"gpt-4o","messages":[{"role":"user","content":"read them"}`)
	for n := range 300 {
		fmt.Fprintf(&log, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"Read","arguments":"{\"path\":\"/f%03d\"}"}}]}`, n, n)
		fmt.Fprintf(&log, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, n, strings.Repeat("word ", 1+n/2))
	}
	log.WriteString("]}\n")
	shares := collect(t, read(t, "log.jsonl", []byte(log.String()))[0], calls.Options{Shares: true})[0].Tokens.Shares
	at := slices.IndexFunc(shares, func(s calls.Share) bool { return s.What == "result" })
	files := shares[at].Shares[0].Shares
	var sum int64
	names := map[string]int64{}
	for _, f := range files {
		sum += f.Tokens
		names[f.Name] = f.Tokens
	}
	if len(files) != 201 || sum != shares[at].Tokens || files[0].What != "others" || files[0].Name != "100 others" || files[0].Nodes != 100 {
		t.Errorf("%d shares with %d tokens, want 201 with %d; the first is %+v", len(files), sum, shares[at].Tokens, files[0])
	}
	if names["/f299"] == 0 || names["/f100"] == 0 || names["/f099"] != 0 {
		t.Errorf("the shares are not those of the largest files: %v", names)
	}
}
