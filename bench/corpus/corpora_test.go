package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lake is the data to search: a file of conversations, one per line, or a folder of session files.
type lake struct {
	name, from string
	write      func(b *testing.B, dir string) (path string)
	questions  []question
	hasPeers   bool // whether peers.py can read it
}

// question is a search in the language of each program.
type question struct {
	name, selector, jq string
	found              int // the number of results of the first program that ran it
}

var lakes = []lake{
	{name: "tau-bench", from: "openai", write: tauBench, hasPeers: true, questions: []question{
		{name: "few", selector: ".block+tool{content~'Error'}", jq: chatTool + ` and ((.content // "") | contains("Error"))) | .role`},
		{name: "count", selector: ".block+tool", jq: chatTool + `) | .role`},
		{name: "none", selector: ".block{content~'no such words'}", jq: `.messages[] | select((.content // "") | contains("no such words")) | .role`},
	}},
	{name: "claude-code", from: "claude-code", write: claudeCode, questions: []question{
		{name: "few", selector: ".block+tool{content~'Error'}", jq: claudeTool + ` and (.content | contains("Error"))) | .type`},
		{name: "count", selector: ".block+tool", jq: claudeTool + `) | .type`},
		{name: "none", selector: ".block{content~'no such words'}",
			jq: `.message.content | (strings, (arrays[] | (.text // .content) | strings)) | select(contains("no such words"))`},
	}},
	{name: "chinese", from: "openai", write: chinese, questions: []question{
		{name: "few", selector: ".block+tool{content~'错误'}", jq: chatTool + ` and ((.content // "") | contains("错误"))) | .role`},
		{name: "count", selector: ".block+tool", jq: chatTool + `) | .role`},
		{name: "none", selector: ".block{content~'没有这样的话'}", jq: `.messages[] | select((.content // "") | contains("没有这样的话")) | .role`},
	}},
}

const (
	chatTool   = `.messages[] | select(.role == "tool"`
	claudeTool = `select(.type == "user") | .message.content | arrays[] | select(.type == "tool_result"`
)

// conversations is the number of conversations in a lake. They take 51 MB if the log has all 40.
var conversations = 3200

// message is a message of a conversation.
type message struct {
	Role      string  `json:"role"`
	Content   *string `json:"content"`
	ToolCalls []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// trajectories returns the conversations in a log of tau-bench.
func trajectories(b *testing.B) (list []json.RawMessage) {
	log := os.Getenv("PACTKIT_CORPUS_LOG")
	if log == "" {
		log = "../../testdata/logs/tau-bench/gpt-4o-airline.json"
	}
	data, err := os.ReadFile(log)
	if err != nil {
		b.Fatal(err)
	}
	var records []struct {
		Traj json.RawMessage `json:"traj"`
	}
	if err := json.Unmarshal(data, &records); err != nil {
		b.Fatal(err)
	}
	for _, r := range records {
		var line bytes.Buffer // the log may be indented
		if err := json.Compact(&line, r.Traj); err != nil {
			b.Fatal(err)
		}
		list = append(list, line.Bytes())
	}
	return list
}

func tauBench(b *testing.B, dir string) string {
	if file := os.Getenv("PACTKIT_CORPUS"); file != "" {
		return file
	}
	return writeLines(b, dir, trajectories(b))
}

// writeLines writes a file with a conversation on each line.
func writeLines(b *testing.B, dir string, list []json.RawMessage) string {
	var out bytes.Buffer
	for i := range conversations {
		fmt.Fprintf(&out, `{"id":"c%d","messages":%s}`+"\n", i, list[i%len(list)])
	}
	return write(b, filepath.Join(dir, "conversations.jsonl"), out.Bytes())
}

func write(b *testing.B, file string, data []byte) string {
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}

// chinese replaces every three letters of a content with one ideograph, which has as many bytes,
// and Error with 错误.
func chinese(b *testing.B, dir string) string {
	list := trajectories(b)
	for i := range list {
		var messages []map[string]any
		if err := json.Unmarshal(list[i], &messages); err != nil {
			b.Fatal(err)
		}
		for _, m := range messages {
			if text, ok := m["content"].(string); ok {
				m["content"] = ideographs(text)
			}
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(messages); err != nil {
			b.Fatal(err)
		}
		list[i] = bytes.TrimSpace(out.Bytes())
	}
	return writeLines(b, dir, list)
}

func ideographs(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "Error") {
		if i > 0 {
			b.WriteString("错误")
		}
		letters, sum := 0, rune(0)
		for _, r := range part {
			if r|0x20 < 'a' || r|0x20 > 'z' {
				b.WriteRune(r)
				continue
			}
			sum = sum*31 + r
			if letters++; letters%3 == 0 {
				b.WriteRune(0x4e00 + sum&0x3fff)
			}
		}
	}
	return b.String()
}

// claudeCode writes the conversations as session files of ten each.
func claudeCode(b *testing.B, dir string) string {
	list := trajectories(b)
	const each = 10
	for file := range conversations / each {
		s := sessionFile{number: file}
		for k := range each {
			var messages []message
			if err := json.Unmarshal(list[(file*each+k)%len(list)], &messages); err != nil {
				b.Fatal(err)
			}
			for _, m := range messages[1:] { // without the system prompt
				s.add(b, m)
			}
		}
		write(b, filepath.Join(dir, fmt.Sprintf("%08x.jsonl", file)), s.out.Bytes())
	}
	return dir
}

// sessionFile is a session of Claude Code.
type sessionFile struct {
	number, records, calls int
	out                    bytes.Buffer
}

// add writes the record of a message.
func (s *sessionFile) add(b *testing.B, m message) {
	content := ""
	if m.Content != nil {
		content = *m.Content
	}
	type object = map[string]any
	kind, beside := "user", object{"role": "user", "content": content}
	switch m.Role {
	case "assistant":
		kind = m.Role
		parts := []object{{"type": "text", "text": content}}
		for _, c := range m.ToolCalls {
			s.calls++
			parts = append(parts, object{"type": "tool_use", "id": s.call(), "name": c.Function.Name, "input": json.RawMessage(c.Function.Arguments)})
		}
		beside = object{
			"id": fmt.Sprintf("msg_%08x%08x", s.number, s.records), "type": "message", "role": kind, "model": "claude-sonnet-4", "content": parts,
			"usage": object{"input_tokens": 4, "output_tokens": 10},
		}
	case "tool":
		beside["content"] = []object{{"type": "tool_result", "tool_use_id": s.call(), "content": content}}
	}
	record := object{
		"parentUuid": nil, "isSidechain": false, "userType": "external", "cwd": "/home/user/project", "sessionId": s.id(0), "version": "1.0.44",
		"gitBranch": "main", "type": kind, "message": beside, "uuid": s.id(s.records + 1), "timestamp": "2025-06-01T00:00:00.123Z",
	}
	if s.records > 0 {
		record["parentUuid"] = s.id(s.records)
	}
	s.records++
	if err := json.NewEncoder(&s.out).Encode(record); err != nil {
		b.Fatal(err)
	}
}

func (s *sessionFile) call() string { return fmt.Sprintf("toolu_%08x%08x", s.number, s.calls) }

func (s *sessionFile) id(n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", s.number, n)
}
