package inspect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions"
)

// TestFigures compares the numbers that a page gets with those of package calls.
func TestFigures(t *testing.T) {
	const log = "../../../testdata/logs/support/refund.jsonl"
	known := Known{Prices: prices.Table{"claude-sonnet-4-5": {Input: 2, Output: 10, CacheRead: 0.2, CacheWrite: 2.5, CacheWrite1h: 4}}}
	r := inspectingAs(t, Options{}, sessions.Options{}, known, log)
	var got figures
	r.get("/api/figures?session=0", &got)
	one, err := sessions.One(t.Context(), log, sessions.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for c, err := range calls.Of(t.Context(), one.Timeline, calls.Options{Cache: true, States: true, Shares: true, Prices: known.Prices}) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Event != nil {
			continue
		}
		var list []share
		r.get(fmt.Sprintf("/api/shares?session=0&at=%d", n), &list)
		var sum int64
		for _, s := range list {
			sum += s.Tokens
			if s.Title == "" || s.Title != strings.TrimSpace(s.Title) {
				t.Errorf("call %d: a share without a title: %+v", n, s)
			}
		}
		if sum != c.Tokens.In || sum == 0 {
			t.Errorf("call %d: the shares add up to %d, want %d", n, sum, c.Tokens.In)
		}
		c.Tokens.Shares, c.Tokens.Counted = nil, nil
		if want := mustJSON(t, c.Tokens); mustJSON(t, got.Calls[n].Tokens) != want {
			t.Errorf("call %d: %s, want %s", n, mustJSON(t, got.Calls[n].Tokens), want)
		}
		if diff := cmp.Diff(c.Cache, got.Calls[n].Cache); diff != "" {
			t.Errorf("call %d: cache (-want +got):\n%s", n, diff)
		}
		if c.Cache.Cost == nil || c.Cache.Cost.From != "configuration" {
			t.Errorf("call %d: the prices are not those of the configuration: %+v", n, c.Cache.Cost)
		}
		n++
	}
	if len(got.Calls) != n || len(got.Compactions) != 1 {
		t.Errorf("%d calls and %d compactions, want %d and 1", len(got.Calls), len(got.Compactions), n)
	}
	var none []share
	if r.get(fmt.Sprintf("/api/shares?session=0&at=%d", n), &none); len(none) != 0 {
		t.Errorf("the state after the last call has shares: %v", none)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
