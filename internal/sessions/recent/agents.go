package recent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread/source"
)

// agent finds the sessions of a program in its files. All functions but name and line may be nil.
type agent struct {
	// name sets the fields of f that its name tells, and reports whether f belongs to a session.
	// parts are the elements of its path below the place.
	name func(f *file, parts []string) bool
	// joins is a text in the beginning of each file that belongs to the session of another file, or
	// "" for agents that write no such files.
	joins string
	// line reads a line of the beginning, and reports whether no more lines are needed.
	line   func(h *head, line []byte) (enough bool)
	tail   func(h *head, line []byte)                       // reads a line of the end
	place  func(h *head, f *file)                           // reads other files in the folder of f
	titles func(p sessions.Place, titles map[string]string) // reads the program's index of titles
	split  func(ctx context.Context, f *file) []*file       // returns the sessions in a file
}

// recording is the program whose files are recordings.
const recording = "recording"

// agents has the programs whose files need more than otherName and otherLine.
var agents = map[string]agent{
	"Claude Code": {name: claudeName, line: claudeLine, tail: func(h *head, line []byte) { claudeTail(h, line) }},
	"Codex":       {name: codexName, joins: `"subagent"`, line: codexLine, titles: codexTitles},
	"Gemini CLI":  {name: geminiName, line: geminiLine, tail: func(h *head, line []byte) { geminiLine(h, line) }, place: geminiPlace},
	"opencode":    {name: opencodeName, split: databaseSessions(opencodeSessions)},
	"Goose":       {name: gooseName, line: otherLine, split: databaseSessions(gooseSessions)},
	"Cline":       {name: taskName, line: taskLine},
	"Roo Code":    {name: taskName, line: taskLine},
	recording:     {name: recordingName, line: recordingLine},
}

func agentOf(p sessions.Place) agent {
	if a, ok := agents[p.Program]; ok {
		return a
	}
	return agent{name: otherName, line: otherLine}
}

// claudeRecord has the members of a Claude Code record that describe the session.
type claudeRecord struct {
	Type        string          `json:"type"`
	Timestamp   string          `json:"timestamp"`
	SessionID   string          `json:"sessionId"`
	CWD         string          `json:"cwd"`
	Branch      string          `json:"gitBranch"`
	Side        bool            `json:"isSidechain"`
	Meta        bool            `json:"isMeta"`
	IsSummary   bool            `json:"isCompactSummary"`
	CustomTitle string          `json:"customTitle"`
	AITitle     string          `json:"aiTitle"`
	Summary     string          `json:"summary"`
	LastPrompt  string          `json:"lastPrompt"`
	Message     json.RawMessage `json:"message"`
}

// claudeName accepts PROJECT/SESSION.jsonl and the files of its agents:
// PROJECT/SESSION/subagents/agent-….jsonl and, in older versions, PROJECT/agent-….jsonl.
func claudeName(f *file, parts []string) bool {
	base, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	if !ok || len(parts) < 2 {
		return false
	}
	f.folder = parts[0]
	isAgent := strings.HasPrefix(base, "agent-")
	switch {
	case len(parts) > 2:
		f.id, f.part = parts[1], true
		return isAgent
	case isAgent:
		f.id, f.part, f.joins = base, true, true
	default:
		f.id = base
	}
	return true
}

func claudeLine(h *head, line []byte) bool {
	r := claudeTail(h, line)
	h.Started = cmp.Or(h.Started, r.Timestamp)
	if r.SessionID != "" && h.Parent == "" && r.Side { // an agent names the session that started it
		h.Parent = r.SessionID
	}
	if r.Type == "user" && !r.Side && !r.Meta && !r.IsSummary && h.Prompt == "" {
		h.prompt(r.Message)
	}
	return h.Prompt != "" && h.Folder != "" || r.Side && h.Folder != ""
}

// claudeTail updates h from a record. The branch and the title are the newest ones.
func claudeTail(h *head, line []byte) (r claudeRecord) {
	if json.Unmarshal(line, &r) != nil {
		return claudeRecord{}
	}
	h.Folder = cmp.Or(h.Folder, r.CWD)
	h.Branch = cmp.Or(r.Branch, h.Branch)
	h.spoken = h.spoken || r.Type == "user" || r.Type == "assistant"
	switch r.Type {
	case "custom-title":
		h.Title, h.named = clipped(r.CustomTitle), true
	case "ai-title", "summary":
		if title := cmp.Or(r.AITitle, r.Summary); !h.named && title != "" {
			h.Title = clipped(title)
		}
	case "last-prompt":
		h.command = cmp.Or(h.command, clipped(r.LastPrompt))
	}
	return r
}

// codexRecord has the members of a Codex record that describe the session.
type codexRecord struct {
	Type    string `json:"type"`
	Payload struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Session   string          `json:"session_id"`
		Parent    string          `json:"parent_thread_id"`
		Source    json.RawMessage `json:"source"`
		Timestamp string          `json:"timestamp"`
		CWD       string          `json:"cwd"`
		Base      struct {
			Thread string `json:"thread_id"`
		} `json:"history_base"`
		Git struct {
			Branch string `json:"branch"`
		} `json:"git"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Message json.RawMessage `json:"message"`
	} `json:"payload"`
}

// codexName accepts rollout-TIME-THREAD.jsonl and, after a rewind, rollout-TIME-THREAD_ID.jsonl.
func codexName(f *file, parts []string) bool {
	const time, id = len("rollout-2006-01-02T15-04-05-"), 36
	base, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	if !ok || len(base) < time+id {
		return false
	}
	f.id, f.joins = base[time:time+id], true
	return true
}

func codexLine(h *head, line []byte) bool {
	var r codexRecord
	if json.Unmarshal(line, &r) != nil {
		return false
	}
	p := &r.Payload
	switch {
	case r.Type == "session_meta" && h.ID == "":
		h.ID, h.Folder, h.Branch, h.Started = p.ID, p.CWD, p.Git.Branch, p.Timestamp
		h.Base = p.Base.Thread
		if bytes.Contains(p.Source, []byte(`"subagent"`)) {
			h.Parent = cmp.Or(p.Session, p.Parent, parentOf(p.Source))
		}
		if h.Parent == h.ID {
			h.Parent = ""
		}
	case r.Type == "response_item" && p.Type == "message" && p.Role == "user":
		h.promptText(p.Content)
	case r.Type == "event_msg" && p.Type == "user_message":
		h.promptText(p.Message)
	}
	return h.Prompt != ""
}

// parentOf returns the thread that started an agent, from the source that older versions write.
func parentOf(source json.RawMessage) string {
	var of struct {
		Subagent struct {
			Spawn struct {
				Parent string `json:"parent_thread_id"`
			} `json:"thread_spawn"`
		} `json:"subagent"`
	}
	_ = json.Unmarshal(source, &of) // a review names no parent
	return of.Subagent.Spawn.Parent
}

// mostTitles is the size of the largest index of titles that is read.
const mostTitles = 16 << 20

// codexTitles reads the names that the user or Codex gave to threads.
func codexTitles(p sessions.Place, titles map[string]string) {
	text, err := atomicfile.Read(filepath.Join(filepath.Dir(p.Folder), "session_index.jsonl"), mostTitles)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		var named struct {
			ID   string `json:"id"`
			Name string `json:"thread_name"`
		}
		if json.Unmarshal(line, &named) == nil && named.Name != "" {
			titles[named.ID] = clipped(named.Name)
		}
	}
}

// geminiMessage is a message of Gemini CLI.
type geminiMessage struct {
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"`
}

// geminiRecord has the members of a Gemini CLI record, or of the whole file of an older version.
type geminiRecord struct {
	geminiMessage
	Session  string          `json:"sessionId"`
	Started  string          `json:"startTime"`
	Kind     string          `json:"kind"`
	Summary  string          `json:"summary"`
	Messages []geminiMessage `json:"messages"`
	Set      struct {
		Messages []geminiMessage `json:"messages"`
		Summary  string          `json:"summary"`
	} `json:"$set"`
}

// geminiName accepts PROJECT/chats/session-TIME-ID.jsonl, where ID is the beginning of the id.
func geminiName(f *file, parts []string) bool {
	base, ok := stem(parts[len(parts)-1])
	if !ok || len(parts) != 3 || parts[1] != "chats" {
		return false
	}
	f.folder, f.id = parts[0], base[strings.LastIndexByte(base, '-')+1:]
	return true
}

func geminiLine(h *head, line []byte) bool {
	var r geminiRecord
	if json.Unmarshal(line, &r) != nil {
		return false
	}
	h.ID, h.Started = cmp.Or(h.ID, r.Session), cmp.Or(h.Started, r.Started)
	h.Title = cmp.Or(clipped(cmp.Or(r.Set.Summary, r.Summary)), h.Title)
	for _, m := range append(append(r.Messages, r.Set.Messages...), r.geminiMessage) {
		if m.Type == "user" {
			h.promptText(m.Content)
		}
	}
	return h.Prompt != ""
}

// geminiPlace reads the folder of the project from the file .project_root above the chats.
func geminiPlace(h *head, f *file) {
	if text, err := atomicfile.Read(filepath.Join(filepath.Dir(filepath.Dir(f.path)), ".project_root"), 1<<16); err == nil {
		h.Folder = strings.TrimSpace(string(text))
	}
}

// taskName accepts TASK/api_conversation_history.json.
func taskName(f *file, parts []string) bool {
	if len(parts) != 2 || parts[1] != "api_conversation_history.json" {
		return false
	}
	f.id = parts[0]
	return true
}

// The task and the folder in a prompt of Cline or Roo Code.
var (
	taskText   = regexp.MustCompile(`(?s)<(?:task|user_message)>\s*(.*?)\s*</`)
	taskFolder = regexp.MustCompile(`# Current (?:Work(?:ing|space)) Directory \((.*?)\)`)
)

func taskLine(h *head, line []byte) bool {
	var messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(line, &messages) // the messages before an error count
	for _, m := range messages {
		text := strings.Join(texts(m.Content), "\n")
		if found := taskFolder.FindStringSubmatch(text); found != nil && h.Folder == "" {
			h.Folder = found[1]
		}
		if found := taskText.FindStringSubmatch(text); found != nil && h.Prompt == "" {
			h.Prompt = clipped(found[1])
		}
	}
	h.spoken = h.spoken || len(messages) > 0
	return h.Prompt != ""
}

// recordingName accepts RECORDING/calls.jsonl.
func recordingName(f *file, parts []string) bool {
	if len(parts) != 2 {
		return false
	}
	f.id, f.joins, f.recorded = parts[0], true, true
	return true
}

// recordingLine reads the first line, which describes the recording, and then requests up to the
// first one that names its session.
func recordingLine(h *head, line []byte) bool {
	var r struct {
		Folder  string   `json:"folder"`
		Branch  string   `json:"branch"`
		Start   string   `json:"start"`
		Command []string `json:"command"`
	}
	if json.Unmarshal(line, &r) != nil {
		return false
	}
	if r.Folder != "" {
		h.Folder, h.Branch, h.Started, h.Prompt = r.Folder, r.Branch, r.Start, clipped(strings.Join(r.Command, " "))
		return false
	}
	h.spoken = true
	h.Sessions = source.SessionsIn(string(line))
	return h.Sessions != nil
}

// otherRecord has members that several programs write.
type otherRecord struct {
	ID          string          `json:"id"`
	Folder      string          `json:"folder"`
	WorkingDir  string          `json:"working_dir"`
	CWD         string          `json:"cwd"`
	Branch      string          `json:"branch"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Started     string          `json:"started"`
	Role        string          `json:"role"`
	Content     json.RawMessage `json:"content"`
}

func otherName(f *file, parts []string) bool {
	var ok bool
	f.id, ok = stem(parts[len(parts)-1])
	return ok
}

// stem returns a name without .jsonl or .json, and reports whether it had that.
func stem(name string) (string, bool) {
	if base, ok := strings.CutSuffix(name, ".jsonl"); ok {
		return base, true
	}
	return strings.CutSuffix(name, ".json")
}

func otherLine(h *head, line []byte) bool {
	var r otherRecord
	if json.Unmarshal(line, &r) != nil {
		return false
	}
	h.Folder = cmp.Or(h.Folder, r.Folder, r.WorkingDir, r.CWD)
	h.Branch, h.Started = cmp.Or(h.Branch, r.Branch), cmp.Or(h.Started, r.Started)
	h.Title = cmp.Or(h.Title, clipped(cmp.Or(r.Title, r.Description)))
	h.spoken = true
	if r.Role == "user" {
		h.promptText(r.Content)
	}
	return h.Prompt != ""
}

// prompt sets the first prompt to the text of a message.
func (h *head) prompt(message json.RawMessage) {
	var m struct {
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(message, &m) == nil {
		h.promptText(m.Content)
	}
}

// injected matches what clients add to prompts: elements with a -, _ or space in their names,
// notes, and files of instructions. command matches the element that a client writes for a command.
var (
	injected = regexp.MustCompile(`^(<[a-z]+[-_ ][a-z_ -]+>|Caveat: |# AGENTS\.md |\[Request interrupted)`)
	command  = regexp.MustCompile(`(?s)<command-name>(.*?)</command-name>(?:.*?<command-args>(.*?)</command-args>)?`)
)

// promptText sets the first prompt to the first text of a content that the user wrote.
func (h *head) promptText(content json.RawMessage) {
	h.spoken = true
	if h.Prompt != "" {
		return
	}
	for _, text := range texts(content) {
		text = strings.TrimSpace(text)
		if found := command.FindStringSubmatch(text); found != nil {
			h.command = clipped(found[1] + " " + found[2])
		} else if text != "" && !injected.MatchString(text) {
			h.Prompt = clipped(text)
			return
		}
	}
}

// texts returns the texts of a content: a string, or a list of parts.
func texts(content json.RawMessage) (out []string) {
	var one string
	if json.Unmarshal(content, &one) == nil {
		return []string{one}
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts) // other parts have no text
	for _, p := range parts {
		out = append(out, p.Text)
	}
	return out
}

// mostTitle is the number of characters of a title that are kept.
const mostTitle = 200

// clipped returns a text on one line, cut to the length of a title.
func clipped(text string) string {
	if len(text) > 8*mostTitle {
		text = text[:8*mostTitle]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > mostTitle {
		text = string([]rune(text)[:mostTitle]) + "…"
	}
	return text
}
