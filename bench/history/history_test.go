// Package history measures journals: their size, how fast they are written and read, and the cost
// of opening one to append.
package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// message is a message of OpenAI's chat format, as a program that only needs the log decodes it.
type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	Name       string     `json:"name,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// result is the result of an airline's tool.
const result = `{"reservation_id":"Z7GOZK","user_id":"olivia_gonzalez_2305","origin":"EWR","destination":"EWR","flight_type":"round_trip",` +
	`"cabin":"basic_economy","flights":[{"origin":"EWR","destination":"IAH","flight_number":"HAT188","date":"2024-05-28","price":55},` +
	`{"origin":"IAH","destination":"EWR","flight_number":"HAT207","date":"2024-05-28","price":76}],"passengers":[{"first_name":"Olivia",` +
	`"last_name":"Gonzalez","dob":"1988-06-13"}],"payment_history":[{"payment_id":"credit_card_9969263","amount":131}],"insurance":"no"}`

// chat returns a conversation with the given number of user turns. It consists of the conversations
// of tau-bench, one after the other, with unique tool call ids. A turn without a tool call is given
// one, since most turns of agents have one.
func chat(tb testing.TB, turns int) []byte {
	data, err := os.ReadFile("../../testdata/logs/tau-bench/gpt-4o-airline.json")
	if err != nil {
		tb.Fatal(err)
	}
	var tasks []struct {
		Traj []message `json:"traj"`
	}
	if err := json.Unmarshal(data, &tasks); err != nil {
		tb.Fatal(err)
	}
	var all []message
	for _, task := range tasks {
		all = append(all, task.Traj[1:]...)
	}
	log := []message{tasks[0].Traj[0]}
	answer := result
	for i, made := 0, 0; ; i++ {
		m := all[i%len(all)]
		if m.Role == "user" {
			if made++; made > turns {
				break
			}
		}
		m.ToolCalls = append([]toolCall(nil), m.ToolCalls...)
		for k := range m.ToolCalls {
			m.ToolCalls[k].ID = fmt.Sprintf("%s-%d", m.ToolCalls[k].ID, i/len(all))
		}
		if m.ToolCallID != "" {
			m.ToolCallID = fmt.Sprintf("%s-%d", m.ToolCallID, i/len(all))
		}
		log = append(log, m)
		if m.Role == "user" && all[(i+1)%len(all)].ToolCalls == nil {
			call := toolCall{ID: fmt.Sprintf("call_%08d", i), Type: "function"}
			call.Function.Name, call.Function.Arguments = "get_reservation_details", `{"reservation_id":"Z7GOZK"}`
			log = append(log, message{Role: "assistant", ToolCalls: []toolCall{call}},
				message{Role: "tool", Name: call.Function.Name, ToolCallID: call.ID, Content: &answer})
		}
	}
	out, err := json.Marshal(log)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// imported returns the history of a log.
func imported(tb testing.TB, log []byte) *engine.Timeline {
	logs, err := thread.Import(context.Background(), "log.json", log, thread.OpenAI, thread.ImportOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return logs[0].Timeline().Recorded()
}

// written returns a history as a journal.
func written(tb testing.TB, t *engine.Timeline) []byte {
	data, _, err := journal.Append(nil, t, journal.About{})
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// The numbers of turns to measure with, of the model calls of a turn, and of the turns of a journal
// of 100 MB.
var (
	sizes = []int{101, 903, 3000, 10000}
	steps = []int{300, 1000, 3000, 10000}
	tail  = 50000
)

// BenchmarkWrite writes the history of a log as a journal. Its peer encodes the log.
func BenchmarkWrite(b *testing.B) {
	for _, turns := range sizes {
		log := chat(b, turns)
		t := imported(b, log)
		size := len(written(b, t))
		b.Run(fmt.Sprintf("turns=%d/lib=pactkit", turns), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				var err error
				if dst, _, err = journal.Append(dst[:0], t, journal.About{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size)/float64(len(log)), "file/log")
		})
		var messages []message
		if err := json.Unmarshal(log, &messages); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("turns=%d/lib=encoding-json", turns), func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				if _, err := json.Marshal(messages); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRead reads a journal up to its newest snapshot. Its peers decode the log into structs,
// and copy the bytes.
func BenchmarkRead(b *testing.B) {
	for _, turns := range sizes {
		log := chat(b, turns)
		data := written(b, imported(b, log))
		run := func(lib string, data []byte, do func() error) {
			b.Run(fmt.Sprintf("turns=%d/lib=%s", turns, lib), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("pactkit", data, func() error {
			t, _, err := journal.Read("a.journal", bytes.NewReader(data), engine.ReadOptions{})
			if err == nil && t.At(0) == nil {
				err = io.ErrUnexpectedEOF
			}
			return err
		})
		run("encoding-json", log, func() error {
			var messages []message
			return json.Unmarshal(log, &messages)
		})
		run("bytes", data, func() error {
			_, err := io.Copy(new(strings.Builder), bytes.NewReader(data))
			return err
		})
	}
}

// BenchmarkTail opens a journal of 100 MB only to append. Its peer opens the file and reads its
// last block.
func BenchmarkTail(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.journal")
	data := written(b, imported(b, chat(b, tail)))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("lib=pactkit", func(b *testing.B) {
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			if tail, err := journal.ReadTail(f, int64(len(data))); err != nil || tail.End != int64(len(data)) {
				b.Fatal(tail, err)
			}
			f.Close()
		}
		b.ReportMetric(float64(len(data))/1e6, "MB")
	})
	b.Run("lib=os", func(b *testing.B) {
		block := make([]byte, 1<<14)
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.ReadAt(block, int64(len(data)-len(block))); err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
}
