package source

import (
	"cmp"
	"context"
	"hash/maphash"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
)

// Group groups files that must be read together with [ReadFiles]: those of one session of Claude
// Code and its agents, of one session of Codex that was resumed or forked, of one ATIF trajectory,
// exports of OpenTelemetry with a common trace, events of OpenHands in files of one folder,
// requests and answers in files of their own, and the log of a session with recordings of its
// requests. The files of a group are in the order in which they must be read; groups are in the
// order of their first files. Any other file is a group of its own. That includes files that cannot
// be opened or recognized: the error is reported when the file is read, so the only error of Group
// is that of the context. The only notes are about folders whose requests are several
// conversations.
//
// Group reads several files at a time. If there is more than one file of Claude Code, ATIF or
// OpenTelemetry, or with one event, request or answer, these are read completely, except those with
// [File.Links]. So are logs and recordings of their sessions. Of other files only the beginning is
// read.
func Group(ctx context.Context, files []File, o Options) ([][]File, error) {
	l := &linker{seed: maphash.MakeSeed(), repeats: make([]bool, len(files)), note: o.Note}
	o.Note = nil
	previews := make([]preview, len(files))
	many := map[Kind]int{}
	inParallel(len(files), func(i int) {
		previews[i].number, previews[i].kind = i, cmp.Or(files[i].Kind, o.Kind)
		if previews[i].kind == Auto && ctx.Err() == nil {
			_ = (&group{opts: o}).withFile(files[i], func(rd *reader) (err error) { // the error is reported when the file is read
				previews[i].kind, err = rd.kind(ctx)
				return err
			})
		}
	})
	for i := range files {
		many[previews[i].kind]++
		l.parent = append(l.parent, i)
	}
	joins := slices.ContainsFunc(previews, preview.records) && slices.ContainsFunc(previews, preview.isLog)
	inParallel(len(files), func(i int) {
		preview := &previews[i]
		link := linked[preview.kind]
		if link == nil || many[preview.kind] < 2 && !joins || ctx.Err() != nil {
			return
		}
		found := &Links{seed: l.seed}
		if files[i].Links == nil || !files[i].Links(found) {
			opened := false
			*found = Links{seed: l.seed}
			_ = (&group{opts: o}).withFile(files[i], func(rd *reader) error {
				opened = true
				return link(ctx, rd, found)
			})
			if !opened {
				preview.kind = Auto
			}
		}
		preview.agent, preview.depth, preview.time, preview.dump, preview.sessions = found.agent, found.depth, found.time, found.dump, found.sessions
		l.add(i, found)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.references(files, previews)
	if many[Requests] > 1 {
		l.dumps(files, previews)
	}
	if joins {
		l.bySession(previews)
		if err := l.byAnswers(ctx, files, previews, o); err != nil {
			return nil, err
		}
	}
	return l.groups(files, previews), nil
}

// inParallel calls do with the numbers 0 to n-1, on all processors.
func inParallel(n int, do func(i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// preview is what is known about a file before it is read.
type preview struct {
	kind   Kind
	number int
	agent  bool   // of an agent; it follows the file that started it
	depth  int    // position among files that continue each other
	time   string // of the first record
	dump   *dump  // of a file with a request or an answer; may be nil
	// sessions are the ids of sessions that its requests name.
	sessions []string
	root     int // the first file of its group before recordings joined it
}

// linked has a function for each kind that finds the links of a file.
var linked = map[Kind]func(context.Context, *reader, *Links) error{
	ClaudeCode: linkClaudeCode, Codex: linkCodex, ATIF: linkATIF, OTel: linkOTel, Requests: linkRequests, Recording: linkRecording, Cline: linkCline,
	OpenHands: linkOpenHands,
}

// CanGroup reports whether [Group] may put files of the kind into a group with others.
func (k Kind) CanGroup() bool { return linked[k] != nil || knownByAnswers[k] }

// linker unites files that have a key in common.
type linker struct {
	mu      sync.Mutex
	seed    maphash.Seed
	keys    keyTable
	parent  []int  // union-find: for each file, another file of the same group, or itself
	repeats []bool // for each file, whether another file has one of its records
	refs    []reference
	note    func(thread.Note) // may be nil
}

// reference is the name of another file in a file.
type reference struct {
	from int
	name string
}

// add unites a file with the others that have one of its keys.
func (l *linker) add(file int, x *Links) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range x.keys {
		other, both := l.keys.add(k, file)
		if other != file {
			l.unite(other, file)
			l.repeats[file] = l.repeats[file] || both
		}
	}
	for _, name := range x.refs {
		l.refs = append(l.refs, reference{file, name})
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

// references unites files with those that they refer to. The name of a file may have a prefix,
// which is added when the files of several trajectories are collected.
func (l *linker) references(files []File, previews []preview) {
	if len(l.refs) == 0 {
		return
	}
	type location struct{ dir, base string }
	at := map[location][]int{}
	for i, f := range files {
		where := location{filepath.Dir(f.Name), filepath.Base(f.Name)}
		at[where] = append(at[where], i)
	}
	for _, r := range l.refs {
		from := files[r.from].Name
		dir, base := dirOf(from, r.name), filepath.Base(from)
		// Both files have the same prefix; the longest one counts.
		for end := len(base); end >= 0; end-- {
			if end > 0 && !strings.ContainsRune("._-", rune(base[end-1])) {
				continue
			}
			list := at[location{dir, base[:end] + path.Base(r.name)}]
			n := slices.IndexFunc(list, func(i int) bool { return i != r.from && previews[i].kind == previews[r.from].kind })
			if n >= 0 {
				l.unite(r.from, list[n])
				break
			}
		}
	}
}

// dirOf returns the directory of the file that file from refers to as ref.
func dirOf(from, ref string) string {
	return filepath.Dir(filepath.Join(filepath.Dir(from), filepath.FromSlash(ref)))
}

// groups returns the files of each group.
func (l *linker) groups(files []File, previews []preview) [][]File {
	var out [][]File
	for _, group := range l.sorted(previews) {
		var list []File
		repeats := slices.ContainsFunc(group, func(x preview) bool { return l.repeats[x.number] })
		isBoth := slices.ContainsFunc(group, preview.records) && slices.ContainsFunc(group, preview.isLog)
		for _, x := range group {
			f := files[x.number]
			if f.Repeats = repeats; isBoth {
				f.Kind = x.kind
			}
			list = append(list, f)
		}
		out = append(out, list)
	}
	return out
}

// sorted returns what is known about the files of each group: logs before recordings, sessions
// before their agents, then by depth, by time, and in the order given.
func (l *linker) sorted(previews []preview) (out [][]preview) {
	byFirst := map[int][]preview{}
	for i := range previews {
		first := l.find(i)
		byFirst[first] = append(byFirst[first], previews[i])
	}
	for i := range previews {
		group := byFirst[i]
		if len(group) == 0 {
			continue
		}
		slices.SortStableFunc(group, func(a, b preview) int {
			return cmp.Or(compareBools(a.records(), b.records()), compareBools(a.agent, b.agent), cmp.Compare(a.root, b.root), cmp.Compare(a.depth, b.depth), cmp.Compare(a.time, b.time))
		})
		out = append(out, group)
	}
	return out
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// linkClaudeCode finds the ids of records and sessions in a file of Claude Code.
func linkClaudeCode(ctx context.Context, rd *reader, x *Links) error {
	s := canonjson.NewScanner("", canonjson.DefaultDepth-1)                // for the members of a record
	var record, parent, logical, session, side, at, answer, request string // raw JSON
	member := func(name string, _ int) (err error) {
		switch name {
		case "uuid":
			record, err = s.Raw()
		case "parentUuid":
			parent, err = s.Raw()
		case "logicalParentUuid":
			logical, err = s.Raw()
		case "sessionId":
			session, err = s.Raw()
		case "isSidechain":
			side, err = s.Raw()
		case "timestamp":
			at, err = s.Raw()
		case "requestId":
			request, err = s.Raw()
		case "message":
			if s.Peek() != '{' {
				return s.Skip()
			}
			err = s.Object(func(name string, _ int) (err error) {
				if name == "id" {
					answer, err = s.Raw()
					return err
				}
				return s.Skip()
			})
		default:
			err = s.Skip()
		}
		return err
	}
	return rd.rawLines(ctx, func(line []byte, _ int) error {
		record, parent, logical, session, side, at, answer, request = "", "", "", "", "", "", "", ""
		s.SetSource(unsafe.String(unsafe.SliceData(line), len(line))) // the line is not kept
		if s.Peek() != '{' || s.Object(member) != nil || s.End() != nil {
			return nil // not a record; reported when the file is read
		}
		x.Record(RecordLinks{
			UUID: unquoted(record), Parent: unquoted(parent), LogicalParent: unquoted(logical), Session: unquoted(session),
			IsSidechain: side == "true", Time: unquoted(at), Answer: unquoted(answer), Request: unquoted(request),
		})
		return nil
	})
}

// unquoted returns the value of a JSON string, or "" for another value.
func unquoted(raw string) string { return value{raw: raw}.text() }

// linkCodex finds the ids of the session of a rollout, of the one it was forked from, and of the
// one that started it.
func linkCodex(ctx context.Context, rd *reader, x *Links) error {
	lines := 0
	return rd.lines(ctx, func(d *document) error {
		if lines++; lines > maxPeek {
			return errStop
		}
		v := d.root()
		switch {
		case v.get("type").text() == "session_meta":
			v = v.get("payload")
		case !isBareMeta(v):
			return nil
		}
		got := v.pick("id", "session_id", "forked_from_id", "timestamp", "source", "parent_thread_id", "history_base")
		spawned := got[4].get("subagent")
		file, _ := rolloutID(rd.name)
		for _, id := range []string{
			file, got[0].text(), got[1].text(), got[2].text(), got[5].text(), spawned.get("thread_spawn", "parent_thread_id").text(), got[6].get("thread_id").text(),
		} {
			x.join(ofRollout, id)
		}
		x.agent, x.time = spawned.raw != "", strings.Clone(got[3].text())
		return errStop
	})
}

// linkOTel finds the ids of the traces of spans and log records.
func linkOTel(ctx context.Context, rd *reader, x *Links) error {
	return rd.documents(ctx, func(d *document) error {
		for _, shape := range exportShapes {
			for _, v := range shape.list(d.root()).elements() {
				x.join(ofTrace, v.first("traceID", "traceId").text())
				for _, names := range [...][3]string{{"scopeSpans", "instrumentationLibrarySpans", "spans"}, {"scopeLogs", "instrumentationLibraryLogs", "logRecords"}} {
					for _, scope := range v.first(names[0], names[1]).elements() {
						for _, v := range scope.get(names[2]).elements() {
							x.join(ofTrace, v.get("traceId").text())
						}
					}
				}
			}
		}
		return nil
	})
}

// linkATIF finds the files that a trajectory refers to: its continuation, and those of its agents.
func linkATIF(ctx context.Context, rd *reader, x *Links) error {
	d, err := rd.whole(ctx)
	if err != nil {
		return err
	}
	add := func(v value) {
		if name := v.text(); name != "" {
			x.refs = append(x.refs, strings.Clone(name))
		}
	}
	for _, trajectory := range trajectoriesIn(d.root(), true) {
		got := trajectory.pick("continued_trajectory_ref", "agent", "steps")
		add(got[0])
		x.depth, _ = got[1].get("extra", "continuation_index").integer()
		for _, step := range got[2].elements() {
			for _, result := range step.get("observation", "results").elements() {
				for _, ref := range result.get("subagent_trajectory_ref").elements() {
					add(ref.get("trajectory_path"))
				}
			}
		}
	}
	return nil
}
