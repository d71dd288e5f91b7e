package look

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/align"
	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// fidelityReport is what diff --fidelity prints as JSON.
type fidelityReport struct {
	Session       string          `json:"session"`
	Recording     string          `json:"recording"`
	Calls         []fidelityCall  `json:"calls"`
	OnlySession   []fidelityPlace `json:"only_session"`
	OnlyRecording []fidelityPlace `json:"only_recording"`
	Equal         int             `json:"equal"` // of Calls
	System        fidelityCount   `json:"system"`
	Tools         fidelityCount   `json:"tools"`
	Settings      fidelityCount   `json:"settings"`
	NotRecorded   []string        `json:"not_recorded"` // what the session's log says that it lacks
}

// fidelityCount counts calls by the fidelity of a part of their requests.
type fidelityCount struct {
	Has   int `json:"has"`
	Lacks int `json:"lacks"`
	Wrong int `json:"wrong"`
}

// fidelityPlace is where a call is.
type fidelityPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Call   int    `json:"call"`
	Side   string `json:"side,omitempty"`
	Failed string `json:"failed,omitempty"`
}

// fidelityCall is a call that the log and the recording have.
type fidelityCall struct {
	Session   fidelityPlace `json:"session"`
	Recording fidelityPlace `json:"recording"`
	Equal     bool          `json:"equal"`    // all messages are
	Recorded  bool          `json:"recorded"` // the log has the request, too
	Parts     int           `json:"parts"`    // in the messages that were sent
	// Redacted is the number of parts that are equal except for placeholders in the recording.
	Redacted    int          `json:"redacted,omitempty"`
	System      fidelity     `json:"system,omitempty"`
	Tools       fidelity     `json:"tools,omitempty"`
	Settings    fidelity     `json:"settings,omitempty"`
	Differences []difference `json:"differences"`
}

// fidelity says whether a log has a part of a request: has, lacks or wrong. It is empty if the
// request does not have that part.
type fidelity string

const (
	has   fidelity = "has"
	lacks fidelity = "lacks"
	wrong fidelity = "wrong"
)

// difference is a part of a request that the log lacks or has wrongly.
type difference struct {
	What fidelity `json:"what"`
	At   string   `json:"at"` // in the request that was sent, or in the reading of the log for what only that has
	Sent string   `json:"sent,omitempty"`
	Read string   `json:"read,omitempty"`
}

func (c *fidelityCount) add(f fidelity) {
	switch f {
	case has:
		c.Has++
	case lacks:
		c.Lacks++
	case wrong:
		c.Wrong++
	}
}

// fidelityOf compares the calls of a log with those of a recording.
func fidelityOf(both *source.Both) *fidelityReport {
	r := &fidelityReport{Calls: []fidelityCall{}, OnlySession: []fidelityPlace{}, OnlyRecording: []fidelityPlace{}, NotRecorded: []string{}}
	paired := map[int]bool{}
	for i, at := range both.Pairs {
		e := both.Recorded[i]
		switch {
		case e.Event != nil:
		case at < 0:
			r.OnlyRecording = append(r.OnlyRecording, placeOf(e))
		default:
			paired[at] = true
			c := compareCalls(both.Log[at], e)
			if r.Calls = append(r.Calls, c); c.Equal {
				r.Equal++
			}
			r.System.add(c.System)
			r.Tools.add(c.Tools)
			r.Settings.add(c.Settings)
			for _, m := range both.Log[at].Missing {
				if !slices.Contains(r.NotRecorded, m) {
					r.NotRecorded = append(r.NotRecorded, m)
				}
			}
		}
	}
	for i, c := range both.Log {
		if c.Event == nil && !paired[i] {
			r.OnlySession = append(r.OnlySession, placeOf(c))
		}
	}
	return r
}

func placeOf(c source.Call) fidelityPlace {
	return fidelityPlace{c.Origin.File, c.Origin.Line, c.Origin.Call, c.Side, c.Failed}
}

// compareCalls compares what a log says of a call with what was sent.
func compareCalls(log, sent source.Call) fidelityCall {
	c := fidelityCall{Session: placeOf(log), Recording: placeOf(sent), Equal: true, Recorded: log.Recorded, Differences: []difference{}}
	a, b := itemsOf(log), itemsOf(sent)
	inSystem, ofSystem := 0, 0
	differ := func(d difference, isSystem bool) {
		c.Differences = append(c.Differences, d)
		if !isSystem {
			c.Equal = false
		} else if d.Read != "" {
			c.System = wrong
		}
	}
	for _, s := range b.list {
		if s.isFirst {
			ofSystem++
		} else {
			c.Parts++
		}
	}
	partners := align.Keys(b.keys, a.keys)
	used := map[int]bool{}
	for i, k := range partners {
		if used[k] = k >= 0; k >= 0 && b.list[i].isFirst {
			inSystem++
		}
	}
	at := 0 // in the log
	for i, k := range partners {
		if k >= 0 {
			at = k + 1
			continue
		}
		d := difference{What: lacks, At: b.list[i].at, Sent: b.list[i].text}
		if at < len(a.list) && !used[at] && a.list[at].like(b.list[i]) && isRedacted(b.keys[i], a.keys[at]) {
			c.Redacted++
			if b.list[i].isFirst {
				inSystem++
			}
			used[at] = true
			at++
			continue
		}
		// What stands in its place is the same part, written differently.
		if at < len(a.list) && !used[at] && a.list[at].like(b.list[i]) {
			d.What, d.Read = wrong, a.list[at].text
			used[at] = true
			at++
		}
		differ(d, b.list[i].isFirst)
	}
	for k, x := range a.list {
		if !used[k] {
			differ(difference{What: wrong, At: x.at, Read: x.text}, x.isFirst)
		}
	}
	switch {
	case c.System != "":
	case ofSystem == 0:
	case inSystem == ofSystem:
		c.System = has
	case inSystem == 0:
		c.System = lacks
	default:
		c.System = wrong
	}
	c.compareSettings(log, sent)
	return c
}

// placeholder matches what replaces a secret, a credential or data in a recording.
var placeholder = regexp.MustCompile(`\[redacted [a-z0-9-]+ \d+\]|\[[a-z0-9/+.-]+ of \d+ characters left out\]|<credential \d+>`)

// isRedacted reports whether a part that was recorded with placeholders may be a part of the log.
func isRedacted(sent, read itemKey) bool {
	var pattern strings.Builder
	last := 0
	text, all := sent.Value+"\x00"+sent.More, read.Value+"\x00"+read.More
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		pattern.WriteString(regexp.QuoteMeta(text[last:at[0]]) + "(?s:.+?)")
		last = at[1]
	}
	if last == 0 {
		return false
	}
	re, err := regexp.Compile("^" + pattern.String() + regexp.QuoteMeta(text[last:]) + "$")
	return err == nil && re.MatchString(all)
}

// items are the parts that a model was sent.
type items struct {
	list []item
	keys []itemKey
}

// itemKey is equal for parts that are equal to the provider.
type itemKey struct {
	role series.Role
	normal.Key
}

type item struct {
	at, text string
	key      itemKey
	isFirst  bool // of the system prompt
}

// like reports whether two parts are of the same kind, and of the same author.
func (x item) like(y item) bool {
	return x.key.role == y.key.role && x.key.Kind == y.key.Kind && x.key.Name == y.key.Name && x.isFirst == y.isFirst
}

// itemsOf returns the parts of a request: first those of the system prompt, which is a member or
// the messages of the system before all others.
func itemsOf(c source.Call) (out items) {
	add := func(format, message string, role series.Role, at string, isFirst bool) {
		for k, p := range normal.Split(format, message, role == series.Tool) {
			key := itemKey{role, p.Key(format)}
			if key.role == series.Tool && !p.Result() {
				key.role = series.User
			} else if p.Result() {
				key.role = series.Tool
			}
			if key.Kind == "thinking" && key.Value == "" && key.More == "" || p.Raw == `""` || p.Raw == "null" {
				continue
			}
			text := cmp.Or(p.Key(format).Value, key.More)
			out.list = append(out.list, item{fmt.Sprintf("%s.parts[%d]", at, k), shortened(text), key, isFirst})
			out.keys = append(out.keys, key)
		}
	}
	for _, s := range c.Settings {
		if s.Kind != series.Instructions {
			continue
		}
		message := s.Value
		if !strings.HasPrefix(message, "{") {
			message = `{"content":` + message + `}`
		}
		add(c.Format, message, series.System, s.Name, true)
	}
	isFirst := true
	for n, m := range c.Sent {
		isFirst = isFirst && m.Role == series.System
		add(c.Format, m.Value, m.Role, fmt.Sprintf("messages[%d]", n), isFirst)
	}
	return out
}

// shortened returns the beginning of a text.
func shortened(text string) string {
	const most = 200
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// compareSettings compares the tools and the other members of requests.
func (c *fidelityCall) compareSettings(log, sent source.Call) {
	known := map[string]string{}
	for _, s := range log.Settings {
		known[s.Name] = normal.Value(s.Value)
	}
	for _, s := range sent.Settings {
		if s.Kind == series.Instructions {
			continue
		}
		of, f := &c.Settings, has
		if s.Kind == series.Tools {
			of = &c.Tools
		}
		if value, ok := known[s.Name]; !ok {
			f = lacks
		} else if value != normal.Value(s.Value) {
			f = wrong
		}
		if *of == "" || f == wrong || *of == has {
			*of = f
		}
		if f != has {
			c.Differences = append(c.Differences, difference{What: f, At: s.Name, Sent: shortened(s.Value), Read: shortened(known[s.Name])})
		}
	}
}
