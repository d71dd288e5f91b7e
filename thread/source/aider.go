package source

import (
	"context"
	"strings"
	"time"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// The lines of an LLM history of aider that begin a request, an answer and a message. The first two
// have a time.
const (
	aiderRequest = "TO LLM "
	aiderAnswer  = "LLM RESPONSE "
	aiderMessage = "-------"
	aiderTime    = "2006-01-02T15:04:05"
)

// aiderMissing is what an LLM history of aider does not record.
var aiderMissing = []string{"model", "parameters"}

// llmHistory is the state of reading an LLM history of aider. It is a text in which each line of a
// message begins with the role in capitals. Of a part of a message, only the first line does.
type llmHistory struct {
	*reader
	last     latest
	list     []*series.Message // of the request
	open     *series.Request
	answered bool // the lines are those of its answer
	role     string
	lines    []string // of the message
	line     int      // of the first of them
	number   int      // of the latest line
	between  bool     // the latest line separates messages, unless the next has no role
}

func openAider(*group) parser { return &llmHistory{} }

func (h *llmHistory) end(context.Context) error { return nil }

func (h *llmHistory) file(ctx context.Context, rd *reader) error {
	*h = llmHistory{reader: rd}
	err := rd.rawLines(ctx, func(line []byte, number int) error {
		return h.read(strings.TrimSuffix(strings.ToValidUTF8(string(line), "\uFFFD"), "\r"), number)
	})
	if err != nil {
		return err
	}
	return h.request(nil)
}

// read reads a line that is not blank.
func (h *llmHistory) read(line string, number int) error {
	blank := number - h.number - 1
	h.number = number
	for _, begins := range [...]string{aiderRequest, aiderAnswer} {
		text, ok := strings.CutPrefix(line, begins)
		at, err := time.Parse(aiderTime, text)
		if !ok || err != nil {
			continue
		}
		if begins == aiderAnswer {
			h.answer(number)
			return nil
		}
		return h.request(&series.Request{
			Time: at, List: "messages", Format: thread.OpenAI.String(), Recorded: true, Missing: aiderMissing,
			Origin: series.Origin{File: h.name, Line: number},
		})
	}
	role, text := roleOfLine(line)
	switch {
	case h.open == nil:
		h.keepLine(line, number)
		h.noteOnce(thread.Malformed, "", value{doc: &document{file: h.name, line: number}}, "a text before the first request; it is kept unchanged")
		return nil
	case h.between && (role != "" || line == aiderMessage):
		h.empty(role == "")
		h.message()
		h.line = number
	case h.between:
		h.lines = append(h.lines, aiderMessage)
	}
	if h.between = line == aiderMessage && !h.answered; h.between {
		return nil
	}
	if h.role == "" {
		h.role = role
	} else {
		h.lines = append(h.lines, make([]string, blank)...)
	}
	if role != h.role { // inside a part
		text = line
	}
	h.lines = append(h.lines, text)
	return nil
}

// roleOfLine splits a line into its role and the rest. If the line does not begin with a role, role
// is "".
func roleOfLine(line string) (role, text string) {
	role, text, _ = strings.Cut(line, " ")
	if lower := strings.ToLower(role); role != lower && role == strings.ToUpper(role) {
		if _, ok := roles[lower]; ok {
			return lower, text
		}
	}
	return "", line
}

// empty notes that a message has no lines.
func (h *llmHistory) empty(is bool) {
	if is {
		h.note(thread.Malformed, "", value{doc: &document{file: h.name, line: h.number}}, "a message without text, whose role is not recorded, is left out")
	}
}

// message adds the message whose lines have been read.
func (h *llmHistory) message() {
	if len(h.lines) > 0 && h.role != "" {
		h.list = append(h.list, h.made())
	} else if len(h.lines) > 0 {
		h.keepLine(strings.Join(h.lines, "\n"), h.line)
		h.note(thread.Malformed, "", value{doc: &document{file: h.name, line: h.line}}, "a message without a role; it is kept unchanged")
	}
	h.role, h.lines, h.between = "", nil, false
}

// made returns the message whose lines have been read. Equal messages share one value, with the
// line of the first.
func (h *llmHistory) made() *series.Message {
	content := quoted(strings.Join(h.lines, "\n"))
	if parts := aiderParts(h.lines); parts != nil {
		content = listOfValues(parts)
	}
	v := written{"role": quoted(h.role), "content": content}.value()
	v.doc = &document{file: h.name, line: h.line}
	return h.reader.message(v, "")
}

// aiderParts returns the parts of a message, or nil if it is plain text. Each member of a part has
// its own line; a text may span several.
func aiderParts(lines []string) (parts []value) {
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "type: ") {
		return nil
	}
	var part written
	name, from := "", 0
	member := func(to int) {
		if part == nil {
			return
		}
		text := strings.TrimPrefix(strings.Join(lines[from:to], "\n"), name+": ")
		switch name {
		case "cache_control": // as Python writes it
			if d, bad := parse("", strings.ReplaceAll(text, "'", `"`), 0); bad == nil {
				part[name] = d.root()
				return
			}
		case "Image_url URL":
			part["image_url"] = written{"url": quoted(text)}.value()
			return
		}
		part[name] = quoted(text)
	}
	for i, line := range lines {
		next, _, ok := strings.Cut(line, ": ")
		switch {
		case !ok:
			continue
		case next == "type" && (i == 0 || name != "type"):
			if member(i); part != nil {
				parts = append(parts, part.value())
			}
			part = written{}
		case next == "text" && name == "type" || next == "cache_control" || next == "Image_url URL":
			member(i)
		default:
			continue
		}
		name, from = next, i
	}
	member(len(lines))
	return append(parts, part.value())
}

// answer begins the answer of the open request.
func (h *llmHistory) answer(number int) {
	if h.open == nil || h.answered {
		h.note(thread.Malformed, "", value{doc: &document{file: h.name, line: number}}, "an answer without a request; what it says goes on from the answer before, or is kept")
		return
	}
	h.empty(h.between)
	h.message()
	h.answered, h.line = true, number+1
}

// The tags of the reasoning in an answer. aider does not send it again.
const (
	aiderThinks  = "<thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b>"
	aiderThought = "</thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b>"
)

// request sends the open request, and begins the next one.
func (h *llmHistory) request(next *series.Request) error {
	r := h.open
	if h.answered && h.role != "" {
		text := strings.Join(h.lines, "\n")
		before, rest, thinks := strings.Cut(text, aiderThinks)
		reasoning, after, ends := strings.Cut(rest, aiderThought)
		if thinks && ends {
			h.lines = []string{strings.TrimSpace(before + after)}
		}
		m := *h.made()
		if thinks && ends {
			m.About = written{"reasoning_content": quoted(strings.TrimSpace(reasoning))}.value().raw
		}
		r.Reply = []*series.Message{&m}
		h.role, h.lines, h.between = "", nil, false
	}
	if r != nil && !h.answered {
		h.empty(h.between)
	}
	h.message()
	if r != nil {
		if !h.answered {
			h.note(thread.Malformed, "", value{doc: &document{file: h.name, line: r.Origin.Line}}, "the request has no answer")
		}
		r.Origin.Call = h.calls
		h.last.place(r, h.list)
		if err := h.send(r); err != nil {
			return err
		}
		h.calls++
	}
	h.open, h.list, h.answered = next, nil, false
	return nil
}
