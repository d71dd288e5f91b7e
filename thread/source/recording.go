package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// recordingFormat is the format in the first line of a recording. Package internal/record, which
// writes recordings, says what their lines are.
const recordingFormat = "pactkit-recording"

func isRecording(first []value) bool {
	return len(first) > 0 && first[0].get("format").text() == recordingFormat
}

// labelOfRecording returns the kind of a line of a recording, or "" if it is unknown.
func labelOfRecording(v value) string {
	for i, w := range v.pick("call", "answer", "end", "format") {
		if w.raw != "" {
			return [...]string{"call", "answer", "end", "header"}[i]
		}
	}
	return ""
}

// recording is the state of reading a recording.
type recording struct {
	*bodies
	values  map[string]map[int]*keptValue // to which later calls may refer, by member and call
	waiting []*openCall                   // calls that wait for their answers or for earlier calls
}

// openCall is a call that waits for its answer.
type openCall struct {
	number       int
	call, answer value
	isAnswered   bool
}

// keptValue is a member of a request to which later calls may refer.
type keptValue struct {
	messages []*series.Message
	extended bool // another list continues the array of the messages
	setting  series.Setting
}

// wholeRequest is a request of a recording, with what its line takes from earlier calls.
type wholeRequest struct {
	messages []*series.Message
	settings map[string]series.Setting
	status   int
	failed   string
	missing  []string // of the answer
}

func (w *wholeRequest) setting(name string) (series.Setting, bool) {
	if w == nil {
		return series.Setting{}, false
	}
	s, ok := w.settings[name]
	return s, ok
}

func openRecording(*group) parser {
	return &recording{bodies: &bodies{settings: map[string]string{}}}
}

// theAnswer is what is missing if only the size of an answer is recorded.
const theAnswer = "the answer"

// mostOpen limits the calls that wait for an earlier one to be answered.
const mostOpen = 1024

// file reads a recording. The calls are passed on in the order in which they were sent.
func (c *recording) file(ctx context.Context, rd *reader) error {
	c.reader, c.latest, c.values, c.waiting = rd, map[string]*latest{}, map[string]map[int]*keptValue{}, nil
	rd.grows = true
	err := rd.lines(ctx, func(d *document) error {
		root := d.root()
		got := root.pick("call", "answer")
		if n, ok := got[0].integer(); ok {
			c.waiting = append(c.waiting, &openCall{number: n, call: root})
		} else if n, ok := got[1].integer(); ok {
			i := slices.IndexFunc(c.waiting, func(w *openCall) bool { return w.number == n })
			if i < 0 {
				c.malformed(root, "the answer to a call that is not in the recording; it is kept unchanged")
				return nil
			}
			c.waiting[i].answer, c.waiting[i].isAnswered = root, true
		} else if labelOfRecording(root) == "" {
			c.malformed(root, "not a line of a recording; it is kept unchanged")
		}
		for len(c.waiting) > 0 && (c.waiting[0].isAnswered || len(c.waiting) > mostOpen) {
			if err := c.next(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	for err == nil && len(c.waiting) > 0 {
		err = c.next(ctx)
	}
	return err
}

// next reads the first waiting call.
func (c *recording) next(ctx context.Context) error {
	w := c.waiting[0]
	c.waiting = c.waiting[1:]
	got := w.call.pick("request", "kept", "drop", "body", "method")
	if !got[0].is('{') {
		if got[3].is('{') {
			c.noteOnce(thread.Kept, "", w.call, "requests whose bodies are not recorded are left out, such as "+strconv.Quote(got[3].get("why").text()))
		} else {
			c.noteOnce(thread.Kept, "", w.call, "requests without a body are not model calls; they are left out")
		}
		return nil
	}
	whole, bad := c.complete(w.number, got[0], got[1])
	c.drop(got[2])
	if bad != "" {
		c.malformed(w.call, "%s; it is kept unchanged", bad)
		return nil
	}
	root := c.withParameters(w.call, got[0], got[1], whole)
	if _, ok := exchangeOf(root); !ok {
		c.noteOnce(thread.Kept, "", w.call, "requests without messages are not model calls; they are left out")
		return nil
	}
	ended := w.answer.pick("status", "end", "error", "response")
	whole.status, _ = ended[0].integer()
	if end := ended[1].text(); !w.isAnswered {
		whole.failed = "no answer"
	} else if end == "not parsed" && whole.status < 400 {
		whole.missing = []string{theAnswer} // of an API that is not known: it may be good
	} else if end != "complete" && (end != "refused" || ended[3].missing()) {
		whole.failed = strings.Clone(end)
		if why := ended[2].text(); why != "" {
			whole.failed += ": " + strings.Clone(why)
		}
	}
	c.whole, c.besides.answer = whole, ended[3]
	err := c.request(ctx, root, "$")
	c.whole, c.besides.answer = nil, value{}
	return err
}

// smallestKept is the size in bytes of the smallest value to which a call may refer; those that
// pactkit writes are larger.
const smallestKept = 32

// complete resolves the references of a request to earlier calls, and keeps its members for later
// calls. bad says what is wrong with the request, or is "".
func (c *recording) complete(call int, request, kept value) (whole *wholeRequest, bad string) {
	whole = &wholeRequest{settings: map[string]series.Setting{}}
	list, _, _ := listIn(request)
	for name, v := range request.members() {
		ref := kept.get(name)
		from, begin, count, problem := c.resolve(name, ref)
		if problem != "" {
			return nil, problem
		}
		made := &keptValue{}
		size := len(v.raw)
		switch {
		case slices.Contains(listNames[:], name) && v.is('['):
			made.messages = c.continued(from, begin, count)
			for i, e := range v.elements() {
				made.messages = append(made.messages, c.message(e, "$.request."+name+"["+strconv.Itoa(i)+"]"))
			}
			if name == list {
				whole.messages = made.messages
			}
			if from != nil && begin == 0 && count == len(from.messages) && len(made.messages) == count {
				continue // the earlier one stands for both
			}
		case from == nil:
			made.setting = c.setting(name, v)
			whole.settings[name] = made.setting
		case count < 0:
			whole.settings[name] = from.setting
			continue
		default:
			text, isSame := appended(value{raw: from.setting.Value}, begin, count, v)
			made.setting = c.setting(name, value{raw: text})
			if isSame {
				made.setting = from.setting
			}
			if whole.settings[name] = made.setting; isSame {
				continue
			}
		}
		if from != nil || size >= smallestKept {
			if c.values[name] == nil {
				c.values[name] = map[int]*keptValue{}
			}
			c.values[name][call] = made
		}
	}
	return whole, ""
}

// resolve returns the value to which a member refers: count elements of it from the element begin
// on, or all of it if count is negative. from is nil if there is no reference.
func (c *recording) resolve(name string, ref value) (from *keptValue, begin, count int, bad string) {
	if ref.raw == "" {
		return nil, 0, 0, ""
	}
	numbers := []int{}
	for _, e := range ref.elements() {
		n, ok := e.integer()
		if !ok || n < 0 {
			return nil, 0, 0, "a reference that is not a list of numbers"
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 0 {
		return nil, 0, 0, "an empty reference"
	}
	from = c.values[name][numbers[0]]
	if from == nil {
		return nil, 0, 0, fmt.Sprintf("it begins like %s of call %d, which is missing", name, numbers[0])
	}
	if len(numbers) == 1 {
		return from, 0, -1, ""
	}
	if count = numbers[1]; len(numbers) > 2 {
		begin = numbers[2]
	}
	if from.messages != nil && begin+count > len(from.messages) {
		return nil, 0, 0, fmt.Sprintf("it takes more elements of call %d than there are", numbers[0])
	}
	return from, begin, count, ""
}

// continued returns messages to which others may be appended. The first list that continues a whole
// other one shares its array, so a chain of requests costs what is new in each.
func (c *recording) continued(from *keptValue, begin, count int) []*series.Message {
	if from == nil {
		return []*series.Message{}
	}
	if begin == 0 && count == len(from.messages) && !from.extended {
		from.extended = true
		return from.messages
	}
	return slices.Clip(from.messages[begin : begin+max(count, 0)])
}

// appended returns a list that begins with elements of another one, and whether it is that list.
func appended(list value, begin, count int, more value) (text string, isSame bool) {
	var parts []string
	all := 0
	for i, e := range list.elements() {
		if all++; begin <= i && i < begin+count {
			parts = append(parts, e.raw)
		}
	}
	isSame = begin == 0 && all == count
	for _, e := range more.elements() {
		parts, isSame = append(parts, e.raw), false
	}
	return "[" + strings.Join(parts, ",") + "]", isSame
}

// drop forgets values to which no later call refers.
func (c *recording) drop(members value) {
	for name, calls := range members.members() {
		for _, e := range calls.elements() {
			if n, ok := e.integer(); ok {
				delete(c.values[name], n)
			}
		}
	}
}

// withParameters returns a call with the parameters that it takes from earlier calls. Messages,
// tools and instructions, which are large, stay as they are.
func (c *recording) withParameters(call, request, kept value, whole *wholeRequest) value {
	changed := false
	body := map[string]value{}
	for name, v := range request.members() {
		if s, ok := whole.settings[name]; ok && s.Kind == series.Parameter && !kept.get(name).missing() {
			v, changed = value{raw: s.Value}, true
		}
		body[name] = v
	}
	if !changed {
		return call
	}
	line := maps.Collect(call.members())
	line["request"] = value{raw: object(body)}
	return derived(call, object(line))
}

// end does nothing, because file passes on all calls.
func (c *recording) end(context.Context) error { return nil }
