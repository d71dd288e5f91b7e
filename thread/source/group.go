package source

import (
	"cmp"
	"context"
	"hash/maphash"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Group puts files together that must be read together with [ReadFiles]: those of one session of Claude Code and its agents,
// of one session of Codex that was resumed or forked, of one ATIF trajectory, and exports of OpenTelemetry with a trace in common. Each group is in the order in which it is to
// be read; groups are in the order of their first files. A file of another kind, and one whose kind cannot be recognized or
// that cannot be opened, is a group of its own, so that its error comes when it is read. Files of Claude Code, ATIF and OpenTelemetry are
// read through if there are several; of others only the beginning is.
func Group(ctx context.Context, files []File, o Options) ([][]File, error) {
	o.Note = nil
	l := &linker{seed: maphash.MakeSeed(), keys: map[key]int{}}
	looks := make([]look, len(files))
	many := map[Kind]int{}
	for i, file := range files {
		g := &group{ctx: ctx, opts: o}
		looks[i].number = i
		_ = g.open(file, func(rd *reader) (err error) { // the error comes again when the file is read
			looks[i].kind, err = rd.kindOr(o.Kind)
			return err
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		many[looks[i].kind]++
		l.parent = append(l.parent, i)
	}
	for i, file := range files {
		look := &looks[i]
		if linked[look.kind] == nil || many[look.kind] < 2 {
			continue
		}
		l.now = i
		_ = (&group{ctx: ctx, opts: o}).open(file, func(rd *reader) error { return linked[look.kind](rd, l, look) })
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	l.references(files, looks)
	return l.groups(files, looks), nil
}

// look is what is known of a file before it is read.
type look struct {
	kind   Kind
	number int
	agent  bool   // an agent's, which comes after the file that started it
	depth  int    // of files that go on from each other
	time   string // of the first record
}

// linked has what finds the links of the files of a kind.
var linked = map[Kind]func(*reader, *linker, *look) error{
	ClaudeCode: (*reader).linkClaudeCode, Codex: (*reader).linkCodex, ATIF: (*reader).linkATIF, OTel: (*reader).linkOTel,
}

// CanGroup reports whether several files of the kind may be one group, see [Group].
func (k Kind) CanGroup() bool { return linked[k] != nil }

// linker joins files that have a key in common.
type linker struct {
	seed   maphash.Seed
	keys   map[key]int // the first file with it
	parent []int       // of each file, another file of the same group, or itself
	now    int
	refs   []reference
}

// key is the hash of what files share: an id, with its kind.
type key uint64

// reference is a file that another one names.
type reference struct {
	from int
	name string
}

// join joins the file that is looked at with the others that have a key.
func (l *linker) join(kind, id string) {
	if id == "" {
		return
	}
	var h maphash.Hash
	h.SetSeed(l.seed)
	h.WriteString(kind)
	h.WriteByte(0)
	h.WriteString(id)
	k := key(h.Sum64())
	if first, ok := l.keys[k]; ok {
		l.unite(first, l.now)
	} else {
		l.keys[k] = l.now
	}
}

func (l *linker) find(i int) int {
	for l.parent[i] != i {
		l.parent[i] = l.parent[l.parent[i]]
		i = l.parent[i]
	}
	return i
}

func (l *linker) unite(a, b int) {
	a, b = l.find(a), l.find(b)
	l.parent[max(a, b)] = min(a, b)
}

// references joins the files that others name. A name may have got a prefix when files of several trajectories were put
// together.
func (l *linker) references(files []File, looks []look) {
	if len(l.refs) == 0 {
		return
	}
	byEnd := map[string][]int{}
	for i, f := range files {
		base := filepath.Base(f.Name)
		byEnd[base] = append(byEnd[base], i)
		for at, c := range base {
			if strings.ContainsRune("._-", c) {
				byEnd[base[at+1:]] = append(byEnd[base[at+1:]], i)
			}
		}
	}
	for _, r := range l.refs {
		best := -1
		for _, i := range byEnd[path.Base(filepath.ToSlash(r.name))] {
			prefix := strings.TrimSuffix(filepath.Base(files[i].Name), path.Base(r.name))
			fits := i != r.from && looks[i].kind == looks[r.from].kind && isNamed(files[i].Name, files[r.from].Name, r.name)
			if fits && strings.HasPrefix(filepath.Base(files[r.from].Name), prefix) && (best < 0 || len(files[i].Name) > len(files[best].Name)) {
				best = i
			}
		}
		if best >= 0 {
			l.unite(r.from, best)
		}
	}
}

// groups returns the files of each group: sessions before their agents, then by depth, by time, and in the order given.
func (l *linker) groups(files []File, looks []look) [][]File {
	byFirst := map[int][]look{}
	for i := range files {
		first := l.find(i)
		byFirst[first] = append(byFirst[first], looks[i])
	}
	var out [][]File
	for i := range files {
		group := byFirst[i]
		if len(group) == 0 {
			continue
		}
		slices.SortStableFunc(group, func(a, b look) int {
			if a.agent != b.agent {
				if b.agent {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.time, b.time))
		})
		var list []File
		for _, x := range group {
			list = append(list, files[x.number])
		}
		out = append(out, list)
	}
	return out
}

// linkClaudeCode joins files of Claude Code that share a record, or name a record or the session of each other.
func (rd *reader) linkClaudeCode(l *linker, look *look) error {
	first := true
	return rd.lines(func(d *document) error {
		got := d.root().pick("uuid", "parentUuid", "logicalParentUuid", "sessionId", "isSidechain", "timestamp")
		for _, id := range got[:3] {
			l.join("record", id.text())
		}
		if got[0].text() == "" {
			return nil
		}
		l.join("session", got[3].text())
		if first {
			look.agent, look.time = got[4].is('t'), strings.Clone(got[5].text())
			first = false
		}
		return nil
	})
}

// linkCodex joins rollouts of one session, and of those that it was forked from or started by.
func (rd *reader) linkCodex(l *linker, look *look) error {
	lines := 0
	return rd.lines(func(d *document) error {
		if lines++; lines > fewDocuments {
			return errStop
		}
		v := d.root()
		switch {
		case v.get("type").text() == "session_meta":
			v = v.get("payload")
		case !isBareMeta(v):
			return nil
		}
		got := v.pick("id", "session_id", "forked_from_id", "timestamp", "source")
		spawned := got[4].get("subagent", "thread_spawn", "parent_thread_id").text()
		for _, id := range []string{cmp.Or(got[0].text(), got[1].text()), got[2].text(), spawned} {
			l.join("codex", id)
		}
		look.agent, look.time = spawned != "", strings.Clone(got[3].text())
		return errStop
	})
}

// linkOTel joins exports that have a trace in common: spans, and records of logs.
func (rd *reader) linkOTel(l *linker, _ *look) error {
	return rd.documents(func(d *document) error {
		for _, names := range [][3]string{{"resourceSpans", "scopeSpans", "spans"}, {"resourceLogs", "scopeLogs", "logRecords"}} {
			for _, resource := range d.root().get(names[0]).elements() {
				for _, scope := range resource.get(names[1]).elements() {
					for _, v := range scope.get(names[2]).elements() {
						l.join("trace", v.get("traceId").text())
					}
				}
			}
		}
		return nil
	})
}

// linkATIF finds the files that a trajectory names: where it goes on, and those of its agents.
func (rd *reader) linkATIF(l *linker, look *look) error {
	d, err := rd.whole()
	if err != nil {
		return err
	}
	got := d.root().pick("continued_trajectory_ref", "agent", "steps")
	add := func(v value) {
		if name := v.text(); name != "" {
			l.refs = append(l.refs, reference{l.now, strings.Clone(name)})
		}
	}
	add(got[0])
	look.depth, _ = got[1].get("extra", "continuation_index").integer()
	for _, step := range got[2].elements() {
		for _, result := range step.get("observation", "results").elements() {
			for _, ref := range result.get("subagent_trajectory_ref").elements() {
				add(ref.get("trajectory_path"))
			}
		}
	}
	return nil
}
