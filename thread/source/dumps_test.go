package source_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// TestThinking reads bodies in which thinking is redacted, with the log of their session, which has
// it. Thinking of another session, or that the log lacks, stays redacted.
func TestThinking(t *testing.T) {
	const request = `{"model":"claude-x","metadata":{"user_id":"{\"session_id\":\"s1\"}"},"messages":[{"role":"user","content":"Tea?"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"<REDACTED>","signature":"a"},{"type":"text","text":"Yes."}]},{"role":"user","content":"<REDACTED>"}]}`
	const answer = `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"<REDACTED>","signature":"b"},{"type":"thinking","thinking":"<REDACTED>","signature":"c"}],"stop_reason":"end_turn"}`
	const log = "no JSON\n" + `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"Be \"kind\".","signature":"a"},{"type":"thinking","thinking":"Milk?","signature":"b"}]}}` + "\n"
	files := []source.File{source.Bytes("x.request.json", []byte(request)), source.Bytes("x.response.json", []byte(answer))}
	asked := 0
	for i := range files {
		files[i].Session = func(id string) []source.Input {
			if asked++; id != "s1" {
				t.Errorf("session %q", id)
			}
			in, _ := source.Bytes("s1.jsonl", []byte(log)).Open()
			return []source.Input{in}
		}
	}
	groups, err := source.Group(t.Context(), files, source.Options{})
	if err != nil || len(groups) != 1 {
		t.Fatal(len(groups), err)
	}
	var got *series.Request
	if err := source.ReadFiles(t.Context(), groups[0], source.Options{}, func(r *series.Request) error {
		got = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	text := got.Messages[1].Value + got.Messages[2].Value + got.Reply[0].Value
	for want, n := range map[string]int{`"Be \"kind\"."`: 1, `"Milk?"`: 1, "<REDACTED>": 2} {
		if strings.Count(text, want) != n {
			t.Errorf("%d times %s, not %d: %s", strings.Count(text, want), want, n, text)
		}
	}
	if asked != 1 {
		t.Errorf("the log was opened %d times", asked)
	}
}
