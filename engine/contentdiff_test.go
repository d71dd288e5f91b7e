package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// twoStates returns one block, x, with an older and a newer content.
func twoStates(t *testing.T, older, newer, more string) (engine.Node, engine.Node) {
	t.Helper()
	nodes := make([]engine.Node, 2)
	for i, content := range []string{older, newer} {
		doc := regions("", fmt.Sprintf(`{"id":"x","content":%s%s}`, content, more))
		tl, err := engine.Read("x.json", strings.NewReader(doc), engine.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		nodes[i], _ = tl.At(0).Find("x")
	}
	return nodes[0], nodes[1]
}

func TestContentDiff(t *testing.T) {
	lines := func(s string) string {
		data, _ := json.Marshal(strings.ReplaceAll(s, " ", "\n") + "\n")
		return string(data)
	}
	tests := []struct {
		name, older, newer, more string
		opts                     engine.ContentOptions
		want                     string
	}{
		{"unified", `"2 days in Kyoto\n"`, `"3 days in Kyoto\n"`, "", engine.ContentOptions{Older: "@t-1", Newer: "@t0"},
			`{"mode":"unified","mime":"text/plain","summary":{"bytesNewer":16,"bytesOlder":16,"identical":false,"truncated":false},` +
				`"diff":"--- older(@t-1)/x\n+++ newer(@t0)/x\n@@\n-2 days in Kyoto\n+3 days in Kyoto\n"}`},
		{"no newline", `"a"`, `"b"`, `,"mime":"text/markdown"`, engine.ContentOptions{Older: "@t-1", Newer: "@t0"},
			`{"mode":"unified","mime":"text/markdown","summary":{"bytesNewer":1,"bytesOlder":1,"identical":false,"truncated":false},` +
				`"diff":"--- older(@t-1)/x\n+++ newer(@t0)/x\n@@\n-a\n+b\n"}`},
		{"context", lines("1 2 3 4 5 6 7 8 9"), lines("1 2 3 4 x 6 7 8 9"), "", engine.ContentOptions{Older: "a", Newer: "b", Context: new(1)},
			`{"mode":"unified","mime":"text/plain","summary":{"bytesNewer":18,"bytesOlder":18,"identical":false,"truncated":false},` +
				`"diff":"--- older(a)/x\n+++ newer(b)/x\n@@\n 4\n-5\n+x\n 6\n"}`},
		{"identical", `"a"`, `"a"`, "", engine.ContentOptions{},
			`{"mode":"unified","mime":"text/plain","summary":{"bytesNewer":1,"bytesOlder":1,"identical":true,"truncated":false}}`},
		{"truncated", `"a"`, `"bbbb"`, "", engine.ContentOptions{MaxBytes: 3},
			`{"mode":"unified","mime":"text/plain","summary":{"bytesNewer":4,"bytesOlder":1,"identical":false,"truncated":true}}`},
		{"patch", `{"plan":{"kyotoDays":2,"notes":["a"]}}`, `{"plan":{"kyotoDays":3,"notes":["a","use HND"]}}`, "",
			engine.ContentOptions{Mode: engine.ModeJSONPatch},
			`{"mode":"jsonpatch","mime":"application/json","summary":{"bytesNewer":48,"bytesOlder":38,"identical":false,"truncated":false},` +
				`"patch":[{"op":"replace","path":"/plan/kyotoDays","value":3},{"op":"add","path":"/plan/notes/-","value":"use HND"}]}`},
		{"patch of equals", `{"a":1}`, `{"a":1}`, "", engine.ContentOptions{Mode: engine.ModeJSONPatch},
			`{"mode":"jsonpatch","mime":"application/json","summary":{"bytesNewer":7,"bytesOlder":7,"identical":true,"truncated":false},"patch":[]}`},
		{"tokens", `"fly from here Osaka today please if at all"`, `"fly from here Tokyo (HND) today please if at all"`, "",
			engine.ContentOptions{Mode: engine.ModeTokens},
			`{"mode":"tokens","mime":"text/plain","tokenizer":"word","summary":{"tokensNewer":10,"tokensOlder":9,"identical":false,"truncated":false},` +
				`"hunks":[{"from":{"start":0,"end":7},"to":{"start":0,"end":8},"ops":[{"op":"keep","count":3},{"op":"rep","del":1,"ins":["Tokyo","(HND)"]},{"op":"keep","count":3}]}]}`},
		{"tokens gone", `"a b"`, `"a"`, "", engine.ContentOptions{Mode: engine.ModeTokens},
			`{"mode":"tokens","mime":"text/plain","tokenizer":"word","summary":{"tokensNewer":1,"tokensOlder":2,"identical":false,"truncated":false},` +
				`"hunks":[{"from":{"start":0,"end":2},"to":{"start":0,"end":1},"ops":[{"op":"keep","count":1},{"op":"rep","del":1,"ins":[]}]}]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			older, newer := twoStates(t, test.older, test.newer, test.more)
			d, err := engine.DiffContent(older, newer, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			enc := json.NewEncoder(&got)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(d); err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(got.String()) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.String(), test.want)
			}
		})
	}
	older, newer := twoStates(t, `"a"`, `"b"`, "")
	if _, err := engine.DiffContent(older, newer, engine.ContentOptions{Mode: "sideways"}); !errors.Is(err, engine.ErrPlacement) {
		t.Errorf("an unknown mode: %v", err)
	}
}

// TestContentDiffShape compares the members of every content_diff in the fixtures of the
// specification with those that this package writes.
func TestContentDiffShape(t *testing.T) {
	for _, name := range []string{"range_pairwise_unified", "pair_jsonpatch", "range_tokens"} {
		data, err := os.ReadFile("../testdata/fixtures/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		_, after, ok := bytes.Cut(data, []byte(`"content_diff":`))
		if !ok {
			t.Fatalf("%s holds no content_diff", name)
		}
		var want map[string]any
		if err := json.NewDecoder(bytes.NewReader(after)).Decode(&want); err != nil {
			t.Fatal(err)
		}
		contents := [2]string{`"one two three four"`, `"one two three five six"`}
		if want["mode"] == "jsonpatch" {
			contents = [2]string{`{"plan":{"kyotoDays":2,"notes":[]}}`, `{"plan":{"kyotoDays":3,"notes":["x"]}}`}
		}
		older, newer := twoStates(t, contents[0], contents[1], "")
		d, err := engine.DiffContent(older, newer, engine.ContentOptions{Mode: engine.ContentMode(want["mode"].(string))})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(d)
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if g, w := shape(got), shape(want); g != w {
			t.Errorf("%s: shape\n%s\nwant\n%s", name, g, w)
		}
	}
}

// shape returns the names and kinds in a JSON value. For a list, it only looks at the first
// element.
func shape(v any) string {
	switch v := v.(type) {
	case map[string]any:
		names := make(map[string]string, len(v))
		for k, x := range v {
			names[k] = shape(x)
		}
		return fmt.Sprint(names)
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shape(v[0]) + "]"
	}
	return fmt.Sprintf("%T", v)
}
