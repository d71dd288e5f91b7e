package thread

import (
	"fmt"
	"slices"
)

// msg is a sequence of units that form one message.
type msg struct {
	role  string
	units []*unit
}

// group divides the units into messages. Units of one message of the log stay together; joins
// decides about the others.
func (r *renderer) group(joins func(prev, u *unit) bool) []*msg {
	var out []*msg
	var prev *unit
	for _, u := range r.units {
		together := false
		switch {
		case prev == nil:
		case r.same(prev) && r.same(u):
			together = prev.from.Message == u.from.Message && speaker(prev) == speaker(u)
		default:
			together = joins(prev, u)
		}
		if together {
			m := out[len(out)-1]
			m.units = append(m.units, u)
		} else {
			out = append(out, &msg{role: u.role, units: []*unit{u}})
		}
		prev = u
	}
	return out
}

// speaker returns the role of a unit in formats with two roles, in which results have the role
// user.
func speaker(u *unit) string {
	if u.role == "tool" {
		return "user"
	}
	return u.role
}

// inOneForeignMessage reports whether two units were in one message of a log in another format.
func inOneForeignMessage(prev, u *unit) bool {
	return prev.from != nil && u.from != nil && prev.from.From == u.from.From && prev.from.Message == u.from.Message &&
		prev.role == u.role
}

// isRecorded reports whether the thread is what a model call in a log was sent, or the next one
// would have been, in the format of that call. It is not changed then, even if a provider would
// refuse it. A call of a live context belongs to no log: its rendering is what is sent.
func (r *renderer) isRecorded() bool {
	info := r.s.Info()
	if info == nil || info.Call == nil && info.Event == nil || info.Call != nil && info.Call.File == "" && info.Call.Line == 0 {
		return false
	}
	return !slices.ContainsFunc(r.units, func(u *unit) bool { return !r.same(u) })
}

// pair ensures that every call has a result and every result a call, as providers require. It
// leaves out a result without an earlier call, and adds an empty result to a call without one,
// unless the call is at the end of the thread. If adjacent is set, results directly follow the
// message with their calls.
func (r *renderer) pair(adjacent bool, joins func(prev, u *unit) bool) {
	callOf := r.assignIDs()
	if r.isRecorded() {
		return
	}
	result := map[*unit]*unit{} // by call
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if !isResult(u) {
			return false
		}
		c := callOf[u]
		if c == nil {
			r.note(Lost, u, "the result has no call; the provider would refuse it")
			return true
		}
		result[c] = u
		if u.name == "" {
			u.name = c.name
		}
		return false
	})

	at := make(map[*unit]int, len(r.units))
	for i, u := range r.units {
		at[u] = i
	}
	msgs := r.group(joins)
	var out []*unit
	end := 0
	placed := map[*unit]bool{}
	for _, m := range msgs {
		end += len(m.units)
		var calls, results []*unit
		for _, u := range m.units {
			if !placed[u] {
				out = append(out, u)
			}
			if isCall(u) {
				calls = append(calls, u)
				if res := result[u]; res != nil {
					results = append(results, res)
				}
			}
		}
		if len(calls) == 0 {
			continue
		}
		slices.SortFunc(results, func(a, b *unit) int { return at[a] - at[b] })
		if adjacent {
			for k, res := range results {
				if at[res] != end+k {
					r.note(Moved, res, "the result follows its call %s", res.call)
				}
				placed[res] = true
				out = append(out, res)
			}
		}
		// Calls at the end of the thread wait for their results.
		last := end
		for _, res := range results {
			if at[res] == last {
				last++
			}
		}
		for _, c := range calls {
			switch {
			case result[c] != nil:
			case last >= len(r.units):
				r.note(Refused, c, "the call has no result yet; the provider refuses the thread until it does")
			default:
				r.note(Placeholder, c, "the call has no result; an empty one is added")
				out = append(out, &unit{role: "tool", kind: "result", call: c.call, noID: c.noID, name: c.name, redacted: true})
			}
		}
	}
	r.units = out
}

// assignIDs gives ids to calls without one, and to results the id of their call. It returns the
// call of each result.
func (r *renderer) assignIDs() map[*unit]*unit {
	callOf := r.matchCalls()
	ids := map[string]bool{}
	for _, u := range r.units {
		ids[u.call] = true
	}
	made := 0
	for _, u := range r.units {
		switch {
		case u.call != "":
		case isCall(u):
			for made++; ids[fmt.Sprintf("call_%d", made)]; made++ {
			}
			u.call = fmt.Sprintf("call_%d", made)
		case callOf[u] != nil:
			u.call, u.noID = callOf[u].call, u.noID || callOf[u].noID
		}
	}
	return callOf
}

// matchCalls finds the call of each result: the oldest earlier call with its id, otherwise the one
// that [calls.next] finds among the remaining calls.
func (r *renderer) matchCalls() map[*unit]*unit {
	callOf := map[*unit]*unit{}
	answered := map[*unit]bool{}
	byID, rest := calls[*unit]{}, calls[*unit]{}
	for _, u := range r.units {
		switch {
		case u.call == "":
		case isCall(u):
			byID.append(u.pairKey(), &openCall[*unit]{call: u})
		case isResult(u):
			if c, ok := byID.answer(u.pairKey()); ok {
				callOf[u], answered[c] = c, true
			}
		}
	}
	for _, u := range r.units {
		switch {
		case isCall(u) && !answered[u]:
			rest.add(u, "", u.name, u.call == "" || u.from != nil && u.from.NoID)
		case isResult(u) && u.call == "":
			if c, ok := rest.next(u.name); ok {
				callOf[u] = c
			}
		}
	}
	return callOf
}

// pairKey is equal for a call and its result. It distinguishes generated ids from those of the log.
func (u *unit) pairKey() callKey { return callKey{id: u.call, noID: u.from != nil && u.from.NoID} }

func isCall(u *unit) bool   { return u.kind == "call" && (u.from == nil || !u.from.Raw) }
func isResult(u *unit) bool { return u.kind == "result" && (u.from == nil || !u.from.Raw) }
