package playground_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/playground"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestCases: each line of in is a request, asked of the session of the guide.
func TestCases(t *testing.T) {
	log, err := os.ReadFile("../../../testdata/logs/support/refund.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	load, err := json.Marshal(map[string]any{"load": map[string]string{"name": "refund.jsonl", "text": string(log)}})
	if err != nil {
		t.Fatal(err)
	}
	for c := range testkit.Load(t, "../../../testdata/playground/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			var p playground.Playground
			var out strings.Builder
			out.Write(p.Answer(t.Context(), load))
			lines := bufio.NewScanner(strings.NewReader(c.Source()))
			for lines.Scan() {
				answer := p.Answer(t.Context(), lines.Bytes())
				if !json.Valid(answer) {
					t.Errorf("not JSON: %s", answer)
				}
				out.Write(answer)
			}
			c.Golden(t, testkit.Want("", out.String()))
		})
	}
}

// TestHostile: requests of any kind are answered with JSON, before a history is loaded, too.
func TestHostile(t *testing.T) {
	var p playground.Playground
	for _, text := range []string{
		"", "{}", "[]", "null", `{"steps":{"from":0}}`, `{"steps":{"from":-1}}`, `{"nodes":{"at":0,"ids":["x"]}}`, `{"ask":{"selector":"","at":9}}`, `{"load":{"name":"","text":""}}`,
		`{"load":{"name":"x.json","text":"[[[["}}`, `{"load":{"name":"x.gz","text":"\u001f"}}`, "{\"ask\":{\"selector\":\"\xff\xfe\"}}",
		`{"ask":{"selector":"` + strings.Repeat("(", 100_000) + `"}}`, `{"ask":{"selector":"` + strings.Repeat("(", 60_000) + `"}}`,
		`{"ask":{"selector":"` + strings.Repeat(".a>", 20_000) + `.a"}}`,
	} {
		if answer := p.Answer(t.Context(), []byte(text)); !json.Valid(answer) {
			t.Errorf("%.60q: not JSON: %.200q", text, answer)
		}
	}
}

// TestWords: the words of a selector in UTF-16 units, and what one means.
func TestWords(t *testing.T) {
	var p playground.Playground
	for request, want := range map[string]string{
		`{"words":{"selector":".block{content~'é😀'}+a"}}`: `[{"from":0,"to":6,"kind":"class"},{"from":7,"to":14,"kind":"property"},` +
			`{"from":15,"to":20,"kind":"string"},{"from":21,"to":23,"kind":"decorator"}]`,
		`{"words":{"selector":""}}`:                       `[]`,
		`{"words":{"selector":"((["}}`:                    `[]`,
		`{"hover":{"selector":".block[ttl<=1]","at":8}}`:  `{"text":"ttl: How many commits a node has left to live; null means it stays.\nA node created with ttl N is in N snapshots. A snapshot shows the remaining number."}`,
		`{"hover":{"selector":".block[ttl<=1]","at":99}}`: `{"text":""}`,
	} {
		if got := strings.TrimSpace(string(p.Answer(t.Context(), []byte(request)))); got != want {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}
