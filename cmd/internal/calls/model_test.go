package calls_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
	"github.com/pactkit/pactkit/tokens"
)

// read makes the histories of a log.
func read(t testing.TB, name string, data []byte) []*engine.Timeline {
	t.Helper()
	var out []*engine.Timeline
	for h, err := range history.Files(t.Context(), []source.File{source.Bytes(name, data)}, source.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h.Timeline)
	}
	return out
}

// collect returns the calls of a history.
func collect(t testing.TB, h *engine.Timeline, o calls.Options) []*calls.Call {
	t.Helper()
	var out []*calls.Call
	for c, err := range calls.Of(t.Context(), h, o) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// blocks returns the blocks of the thread of a snapshot, and which are redacted.
func blocks(s *engine.Snapshot) (list []engine.Node, redacted map[string]bool) {
	redacted = map[string]bool{}
	for n := range s.All() {
		if n.UserType() == "redaction" && n.Base() == engine.BaseBlock {
			for _, id := range n.Refs() {
				redacted[id] = true
			}
		}
	}
	for n := range s.All() {
		if up, ok := n.Parent(); ok && redacted[up.ID()] {
			redacted[n.ID()] = true
		}
		isMarker := n.UserType() == "redaction" && len(n.Refs()) > 0
		if r, ok := n.Region(); ok && r != engine.RegionRest && n.Base() == engine.BaseBlock && !isMarker {
			list = append(list, n)
		}
	}
	return list, redacted
}

// position has the members of a node that a provider is not sent.
const position = " offset parent created_at_ns created_at_iso creation_index cycle ttl priority cad pinned removable provenance "

func sameText(a, b engine.Node) bool {
	return !slices.ContainsFunc(engine.ChangedFields(a, b), func(f string) bool { return !strings.Contains(position, " "+f+" ") })
}

// overlays returns for each block the ids of those that replace it: with its key, or for a call or
// result a block of the same kind or without kind, role and tag.
func overlays(list []engine.Node) map[string]string {
	byID := map[string]engine.Node{}
	for _, n := range list {
		byID[n.ID()] = n
	}
	out := map[string]string{}
	for _, n := range list {
		for _, ref := range n.Refs() {
			o, ok := byID[ref]
			if !ok {
				continue
			}
			key, hasKey := n.Key()
			okey, _ := o.Key()
			okind, _ := o.Kind()
			kind, says := n.Kind()
			if _, ok := n.Role(); ok {
				says = true
			}
			if _, ok := n.Tags(); ok {
				says = true
			}
			if hasKey && key == okey || (okind == "call" || okind == "result") && (!says || kind == okind) {
				out[ref] += " " + n.ID()
			}
		}
	}
	return out
}

// settings returns what surrounds the messages.
func settings(s *engine.Snapshot) map[string]string {
	out := map[string]string{}
	if sys, ok := s.Region(engine.RegionSys); ok {
		for n := range sys.Children() {
			if n.UserType() == "log" {
				for name, v := range n.Members() {
					out[name] = v.String()
				}
			}
		}
	}
	return out
}

// checkCalls compares the calls of a history with the differences between its whole snapshots.
func checkCalls(t testing.TB, h *engine.Timeline, countTokens bool) {
	t.Helper()
	list := collect(t, h, calls.Options{NoTokens: !countTokens, Shares: countTokens, Cache: countTokens})
	var main *engine.Snapshot
	var before *calls.Call
	at := 0
	recorded := calls.Recorded(h)
	for s := range h.Sealed() {
		info := s.Info()
		if recorded && (info == nil || info.Call == nil && info.Side == nil) {
			continue
		}
		if at == len(list) {
			t.Fatalf("%d calls, and a snapshot of cycle %d", len(list), s.Cycle())
		}
		c := list[at]
		at++
		if c.Snapshot != s || c.Cycle != s.Cycle() {
			t.Fatalf("the call is of cycle %d, not %d", c.Cycle, s.Cycle())
		}
		checkCall(t, c, main, before, countTokens)
		if c.Side == nil {
			main, before = s, c
		}
	}
	if at != len(list) {
		t.Fatalf("%d calls, want %d", len(list), at)
	}
}

func checkCall(t testing.TB, c *calls.Call, main *engine.Snapshot, last *calls.Call, countTokens bool) {
	t.Helper()
	now, nowRedacted := blocks(c.Snapshot)
	var old []engine.Node
	var oldRedacted map[string]bool
	if main != nil {
		old, oldRedacted = blocks(main)
	}
	before, after := map[string]engine.Node{}, map[string]bool{}
	for _, n := range old {
		before[n.ID()] = n
	}
	added, changed, left := []string{}, []string{}, []string{}
	for _, n := range now {
		after[n.ID()] = true
		if b, ok := before[n.ID()]; !ok {
			added = append(added, n.ID())
		} else if !sameText(b, n) {
			changed = append(changed, n.ID())
		}
	}
	for _, n := range old {
		if !after[n.ID()] {
			left = append(left, n.ID())
		}
	}
	wasOver, isOver := overlays(old), overlays(now)
	same := 0
	for same < len(old) && same < len(now) && old[same].ID() == now[same].ID() && sameText(old[same], now[same]) &&
		oldRedacted[old[same].ID()] == nowRedacted[now[same].ID()] && wasOver[old[same].ID()] == isOver[now[same].ID()] {
		same++
	}
	var gotChanged, gotLeft []string
	for _, x := range c.Changed {
		gotChanged = append(gotChanged, x.ID)
	}
	for _, x := range c.Left {
		gotLeft = append(gotLeft, x.ID)
		if x.Cause == "" {
			t.Errorf("cycle %d: %s left without a cause", c.Cycle, x.ID)
		}
	}
	for _, diff := range []string{
		cmp.Diff(added, c.Added), cmp.Diff(changed, append([]string{}, gotChanged...)), cmp.Diff(left, append([]string{}, gotLeft...)),
	} {
		if diff != "" {
			t.Fatalf("cycle %d: -want +got\n%s", c.Cycle, diff)
		}
	}
	if main == nil {
		return
	}
	a, b := settings(main), settings(c.Snapshot)
	broken := same < len(old)
	for _, name := range []string{"model", "tools", "functions", "tool_definitions", "response_format", "tool_choice", "function_call", "thinking", "toolConfig", "tool_config"} {
		broken = broken || a[name] != b[name]
	}
	if got := c.Cache.Broken != nil; got != broken {
		t.Fatalf("cycle %d: broken %v, want %v: %+v", c.Cycle, got, broken, c.Cache.Broken)
	}
	if !countTokens {
		return
	}
	counter, sum, begins := tokens.For(c.Model), 0, 0
	for i, n := range now {
		if !nowRedacted[n.ID()] {
			sum += counter.Node(n)
		}
		if i == same-1 {
			begins = sum
		}
	}
	tools := 0
	for _, name := range []string{"tools", "functions", "tool_definitions"} {
		if b[name] != "" {
			tools += counter.Count(b[name])
		}
	}
	if nodes, shares := sumShares(t, c.Tokens.Shares); nodes != len(now) || shares != c.Tokens.In {
		t.Fatalf("cycle %d: shares of %d nodes and %d tokens, want %d and %v", c.Cycle, nodes, shares, len(now), c.Tokens.In)
	}
	if c.Tokens.Label == calls.Counted && c.Tokens.In != int64(sum+tools) {
		t.Fatalf("cycle %d: %d tokens in, want %d", c.Cycle, c.Tokens.In, sum+tools)
	}
	if in, cached := c.Tokens.In, c.Tokens.Cached; cached != nil && *cached > in {
		t.Fatalf("cycle %d: %d tokens of %d are cached", c.Cycle, *cached, in)
	}
	if got := c.Tokens.Counted.In; got != int64(sum+tools) {
		t.Fatalf("cycle %d: %d tokens counted, want %d", c.Cycle, got, sum+tools)
	}
	if by := c.Cache.Broken; by == nil || by.By == "node" || by.By == "system" {
		want := last.Tokens.In
		if by != nil && last.Tokens.Label == calls.Counted {
			want = min(want, int64(begins+tools))
		}
		if got := c.Cache.Same; got < 0 || got > last.Tokens.In || got != want && (by == nil || last.Tokens.Label == calls.Counted) {
			t.Fatalf("cycle %d: a common beginning of %d tokens, want %d", c.Cycle, c.Cache.Same, want)
		}
		if by != nil && by.Node != old[same].ID() && (same >= len(now) || by.Node != now[same].ID()) {
			t.Fatalf("cycle %d: broken at %s, which is not where it is", c.Cycle, by.Node)
		}
	}
}

// eachLog calls check for each history of recorded logs.
func eachLog(t *testing.T, check func(*engine.Timeline)) {
	t.Helper()
	for _, pattern := range []string{"../../../thread/source/testdata/inspect/*.eval", "../../../testdata/logs/*/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no logs: %v", err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range read(t, name, data) {
				check(h)
			}
		}
	}
}

// TestLogs compares the calls of recorded logs with their snapshots.
func TestLogs(t *testing.T) {
	eachLog(t, func(h *engine.Timeline) { checkCalls(t, h, true) })
}

// TestSeries compares the calls of random series of requests with their snapshots.
func TestSeries(t *testing.T) {
	rounds := uint64(12)
	if testing.Short() {
		rounds = 5
	}
	for _, form := range seriestest.Forms() {
		for seed := range rounds {
			w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, 15)), IDs: seed%2 == 0, Replies: seed%3 == 0, Says: seed%5 == 0, Form: form}
			var log bytes.Buffer
			for _, x := range w.Series(30) {
				body, response := w.Body(x)
				fmt.Fprintf(&log, `{"request":%s,"response":%s}`+"\n", body, orNull(response))
			}
			for _, h := range read(t, fmt.Sprintf("%s-%d.jsonl", form, seed), log.Bytes()) {
				checkCalls(t, h, seed%6 == 0)
			}
		}
	}
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

// TestLive compares the cycles of live contexts, which record no calls, with their snapshots.
func TestLive(t *testing.T) {
	rounds := uint64(200)
	if testing.Short() {
		rounds = 30
	}
	for seed := range rounds {
		checkCalls(t, gentest.Live(t, gentest.Rand(seed), 60).History(), seed%8 == 0)
	}
}

// TestCanceled checks that a context ends the calls with its error.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for c, err := range calls.Of(ctx, gentest.Live(t, gentest.Rand(1), 60).History(), calls.Options{}) {
		if n++; c != nil || err != context.Canceled {
			t.Errorf("got %v, %v", c, err)
		}
	}
	if n != 1 {
		t.Errorf("%d pairs, want 1", n)
	}
}

// sumShares adds up shares, and checks that those in each add up to it and are sorted.
func sumShares(t testing.TB, list []calls.Share) (nodes int, tokens int64) {
	t.Helper()
	for i, x := range list {
		if i > 0 && x.Tokens > list[i-1].Tokens {
			t.Fatalf("%+v comes after %+v", x, list[i-1])
		}
		if n, sum := sumShares(t, x.Shares); len(x.Shares) > 0 && (sum > x.Tokens || n > x.Nodes) {
			t.Fatalf("%+v has less than its shares, %d tokens of %d nodes", x, sum, n)
		}
		nodes, tokens = nodes+x.Nodes, tokens+x.Tokens
	}
	return nodes, tokens
}
