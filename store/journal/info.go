package journal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// appendInfo appends what is known about a commit as members of a frame. A call omits what it has
// in common with the previous call, if there is one.
func appendInfo(list []member, info *engine.CommitInfo, before *engine.Call) []member {
	if info == nil {
		return list
	}
	if info.Step {
		list = append(list, member{"step", "true"})
	}
	if s := info.Side; s != nil {
		list = append(list, member{"side", objectText([]member{{"kind", quote(s.Kind)}, {"of", decimal(s.Of)}})})
	}
	if e := info.Event; e != nil {
		one := []member{{"kind", quote(e.Kind)}}
		if e.Trigger != "" {
			one = append(one, member{"trigger", quote(e.Trigger)})
		}
		if e.Before != 0 {
			one = append(one, member{"before", decimal(e.Before)})
		}
		if e.After != 0 {
			one = append(one, member{"after", decimal(e.After)})
		}
		list = append(list, member{"event", objectText(one)})
	}
	if len(info.Causes) > 0 {
		var causes []member
		for _, c := range info.Causes {
			one := []member{{"cause", quote(c.Cause)}}
			if c.By != "" {
				one = append(one, member{"by", quote(c.By)})
			}
			if c.Inferred {
				one = append(one, member{"inferred", "true"})
			}
			if c.Rule != "" {
				one = append(one, member{"rule", quote(c.Rule)})
			}
			if c.Saved != 0 {
				one = append(one, member{"saved", decimal(c.Saved)})
			}
			if c.Trigger != "" {
				one = append(one, member{"trigger", quote(c.Trigger)})
			}
			causes = append(causes, member{c.ID, objectText(one)})
		}
		list = append(list, member{"causes", objectText(causes)})
	}
	if info.Call != nil {
		list = append(list, member{"call", callText(info.Call, before)})
	}
	if p := info.Policy; p != nil {
		one := []member{{"after", decimal(p.After)}, {"before", decimal(p.Before)}, {"trigger", quote(p.Trigger)}}
		if p.Budget != 0 {
			one = append(one, member{"budget", decimal(p.Budget)})
		}
		if len(p.Failed) > 0 {
			one = append(one, member{"failed", arrayText(p.Failed, quote)})
		}
		list = append(list, member{"policy", objectText(one)})
	}
	return list
}

func callText(c, before *engine.Call) string {
	var room [8]member
	list := room[:0]
	text := func(name, s, usual string) {
		if s != usual {
			list = append(list, member{name, quote(s)})
		}
	}
	integer := func(name string, n, usual int) {
		if n != usual {
			list = append(list, member{name, strconv.Itoa(n)})
		}
	}
	usual := after(before)
	text("file", c.File, usual.File)
	text("model", c.Model, usual.Model)
	text("sample", c.Sample, usual.Sample)
	text("time", c.Time, "")
	integer("line", c.Line, usual.Line)
	integer("number", c.Number, usual.Number)
	integer("window", int(c.Window), int(usual.Window))
	if by := c.By; by != nil {
		list = append(list, member{"by", objectText(append(startMembers(by.Call, by.History), member{"cycle", decimal(by.Cycle)}))})
	}
	if len(c.Starts) > 0 {
		list = append(list, member{"starts", arrayText(c.Starts, func(s engine.Start) string { return objectText(startMembers(s.Call, s.History)) })})
	}
	if c.Recorded != usual.Recorded {
		list = append(list, member{"recorded", strconv.FormatBool(c.Recorded)})
	}
	if !slices.Equal(c.Missing, usual.Missing) {
		list = append(list, member{"missing", arrayText(c.Missing, quote)})
	}
	text("failed", c.Failed, "")
	if c.FromCache {
		list = append(list, member{"from_cache", "true"})
	}
	if c.Usage != nil {
		list = append(list, member{"usage", UsageText(c.Usage)})
	}
	return objectText(list)
}

// UsageText returns the counts of a call as an object in JSON, as in a frame. It omits counts that
// are 0.
func UsageText(u *engine.Usage) string {
	var room [len(usageNames) + 2]member
	counts := room[:0]
	for i, n := range usageCounts(u) {
		if *n != 0 {
			counts = append(counts, member{usageNames[i], decimal(*n)})
		}
	}
	if u.CacheUnknown {
		counts = append(counts, member{"cache_unknown", "true"})
	}
	if len(u.Iterations) > 0 {
		counts = append(counts, member{"iterations", arrayText(u.Iterations, decimal)})
	}
	return objectText(counts)
}

// after returns the call after a given call, as far as it is known without being written.
func after(before *engine.Call) engine.Call {
	if before == nil {
		return engine.Call{}
	}
	return engine.Call{
		File: before.File, Line: before.Line, Model: before.Model, Sample: before.Sample, Number: before.Number + 1,
		Recorded: before.Recorded, Missing: before.Missing, Window: before.Window,
	}
}

func startMembers(call, history string) []member {
	list := []member{{"history", quote(history)}}
	if call != "" {
		list = append(list, member{"call", quote(call)})
	}
	return list
}

// arrayText writes a list.
func arrayText[T any](list []T, text func(T) string) string {
	var out []string
	for _, x := range list {
		out = append(out, text(x))
	}
	return "[" + strings.Join(out, ",") + "]"
}

var usageNames = [...]string{"cache_read", "cache_write", "cache_write_1h", "input", "output", "session", "thoughts"}

// usageCounts returns the counts in the order of usageNames.
func usageCounts(u *engine.Usage) [len(usageNames)]*int64 {
	return [...]*int64{&u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Input, &u.Output, &u.Session, &u.Thoughts}
}

// ParseInfo parses the information of a caller about a commit: an object with the members call,
// causes, event and side of a frame.
func ParseInfo(text string) (*engine.CommitInfo, error) {
	p := parser{canonjson.NewScanner(text, canonjson.DefaultDepth)}
	var info engine.CommitInfo
	err := p.object("this", map[string]func() error{
		"call":   func() (err error) { info.Call, err = p.call(nil); return err },
		"causes": func() (err error) { info.Causes, err = p.causes(); return err },
		"event":  func() (err error) { info.Event, err = p.event(); return err },
		"side":   func() (err error) { info.Side, err = p.side(); return err },
	})
	if err == nil {
		err = p.End()
	}
	return &info, err
}

// parser reads the members of a frame.
type parser struct{ *canonjson.Scanner }

// wrong returns the error for a member with a wrong value.
func (p parser) wrong(name string) error { return &shapeError{p.Offset(), name + " has a wrong value"} }

// shapeError is an error in a line that is valid JSON, with its position.
type shapeError struct {
	at  int
	msg string
}

func (e *shapeError) Error() string { return e.msg }

// object reads an object. read has a function for each member that it may have.
func (p parser) object(name string, read map[string]func() error) error {
	if p.Peek() != '{' {
		return p.wrong(name)
	}
	return p.Object(func(member string, at int) error {
		f := read[member]
		if f == nil {
			return &shapeError{at, strconv.Quote(member) + " is not a member of " + name}
		}
		return f()
	})
}

func (p parser) text(name string, into *string) func() error {
	return func() (err error) {
		if p.Peek() != '"' {
			return p.wrong(name)
		}
		*into, err = p.Text()
		return err
	}
}

func (p parser) truth(name string, into *bool) func() error {
	return func() error {
		v, err := p.Raw()
		if *into = v == "true"; err == nil && !*into && v != "false" {
			return p.wrong(name)
		}
		return err
	}
}

func (p parser) integer(name string, into *int64) func() error {
	read := p.signed(name, into)
	return func() error {
		if err := read(); err != nil {
			return err
		}
		if *into < 0 {
			return p.wrong(name)
		}
		return nil
	}
}

// signed reads an integer that may be negative.
func (p parser) signed(name string, into *int64) func() error {
	return func() error {
		v, err := p.Raw()
		if err != nil {
			return err
		}
		n, ok := canonjson.Int(v)
		if !ok {
			return p.wrong(name)
		}
		*into = n
		return nil
	}
}

// yes reads true, the only value of an optional flag.
func (p parser) yes(name string, into *bool) func() error {
	return func() error {
		v, err := p.Raw()
		if *into = v == "true"; err == nil && !*into {
			return p.wrong(name)
		}
		return err
	}
}

func (p parser) side() (*engine.Side, error) {
	var s engine.Side
	return &s, p.object("side", map[string]func() error{"kind": p.text("kind", &s.Kind), "of": p.integer("of", &s.Of)})
}

func (p parser) event() (*engine.Event, error) {
	var e engine.Event
	return &e, p.object("event", map[string]func() error{
		"after": p.integer("after", &e.After), "before": p.integer("before", &e.Before),
		"kind": p.text("kind", &e.Kind), "trigger": p.text("trigger", &e.Trigger),
	})
}

func (p parser) causes() (list []engine.Cause, err error) {
	if p.Peek() != '{' {
		return nil, p.wrong("causes")
	}
	err = p.Object(func(id string, _ int) error {
		c := engine.Cause{ID: id}
		err := p.object("a cause", map[string]func() error{
			"by": p.text("by", &c.By), "cause": p.text("cause", &c.Cause), "inferred": p.yes("inferred", &c.Inferred),
			"rule": p.text("rule", &c.Rule), "saved": p.integer("saved", &c.Saved), "trigger": p.text("trigger", &c.Trigger),
		})
		list = append(list, c)
		return err
	})
	slices.SortFunc(list, func(a, b engine.Cause) int { return strings.Compare(a.ID, b.ID) })
	return list, err
}

// call reads a call that omits what it has in common with the previous one, if there is one.
func (p parser) call(before *engine.Call) (*engine.Call, error) {
	c := after(before)
	line, number := int64(c.Line), int64(c.Number)
	err := p.object("call", map[string]func() error{
		"file": p.text("file", &c.File), "line": p.integer("line", &line), "model": p.text("model", &c.Model),
		"number": p.integer("number", &number), "sample": p.text("sample", &c.Sample),
		"by": func() error {
			c.By = new(engine.StartedBy)
			return p.object("by", map[string]func() error{
				"call": p.text("call", &c.By.Call), "cycle": p.integer("cycle", &c.By.Cycle), "history": p.text("history", &c.By.History),
			})
		},
		"starts": func() error { return p.starts(&c.Starts) },
		"failed": p.text("failed", &c.Failed), "from_cache": p.truth("from_cache", &c.FromCache),
		"missing":  func() error { return p.texts("missing", &c.Missing) },
		"recorded": p.truth("recorded", &c.Recorded), "window": p.integer("window", &c.Window),
		"time": p.text("time", &c.Time), "usage": func() error {
			c.Usage = new(engine.Usage)
			counts := map[string]func() error{}
			for i, n := range usageCounts(c.Usage) {
				counts[usageNames[i]] = p.integer(usageNames[i], n)
			}
			counts["cache_unknown"] = p.yes("cache_unknown", &c.Usage.CacheUnknown)
			counts["iterations"] = func() error {
				return p.list("iterations", func() error {
					var n int64
					err := p.integer("iterations", &n)()
					c.Usage.Iterations = append(c.Usage.Iterations, n)
					return err
				})
			}
			return p.object("usage", counts)
		},
	})
	c.Line, c.Number = int(line), int(number)
	return &c, err
}

// policy reads what the steps of a policy did.
func (p parser) policy() (*engine.PolicyRun, error) {
	var run engine.PolicyRun
	return &run, p.object("policy", map[string]func() error{
		"after": p.signed("after", &run.After), "before": p.signed("before", &run.Before), "budget": p.integer("budget", &run.Budget),
		"failed": func() error { return p.texts("failed", &run.Failed) }, "trigger": p.text("trigger", &run.Trigger),
	})
}

// texts reads a list of strings.
func (p parser) texts(name string, into *[]string) error {
	*into = nil
	return p.list(name, func() error {
		var s string
		err := p.text(name, &s)()
		*into = append(*into, s)
		return err
	})
}

// list reads an array. each reads an element.
func (p parser) list(name string, each func() error) error {
	if p.Peek() != '[' {
		return p.wrong(name)
	}
	return p.Array(func(int) error { return each() })
}

func (p parser) starts(into *[]engine.Start) error {
	return p.list("starts", func() error {
		var s engine.Start
		err := p.object("starts", map[string]func() error{"call": p.text("call", &s.Call), "history": p.text("history", &s.History)})
		*into = append(*into, s)
		return err
	})
}
