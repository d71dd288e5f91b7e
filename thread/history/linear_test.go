package history_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// longSession returns a session of Claude Code with a number of calls, with a prompt every few
// calls, an occasional compaction, and maybe an interrupt before each prompt.
func longSession(calls, compactEach int, interrupts bool) string {
	var b strings.Builder
	parent, made := "", 0
	record := func(rest string) {
		made++
		id := fmt.Sprintf("u%d", made)
		fmt.Fprintf(&b, `{"uuid":%q,"parentUuid":%q,"sessionId":"s",%s}`+"\n", id, parent, rest)
		parent = id
	}
	for i := range calls {
		if compactEach > 0 && i%compactEach == compactEach-1 {
			record(`"type":"system","subtype":"compact_boundary"`)
			record(`"type":"user","isCompactSummary":true,"message":{"role":"user","content":"It went well."}`)
		}
		if interrupts && i > 0 {
			record(`"type":"user","message":{"role":"user","content":"[Request interrupted by user]"}`)
		}
		if i%10 == 0 || interrupts {
			record(`"type":"user","message":{"role":"user","content":"Go on."}`)
		}
		record(fmt.Sprintf(`"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"f","input":{}}]}`, i, i))
		record(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"result %d"}]}`, i, i))
	}
	return b.String()
}

// unansweredSession returns a session of Claude Code whose user interrupts the model after each
// prompt, before it answers.
func unansweredSession(prompts int) string {
	var b strings.Builder
	b.WriteString(`{"uuid":"u0","sessionId":"s","type":"user","message":{"role":"user","content":"Go on."}}
{"uuid":"i0","parentUuid":"u0","sessionId":"s","type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Yes."}]}}
`)
	for i := range prompts {
		fmt.Fprintf(&b, `{"uuid":"u%d","parentUuid":"i%d","sessionId":"s","type":"user","message":{"role":"user","content":"Prompt %d."}}
{"uuid":"i%d","parentUuid":"u%d","sessionId":"s","type":"user","message":{"role":"user","content":"[Request interrupted by user]"}}
`, i+1, i, i, i+1, i+1)
	}
	return b.String()
}

// geminiSession returns a session of Gemini CLI with one prompt, each of whose answers is recorded
// again with the result of its call.
func geminiSession(calls int) string {
	var b strings.Builder
	b.WriteString(`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"id":"u","type":"user","content":"Go on."}` + "\n")
	for i := range calls {
		answer := fmt.Sprintf(`{"id":"g%d","type":"gemini","model":"m","content":"Answer %d.","thoughts":[{"description":"thought %d"}]`, i, i, i)
		fmt.Fprintf(&b, "%s}\n%s"+`,"toolCalls":[{"id":"c%d","name":"f","args":{},"result":[{"functionResponse":{"id":"c%d","name":"f","response":{"output":"result %d"}}}]}]}`+"\n", answer, answer, i, i, i)
	}
	return b.String()
}

// opencodeSession returns an exported session of opencode with one prompt. If it is pruned, the
// result of each call is cleared after the next two.
func opencodeSession(calls int, pruned bool) string {
	var b strings.Builder
	b.WriteString(`{"info":{"id":"s"},"messages":[{"info":{"id":"u","role":"user","time":{"created":1}},"parts":[{"id":"p","type":"text","text":"Go on."}]}`)
	for i := range calls {
		cleared := ""
		if pruned {
			cleared = fmt.Sprintf(`,"compacted":%d`, 10*i+25)
		}
		fmt.Fprintf(&b, `,{"info":{"id":"m%06d","parentID":"u","role":"assistant","modelID":"m","tokens":{"input":1,"output":1},"time":{"created":%d,"completed":%d}},"parts":[{"id":"k%d","type":"tool","tool":"f","callID":"c%d","state":{"status":"completed","input":{},"output":"result %d","time":{"start":1,"end":2%s}}}]}`, i, 10*i+2, 10*i+9, i, i, i, cleared)
	}
	return b.String() + "]}"
}

// cost returns the number of bytes allocated to read a session and record its history, and the size
// of its entries.
func cost(t *testing.T, text string) (allocated, written int) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for h, err := range history.Files(t.Context(), []source.File{source.Bytes("s.jsonl", []byte(text))}, source.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		entries, _, err := engine.Recorder{}.Record(h.Timeline)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			written += len(e.Text)
		}
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc), written
}

// TestLinear checks that allocated memory and the size of the history are proportional to the log.
func TestLinear(t *testing.T) {
	cost(t, longSession(150, 50, true)) // allocates what is allocated only once
	long := func(each int, interrupts bool) func(int) string {
		return func(calls int) string { return longSession(calls, each, interrupts) }
	}
	for _, of := range []struct {
		name    string
		session func(calls int) string
		calls   int
	}{
		{"one prompt of ten calls after another", long(0, false), 150},
		{"compactions", long(50, false), 150},
		{"interrupts", long(0, true), 150},
		{"no answers", unansweredSession, 600},
		{"Gemini CLI", geminiSession, 150},
		{"opencode", func(calls int) string { return opencodeSession(calls, false) }, 150},
		{"opencode, pruned after each call", func(calls int) string { return opencodeSession(calls, true) }, 500},
	} {
		short, long := of.session(of.calls), of.session(4*of.calls)
		a1, w1 := cost(t, short)
		a4, w4 := cost(t, long)
		log := float64(len(long)) / float64(len(short))
		if got := float64(a4) / float64(a1) / log; got > 1.3 {
			t.Errorf("%s: allocates %.2f times what is in proportion to the log", of.name, got)
		}
		if got := float64(w4) / float64(w1) / log; got > 1.1 {
			t.Errorf("%s: the history has %.2f times the size that is in proportion to the log", of.name, got)
		}
		t.Logf("%s: log %d bytes, history %d, allocated %d", of.name, len(long), w4, a4)
	}
}

// TestOnlyHistories checks that the caller of Files has only the histories in memory, and no longer
// what made them.
func TestOnlyHistories(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	text := longSession(4000, 0, false)
	before, during := heap(), uint64(0)
	var kept history.History
	for h, err := range history.Files(t.Context(), []source.File{source.Bytes("s.jsonl", []byte(text))}, source.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		kept, during = h, heap()
	}
	if after := heap(); float64(during-before) > 1.1*float64(after-before) {
		t.Errorf("%d bytes while the caller has the history, %d of which are the history", during-before, after-before)
	}
	runtime.KeepAlive(kept)
}
