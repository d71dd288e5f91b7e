package calls_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/test/gentest"
)

// checkShares checks that the shares of each line of a history, which follow those of the line
// before it, are those found for it alone, and that they cost what the input of the call does.
func checkShares(t *testing.T, h *engine.Timeline) {
	t.Helper()
	o := calls.Options{Shares: true, States: true, Cache: true, Files: 2, Prices: prices.Table{}}
	for s := range h.Sealed() {
		model := ""
		if info := s.Info(); info != nil && info.Call != nil {
			model = info.Call.Model
		}
		o.Prices[model] = prices.Price{Input: 1000, Output: 5000, CacheRead: 100, CacheWrite: 1300, CacheWrite1h: 2000}
	}
	for _, c := range collect(t, h, o) {
		alone := o
		alone.SharesOf = c.Snapshot
		for _, x := range collect(t, h, alone) {
			if x.Snapshot != c.Snapshot {
				continue
			}
			if diff := cmp.Diff(x.Tokens.Shares, c.Tokens.Shares); diff != "" {
				t.Fatalf("cycle %d: -alone +after the others\n%s", c.Cycle, diff)
			}
		}
		cost, sum := c.Cache.Cost, 0.0
		if cost == nil {
			continue
		}
		for _, s := range c.Tokens.Shares {
			sum += *s.Cost
		}
		if input := cost.Input + cost.CacheRead + cost.CacheWrite; math.Abs(sum-input) > 1e-6*float64(len(c.Tokens.Shares)+3) {
			t.Fatalf("cycle %d: the shares cost %v, the input %v", c.Cycle, sum, input)
		}
	}
}

// TestSharesAlone checks the shares of recorded logs, of a session whose results are cleared, and
// of live contexts, in which nodes move.
func TestSharesAlone(t *testing.T) {
	eachLog(t, func(h *engine.Timeline) { checkShares(t, h) })
	checkShares(t, read(t, "log.json", prunedSession(30))[0])
	for seed := range uint64(20) {
		checkShares(t, gentest.Live(t, gentest.Rand(seed), 30).History())
	}
}

// TestSharesLinear checks that the shares of a call follow what it adds, not how many files are
// there: the memory for 800 calls that read a file each is four times that for 200.
func TestSharesLinear(t *testing.T) {
	cost := func(callCount int) float64 {
		var log strings.Builder
		parent := "null"
		line := func(id, kind, message string) {
			fmt.Fprintf(&log, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2026-01-01T10:00:00Z","message":%s}`+"\n", kind, id, parent, message)
			parent = fmt.Sprintf("%q", id)
		}
		line("u", "user", `{"role":"user","content":"go"}`)
		for i := range callCount {
			line(fmt.Sprint("a", i), "assistant", fmt.Sprintf(`{"id":"m%d","model":"claude-haiku-4-5","role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Read","input":{"file_path":"/%[1]d"}}],"usage":%s}`, i, billed(3, 40*i, 40, 0, 9)))
			line(fmt.Sprint("r", i), "user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}`, i))
		}
		h := read(t, "log.jsonl", []byte(log.String()))[0]
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if n := len(collect(t, h, calls.Options{Shares: true, Files: 5})); n < callCount {
			t.Fatalf("%d calls, want %d", n, callCount)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if got := cost(800) / cost(200) / 4; got > 1.2 {
		t.Errorf("allocates %.2f times what is in proportion to the log", got)
	}
}
