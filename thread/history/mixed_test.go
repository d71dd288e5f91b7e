package history_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mixed makes requests of one conversation whose messages change in every way at once: they leave,
// enter, move, are duplicated, and change in content and number of parts.
type mixed struct {
	*rand.Rand
	list []mixedMessage
	made int
}

// mixedMessage is a message before it is encoded.
type mixedMessage struct {
	role, text, call string
	parts            int
	without          int  // a part that is left out
	marked           bool // the last text has a marker for the cache
}

func (w *mixed) message() mixedMessage {
	w.made++
	m := mixedMessage{role: []string{"user", "assistant", "assistant", "user", "tool"}[w.IntN(5)], text: fmt.Sprint("says ", w.made), parts: w.IntN(4)}
	if m.role == "tool" || m.role == "assistant" && w.IntN(2) == 0 {
		m.call = fmt.Sprint("call_", w.IntN(40))
	}
	if w.IntN(12) == 0 {
		m.role, m.text, m.call = "system", "rule", ""
	}
	if w.IntN(8) == 0 {
		m.text = "yes"
	}
	return m
}

func (m mixedMessage) anthropic() string {
	role := m.role
	var parts []string
	switch {
	case m.role == "tool":
		return fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}`, m.call, m.text)
	case m.role == "system":
		role = "user"
	}
	if m.parts == 0 && m.call == "" {
		return fmt.Sprintf(`{"role":%q,"content":%q}`, role, m.text)
	}
	for n := range m.parts {
		switch {
		case n+1 == m.without:
		case n+1 == m.parts && m.marked:
			parts = append(parts, fmt.Sprintf(`{"type":"text","text":"%s %d","cache_control":{"type":"ephemeral"}}`, m.text, n))
		default:
			parts = append(parts, fmt.Sprintf(`{"type":"text","text":"%s %d"}`, m.text, n))
		}
	}
	if m.call != "" {
		parts = append(parts, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"f","input":{"a":%q}}`, m.call, m.text))
	}
	return fmt.Sprintf(`{"role":%q,"content":[%s]}`, role, strings.Join(parts, ","))
}

func (m mixedMessage) openai() string {
	switch {
	case m.role == "tool":
		return fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%q}`, m.call, m.text)
	case m.call != "":
		return fmt.Sprintf(`{"role":"assistant","content":%q,"tool_calls":[{"id":%q,"type":"function","function":{"name":"f","arguments":"{}"}}]}`, m.text, m.call)
	case m.parts > 1:
		return fmt.Sprintf(`{"role":%q,"content":[{"type":"text","text":%q},{"type":"text","text":"more"}]}`, m.role, m.text)
	}
	return fmt.Sprintf(`{"role":%q,"content":%q}`, m.role, m.text)
}

// change makes the messages of the next request.
func (w *mixed) change() {
	for range 1 + w.IntN(4) {
		n := len(w.list)
		if n < 3 {
			w.list = append(w.list, w.message())
			continue
		}
		at, to := w.IntN(n), w.IntN(n)
		switch w.IntN(12) {
		case 0, 1, 2:
			w.list = append(w.list, w.message())
		case 3:
			w.list = slices.Delete(w.list, min(at, to), max(at, to))
		case 4:
			w.list[at], w.list[to] = w.list[to], w.list[at]
		case 5:
			w.list[at].parts, w.list[at].text = w.IntN(4), w.list[at].text+"!"
		case 6:
			w.list = slices.Insert(w.list, at, w.message())
		case 7:
			w.list = append(w.list, w.list[at])
		case 8:
			w.list[at] = w.message()
		case 9:
			w.list[at].without = w.IntN(4)
		case 10:
			w.list[at].marked = !w.list[at].marked
		case 11: // the parts of a message are distributed over two
			more := w.list[at]
			w.list[at].without, more.without = 1, 2
			w.list = slices.Insert(w.list, at, more)
		}
	}
}

// TestMixed checks that every request is restored, whatever changed between two of them.
func TestMixed(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 15
	}
	for seed := range seeds {
		w := &mixed{Rand: rand.New(rand.NewPCG(seed, 5))}
		var file strings.Builder
		for range 25 {
			w.change()
			var list []string
			body := `"system":"s","max_tokens":1`
			for _, m := range w.list {
				if seed%2 == 0 {
					list = append(list, m.anthropic())
				} else {
					list = append(list, m.openai())
					body = `"tools":[{"type":"function","function":{"name":"f"}}]`
				}
			}
			fmt.Fprintf(&file, "{\"conversation_id\":\"c\",\"request\":{%s,\"messages\":[%s]}}\n", body, strings.Join(list, ","))
		}
		for _, r := range record(t, "made.jsonl", []byte(file.String())) {
			r.check(t, fmt.Sprintf("seed %d", seed))
		}
	}
}
