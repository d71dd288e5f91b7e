// Package policy describes in data how a context is kept within the window of a model: what is
// protected, and which steps shorten, clear, sum up or drop what, in which order. [Policy.Compile]
// makes the policy of an engine from it. The same form is used in Go, in JSON
// (docs/schemas/policy.json) and in TOML.
package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/tokens"
)

// Policy is a policy as data. The zero value changes nothing.
type Policy struct {
	Window    Window   `json:"window,omitzero"`      // how many tokens fit
	Reserve   int      `json:"reserve,omitempty"`    // tokens of the window that are kept free for the answer
	Nodes     int      `json:"nodes,omitempty"`      // how many nodes a snapshot may have; 0 for any number
	KeepFirst []string `json:"keep-first,omitempty"` // selectors of what is left alone
	KeepLast  int      `json:"keep-last,omitempty"`  // how many of the newest turns are left alone
	MinGain   int      `json:"min-gain,omitempty"`   // change nothing to save fewer tokens than this
	Steps     []Step   `json:"step,omitempty"`       // in this order, until the budget is met
}

// Step is one step. Exactly one of the first five members is set: a selector of the nodes that the
// step may change.
type Step struct {
	Truncate  string `json:"truncate,omitempty"`  // cuts texts of more than Over tokens to To tokens
	Clear     string `json:"clear,omitempty"`     // shows With in place of the content
	Dedupe    string `json:"dedupe,omitempty"`    // shows With in place of what a later node repeats
	Summarise string `json:"summarise,omitempty"` // replaces nodes by a summary that the host program writes
	Drop      string `json:"drop,omitempty"`      // removes nodes
	Over      int    `json:"over,omitempty"`
	To        int    `json:"to,omitempty"`
	Except    string `json:"except,omitempty"` // a selector of nodes that the step leaves alone
	// With is the text that is shown. {name}, {tokens}, {id} and {kind} in it are those of the
	// node; {name} is that of the tool.
	With string `json:"with,omitempty"`
}

// Window is a number of tokens, or the name of a model, whose window it is.
type Window struct {
	Tokens int
	Model  string
}

// MarshalJSON writes a number or a string.
func (w Window) MarshalJSON() ([]byte, error) {
	if w.Model != "" {
		return json.Marshal(w.Model)
	}
	return json.Marshal(w.Tokens)
}

// UnmarshalJSON reads a number or a string.
func (w *Window) UnmarshalJSON(data []byte) error {
	*w = Window{}
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &w.Model)
	}
	return json.Unmarshal(data, &w.Tokens)
}

// Parse reads a policy from JSON. It refuses unknown members, and what [Policy.Check] refuses.
func Parse(data []byte) (*Policy, error) {
	p := &Policy{}
	var step Step
	readStep := step.members()
	err := members.Read(string(data), members.Object{
		"window": p.Window.read, "reserve": members.Count(&p.Reserve), "nodes": members.Count(&p.Nodes),
		"keep-first": members.Strings(&p.KeepFirst), "keep-last": members.Count(&p.KeepLast), "min-gain": members.Count(&p.MinGain),
		"step": members.List(func(s *canonjson.Scanner) error {
			step = Step{}
			err := readStep(s)
			p.Steps = append(p.Steps, step)
			return err
		}),
	})
	if e, ok := errors.AsType[*members.Error](err); ok {
		return nil, &Error{Field: strings.TrimPrefix(strings.TrimPrefix(e.Path, "$"), "."), Msg: e.Msg}
	}
	if err != nil {
		return nil, err
	}
	return p, p.Check()
}

// members returns what reads a step.
func (s *Step) members() members.Value {
	return members.Object{
		"truncate": members.String(&s.Truncate), "clear": members.String(&s.Clear), "dedupe": members.String(&s.Dedupe),
		"summarise": members.String(&s.Summarise), "drop": members.String(&s.Drop), "over": members.Count(&s.Over),
		"to": members.Count(&s.To), "except": members.String(&s.Except), "with": members.String(&s.With),
	}.Value()
}

// read reads a number or a string.
func (w *Window) read(s *canonjson.Scanner) error {
	if s.Peek() == '"' {
		return members.String(&w.Model)(s)
	}
	return members.Count(&w.Tokens)(s)
}

// Error is a mistake in a policy.
type Error struct {
	Field string // such as step[0].clear
	Msg   string
	Hint  string // what to write instead, or ""
}

func (e *Error) Error() string {
	if e.Field == "" {
		return e.Msg
	}
	if e.Hint != "" {
		return e.Field + ": " + e.Msg + "; " + e.Hint
	}
	return e.Field + ": " + e.Msg
}

// Actions returns the names of the members of a step of which exactly one is set.
func Actions() []string {
	list := actions
	return list[:]
}

var actions = [...]string{"truncate", "clear", "dedupe", "summarise", "drop"}

// selector returns the action of a step and its selector, or "" if not exactly one is set.
func (s *Step) selector() (action, text string) {
	for i, t := range [...]string{s.Truncate, s.Clear, s.Dedupe, s.Summarise, s.Drop} {
		if t == "" {
			continue
		}
		if action != "" {
			return "", ""
		}
		action, text = actions[i], t
	}
	return action, text
}

// Check returns the first mistake, an [*Error], or nil.
func (p *Policy) Check() error {
	_, err := p.Compile(Options{Window: func(string) int64 { return 1 << 40 }})
	return err
}

func (p *Policy) checkNumbers() error {
	for _, n := range []struct {
		field string
		n     int
	}{{"window", p.Window.Tokens}, {"reserve", p.Reserve}, {"nodes", p.Nodes}, {"keep-last", p.KeepLast}, {"min-gain", p.MinGain}} {
		if n.n < 0 {
			return &Error{n.field, "this number must not be negative", ""}
		}
	}
	return nil
}

func (s *Step) check(field, action string) error {
	switch {
	case action == "":
		return &Error{field, "a step has exactly one of truncate, clear, dedupe, summarise and drop", `write clear = ".block+tool"`}
	case action == "truncate" && (s.To <= 0 || s.Over < s.To):
		return &Error{field + ".truncate", "it needs a number of tokens, to, and a number over that is not less", "write over = 8_000 and to = 2_000"}
	case action != "truncate" && (s.Over != 0 || s.To != 0):
		return &Error{field + "." + action, "only truncate has over and to", ""}
	case s.With != "" && action != "clear" && action != "dedupe":
		return &Error{field + "." + action, "only clear and dedupe have with", ""}
	}
	return nil
}

// Options are what a policy needs from its host program.
type Options struct {
	Edition engine.Edition
	// Counter counts tokens. nil stands for the counter of the model that the policy names as its
	// window.
	Counter *tokens.Counter
	// Window returns the window of a model, or 0. nil uses the table of the program.
	Window func(model string) int64
	// Summarise writes the summaries, see [engine.Step]. Without it, those steps fail.
	Summarise func(nodes []engine.Node) (engine.Draft, error)
}

func fieldOf(i int) string { return "step[" + strconv.Itoa(i) + "]" }

// budget returns the budget of a policy.
func (p *Policy) budget(window func(string) int64) (int, error) {
	n := p.Window.Tokens
	if p.Window.Model != "" {
		if n = int(window(p.Window.Model)); n <= 0 {
			return 0, &Error{"window", fmt.Sprintf("the window of the model %q is not known", p.Window.Model), "write a number of tokens"}
		}
	}
	if n > 0 && p.Reserve >= n {
		return 0, &Error{"reserve", fmt.Sprintf("nothing is left of the window of %d tokens", n), ""}
	}
	return max(n-p.Reserve, 0), nil
}
