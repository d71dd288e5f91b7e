package record

import (
	"hash/maphash"
	"maps"
	"slices"
)

const (
	// smallest is the size in bytes of the smallest value that another request may refer to.
	smallest = 512
	// mostParts limits the values that are remembered for each member, and with them the number of
	// concurrent conversations that are stored compactly. The least recently used value is dropped.
	mostParts = 128
	// mostSums limits the elements of all remembered values, and with them the memory.
	mostSums = 1 << 20
	// nearEnd is the number of elements at the end of a list that may differ in the list that
	// replaces it: clients move cache markers along the last messages.
	nearEnd = 4
)

// messageLists are the members that hold the messages. They are shared only if they are lists.
var messageLists = []string{"messages", "contents", "input"}

// sum is a hash of the text of a value. It is valid in this process only.
type sum [2]uint64

// Two hashes with different seeds make a collision improbable.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func sumOf(text string) sum {
	return sum{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
}

// part is a value of a call that later calls may refer to.
type part struct {
	call int
	list bool
	sums []sum // sums of the elements of a list, or the sum of another value
}

// sharer finds what requests have in common with earlier ones.
type sharer struct {
	parts map[string][]*part // remembered values by member, the most recently used last
	sums  int                // number of sums in parts
}

// shared is a request without the values that earlier requests have.
type shared struct {
	body       string
	kept, drop map[string][]int
	fresh      map[string]*part // by member: what later requests may refer to; nil for other members
}

// share removes from the body of a call, an object, the values that earlier bodies have. The body
// stays as it is if a name occurs twice. Later bodies can refer to this one after [sharer.add].
func (s *sharer) share(call int, body string) shared {
	out := shared{fresh: map[string]*part{}}
	var changes []change
	for name, at := range members(body, 0) {
		if _, twice := out.fresh[name]; twice {
			return shared{body: body}
		}
		out.fresh[name] = nil
		text := at.of(body)
		isList := text[0] == '['
		if len(text) < smallest || !isList && slices.Contains(messageLists, name) {
			continue
		}
		p := &part{call: call, list: isList}
		var ends []span
		if isList {
			for e := range elements(text, 0) {
				p.sums, ends = append(p.sums, sumOf(e.of(text))), append(ends, e)
			}
		} else {
			p.sums = []sum{sumOf(text)}
		}
		out.fresh[name] = p
		like, from, count := s.find(name, p)
		if like == nil {
			continue
		}
		kept, rest := []int{like.call}, "null"
		if isList {
			kept, rest = append(kept, count), "[]"
			if from > 0 {
				kept = append(kept, from)
			}
			if count < len(ends) {
				rest = "[" + text[ends[count].from:]
			}
		}
		if out.kept == nil {
			out.kept = map[string][]int{}
		}
		out.kept[name] = kept
		changes = append(changes, change{at, rest})
		s.touch(name, like)
		isSame := count == len(p.sums) && from == 0 && len(like.sums) == count
		if isSame { // later requests refer to the earlier one
			out.fresh[name] = nil
		} else if from == 0 && count >= len(like.sums)-nearEnd && isList {
			out.dropping(name, like.call)
		}
	}
	out.body = apply(body, changes)
	for _, name := range slices.Sorted(maps.Keys(out.fresh)) {
		if p := out.fresh[name]; p != nil {
			s.makeRoom(name, p, &out)
		}
	}
	return out
}

// find returns the part that has the longest run of elements in common with the beginning of p: the
// count elements that begin at from. A part that begins like p is preferred. find returns nil if no
// part has an element in common with p.
func (s *sharer) find(name string, p *part) (best *part, from, count int) {
	for _, old := range slices.Backward(s.parts[name]) {
		if old.list != p.list {
			continue
		}
		n := 0
		for n < min(len(old.sums), len(p.sums)) && old.sums[n] == p.sums[n] {
			n++
		}
		if n > count {
			best, count = old, n
		}
	}
	if best != nil || !p.list {
		return best, 0, count
	}
	back := borders(p.sums)
	for _, old := range slices.Backward(s.parts[name]) { // a sliding window
		n := 0
		for at, sum := range old.sums {
			for n > 0 && (n == len(p.sums) || p.sums[n] != sum) {
				n = back[n-1]
			}
			if n < len(p.sums) && p.sums[n] == sum {
				n++
			}
			if n > count {
				best, from, count = old, at+1-n, n
			}
		}
	}
	return best, from, count
}

// borders returns the failure function of Knuth, Morris and Pratt: for each prefix of a list, the
// length of its longest proper prefix that is also its suffix. With it the cost of a search is
// linear, however many elements are alike.
func borders(list []sum) []int {
	out := make([]int, len(list))
	for i := 1; i < len(list); i++ {
		n := out[i-1]
		for n > 0 && list[n] != list[i] {
			n = out[n-1]
		}
		if list[n] == list[i] {
			n++
		}
		out[i] = n
	}
	return out
}

// touch makes a part the most recently used one of its member.
func (s *sharer) touch(name string, p *part) {
	list := s.parts[name]
	i := slices.Index(list, p)
	copy(list[i:], list[i+1:])
	list[len(list)-1] = p
}

// makeRoom drops the least recently used parts that exceed the limits together with a new part.
func (s *sharer) makeRoom(name string, p *part, out *shared) {
	count, sums := len(s.parts[name])+1-len(out.drop[name]), s.sums+len(p.sums)
	for _, old := range s.parts[name] {
		if count <= mostParts && sums <= mostSums {
			return
		}
		if !slices.Contains(out.drop[name], old.call) {
			out.dropping(name, old.call)
			count, sums = count-1, sums-len(old.sums)
		}
	}
}

// dropping notes that no later request refers to the value of a call.
func (out *shared) dropping(name string, call int) {
	if out.drop == nil {
		out.drop = map[string][]int{}
	}
	out.drop[name] = append(out.drop[name], call)
}

// add makes a request one that later requests refer to, and forgets the values that it drops.
func (s *sharer) add(made shared) {
	for name, calls := range made.drop {
		s.parts[name] = slices.DeleteFunc(s.parts[name], func(p *part) bool {
			gone := slices.Contains(calls, p.call)
			if gone {
				s.sums -= len(p.sums)
			}
			return gone
		})
	}
	for name, p := range made.fresh {
		if p != nil {
			s.parts[name] = append(s.parts[name], p)
			s.sums += len(p.sums)
		}
	}
}

// change replaces the text of a span.
type change struct {
	span
	text string
}

// apply returns a text with changes, which are in the order of the text.
func apply(text string, changes []change) string {
	if len(changes) == 0 {
		return text
	}
	var out []byte
	from := 0
	for _, c := range changes {
		out = append(append(out, text[from:c.from]...), c.text...)
		from = c.to
	}
	return string(append(out, text[from:]...))
}
