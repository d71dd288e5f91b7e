package record

import (
	"hash/maphash"
	"maps"
	"slices"
)

const (
	// smallest is the size in bytes from which a value may be referred to.
	smallest = 512
	// mostParts limits, for each member, the values that may be referred to, and so the number of
	// conversations at a time that are stored well. The least recently used one goes.
	mostParts = 128
	// mostSums limits the elements of all these values, and with them the memory.
	mostSums = 1 << 20
	// nearEnd is how many elements at the end of a list may have changed while the new list still
	// replaces it: clients move marks of the cache along the last messages.
	nearEnd = 4
)

// messageLists are the members that hold the messages; they are shared as lists only.
var messageLists = []string{"messages", "contents", "input"}

// sum identifies a value by its text, in this process.
type sum [2]uint64

// Two seeds make it improbable that two of many values have one sum.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func sumOf(text string) sum {
	return sum{maphash.String(seeds[0], text), maphash.String(seeds[1], text)}
}

// part is a member of a call to which later calls may refer.
type part struct {
	call int
	list bool
	sums []sum // of the elements, or of the value
}

// sharer finds what requests have in common with earlier ones.
type sharer struct {
	parts map[string][]*part // by member; the most recently used one is last
	sums  int
}

// shared is a request without what earlier ones have.
type shared struct {
	body       string
	kept, drop map[string][]int
	commit     func() // makes the request one to which later ones refer
}

// share takes out of a body, an object, what earlier bodies have.
func (s *sharer) share(call int, body string) shared {
	out := shared{body: body, commit: func() {}}
	fresh := map[string]*part{}
	var changes []change
	for name, at := range members(body, 0) {
		if _, twice := fresh[name]; twice {
			return shared{body: body, commit: func() {}}
		}
		fresh[name] = nil
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
		fresh[name] = p
		like, from, count := s.find(name, p)
		if like == nil {
			continue
		}
		if out.kept == nil {
			out.kept = map[string][]int{}
		}
		switch {
		case !isList:
			out.kept[name] = []int{like.call}
			changes = append(changes, change{at, "null"})
		default:
			out.kept[name] = []int{like.call, count}
			if from > 0 {
				out.kept[name] = append(out.kept[name], from)
			}
			rest := "[]"
			if count < len(ends) {
				rest = "[" + text[ends[count].from:]
			}
			changes = append(changes, change{at, rest})
		}
		isSame := count == len(p.sums) && from == 0 && len(like.sums) == count
		s.touch(name, like)
		if isSame { // the earlier one stands for both
			fresh[name] = nil
		} else if from == 0 && count >= len(like.sums)-nearEnd && isList {
			out.dropping(name, like.call)
		}
	}
	out.body = apply(body, changes)
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		if p := fresh[name]; p != nil {
			s.makeRoom(name, p, &out)
		}
	}
	out.commit = func() { s.add(fresh, out.drop) }
	return out
}

// find returns the part that has most in common with the beginning of p: count elements from the
// element from on.
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
	for _, old := range slices.Backward(s.parts[name]) { // a window that moves
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

// borders returns for each beginning of a list how many elements at its end are those at its
// beginning. A search that has found a part of the list goes on there (Knuth, Morris and Pratt):
// its cost does not depend on how many elements are alike.
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

func (s *sharer) touch(name string, p *part) {
	list := s.parts[name]
	i := slices.Index(list, p)
	copy(list[i:], list[i+1:])
	list[len(list)-1] = p
}

// makeRoom drops the least recently used parts that have no room beside a new one.
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

func (out *shared) dropping(name string, call int) {
	if out.drop == nil {
		out.drop = map[string][]int{}
	}
	out.drop[name] = append(out.drop[name], call)
}

// add replaces parts by new ones.
func (s *sharer) add(fresh map[string]*part, drop map[string][]int) {
	for name, calls := range drop {
		s.parts[name] = slices.DeleteFunc(s.parts[name], func(p *part) bool {
			gone := slices.Contains(calls, p.call)
			if gone {
				s.sums -= len(p.sums)
			}
			return gone
		})
	}
	for name, p := range fresh {
		if p != nil {
			s.parts[name] = append(s.parts[name], p)
			s.sums += len(p.sums)
		}
	}
}

// change replaces the text at a place.
type change struct {
	span
	text string
}

// apply makes changes, which are in the order of the text.
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
