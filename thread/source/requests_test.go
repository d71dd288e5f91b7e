package source_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// body restores the body of a call, in canonical JSON.
func body(t testing.TB, c *series.Step, items []series.Item) string {
	t.Helper()
	var list strings.Builder
	for i, m := range messages(items) {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString(m.Value)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "{%q:[%s]", c.List, list.String())
	for _, s := range c.Request.Settings {
		fmt.Fprintf(&out, ",%q:%s", s.Name, s.Value)
	}
	text, err := canonjson.Canonical(out.String() + "}")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// write makes a file of requests: bare bodies, or records with the answers. It also returns the
// bodies.
func write(w *seriestest.Writer, truths []seriestest.Truth, bare bool) (string, []string) {
	var file strings.Builder
	var bodies []string
	for i, tr := range truths {
		text, response := w.Body(tr)
		bodies = append(bodies, text)
		switch {
		case bare:
			file.WriteString(text + "\n")
		case response == "":
			fmt.Fprintf(&file, "{\"time\":%d,\"request\":%s}\n", 1_700_000_000+i, text)
		default:
			fmt.Fprintf(&file, "{\"request\":%s,\"response\":%s,\"time\":\"2026-01-02T03:04:05Z\"}\n", text, response)
		}
	}
	return file.String(), bodies
}

// TestRequests checks for random conversations in the format of each provider that each request is
// restored exactly and that the causes are right, although a file of bodies has no ids and does not
// record what happened. PACTKIT_SEEDS is the number of conversations per format.
func TestRequests(t *testing.T) {
	for _, form := range seriestest.Forms() {
		for _, bare := range []bool{true, false} {
			t.Run(fmt.Sprintf("%v/bare=%v", form, bare), func(t *testing.T) {
				total, right := 0, 0
				wrong := map[string]int{}
				for seed := range seriestest.Seeds(t, 12) {
					w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, uint64(form))), Form: form, Replies: !bare}
					truths := w.Series(50)
					file, bodies := write(w, truths, bare)
					steps, err := track(t, "made.jsonl", []byte(file), source.Options{})
					if err != nil {
						t.Fatal(err)
					}
					calls, lists := callsOf(t, steps)
					if len(calls) != len(truths) {
						t.Fatalf("seed %d: %d calls of %d", seed, len(calls), len(truths))
					}
					for i, items := range lists {
						c, tr := calls[i], truths[i]
						want, err := canonjson.Canonical(bodies[i])
						if err != nil {
							t.Fatal(err)
						}
						if diff := cmp.Diff(want, body(t, c, items)); diff != "" {
							t.Fatalf("seed %d call %d: %s", seed, i, diff)
						}
						if c.Format != form.String() {
							t.Errorf("seed %d call %d: format %s", seed, i, c.Format)
						}
						check := func(ok bool, format string, args ...any) {
							total++
							if ok {
								right++
								return
							}
							wrong[tr.What]++
							t.Logf("seed %d call %d (%s): %s", seed, i, tr.What, fmt.Sprintf(format, args...))
						}
						check(c.Conversation == 0, "conversation %d", c.Conversation)
						check((c.Side != nil) == tr.Side, "side call: %v", c.Side)
						if tr.Side {
							continue
						}
						causes := map[string]series.Cause{}
						for m, cause := range tr.Left {
							causes[m.Value] = cause
						}
						check(len(c.Left) == len(tr.Left), "%d left, not %d", len(c.Left), len(tr.Left))
						for _, d := range c.Left {
							check(d.Reason == causes[d.Message().Value] && d.Inferred, "%s: %s, not %s", d.Message().Value, d.Reason, causes[d.Message().Value])
							if tr.By != nil {
								check(d.By != nil, "no summary")
							}
						}
						check(len(c.Changed) == len(tr.Changed), "%d changed, not %d", len(c.Changed), len(tr.Changed))
						changes := map[string]series.Cause{}
						for m, cause := range tr.Changed {
							changes[m.Value] = cause
						}
						for _, ch := range c.Changed {
							check(ch.Reason == changes[ch.Message().Value], "%s changed: %s", ch.Message().Value, ch.Reason)
						}
					}
				}
				if right*1000 < total*990 {
					t.Errorf("only %d of %d are right: %v", right, total, wrong)
				}
				t.Logf("%d of %d", right, total)
			})
		}
	}
}
