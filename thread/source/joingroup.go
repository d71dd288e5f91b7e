package source

import (
	"context"
	"slices"
	"strings"
)

func (p preview) records() bool { return p.kind.Records() }

// isLog reports whether a file is a log of a kind that can be joined with recordings.
func (p preview) isLog() bool {
	return p.kind == ClaudeCode || p.kind == Codex || knownByAnswers[p.kind]
}

// knownByAnswers has the kinds of logs whose programs send requests that do not name a session.
var knownByAnswers = map[Kind]bool{GeminiCLI: true, Opencode: true, MiniSWE: true}

// sessionHeaders are the headers of requests that name a session.
var sessionHeaders = []string{"x-claude-code-session-id", "session-id", "session_id", "thread-id", "thread_id", "conversation-id", "conversation_id", "x-session-id"}

// sessionsIn returns the ids of the sessions that a request, or a record of one, names.
func sessionsIn(v value) (out []string) {
	x, ok := exchangeOf(v)
	if !ok {
		return nil
	}
	ids := append(v.get("headers").pick(sessionHeaders...), x.body.get("client_metadata").pick("session_id", "thread_id")...)
	list := []string{sessionOf(x.body), places.session.text(v), x.body.get("prompt_cache_key").text()}
	for _, w := range ids {
		list = append(list, w.text())
	}
	for _, id := range list {
		if id != "" && !slices.Contains(out, id) {
			out = append(out, strings.Clone(id))
		}
	}
	return out
}

// SessionsIn returns the ids of the sessions that a record of a request names, or nil if the record
// is not JSON. A caller that has only the beginning of a record may complete it to valid JSON.
func SessionsIn(record string) []string {
	d, bad := parse("", record, 1)
	if bad != nil {
		return nil
	}
	return sessionsIn(d.root())
}

// linkRecording finds the sessions that the requests in a recording name.
func linkRecording(ctx context.Context, rd *reader, x *Links) error {
	return rd.lines(ctx, func(d *document) error {
		for _, id := range sessionsIn(d.root()) {
			if !slices.Contains(x.sessions, id) {
				x.sessions = append(x.sessions, id)
			}
		}
		return nil
	})
}

// bySession unites recordings with the logs of the sessions that they name.
func (l *linker) bySession(previews []preview) {
	x := &Links{seed: l.seed}
	for i := range previews {
		previews[i].root = l.find(i)
	}
	for i, p := range previews {
		for _, id := range p.sessions {
			for _, kind := range [...]idKind{ofSession, ofRollout} {
				if log, ok := l.keys.find(x.key(kind, id)); ok {
					l.unite(log, i)
				}
			}
		}
	}
}

// byAnswers unites each recording that sessions did not unite with a log with the log that shares
// the most answers with it.
func (l *linker) byAnswers(ctx context.Context, files []File, previews []preview, o Options) error {
	if !slices.ContainsFunc(previews, func(p preview) bool { return knownByAnswers[p.kind] }) {
		return nil
	}
	h := newHasher()
	answers := func(group []preview) map[uint64]bool {
		var list []File
		for _, p := range group {
			f := files[p.number]
			f.Kind = p.kind
			list = append(list, f)
		}
		calls, _ := Calls(ctx, list, Options{MaxBytes: o.MaxBytes}) // an error is reported when the files are read
		out := map[uint64]bool{}
		for _, c := range calls {
			out[h.answer(c)] = true
		}
		delete(out, 0)
		return out
	}
	var logs, recorded [][]preview
	for _, group := range l.sorted(previews) {
		switch isLog := slices.ContainsFunc(group, preview.isLog); {
		case slices.ContainsFunc(group, preview.records) && !isLog:
			recorded = append(recorded, group)
		case knownByAnswers[group[0].kind]:
			logs = append(logs, group)
		}
	}
	if len(recorded) == 0 {
		return nil
	}
	of := map[uint64][]int{} // the logs with an answer
	for i, group := range logs {
		for k := range answers(group) {
			of[k] = append(of[k], i)
		}
	}
	for _, group := range recorded {
		common := make([]int, len(logs))
		for k := range answers(group) {
			if len(of[k]) == 1 {
				common[of[k][0]]++
			}
		}
		if len(logs) > 0 && slices.Max(common) > 0 {
			l.unite(logs[slices.Index(common, slices.Max(common))][0].number, group[0].number)
		}
	}
	return ctx.Err()
}
