package source

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/pactkit/pactkit/thread"
)

// dumpLinker groups files with requests and answers into logs, and orders them. Apart from sorting,
// it takes time linear in what was read of the files.
type dumpLinker struct {
	*linker
	files  []File
	list   []*dump // by file; nil for files that are logs of their own
	order  []int   // the files with a request, by their names
	place  []string
	answer map[int]int  // the file with the answer to the request in a file
	taken  map[int]bool // answers that are in answer
	parent map[int]int  // the request that a request continues
}

// dumps unites the files that are one log.
func (l *linker) dumps(files []File, previews []preview) {
	d := &dumpLinker{linker: l, files: files, place: make([]string, len(files)), answer: map[int]int{}, taken: map[int]bool{}, parent: map[int]int{}}
	inFolder := map[string]int{}
	for i, p := range previews {
		d.list = append(d.list, p.dump)
		d.place[i] = folderOf(filepath.Dir(files[i].Name))
		if p.dump == nil {
			continue
		}
		if p.dump.role == oneRequest {
			inFolder[d.place[i]]++
		}
	}
	for i := range d.place {
		if inFolder[d.place[i]] == 1 { // a folder for each request
			d.place[i] = filepath.Dir(d.place[i])
		}
	}
	d.traces(previews)
	for i, x := range d.list {
		if x != nil && x.role == oneRequest {
			d.order = append(d.order, i)
		}
	}
	slices.SortStableFunc(d.order, d.byName)
	d.indexes()
	d.pairs()
	d.batches()
	d.sessions()
	d.continuations()
	d.rank(previews)
	d.unnamed()
}

// unnamed notes that the requests in a folder are several conversations only because of their
// messages. One whose messages were dropped would be among them.
func (d *dumpLinker) unnamed() {
	logs := map[string][]int{}
	var folders []string
	for _, i := range d.order {
		place, root := d.place[i], d.find(i)
		if d.list[i].session != "" || slices.Contains(logs[place], root) {
			continue
		}
		if logs[place] == nil {
			folders = append(folders, place)
		}
		logs[place] = append(logs[place], root)
	}
	for _, place := range folders {
		if n := len(logs[place]); n > 1 && d.note != nil {
			d.note(thread.Note{Kind: thread.Kept, File: place, Msg: fmt.Sprintf("the requests are %d conversations; nothing in them names a session", n)})
		}
	}
}

// traces unites the bundles of a thread of Codex, in the order of their times, with their payloads.
func (d *dumpLinker) traces(previews []preview) {
	inFolder, ofThread := map[string]int{}, map[string]int{}
	for i, x := range d.list {
		if x == nil || x.role != codexTrace {
			continue
		}
		dir := filepath.Dir(d.files[i].Name)
		inFolder[filepath.Join(dir, "payloads")] = i
		key := filepath.Dir(dir) + "\x00" + x.session
		if at, ok := ofThread[key]; ok && x.session != "" {
			d.unite(at, i)
		} else {
			ofThread[key] = i
		}
		previews[i].time = x.time.Format(time.RFC3339Nano)
	}
	for i, x := range d.list {
		if at, ok := inFolder[filepath.Dir(d.files[i].Name)]; ok && x != nil && x.role != codexTrace {
			d.unite(at, i)
			d.list[i], previews[i].depth = nil, 1
		}
	}
}

func (d *dumpLinker) byName(a, b int) int { return compareNames(d.files[a].Name, d.files[b].Name) }

// pair joins the answer in a file to the request in another.
func (d *dumpLinker) pair(request, answer int) {
	if _, ok := d.answer[request]; ok || d.taken[answer] {
		return
	}
	d.answer[request], d.taken[answer] = answer, true
	d.unite(request, answer)
	r, a := d.list[request], d.list[answer]
	r.failed, r.replies, r.response = a.failed, a.replies, a.response
	if r.time.IsZero() {
		r.time = a.time
	}
}

// indexes joins what the indexes of Claude Code name. The index is read with the first request.
func (d *dumpLinker) indexes() {
	at := map[string]int{}
	for i, x := range d.list {
		if x != nil && (x.role == oneRequest || x.role == oneAnswer) {
			at[d.files[i].Name] = i
		}
	}
	for i, x := range d.list {
		if x == nil || x.role != dumpIndex {
			continue
		}
		united := false
		for _, e := range x.index {
			dir := filepath.Dir(d.files[i].Name)
			request, ok := at[filepath.Join(dir, e.request)]
			if !ok || d.list[request].role != oneRequest {
				continue
			}
			if !united {
				d.unite(request, i)
				united = true
			}
			r := d.list[request]
			r.time, r.session = e.time, cmp.Or(r.session, e.session)
			if answer, ok := at[filepath.Join(dir, e.response)]; ok && d.list[answer].role == oneAnswer {
				d.pair(request, answer)
			}
		}
	}
}

// pairs joins answers to requests: by an id that both records have, by their names, by the numbers
// of neighbors, by what a later request repeats, and the last one to the last one.
func (d *dumpLinker) pairs() {
	type half struct{ requests, answers []int }
	by := func(key func(i int) string) {
		halves := map[string]*half{}
		var keys []string
		for i, x := range d.list {
			if x == nil || x.role != oneRequest && x.role != oneAnswer || d.taken[i] || len(x.replies) > 0 && x.role == oneRequest || key(i) == "" {
				continue
			}
			h := halves[key(i)]
			if h == nil {
				h = &half{}
				halves[key(i)] = h
				keys = append(keys, key(i))
			}
			if x.role == oneRequest {
				h.requests = append(h.requests, i)
			} else {
				h.answers = append(h.answers, i)
			}
		}
		for _, k := range keys {
			if h := halves[k]; len(h.requests) == 1 && len(h.answers) == 1 {
				d.pair(h.requests[0], h.answers[0])
			}
		}
	}
	by(func(i int) string {
		if d.list[i].id == "" {
			return ""
		}
		return d.place[i] + "\x00" + d.list[i].id
	})
	by(func(i int) string { return stemOf(d.files[i].Name) })
	d.neighbors()
	d.repeated()
	by(func(i int) string { return d.place[i] + "\x00" })
}

// neighbors joins answers to the requests before them where files are numbered and alternate.
func (d *dumpLinker) neighbors() {
	var all []int
	for i, x := range d.list {
		if x != nil && (x.role == oneRequest || x.role == oneAnswer) {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, d.byName)
	for k := 1; k < len(all); k++ {
		a, b := all[k-1], all[k]
		if d.list[a].role == oneRequest && d.list[b].role == oneAnswer && len(d.list[a].replies) == 0 &&
			withoutDigits(d.files[a].Name) == withoutDigits(d.files[b].Name) {
			d.pair(a, b)
		}
	}
}

// repeated joins an answer to a request if a later request repeats both.
func (d *dumpLinker) repeated() {
	type turn struct {
		place        string
		before, text uint64
	}
	answers, requests := map[turn][]int{}, map[turn][]int{}
	for i, x := range d.list {
		if x != nil && x.role == oneAnswer && !d.taken[i] && len(x.replies) > 0 {
			k := turn{place: d.place[i], text: chained(0, x.replies[len(x.replies)-1])}
			answers[k] = append(answers[k], i)
		}
	}
	if len(answers) == 0 {
		return
	}
	for _, i := range d.order {
		if len(d.list[i].replies) == 0 {
			k := turn{place: d.place[i], before: d.list[i].sum}
			requests[k] = append(requests[k], i)
		}
	}
	for _, i := range d.order {
		for _, a := range d.list[i].answers {
			r, w := turn{place: d.place[i], before: a.before}, turn{place: d.place[i], text: a.alone}
			if len(requests[r]) == 1 && len(answers[w]) == 1 {
				d.pair(requests[r][0], answers[w][0])
			}
		}
	}
}

// batches unites the answers of a batch with the requests, if one file has all of them.
func (d *dumpLinker) batches() {
	type request struct{ place, id string }
	at := map[request][]int{}
	for i, x := range d.list {
		if x != nil && x.role == batchRequest {
			for _, id := range x.batch {
				at[request{d.place[i], id}] = append(at[request{d.place[i], id}], i)
			}
		}
	}
	for i, x := range d.list {
		if x == nil || x.role != batchAnswer || len(x.batch) == 0 {
			continue
		}
		common := at[request{d.place[i], x.batch[0]}]
		for _, id := range x.batch[1:] {
			common = slices.DeleteFunc(slices.Clone(common), func(k int) bool { return !slices.Contains(at[request{d.place[i], id}], k) })
		}
		if len(common) == 1 {
			d.unite(common[0], i)
		}
	}
}

// sessions unites the requests of a session, and those that continue the answer to another.
func (d *dumpLinker) sessions() {
	first := map[string]int{}
	for _, i := range d.order {
		x := d.list[i]
		if x.session != "" {
			key := d.place[i] + "\x00" + x.session
			if at, ok := first[key]; ok {
				d.unite(at, i)
			} else {
				first[key] = i
			}
		}
		if key := "\x00" + x.response; x.response != "" {
			if _, ok := first[key]; !ok {
				first[key] = i
			}
		}
	}
	for _, i := range d.order {
		if at, ok := first["\x00"+d.list[i].previous]; ok && d.list[i].previous != "" && at != i {
			d.unite(at, i)
			d.parent[i] = at
		}
	}
}

// continuations unites each request with the one that it continues: its messages begin with the
// messages of that request and the answer to it. If the answer is unknown, the model and the system
// prompt must be equal. Requests with the same messages are continued in order.
func (d *dumpLinker) continuations() {
	type known struct {
		place, session string
		sum, context   uint64
	}
	byEnd := map[known][]int{} // requests; those that were continued are removed, except the last one
	var keys []known
	for _, i := range d.order {
		x := d.list[i]
		keys = keys[:0]
		for _, reply := range x.replies {
			keys = append(keys, known{d.place[i], x.session, chained(x.sum, reply), 0})
		}
		if len(x.replies) == 0 && !x.failed {
			keys = append(keys, known{d.place[i], x.session, x.sum, x.context | 1})
		}
		for _, k := range keys {
			byEnd[k] = append(byEnd[k], i)
		}
	}
	for _, i := range d.order {
		x := d.list[i]
		for _, a := range slices.Backward(x.answers) {
			if _, ok := d.parent[i]; ok {
				break
			}
			for _, k := range [...]known{{d.place[i], x.session, a.after, 0}, {d.place[i], x.session, a.before, x.context | 1}} {
				list := byEnd[k]
				if len(list) == 0 || list[0] == i || k.context != 0 && a.after == x.sum { // an answer that the client began
					continue
				}
				d.parent[i] = list[0]
				d.unite(list[0], i)
				if len(list) > 1 {
					byEnd[k] = list[1:]
				}
				break
			}
		}
	}
}

// rank gives the files of each log their order: an answer follows its request.
func (d *dumpLinker) rank(previews []preview) {
	logs := map[int][]int{}
	var roots []int
	for _, i := range d.order {
		root := d.find(i)
		if logs[root] == nil {
			roots = append(roots, root)
		}
		logs[root] = append(logs[root], i)
	}
	for _, root := range roots {
		list := logs[root]
		d.sort(list)
		for n, i := range list {
			previews[i].depth = 2*n + 1
			if a, ok := d.answer[i]; ok {
				previews[a].depth = 2*n + 2
			}
		}
	}
	for i, x := range d.list {
		if x != nil && x.role == batchRequest {
			previews[i].depth = 1 // after the answers
		} else if x != nil && x.role == dumpIndex {
			previews[i].depth = math.MaxInt
		}
	}
}

// sort puts the requests of a log in order: by time, if any has one; else by their names, if each
// is after the one that it continues; else by their lengths.
func (d *dumpLinker) sort(list []int) {
	at := make(map[int]time.Time, len(list))
	named := make(map[int]int, len(list))
	isNamed, isTimed, isChained := true, false, false
	depth := map[int]int{}
	for n, i := range list { // which are in the order of their names
		named[i] = n
		at[i] = d.list[i].time
		isTimed = isTimed || !at[i].IsZero()
		isChained = isChained || d.list[i].previous != ""
	}
	for _, i := range list {
		if p, ok := d.parent[i]; ok {
			isNamed = isNamed && named[p] < named[i]
		}
	}
	if isTimed {
		d.inherit(list, at)
	}
	if isChained {
		for _, i := range list {
			d.depth(i, depth)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case isTimed:
			return cmp.Or(at[a].Compare(at[b]), cmp.Compare(d.list[a].length, d.list[b].length), d.list[a].attempts(d.list[b]))
		case isNamed:
			return 0
		}
		return cmp.Or(cmp.Compare(depth[a], depth[b]), cmp.Compare(d.list[a].length, d.list[b].length))
	})
}

// depth returns the number of requests that a request continues, one after the other.
func (d *dumpLinker) depth(i int, known map[int]int) int {
	var path []int
	for {
		p, ok := d.parent[i]
		if _, done := known[i]; done || !ok || len(path) > len(d.parent) {
			break
		}
		path = append(path, i)
		i = p
	}
	n := known[i]
	known[i] = n
	for _, i := range slices.Backward(path) {
		n++
		known[i] = n
	}
	return n
}

// inherit sets the time of requests without one, such as failed attempts. It is the time of the
// first request with the same messages, or that continues it; else of the one that it continues.
func (d *dumpLinker) inherit(list []int, at map[int]time.Time) {
	earlier := func(i int, t time.Time) {
		if !t.IsZero() && (at[i].IsZero() || d.list[i].time.IsZero() && t.Before(at[i])) {
			at[i] = t
		}
	}
	twins := map[uint64]time.Time{}
	byLength := slices.Clone(list)
	slices.SortStableFunc(byLength, func(a, b int) int { return cmp.Compare(d.list[a].length, d.list[b].length) })
	for _, i := range slices.Backward(byLength) {
		if t := twins[d.list[i].sum]; t.IsZero() || !at[i].IsZero() && at[i].Before(t) {
			twins[d.list[i].sum] = at[i]
		}
	}
	for _, i := range slices.Backward(byLength) {
		earlier(i, twins[d.list[i].sum])
		if p, ok := d.parent[i]; ok && d.list[p].time.IsZero() {
			earlier(p, at[i])
		}
	}
	for _, i := range byLength {
		if p, ok := d.parent[i]; ok && at[i].IsZero() {
			at[i] = at[p]
		}
	}
}

// attempts compares requests with the same time and length: one whose time is unknown was an
// attempt of the other.
func (x *dump) attempts(y *dump) int {
	if x.time.IsZero() == y.time.IsZero() {
		return 0
	}
	if x.time.IsZero() {
		return -1
	}
	return 1
}
