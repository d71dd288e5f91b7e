package search

import (
	"errors"
	"strings"

	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// errIrregular is returned for a log whose tree only the importer can build.
var errIrregular = errors.New("the importer must read the log")

// chatTape makes tapes of logs of the chat API of OpenAI, and of the Messages API of Anthropic. The
// tree is that of package thread: the container of what surrounds the messages and the leading
// system messages in ^sys, a segment for each turn. Ids count all nodes whose id is not that of a
// call.
type chatTape struct {
	tape
	scanner   canonjson.Scanner
	text      string // being read
	list      string // the member with the messages, of a record; empty if the record is the list or the body of a request
	anthropic bool   // the messages are in Anthropic's format

	msg     message
	byTurn  bool  // one snapshot per turn, not per call
	talking bool  // a message other than a system message was seen
	around  bool  // the log has members beside the messages
	log     text  // the member name of what surrounds them
	count   int32 // of ids
	turns   int32
	calls   int32 // so far
	flat    []node
	ids     map[string]struct{} // of calls
}

// message is one message as it is read.
type message struct {
	role      string
	content   text
	parts     []part
	isList    bool
	calls     []call
	oddCalls  bool // has a call that only the importer can read
	answers   text // tool_call_id
	oddText   bool // a part of the type text has no text, in Anthropic's format
	name      text
	irregular bool // whatever the role
}

// part is an element of a content that is a list.
type part struct {
	kind    string
	content text
	role    string // of an Anthropic call or result; otherwise that of the message
	call    string // the id of the call
	name    text   // of the called tool
}

// call is an element of tool_calls.
type call struct {
	id        string
	name      string
	arguments text
}

// set makes a text the one to read.
func (c *chatTape) set(src string) {
	c.text = src
	c.scanner.MaxDepth = canonjson.DefaultDepth
	c.scanner.SetSource(src)
}

// messageSize is about how much memory a message takes as nodes and as a match.
const messageSize = 1 << 10

// readLog makes the tape of the next log in the text. On errIrregular the importer is used, which
// also reports what is wrong with invalid text.
func (c *chatTape) readLog() error {
	c.begin()
	s := &c.scanner
	if !budget.Fits(messageSize * strings.Count(c.text, `{`)) {
		return errIrregular // the importer measures as it reads
	}
	var err error
	switch first := s.Peek(); {
	case c.list != "" && first == '{':
		err = c.record()
	case c.list == "" && first == '{':
		err = c.body()
	case c.list == "" && first == '[':
		c.around = c.anthropic // package thread notes there that the log is a list
		err = c.messages()
	default:
		return errIrregular
	}
	if err != nil {
		return errIrregular
	}
	return c.end()
}

func (c *chatTape) begin() {
	c.reset()
	c.talking, c.around, c.log, c.count, c.turns, c.calls = false, false, text{}, 0, 0, 0
	c.flat = c.flat[:0]
	clear(c.ids)
	if c.ids == nil {
		c.ids = map[string]struct{}{}
	}
}

// forget releases the texts that were read.
func (c *chatTape) forget() {
	clear(c.nodes[:cap(c.nodes)])
	clear(c.flat[:cap(c.flat)])
	clear(c.msg.calls[:cap(c.msg.calls)])
	clear(c.msg.parts[:cap(c.msg.parts)])
	clear(c.ids)
	c.msg = message{calls: c.msg.calls[:0], parts: c.msg.parts[:0]}
	c.log, c.name = text{}, ""
	c.set("")
}

// record reads an object that has the messages in a member.
func (c *chatTape) record() error {
	found := false
	c.around = c.anthropic
	err := c.object(func(name string, _ int) error {
		if name != c.list {
			c.around = true
			return c.beside(name)
		}
		found = true
		if c.scanner.Peek() != '[' {
			return errIrregular // the body of a request in a record has its own names
		}
		return c.messages()
	})
	if err == nil && !found {
		return errIrregular
	}
	return err
}

// body reads the body of a request.
func (c *chatTape) body() error {
	found := false
	c.around = !c.anthropic
	err := c.object(func(name string, _ int) error {
		switch {
		case name == "messages":
		case c.anthropic && name == "system" && c.scanner.Peek() != 'n':
			return c.system(found)
		default:
			c.around = true
			return c.beside(name)
		}
		found = true
		if c.scanner.Peek() != '[' {
			return errIrregular
		}
		return c.messages()
	})
	if err == nil && !found {
		return errIrregular
	}
	return err
}

// beside reads a member beside the messages.
func (c *chatTape) beside(name string) error {
	isName := name == "name"
	switch name {
	case "id", "name", "task_id", "session_id", "sessionId", "conversation_id":
	default:
		return c.scanner.Skip()
	}
	v, err := c.scanner.Value()
	if err != nil {
		return err
	}
	if isName {
		c.log = v
	}
	if c.name == "" {
		switch s, ok := v.Text(); {
		case ok:
			c.name = s
		case v.Form == other && canonjson.IsNumber(v.Raw):
			c.name = v.Raw
		}
	}
	return nil
}

func (c *chatTape) messages() error { return c.array(c.message) }

// object reads an object, whose values are one level deeper.
func (c *chatTape) object(member func(name string, at int) error) error {
	c.scanner.MaxDepth--
	err := c.scanner.Object(member)
	c.scanner.MaxDepth++
	return err
}

// pick reads an object like [canonjson.Scanner.Pick].
func (c *chatTape) pick(names *canonjson.Names, got []text, member func(which int) error) error {
	c.scanner.MaxDepth--
	err := c.scanner.Pick(names, got, member)
	c.scanner.MaxDepth++
	return err
}

// array reads an array, whose elements are one level deeper.
func (c *chatTape) array(element func(i int) error) error {
	c.scanner.MaxDepth--
	err := c.scanner.Array(element)
	c.scanner.MaxDepth++
	return err
}

// message reads a message and adds its nodes.
func (c *chatTape) message(int) error {
	m := &c.msg
	*m = message{parts: m.parts[:0], calls: m.calls[:0]}
	if c.scanner.Peek() != '{' {
		return errIrregular
	}
	member := c.member
	if c.anthropic {
		member = c.anthropicMember
	}
	if err := c.object(member); err != nil {
		return err
	}
	if m.irregular {
		return errIrregular
	}
	return c.add()
}

func (c *chatTape) member(name string, _ int) (err error) {
	m, s := &c.msg, &c.scanner
	switch name {
	case "role":
		m.role, err = s.Text()
	case "content":
		if s.Peek() == '[' {
			m.isList = true
			start := s.Offset()
			err = c.array(c.part)
			m.content = text{Raw: s.Since(start), Form: other}
			return err
		}
		m.content, err = c.scanner.Value()
	case "tool_calls":
		if s.Peek() == '[' {
			return c.array(c.call)
		}
		err = s.Skip()
	case "tool_call_id":
		m.answers, err = c.scanner.Value()
	case "name":
		m.name, err = c.scanner.Value()
	case "function_call", "timestamp", "created_at", "create_time", "createTime":
		m.irregular = true
		err = s.Skip()
	default:
		err = s.Skip()
	}
	return err
}

// part reads an element of a content that is a list.
func (c *chatTape) part(int) error {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '{' {
		v, err := c.scanner.Value()
		m.parts = append(m.parts, part{kind: "other", content: v})
		return err
	}
	kind, body, isNamed := text{}, text{}, false
	start := s.Offset()
	err := c.object(func(name string, _ int) (err error) {
		switch name {
		case "type":
			kind, err = c.scanner.Value()
		case "text":
			body, err = c.scanner.Value()
		default:
			isNamed = isNamed || name == "name"
			err = s.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	k, _ := kind.Text()
	if body.Form.IsString() && k == "text" {
		m.irregular = m.irregular || isNamed
		m.parts = append(m.parts, part{kind: "text", content: body})
		return nil
	}
	m.parts = append(m.parts, keepWhole(k, s.Since(start)))
	return nil
}

// keepWhole returns the part of a type that package thread keeps as it is.
func keepWhole(kind, raw string) part {
	if kind == "" {
		kind = "other"
	}
	if renamed, ok := partKinds[kind]; ok {
		kind = renamed
	}
	return part{kind: kind, content: text{Raw: raw, Form: other}}
}

// partKinds are the kinds of parts that are kept whole and that package thread names differently.
var partKinds = map[string]string{
	"image_url": "image", "input_image": "image", "input_audio": "audio", "input_file": "document", "file": "document",
	"text": "other", "call": "other", "result": "other", "tool_use": "other", "tool_result": "other",
}

// call reads an element of tool_calls.
func (c *chatTape) call(int) error {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '{' {
		m.oddCalls = true
		return s.Skip()
	}
	out, isFunction, isOdd := call{}, false, false
	err := c.object(func(name string, _ int) error {
		switch name {
		case "id":
			raw, err := c.scanner.Value()
			if out.id = raw.Raw; raw.Form != plain {
				isOdd = true
			}
			return err
		case "type":
			kind, err := c.scanner.Value()
			isOdd = isOdd || kind.Form != plain || kind.Raw != "function"
			return err
		case "function":
			isFunction = true
			return c.function(&out)
		}
		return s.Skip()
	})
	m.oddCalls = m.oddCalls || isOdd || !isFunction || !isPlainID(out.id)
	m.calls = append(m.calls, out)
	return err
}

// function reads the name and the arguments of a call.
func (c *chatTape) function(out *call) error {
	s := &c.scanner
	if s.Peek() != '{' {
		c.msg.oddCalls = true
		return s.Skip()
	}
	return c.object(func(name string, _ int) (err error) {
		var v text
		switch name {
		case "name":
			v, err = c.scanner.Value()
			out.name, _ = v.Text()
		case "arguments":
			out.arguments, err = c.scanner.Value()
		default:
			err = s.Skip()
		}
		return err
	})
}

// isPlainID reports whether the id of a call becomes the id of its node unchanged.
func isPlainID(id string) bool {
	if id == "" || id == "root" || len(id) > 200 {
		return false
	}
	for i := range len(id) {
		if !isPlain[id[i]] {
			return false
		}
	}
	return true
}

// isPlain has true for the letters and digits of ASCII, _ and -.
var isPlain = func() (t [256]bool) {
	for c := range t {
		t[c] = c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	return
}()
