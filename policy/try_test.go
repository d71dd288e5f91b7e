//go:build unix

package policy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/policy"
)

// BenchmarkTry tries policies on all calls of recorded sessions, as pactkit policy try does: one
// that truncates and clears when a call exceeds a budget, and one that changes each call with four
// steps. cpu-us/call is the processor time of a call, in microseconds; changed is the share of
// calls that the policy changes.
func BenchmarkTry(b *testing.B) {
	clears := []policy.Step{{Truncate: ".block+tool", Over: 200, To: 50}, {Clear: ".block+tool"}}
	for _, p := range []struct {
		name   string
		policy policy.Policy
	}{
		{"clears", policy.Policy{Window: policy.Window{Tokens: 1500}, Steps: clears}},
		{"every call", policy.Policy{Window: policy.Window{Tokens: 1}, Steps: append(clears, policy.Step{Dedupe: ".block"}, policy.Step{Drop: ".block"})}},
	} {
		for _, log := range []string{"tau-bench/gpt-4o-airline.json", "claude-code-log/session_b.jsonl", "support/refund.jsonl", "swe-agent/missing-colon.traj"} {
			b.Run(p.name+"/"+filepath.Dir(log), func(b *testing.B) { benchmarkTry(b, p.policy, log) })
		}
	}
}

func benchmarkTry(b *testing.B, p policy.Policy, log string) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "logs", filepath.FromSlash(log)))
	if err != nil {
		b.Fatal(err)
	}
	texts := []json.RawMessage{data}
	if filepath.Dir(log) == "tau-bench" { // a list of conversations
		texts = conversations(b, data)
	}
	var recorded []*engine.Timeline
	for _, text := range texts {
		x, err := sessions.ReadOne(b.Context(), log, bytes.NewReader(text), int64(len(text)), sessions.Options{})
		if err != nil {
			b.Fatal(err)
		}
		recorded = append(recorded, x.Timeline)
	}
	calls, changed, begun := 0, 0, processorTime()
	for b.Loop() {
		for _, t := range recorded {
			compiled, err := p.Compile(policy.Options{Edition: t.Edition()})
			if err != nil {
				b.Fatal(err)
			}
			trial := compiled.NewTrial()
			for s := range t.Sealed() {
				if s.Info() == nil || s.Info().Call == nil || s.Info().Side != nil {
					continue
				}
				out, err := trial.Next(t, s.Cycle())
				if err != nil {
					b.Fatal(err)
				}
				if calls++; out.First != "" {
					changed++
				}
			}
		}
	}
	b.ReportMetric(float64(processorTime()-begun)/1e3/float64(calls), "cpu-us/call")
	b.ReportMetric(float64(changed)/float64(calls), "changed")
}

// BenchmarkTrial tries a policy on sessions of 200 and 2,000 calls with results of 400 tokens. An
// operation is one call. The policy changes each call.
func BenchmarkTrial(b *testing.B) {
	for _, calls := range []int{200, 2000} {
		b.Run(fmt.Sprint(calls, " calls"), func(b *testing.B) { benchmarkTrial(b, calls) })
	}
}

func benchmarkTrial(b *testing.B, calls int) {
	results := make([]string, calls)
	for i := range results {
		results[i] = fmt.Sprintf("%d ", i) + strings.Repeat("a few words of a file ", 80)
	}
	recorded := agent(b, policy.Policy{}, policy.Options{}, results...)
	p := policy.Policy{Window: policy.Window{Tokens: 8000}, KeepLast: 3, Steps: []policy.Step{
		{Truncate: ".block+tool", Over: 200, To: 100}, {Clear: ".block+tool"}, {Drop: ".block"},
	}}
	compiled, err := p.Compile(policy.Options{})
	if err != nil {
		b.Fatal(err)
	}
	cycles := []int64{}
	for s := range recorded.Sealed() {
		cycles = append(cycles, s.Cycle())
	}
	trial, begun := compiled.NewTrial(), processorTime()
	for i := 0; b.Loop(); i++ {
		if i%len(cycles) == 0 {
			trial = compiled.NewTrial()
		}
		if _, err := trial.Next(recorded, cycles[i%len(cycles)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processorTime()-begun)/1e3/float64(b.N), "cpu-us/call")
}

// conversations returns the messages of the conversations in a file of tau-bench.
func conversations(b *testing.B, data []byte) (texts []json.RawMessage) {
	var tasks []struct {
		Traj json.RawMessage `json:"traj"`
	}
	if err := json.Unmarshal(data, &tasks); err != nil {
		b.Fatal(err)
	}
	for _, task := range tasks {
		texts = append(texts, task.Traj)
	}
	return texts
}

// processorTime returns the processor time of this process in nanoseconds.
func processorTime() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail
	return u.Utime.Nano() + u.Stime.Nano()
}
