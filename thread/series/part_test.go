package series_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/series"
)

// grouped makes requests whose messages have several parts, which come, leave, come back, and are
// grouped and written in different ways.
type grouped struct {
	*rand.Rand
	list   []*speech // in order
	gone   []*speech
	marked int // the part with a marker for the cache; -1 for none
	made   int
	format string
}

// speech is one part.
type speech struct {
	role  string
	text  string
	first bool // begins a message
	after *speech
}

func (w *grouped) say(role string, first bool) *speech {
	w.made++
	return &speech{role: role, text: fmt.Sprintf("says %d %s", w.made, strings.Repeat("x", w.IntN(9))), first: first}
}

// messages writes the parts as messages.
func (w *grouped) messages() []*series.Message {
	var out []*series.Message
	for at := 0; at < len(w.list); {
		end := at + 1
		for end < len(w.list) && !w.list[end].first && w.list[end].role == w.list[at].role {
			end++
		}
		content := ""
		for i, p := range w.list[at:end] {
			marker := ""
			if at+i == w.marked {
				marker = `"cache_control":{"type":"ephemeral"},`
			}
			if i > 0 {
				content += ","
			}
			content += fmt.Sprintf(`{%s"text":%q,"type":"text"}`, marker, p.text)
		}
		content = "[" + content + "]"
		if end == at+1 && w.marked != at && w.IntN(2) == 0 {
			content = fmt.Sprintf("%q", w.list[at].text)
		}
		role := map[string]series.Role{"user": series.User, "assistant": series.Assistant}[w.list[at].role]
		out = append(out, &series.Message{Value: fmt.Sprintf(`{"content":%s,"role":%q}`, content, w.list[at].role), Role: role})
		at = end
	}
	return out
}

// step changes the list, and returns how many parts entered and left.
func (w *grouped) step() (entered, left int) {
	w.marked = -1
	switch op := w.IntN(6); {
	case len(w.list) > 6 && op == 0: // one part is removed
		at := 2 + w.IntN(len(w.list)-4)
		p := w.list[at]
		p.after = w.list[at-1]
		if at+1 < len(w.list) && p.first && w.list[at+1].role == p.role {
			w.list[at+1].first = true
		}
		w.list, w.gone, left = slices.Delete(w.list, at, at+1), append(w.gone, p), 1
	case len(w.gone) > 0 && op == 1: // one comes back
		n := w.IntN(len(w.gone))
		p := w.gone[n]
		if at := slices.Index(w.list, p.after); at >= 0 {
			w.list = slices.Insert(w.list, at+1, p)
			w.gone, entered = slices.Delete(w.gone, n, n+1), 1
		}
	case op == 2: // messages are split or joined
		w.list[w.IntN(len(w.list))].first = w.IntN(2) == 0
	case op == 3: // the last message grows
		w.list, entered = append(w.list, w.say(w.list[len(w.list)-1].role, false)), 1
		return entered, left
	}
	w.list = append(w.list, w.say("assistant", true), w.say("user", true))
	entered += 2
	if w.IntN(2) == 0 {
		w.list, entered = append(w.list, w.say("user", false)), entered+1
	}
	if w.IntN(3) > 0 {
		w.marked = len(w.list) - 1 - w.IntN(2)
	}
	return entered, left
}

// TestParts checks that each part keeps its node, however it is written and whatever message it is
// in, and that nothing else is reported. PACTKIT_SEEDS is the number of conversations.
func TestParts(t *testing.T) {
	reformed := 0
	for seed := range seriestest.Seeds(t, 200) {
		w := &grouped{Rand: rand.New(rand.NewPCG(seed, 11)), format: "anthropic", marked: -1}
		w.list = []*speech{w.say("user", true), w.say("user", false), w.say("user", false)}
		var requests []*series.Request
		var lists [][]*speech
		var want [][2]int
		entered, left := 3, 0
		for i := range 40 {
			requests = append(requests, &series.Request{ConversationID: "c", Format: w.format, Messages: w.messages(), Origin: series.Origin{Call: i}})
			lists, want = append(lists, slices.Clone(w.list)), append(want, [2]int{entered, left})
			entered, left = w.step()
		}
		nodes := map[*speech]*series.Node{}
		calls := track(t, requests)
		for i, items := range replay(t, calls) {
			c := calls[i]
			if got := [2]int{len(c.Entered), len(c.Left)}; got != want[i] || len(c.Changed)+len(c.Moved) > 0 {
				t.Fatalf("seed %d call %d: %v entered and left, want %v; %d changed, %d moved", seed, i, got, want[i], len(c.Changed), len(c.Moved))
			}
			for n, m := range messages(items) {
				if m.Value != requests[i].Messages[n].Value {
					t.Fatalf("seed %d call %d: message %d is %s, sent was %s", seed, i, n, m.Value, requests[i].Messages[n].Value)
				}
			}
			for n, p := range lists[i] {
				if was := nodes[p]; was != nil && was != items[n].Node {
					t.Fatalf("seed %d call %d: %q is %s, was %s", seed, i, p.text, items[n].ID, was.ID)
				}
				nodes[p] = items[n].Node
			}
			reformed += len(c.Reformed)
		}
	}
	if reformed == 0 {
		t.Error("no part was written in another way")
	}
}
