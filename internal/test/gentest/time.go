package gentest

import (
	"strconv"
)

// time writes the time of a selector, or nothing. It chooses the snapshot whose nodes the rest of
// the selector is about.
func (w *writer) time() string {
	r, n := w.r, w.t.Len()
	cycle := func(back int) string {
		s := w.t.At(back)
		if s == w.t.Working() {
			return "@c" + strconv.Itoa(r.IntN(9))
		}
		if one(r, 3) { // of a side call, too
			for other := range w.t.Sealed() {
				if one(r, 4) {
					s = other
				}
			}
		}
		return "@c" + strconv.FormatInt(s.Cycle(), 10)
	}
	ago := func(back int) string {
		if back == 0 {
			return "@t0"
		}
		return "@t-" + strconv.Itoa(back)
	}
	if one(r, 2) {
		return ""
	}
	w.timed = true
	a, b := r.IntN(n), r.IntN(n)
	w.back = a
	beyond := func(back int) int { // sometimes older than the oldest snapshot
		if one(r, 8) {
			return n + r.IntN(3)
		}
		return back
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		return ago(a)
	case 3:
		return cycle(a)
	case 4:
		return pick(r, ago(beyond(a)), "@t+1", "@c99", "@t+0")
	case 5, 6:
		return "@*"
	}
	w.wide = true
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		return pick(r, ago(beyond(a)), ago(beyond(a)), "@t+1") + pick(r, "..", ":", " .. ") + ago(beyond(b))
	case 4:
		return cycle(a) + pick(r, "..", ":") + pick(r, cycle(b), "@c99", "@c0")
	case 5:
		return ago(beyond(a)) + "," + ago(b)
	case 6:
		return cycle(a) + "," + cycle(b)
	case 7:
		return ago(a) + ".." + pick(r, "@t-*", "-"+strconv.Itoa(beyond(b)), "0")
	}
	return "@history"
}

// controls writes the controls of a selector, in any order.
func (w *writer) controls() []string {
	r := w.r
	var out []string
	add := func(chance int, s string) {
		if one(r, chance) {
			out = append(out, s)
		}
	}
	if w.wide {
		add(2, "@mode="+pick(r, "pairwise", "union", "latest", "reduce"))
	}
	add(5, "@order="+pick(r, "pre", "post", "bfs", "path", "turn:asc,pre", "turn:desc,pre"))
	if one(r, 5) {
		out = append(out, "@limit="+strconv.Itoa(r.IntN(5)))
		add(3, "@p="+strconv.Itoa(1+r.IntN(3)))
	} else {
		add(12, "@first")
	}
	add(8, "@skip="+strconv.Itoa(r.IntN(3)))
	add(16, "@unique")
	add(24, pick(r, "@foo", "@foo=bar", "@x='a b'", "@foo=1:2"))
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
