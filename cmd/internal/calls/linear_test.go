package calls_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// prunedSession is an export of opencode in which each result is cleared five calls later.
func prunedSession(callCount int) []byte {
	var b strings.Builder
	b.WriteString(`{"info":{"id":"ses_1"},"messages":[`)
	for i := range callCount {
		if i > 0 {
			b.WriteByte(',')
		}
		cleared := ""
		if i < callCount-5 {
			cleared = fmt.Sprintf(`,"compacted":%d`, 1700000000000+2*(i+5)+1)
		}
		fmt.Fprintf(&b, `{"info":{"id":"u%d","role":"user","time":{"created":%d}},"parts":[{"type":"text","text":"prompt %[1]d"}]},
{"info":{"id":"a%[1]d","role":"assistant","modelID":"m","providerID":"p","time":{"created":%d},"tokens":{"input":100,"output":5}},"parts":[{"type":"tool",
"callID":"c%[1]d","tool":"bash","state":{"status":"completed","input":{"n":%[1]d},"output":"result %[1]d","time":{"start":1%[4]s}}}]}`,
			i, 1700000000000+2*i, 1700000000000+2*i+1, cleared)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// TestCompactionsLinear checks that a compaction that takes nothing away does not read what is
// there: the memory for 1,200 of them is four times that for 300.
func TestCompactionsLinear(t *testing.T) {
	cost := func(callCount int) float64 {
		h := read(t, "log.json", prunedSession(callCount))[0]
		list := collect(t, h, calls.Options{States: true})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var k calls.Compactions
		for _, c := range list {
			k.Add(c)
		}
		runtime.ReadMemStats(&after)
		if n := len(k.List()); n < callCount-10 {
			t.Fatalf("%d compactions in %d calls", n, callCount)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if got := cost(1200) / cost(300) / 4; got > 1.3 {
		t.Errorf("allocates %.2f times what is in proportion to the log", got)
	}
}
