package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/prices"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/tokens"
)

// Source is what is inspected: the sessions that some arguments name. Only the most recently used
// timelines are in memory. It is safe for concurrent use.
type Source struct {
	options sessions.Options
	known   Known
	counts  *tokens.Cache // for a page in one file; nil for a page that a process serves
	opening sync.Mutex    // held while a session is read: others wait instead of reading the same file

	mu       sync.Mutex
	list     []entry
	complete bool          // these are all
	news     chan struct{} // closed when the list or complete changes
	held     []*reading    // the latest first
}

// Known are the prices and windows of the configuration, which precede those that pactkit knows.
type Known struct {
	Prices  prices.Table
	Windows prices.Windows
}

// maxHeld is how many timelines are in memory: those that two tabs show, and one to compare with.
const maxHeld = 3

// entry is a session, or a file that could not be read.
type entry struct {
	Summary
	files   []string
	address string   // empty for a file that could not be read
	blobs   [][]byte // of the page in one file; nil if they have been written
}

// Summary is an entry in the list of sessions.
type Summary struct {
	Name    string  `json:"name"`              // the argument that selects it
	Path    string  `json:"path"`              // of the file
	History string  `json:"history,omitempty"` // its name in the file
	Title   string  `json:"title,omitempty"`
	Source  string  `json:"source"`
	Prompt  string  `json:"prompt,omitempty"` // the beginning of the first message of the user
	Begin   string  `json:"begin,omitempty"`  // when the first call with a time was sent, as RFC 3339
	Time    string  `json:"time,omitempty"`   // when the last one was
	Model   string  `json:"model,omitempty"`  // of the latest call that says it
	Models  int     `json:"models,omitempty"`
	Cost    float64 `json:"cost,omitempty"`   // of the Priced calls
	Priced  int     `json:"priced,omitempty"` // calls with recorded tokens and a known price
	Full    float64 `json:"full,omitempty"`   // the part of the window that the largest call fills; 0 if unknown
	// By is the call that started the conversation of an agent.
	By      *calls.StartedBy `json:"by,omitempty"`
	Fork    *forked          `json:"fork,omitempty"`
	Calls   int              `json:"calls"`
	Tokens  int64            `json:"tokens"`            // of the largest call, if the log records it
	Left    int              `json:"left"`              // nodes that left
	Broken  int              `json:"broken"`            // calls that ended the prefix a cache could have used
	Failed  int              `json:"failed,omitempty"`  // calls without an answer
	Missing []string         `json:"missing,omitempty"` // what of the calls the log does not record
	Error   string           `json:"error,omitempty"`
	Spark   []int64          `json:"spark"` // tokens of at most sparkLength calls
}

// forked is where a history was forked.
type forked struct {
	Name    string `json:"name,omitempty"` // the argument that selects the base, if that is beside it
	History string `json:"history,omitempty"`
	Cycle   int64  `json:"cycle"`
}

// forkOf returns where a history at a path was forked; nil if it was not.
func forkOf(t *engine.Timeline, path string) *forked {
	forks := t.Forks()
	if len(forks) == 0 {
		return nil
	}
	from := forks[len(forks)-1]
	f := &forked{History: store.Redacted(from.History), Cycle: from.Cycle}
	switch folder, _ := filepath.Split(path); {
	case from.History == "":
	case store.IsAddress(path):
		f.Name = store.JoinAddress(path, from.History)
	default:
		f.Name = folder + store.FileName(from.History)
	}
	return f
}

// sparkLength is how many calls the line of a session in the list shows.
const sparkLength = 60

// hasFormat reports whether the user chose how logs are read, which a suite cannot record.
func (s *Source) hasFormat() bool {
	return s.options.Messages != "" || s.options.From != "" && s.options.From != sessions.Auto
}

// Open finds the sessions that arguments name, as [sessions.All] does, until the context is done.
// It returns as soon as there is one to show, and continues to find the others. A file that cannot
// be read is a session with an error. The error of Open, if there is nothing to show, is that of
// the first file.
func Open(ctx context.Context, args []string, o sessions.Options, known Known) (*Source, error) {
	return open(ctx, args, &Source{options: o, known: known, news: make(chan struct{})})
}

// OpenPage is [Open] for [WriteHTML]: it keeps what that needs of each session when it finds it, so
// that a file with many sessions is read once.
func OpenPage(ctx context.Context, args []string, o sessions.Options, known Known) (*Source, error) {
	return open(ctx, args, &Source{options: o, known: known, counts: tokens.NewCache(countedBytes), news: make(chan struct{})})
}

func open(ctx context.Context, args []string, src *Source) (*Source, error) {
	if journal, err := src.journal(ctx, args); journal || err != nil {
		return src, err
	}
	found := make(chan error, 1) // nil for the first session, or what is wrong with all
	go src.find(ctx, args, found)
	select {
	case err := <-found:
		if err != nil {
			return nil, err
		}
		return src, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// journal handles a single argument that is a journal, of which only a part is read at first.
func (s *Source) journal(ctx context.Context, args []string) (bool, error) {
	if s.options.Redact != nil || len(args) != 1 || !isJournal(s.abs(args[0])) {
		return false, nil
	}
	path := args[0]
	s.list, s.complete = []entry{{Summary{Name: path, Path: path, Source: string(sessions.Journal), Spark: []int64{}}, []string{path}, path, nil}}, true
	r, err := s.reading(ctx, 0)
	if err == nil {
		s.list[0].Fork = forkOf(r.now.Timeline, path)
	}
	return true, err
}

// find reads what the arguments name, and sends to found as soon as it is known whether there is
// something to show.
func (s *Source) find(ctx context.Context, args []string, found chan<- error) {
	if s.options.Redact != nil && !slices.Contains(args, "-") {
		for range sessions.All(ctx, args, s.options) { // a session may show that a text of one before it is a secret
		}
	}
	var first error
	shown := false
	for one, err := range sessions.All(ctx, args, s.options) {
		e := entry{Summary{Name: one.Path, Path: one.Path, Spark: []int64{}}, one.Files, "", nil}
		if e.files == nil {
			e.files = []string{one.Path}
		}
		at := s.stamp(e.files)
		var h *history
		if err == nil {
			e.address = addressOf(args, one)
			if h, err = s.known.read(ctx, one.Timeline, nil); err == nil {
				e.Summary, err = summarize(h, one)
			}
		}
		if r := s.options.Redact; r != nil {
			e.Name, e.Path, e.History = r.Text(e.Name), r.Text(e.Path), r.Text(e.History)
			if e.Fork != nil {
				e.Fork.Name, e.Fork.History = r.Text(e.Fork.Name), r.Text(e.Fork.History)
			}
		}
		if err == nil && s.counts != nil {
			e.blobs, err = s.pack(ctx, h)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			e.Error = err.Error()
			if first == nil {
				first = err
			}
		}
		if !shown && err == nil && s.counts == nil {
			var f feed = &file{source: s, files: e.files, address: e.address, stamp: at}
			if store.IsAddress(e.address) {
				f = &stored{source: s, address: e.address, at: one.Journal.Version}
			}
			s.hold(&reading{session: len(s.list), known: s.known, feed: f, now: h}) // the first is usually requested; only find changes the list
		}
		s.add(e)
		if !shown && err == nil {
			shown = true
			found <- nil
		}
	}
	s.mu.Lock()
	s.complete = true
	close(s.news)
	s.mu.Unlock()
	switch {
	case shown:
	case ctx.Err() != nil:
		found <- ctx.Err()
	case first != nil:
		found <- first
	default:
		found <- errors.New("there are no sessions here")
	}
}

// addressOf returns the argument that names one session: of a store, as the caller wrote it, which
// may be with a password.
func addressOf(args []string, one sessions.Session) string {
	for _, arg := range args {
		if base, _, err := store.SplitAddress(arg); err == nil && store.IsAddress(arg) && store.Redacted(base) == one.Path {
			return store.JoinAddress(base, one.Name)
		}
	}
	return one.Address()
}

func (s *Source) add(e entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e)
	close(s.news)
	s.news = make(chan struct{})
}

// after returns the summaries after the first n, and a channel that is closed when there are more;
// nil if there will be none.
func (s *Source) after(n int) ([]Summary, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Summary
	for _, e := range s.list[n:] {
		out = append(out, e.Summary)
	}
	if s.complete {
		return out, nil
	}
	return out, s.news
}

// entry returns a session of the list.
func (s *Source) entry(session int) (entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session < 0 || session >= len(s.list) {
		return entry{}, fmt.Errorf("there is no session %d", session)
	}
	e := s.list[session]
	if e.address == "" {
		return e, errors.New(e.Error)
	}
	return e, nil
}

// reading returns a session as far as it has been read, and begins to read it unless it is in
// memory.
func (s *Source) reading(ctx context.Context, session int) (*reading, error) {
	e, err := s.entry(session)
	if err != nil {
		return nil, err
	}
	if r := s.inMemory(session); r != nil {
		return r, nil
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	if r := s.inMemory(session); r != nil { // another goroutine has read it
		return r, nil
	}
	r := &reading{session: session, known: s.known, feed: s.feed(e)}
	t, err := r.feed.more(ctx)
	if t == nil {
		return nil, cmp.Or(err, errEmpty(e.address))
	}
	if r.now, err = s.known.read(ctx, t, err); err != nil {
		return nil, err
	}
	s.hold(r)
	return r, nil
}

// inMemory returns a session that is in memory and marks it as the most recently used, or nil.
func (s *Source) inMemory(session int) *reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.held, func(r *reading) bool { return r.session == session })
	if i < 0 {
		return nil
	}
	r := s.held[i]
	s.held = slices.Insert(slices.Delete(s.held, i, i+1), 0, r)
	return r
}

// hold adds a session to those in memory.
func (s *Source) hold(r *reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = append([]*reading{r}, s.held...)
	if len(s.held) > maxHeld {
		s.held = s.held[:maxHeld]
	}
}

// whole returns a session once all of it has been read.
func (s *Source) whole(ctx context.Context, session int) (*history, error) {
	r, err := s.reading(ctx, session)
	if err != nil {
		return nil, err
	}
	for h := r.latest(); ; {
		next, err := r.look(ctx, h)
		if err != nil || next == h {
			return h, err
		}
		h = next
	}
}

// errEmpty is the error of a file without a snapshot.
func errEmpty(name string) error {
	return &engine.Error{Code: engine.ErrFileShape, File: name, Msg: "there is no whole snapshot in it"}
}

func summarize(h *history, s sessions.Session) (Summary, error) {
	out := Summary{Name: s.Address(), Path: s.Path, History: s.Name, Title: s.Title, Source: string(s.Kind), Fork: forkOf(s.Timeline, s.Path), Spark: []int64{}}
	if s.Title == s.Name {
		out.Title = ""
	}
	if len(h.States) == 0 {
		return out, errEmpty(s.Address())
	}
	var sizes []int64
	models := map[string]bool{}
	for _, c := range h.Calls {
		out.describe(c)
		if out.Prompt == "" {
			out.Prompt = promptOf(c.Snapshot)
		}
		models[c.Model] = true
		size := c.Tokens.In
		if size == 0 {
			size = int64(c.Messages) // the log has no numbers: the line shows messages
		}
		sizes = append(sizes, size)
		out.Calls++
		out.Left += len(c.Left)
		if c.Failed != "" {
			out.Failed++
		}
		for _, what := range c.Missing {
			if !slices.Contains(out.Missing, what) {
				out.Missing = append(out.Missing, what)
			}
		}
		if c.Cache.Broken != nil {
			out.Broken++
		}
		out.Tokens = max(out.Tokens, c.Tokens.In)
	}
	delete(models, "")
	out.Models = len(models)
	for i := range min(len(sizes), sparkLength) {
		out.Spark = append(out.Spark, sizes[i*len(sizes)/min(len(sizes), sparkLength)])
	}
	return out, nil
}

// promptOf returns the beginning of the first text of the user that is not a note of the program.
func promptOf(s *engine.Snapshot) string {
	for n := range s.All() {
		text, ok := n.Content().Text()
		if ok && steps.GroupOf(n) == steps.User && !strings.HasPrefix(text, "<") && !strings.HasPrefix(text, "Caveat:") {
			return steps.Preview(text)
		}
	}
	return ""
}

// describe adds what a call says about its session.
func (s *Summary) describe(c *calls.Call) {
	s.Begin, s.Time, s.Model = cmp.Or(s.Begin, c.Time), cmp.Or(c.Time, s.Time), cmp.Or(c.Model, s.Model)
	if s.By == nil {
		s.By = c.By
	}
	if cost := c.Cache.Cost; cost != nil {
		s.Cost, s.Priced = s.Cost+cost.Total, s.Priced+1
	}
	if c.Window != nil {
		s.Full = max(s.Full, float64(c.Tokens.In)/float64(c.Window.Tokens))
	}
}

// history is a session as far as it was read at some time. It is immutable.
type history struct {
	*steps.History
	problem string // what is wrong with the rest
	words   func() *fixtures.Facts
	figures *later[*figures]
}

// read returns what was read; bad is what is wrong with the rest, or nil. The only error is that of
// the context.
func (k Known) read(ctx context.Context, t *engine.Timeline, bad error) (*history, error) {
	all, err := steps.Read(ctx, t, calls.Options{Cache: true, Prices: k.Prices, Windows: k.Windows})
	if err != nil {
		return nil, err
	}
	h := &history{History: all, figures: new(later[*figures]), words: sync.OnceValue(func() *fixtures.Facts { return fixtures.Of([]fixtures.Fixture{{Timeline: t}}, nil) })}
	if bad != nil {
		h.problem = bad.Error()
	}
	return h, nil
}
