package host

import "strings"

// jsonPath tracks the brackets and keys of a JSON file.
type jsonPath struct {
	path   []string
	frames []openJSON
}

// openJSON is an open object or list.
type openJSON struct {
	list  bool
	path  int        // the length of its own path
	frame *jsonFrame // nil until requested
}

// jsonFrame is an open object or list, with its current key and the frames around it. It is
// immutable.
type jsonFrame struct {
	outer *jsonFrame // nil at the top
	list  bool
	key   string
	keyed bool
}

// maxJSONDepth is how deep brackets may be nested. From the first bracket that is deeper, the rest
// of a file is ignored.
const maxJSONDepth = 10_000

// tooDeepJSON stands for brackets that are nested deeper.
var tooDeepJSON = &jsonFrame{}

// newJSONPath returns the path of what is open in a frame.
func newJSONPath(open *jsonFrame) *jsonPath {
	var frames []*jsonFrame
	for f := open; f != nil; f = f.outer {
		frames = append(frames, f)
	}
	p := &jsonPath{}
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		p.open(f.list)
		if f.keyed {
			p.path = append(p.path, f.key)
		}
		p.frames[len(p.frames)-1].frame = f
	}
	return p
}

// open enters an object or a list, unless it is nested too deeply.
func (p *jsonPath) open(list bool) bool {
	if len(p.frames) >= maxJSONDepth {
		return false
	}
	p.frames = append(p.frames, openJSON{list: list, path: len(p.path)})
	if list {
		p.path = append(p.path, "[]")
	}
	return true
}

// close leaves the innermost object or list.
func (p *jsonPath) close() {
	if n := len(p.frames) - 1; n >= 0 {
		p.path, p.frames = p.path[:p.frames[n].path], p.frames[:n]
	}
	p.value()
}

// inObject reports whether a key may come next.
func (p *jsonPath) inObject() bool {
	n := len(p.frames) - 1
	return n >= 0 && !p.frames[n].list
}

// key reads the name of a member.
func (p *jsonPath) key(name string) {
	p.value()
	p.path = append(p.path, name)
}

// value drops the key whose value has been read.
func (p *jsonPath) value() {
	if p.inObject() {
		f := &p.frames[len(p.frames)-1]
		p.path, f.frame = p.path[:f.path], nil
	}
}

// frame returns the innermost open frame, or nil at the top. The cost depends on what has been
// opened since the path was made.
func (p *jsonPath) frame() *jsonFrame {
	first := len(p.frames)
	for first > 0 && p.frames[first-1].frame == nil {
		first--
	}
	var outer *jsonFrame
	if first > 0 {
		outer = p.frames[first-1].frame
	}
	for i := first; i < len(p.frames); i++ {
		f, end := &p.frames[i], len(p.path)
		if i+1 < len(p.frames) {
			end = p.frames[i+1].path
		}
		next := &jsonFrame{outer: outer, list: f.list}
		if !f.list && end > f.path {
			next.key, next.keyed = p.path[f.path], true
		}
		f.frame, outer = next, next
	}
	return outer
}

// isSame reports whether two frames have the same path.
func (f *jsonFrame) isSame(g *jsonFrame) bool {
	for ; f != g; f, g = f.outer, g.outer {
		if f == nil || g == nil || f == tooDeepJSON || g == tooDeepJSON || f.list != g.list || f.keyed != g.keyed || f.key != g.key {
			return false
		}
	}
	return true
}

// jsonReader reads JSON in segments, which end after a comma. The state is what is open there.
type jsonReader struct {
	*language
	markers *Markers
	keys    bool // keys may mark something
}

func (h jsonHost) segments(src string, m *Markers, _ segmentReader) segmentReader {
	keys := m.mayHoldKeys(src)
	if !keys && !m.mayHoldComments(src) {
		return nil
	}
	return jsonReader{h.language, m, keys}
}

func (jsonReader) isCut(src string, at int) bool {
	if src[at-1] != ',' {
		return false
	}
	next := strings.TrimLeft(src[at:min(len(src), at+lookAhead)], " \t")
	return next != "" && next[0] != '/' // a comment belongs to its line
}

func (r jsonReader) enter(s *segment, before state) (state, bool) {
	f, _ := before.(*jsonFrame)
	g, _ := s.before.(*jsonFrame)
	return s.after, f.isSame(g)
}

func (r jsonReader) read(src string, at, end int, before state, buffer *[]token) (segment, bool) {
	p := readPart(r.language, r.markers, src[at:end], buffer)
	open, _ := before.(*jsonFrame)
	if r.keys && open != tooDeepJSON {
		open = p.values(p.lexed.tokens, open)
	}
	s := p.search(0)
	out := p.segment()
	out.after = open
	return out, s.ends(",")
}

func (r jsonReader) assemble(src string, segments []segment) File {
	c := codeFinder{language: r.language, src: src, markers: r.markers}
	c.addAll(segments)
	c.finish(nil, nil)
	c.sort()
	return c.file
}
