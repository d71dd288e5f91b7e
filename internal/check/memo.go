package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/parser"
)

// Memo remembers what was found in a document, for callers that check successive versions of it:
// where its selectors are, and what the rules find in each of them. The zero value is ready for
// use. It is safe for concurrent use.
type Memo struct {
	finder host.Finder

	mu    sync.Mutex
	last  reading
	texts map[readAs]*checkedText
	prose map[string]*readProse // of the version that was checked last, by the text of a part
	round int                   // grows with each call of Forget
	used  int                   // number of texts used in this round

	selectors, findings int // of the version that was checked last
}

// reading is a source and its regions.
type reading struct {
	host    host.Host
	src     string
	markers *host.Markers
	file    host.File
}

// readAs is a text and the form in which it is read.
type readAs struct {
	text string
	form host.Form
}

// concernsFile matches the comments of a selector file that silence more than the findings in a
// single selector.
var concernsFile = regexp.MustCompile(`pactkit:(?:ignore-file|ignore\b.*(?:all|style))`)

// Find returns the regions of a source as [File] finds them. With a memo, the cost depends on what
// has changed since the previous version, and a selector file has a region for each selector unless
// something in it concerns the whole file.
func (o *Options) Find(h host.Host, src string) host.File {
	if o.Memo == nil {
		return h.Find(src, o.Markers)
	}
	m := o.Memo
	m.mu.Lock()
	last := m.last
	m.mu.Unlock()
	if last.host == h && last.markers == o.Markers && last.src == src {
		return last.file
	}
	r := reading{host: h, src: src, markers: o.Markers}
	if !h.Embeds() && (len(src) > maxParts || concernsFile.MatchString(src)) {
		r.file = h.Find(src, o.Markers)
	} else {
		r.file = m.finder.Find(h, src, o.Markers)
	}
	m.mu.Lock()
	m.last = r
	m.mu.Unlock()
	return r.file
}

// maxParts is the size above which a selector file is read as a whole, so that the limits of the
// parser apply.
var maxParts = parser.DefaultLimits().Bytes

// get returns what was found in the text of a region, or finds it. A nil memo remembers nothing,
// and no memo remembers what was found while ctx was done.
func (m *Memo) get(ctx context.Context, r *host.Region, find func(text string) *checkedText) *checkedText {
	if m == nil {
		return find(r.Text)
	}
	key := readAs{r.Text, r.Form}
	m.mu.Lock()
	t := m.texts[key]
	if t != nil && t.round != m.round {
		t.round = m.round
		m.used++
	}
	m.mu.Unlock()
	if t != nil {
		return t
	}
	key.text = strings.Clone(key.text) // a substring would keep the whole version in memory
	t = find(key.text)
	if ctx.Err() != nil {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts == nil {
		m.texts = map[readAs]*checkedText{}
	}
	t.round = m.round
	m.used++
	m.texts[key] = t
	return t
}

// grow makes room for as many selectors and findings as the previous version had.
func (m *Memo) grow(r *Result) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r.Selectors, r.Findings = slices.Grow(r.Selectors, m.selectors), slices.Grow(r.Findings, m.findings)
}

// Forget drops the texts that have not been used since the last call, if they are the majority. It
// must be called with the result of each version.
func (m *Memo) Forget(r *Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.selectors, m.findings = len(r.Selectors), len(r.Findings)
	if len(m.texts) > 2*m.used {
		for key, t := range m.texts {
			if t.round != m.round {
				delete(m.texts, key)
			}
		}
	}
	m.round++
	m.used = 0
}
