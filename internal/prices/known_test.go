package prices_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/prices"
)

// TestKnown finds models by their names as providers, gateways and clients write them.
func TestKnown(t *testing.T) {
	for name, want := range map[string]struct {
		window int64
		input  float64
	}{
		"claude-sonnet-4-20250514": {200000, 3}, "claude-sonnet-4-0": {200000, 3}, "anthropic/claude-sonnet-4.5": {200000, 3},
		"claude-opus-4-6": {1000000, 5}, "claude-opus-4-6-20260205": {1000000, 5}, "claude-sonnet-4-5[1m]": {1000000, 3},
		"claude-3-5-sonnet-20241022": {200000, 3}, "CLAUDE-3-OPUS-latest": {200000, 15}, "claude-opus-4@20250514": {200000, 15},
		"us.anthropic.claude-sonnet-4-20250514-v1:0":                                                {200000, 3},
		"bedrock/eu.anthropic.claude-opus-4-5-20251101-v1:0":                                        {200000, 5.5},
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-3-5-haiku-20241022-v1:0": {200000, 0.8},
		"models/gemini-2.5-pro": {1048576, 1.25}, "gemini-2.5-flash-preview-05-20": {0, 0.15}, "vertex_ai/claude-haiku-4-5@20251001": {200000, 1},
		"gpt-4o-2024-08-06": {128000, 2.5}, "gpt-4o-mini": {128000, 0.15}, "openai/gpt-5.1-codex": {400000, 1.25}, "openrouter/openai/gpt-4o": {128000, 2.5},
		"qwen/qwen3-coder": {0, 0.3}, "azure/gpt-4o": {}, "my-gpt-4o": {}, "gpt-4o-turbo": {}, "claude": {}, "claude-sonnet": {}, "claude-opus-4-60": {},
		"production": {}, "": {}, "/": {}, "=": {}, "gemini-2.5-pro-sharp": {}, "claude-sonnet-4-5-finetuned": {}, "<synthetic>": {},
	} {
		const time, in = "2026-11-01T00:00:00Z", 1000
		m := prices.Known(name)
		p, ok := m.Price(time, in)
		if m.Window(time, in) != want.window || p.Input != want.input || ok != (want.input > 0) {
			t.Errorf("%q has a window of %d and costs %v, %v; want %+v", name, m.Window(time, in), p.Input, ok, want)
		}
	}
}

// TestPrice finds the price on a day, and in the tier of the whole call.
func TestPrice(t *testing.T) {
	opus := prices.Known("claude-opus-4-6")
	for _, c := range []struct {
		time string
		in   int64
		want prices.Price
	}{
		{"2026-02-10T08:00:00Z", 200000, prices.Price{Input: 5, Output: 25, CacheRead: 0.5, CacheWrite: 6.25, CacheWrite1h: 10}},
		{"2026-02-10T08:00:00Z", 200001, prices.Price{Input: 10, Output: 37.5, CacheRead: 1, CacheWrite: 12.5, CacheWrite1h: 20}},
		{"2026-03-13T00:00:00Z", 900000, prices.Price{Input: 5, Output: 25, CacheRead: 0.5, CacheWrite: 6.25, CacheWrite1h: 10}},
		{"", 900000, prices.Price{Input: 5, Output: 25, CacheRead: 0.5, CacheWrite: 6.25, CacheWrite1h: 10}},
	} {
		if got, ok := opus.Price(c.time, c.in); got != c.want || !ok {
			t.Errorf("at %q, %d tokens: %+v, %v; want %+v", c.time, c.in, got, ok, c.want)
		}
	}
	for when, want := range map[string]float64{
		"2026-11-01T00:29:00Z": 0.135, "2026-11-01T00:30:00Z": 0.27, "2026-11-01T16:30:00Z": 0.135, "2026-11-01T01:00:00+01:00": 0.135, "": 0.135,
	} {
		if got, _ := prices.Known("deepseek-chat").Price(when, 0); got.Input != want {
			t.Errorf("deepseek-chat costs %v at %q, want %v", got.Input, when, want)
		}
	}
	if got, _ := prices.Known("gpt-4o").Price("", 0); got != (prices.Price{Input: 2.5, Output: 10, CacheRead: 1.25, CacheWrite: 2.5, CacheWrite1h: 2.5}) {
		t.Errorf("gpt-4o costs %+v", got)
	}
}

// TestWindow finds the window on a day. A window that a call exceeds is unknown.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		model, time string
		in, want    int64
	}{
		{"claude-opus-4-6", "2026-02-12T00:00:00Z", 167117, 200000}, {"claude-opus-4-6", "2026-02-12T00:00:00Z", 200001, 1000000},
		{"claude-opus-4-6[1m]", "2026-02-12T00:00:00Z", 167117, 1000000}, {"claude-opus-4-6", "2026-04-01T00:00:00Z", 167117, 1000000},
		{"claude-haiku-4-5", "", 200000, 200000}, {"claude-haiku-4-5", "", 200001, 0}, {"gemini-2.5-pro", "", 5, 1048576},
	} {
		if got := prices.Known(c.model).Window(c.time, c.in); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestTable checks that the present generator wrote the table, that every line has the right form,
// and that the table is small.
func TestTable(t *testing.T) {
	generator, err := os.ReadFile("../../tools/prices/generate.py")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("genai-prices/table.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\n# generator %x\n", sha256.Sum256(generator)); !strings.Contains(string(table), want) {
		t.Error("table.txt is not from this generator; the head of tools/prices/generate.py has the commands")
	}
	if version := regexp.MustCompile(`genai-prices==([0-9.]+)`).FindSubmatch(generator)[1]; !strings.HasPrefix(prices.Source(), "genai-prices "+string(version)+" of 20") {
		t.Errorf("the generator names version %s, and the table is from %s", version, prices.Source())
	}
	if len(table) > 150_000 {
		t.Errorf("the table has %d bytes", len(table))
	}
	line := regexp.MustCompile(`^(?:#.*|\[[a-z-]+\]|[=^$*]\S+(?: [=^$*]\S+)*\t\d*\t(?:[\d.,/:; -]*))$`)
	for text := range strings.Lines(string(table)) {
		if !line.MatchString(strings.TrimSuffix(text, "\n")) {
			t.Errorf("%q is not a line of the table", text)
		}
	}
}
