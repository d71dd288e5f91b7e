package series_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pactkit/pactkit/thread/series"
)

// say makes a message from a short notation: the first letter of the role, and a text.
func say(text string) *series.Message {
	role := map[byte]string{'s': "system", 'u': "user", 'a': "assistant", 't': "tool"}[text[0]]
	return &series.Message{Value: fmt.Sprintf(`{"content":%q,"role":%q}`, text, role), Role: map[string]series.Role{"system": series.System, "user": series.User, "assistant": series.Assistant, "tool": series.Tool}[role]}
}

// requests makes requests of lists of messages in short notation, without a ConversationID.
func requests(lists ...[]string) []*series.Request {
	made := map[string]*series.Message{}
	var out []*series.Request
	for i, list := range lists {
		r := &series.Request{Origin: series.Origin{Call: i}}
		for _, text := range list {
			if made[text] == nil {
				made[text] = say(text)
			}
			r.Messages = append(r.Messages, made[text])
		}
		out = append(out, r)
	}
	return out
}

// messages returns the messages of a list of items.
func messages(list []series.Item) []*series.Message {
	var out []*series.Message
	for _, i := range list {
		if i.Index() == 0 {
			out = append(out, i.Message())
		}
	}
	return out
}

// brief describes in a line how a call differs from the previous one.
func brief(c *series.Step) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d:", c.Conversation)
	for _, e := range c.Entered {
		out.WriteString(" +" + e.ID[len("message:"):])
	}
	for _, d := range c.Left {
		fmt.Fprintf(&out, " -%s %s", d.ID[len("message:"):], d.Reason)
	}
	for _, m := range c.Moved {
		fmt.Fprintf(&out, " %d>%d", m.From, m.To)
	}
	for _, ch := range c.Changed {
		fmt.Fprintf(&out, " ~%s %s", ch.ID[len("message:"):], ch.Reason)
	}
	if c.Side != nil {
		fmt.Fprintf(&out, " side of %d", c.Side.Of)
	}
	return out.String()
}

func TestConversations(t *testing.T) {
	for _, test := range []struct {
		name  string
		lists [][]string
		want  []string
	}{
		{
			"two conversations in turn",
			[][]string{{"s", "u1"}, {"s", "u2"}, {"s", "u1", "a1", "t1"}, {"s", "u2", "a2", "t2"}},
			[]string{"0: +1 +2", "1: +3 +4", "0: +5 +6", "1: +7 +8"},
		},
		{
			"a second run of one prompt",
			[][]string{{"s", "u1"}, {"s", "u1", "a1", "t1"}, {"s", "u1"}, {"s", "u1", "a2", "t2"}, {"s", "u1", "a1", "t1", "a3", "t3"}},
			[]string{"0: +1 +2", "0: +3 +4", "1: +5 +6", "1: +7 +8", "0: +9 +10"},
		},
		{
			"the same request again",
			[][]string{{"s", "u1"}, {"s", "u1"}, {"s", "u1", "a1", "u2"}},
			[]string{"0: +1 +2", "0:", "0: +3 +4"},
		},
		{
			"an empty request",
			[][]string{{}, {"u1"}, {}},
			[]string{"0:", "1: +1", "2:"},
		},
		{
			"a message twice in a request",
			[][]string{{"u1", "a1", "t1"}, {"u1", "a1", "t1", "t1"}, {"u1", "a1", "t1"}},
			[]string{"0: +1 +2 +3", "0: +4", "0: -4 unknown"},
		},
		{
			"all but the system prompt gone is another conversation if nothing says otherwise",
			[][]string{{"s", "u1", "a1", "u2"}, {"s", "u3"}},
			[]string{"0: +1 +2 +3 +4", "1: +5 +6"},
		},
		{
			"the oldest cut off",
			[][]string{{"s", "u1", "a1", "t1", "a2", "t2"}, {"s", "u1", "a2", "t2", "a3", "t3"}},
			[]string{"0: +1 +2 +3 +4 +5 +6", "0: +7 +8 -3 trimmed -4 trimmed"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := track(t, requests(test.lists...))
			var got []string
			for _, c := range calls {
				got = append(got, brief(c))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			for i, items := range replay(t, calls) {
				var sent []string
				for _, m := range messages(items) {
					sent = append(sent, m.Value)
				}
				var want []string
				for _, text := range test.lists[i] {
					want = append(want, say(text).Value)
				}
				if diff := cmp.Diff(want, sent); diff != "" {
					t.Errorf("call %d: %s", i, diff)
				}
			}
		})
	}
}

// TestIdentical tracks lists of 10,000 messages that are all the same.
func TestIdentical(t *testing.T) {
	m := say("u again")
	list := slices.Repeat([]*series.Message{m}, 10_000)
	changed := slices.Concat(list[:4_000], []*series.Message{say("a new")}, list[:5_000])
	var in []*series.Request
	for i, l := range [][]*series.Message{list, slices.Concat(list, list[:1]), list[:9_000], changed} {
		in = append(in, &series.Request{ConversationID: "c", Messages: l, Origin: series.Origin{Call: i}})
	}
	calls := track(t, in)
	for i, want := range [][2]int{{10_000, 0}, {1, 0}, {0, 1_001}, {1, 0}} {
		if c := calls[i]; len(c.Entered) != want[0] || len(c.Left) != want[1] {
			t.Errorf("call %d: %d entered, %d left; want %v", i, len(c.Entered), len(c.Left), want)
		}
	}
	replay(t, calls)
}

// TestBase checks that a Base larger than the previous request is an error.
func TestBase(t *testing.T) {
	var tr series.Tracker
	if _, err := tr.Add(&series.Request{Base: 1}); err == nil {
		t.Error("no error")
	}
}

// TestChoices checks that each of several answers to a call has a state (C4), and that the one with
// which the conversation goes on comes last, also at the end of a source and before an event.
func TestChoices(t *testing.T) {
	answered := func(list []string, call int, texts ...string) *series.Request {
		r := requests(list)[0]
		r.ConversationID, r.Origin.Call = "c", call
		for i, text := range texts {
			if answer := []*series.Message{say(text)}; i == len(texts)-1 {
				r.Reply = answer
			} else {
				r.Choices = append(r.Choices, answer)
			}
		}
		return r
	}
	interrupt := requests([]string{"u1", "a3", "u2", "a6"})[0]
	interrupt.ConversationID, interrupt.Event = "c", &series.Event{Kind: "interrupt"}
	steps := track(t, []*series.Request{
		answered([]string{"u1"}, 0, "a1", "a2", "a3"),
		answered([]string{"u1", "a3", "u2"}, 1, "a5", "a6"),
		interrupt,
		answered([]string{"u1", "a3", "u2", "a6", "u3"}, 2, "a7", "a8"),
	})
	var got []string
	for i, items := range replay(t, steps) {
		kind := "call"
		if e := steps[i].Event; e != nil {
			kind = e.Kind
		}
		for _, m := range messages(items) {
			_, text, _ := strings.Cut(m.Value, `"`)
			text = strings.TrimPrefix(text, `content":"`)
			text, _, _ = strings.Cut(text, `"`)
			kind += " " + text
		}
		got = append(got, kind)
	}
	want := []string{
		"call u1", "answer u1 a1", "answer u1 a2", "answer u1 a3",
		"call u1 a3 u2", "answer u1 a3 u2 a5", "answer u1 a3 u2 a6",
		"interrupt u1 a3 u2 a6",
		"call u1 a3 u2 a6 u3", "answer u1 a3 u2 a6 u3 a7", "answer u1 a3 u2 a6 u3 a8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBesideReformed sends the parts of a message in a longer one, in a call that may be a side
// call. The state after the answer before it has the message as it was.
func TestBesideReformed(t *testing.T) {
	text := func(role series.Role, name string, parts ...string) *series.Message {
		return &series.Message{Role: role, Value: fmt.Sprintf(`{"content":[%s],"role":%q}`, strings.Join(parts, ","), name)}
	}
	hi, more := `{"text":"hi","type":"text"}`, `{"text":"more","type":"text"}`
	first, answer := text(series.User, "user", hi), text(series.Assistant, "assistant", `{"text":"wrong","type":"text"}`)
	before := []*series.Message{text(series.User, "user", `{"text":"go","type":"text"}`), text(series.Assistant, "assistant", `{"text":"so","type":"text"}`)}
	list := []*series.Request{
		{Messages: append(before[:2:2], first), Reply: []*series.Message{answer}, Format: "anthropic"},
		{Messages: append(before[:2:2], text(series.User, "user", hi, more)), Format: "anthropic", Origin: series.Origin{Call: 1}},
	}
	steps := track(t, list)
	lists := replay(t, steps)
	if len(steps) != 3 || steps[1].Event == nil {
		t.Fatalf("%d steps, not a call, the state after its answer, and a call", len(steps))
	}
	for i, want := range [][]*series.Message{list[0].Messages, append(list[0].Messages[:3:3], answer), list[1].Messages} {
		if got := messages(lists[i]); !slices.Equal(got, want) {
			t.Errorf("step %d has %d messages, not %d, or others", i, len(got), len(want))
		}
	}
}
