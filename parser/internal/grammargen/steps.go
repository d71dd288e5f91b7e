package main

import (
	"errors"
	"fmt"
	"slices"
)

// stepper is the machine for sources without errors: it takes one step for each token. A place tells where all the
// rules stand that have begun since the innermost open bracket, so that only brackets need a stack. Place 0 is
// none, place 1 the start.
//
// A rule that ends behind a token is ended before the next one, so that a step has the token last. Only the start
// rule has no next one.
type stepper struct {
	steps [][]step // place, token → step
	runs  [][]turn
}

// step is what to do with a token.
type step struct {
	ok   bool
	run  int // the rules that begin and end before the token, an index into runs
	next int // the place behind the token, or 0: take it from the stack
	push int // the place to put on the stack, or 0
}

// turn is the beginning or the end of a rule.
type turn struct {
	rule int
	end  bool
}

// maxPlaces bounds the places; a rule that uses itself outside of brackets would take any number.
const maxPlaces = 1 << 12

// bracketed tells which rules are brackets: they begin with a token of their own, and behind it one token must come
// to end them.
func (m *machine) bracketed() []bool {
	out := make([]bool, len(m.start))
	for rule, start := range m.start {
		out[rule] = !slices.ContainsFunc(m.states[start].actions, func(a action) bool { return a.op == opCall || a.op == opReturn })
	}
	for i, s := range m.states {
		if i >= len(m.start) && i != m.start[s.rule] && s.closer == 0 {
			out[s.rule] = false
		}
	}
	return out
}

// stepper compiles the machine once more. It refuses a grammar in which more than brackets needs a stack.
func (m *machine) stepper() (*stepper, error) {
	bracketed := m.bracketed()
	var places registry[int] // the state of each rule, the innermost last
	places.add(nil)
	places.add([]int{m.start[0]})
	var runs registry[turn]
	var steps [][]step
	for id := 0; id < len(places.list); id++ {
		if id == maxPlaces {
			return nil, errors.New("a rule uses itself outside of brackets")
		}
		row := make([]step, len(m.states[0].actions))
		for token := range row {
			turns, stack := m.shift(places.list[id], token)
			if stack == nil {
				continue
			}
			s := step{ok: true, run: runs.add(turns)}
			inner := len(stack) - 1
			rule := m.states[stack[inner]].rule
			switch ended := stack[inner] == rule; {
			case ended && inner == 0: // the bracket, or the source
			case !ended && bracketed[rule] && len(turns) > 0 && turns[len(turns)-1] == turn{rule: rule}:
				s.next = places.add(stack[inner:])
				s.push = places.add(append(stack[:inner], rule)) // the bracket has ended
			default:
				s.next = places.add(stack)
			}
			row[token] = s
		}
		steps = append(steps, row)
	}
	outputs := make([]int, len(steps))
	outputs[0] = 1 // not like any other
	class, count := minimize(outputs, func(place int, class []int) []int {
		var row []int
		for _, s := range steps[place] {
			if s.ok {
				row = append(row, s.run, class[s.next], class[s.push])
			} else {
				row = append(row, -1)
			}
		}
		return row
	})
	out := &stepper{runs: runs.list}
	for _, place := range representatives(class, count) {
		row := steps[place]
		for token := range row {
			row[token].next, row[token].push = class[row[token].next], class[row[token].push]
		}
		out.steps = append(out.steps, row)
	}
	return out, nil
}

// shift reads a token where the rules stand in the states of a stack. It gives the rules that begin and end before
// the token and the states behind it, or none if the token does not fit.
func (m *machine) shift(stack []int, token int) (turns []turn, behind []int) {
	stack = slices.Clone(stack)
	for len(stack) > 0 {
		inner := len(stack) - 1
		s := &m.states[stack[inner]]
		switch a := s.actions[token]; a.op {
		case opShift:
			stack[inner] = a.next
			return turns, stack
		case opCall:
			turns = append(turns, turn{rule: a.rule})
			stack[inner] = a.next
			stack = append(stack, m.start[a.rule])
		case opReturn:
			turns = append(turns, turn{s.rule, true})
			stack = stack[:inner]
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// registry numbers lists in order of first appearance.
type registry[T any] struct {
	list [][]T
	ids  map[string]int
}

func (r *registry[T]) add(v []T) int {
	if r.ids == nil {
		r.ids = map[string]int{}
	}
	key := fmt.Sprint(v)
	id, ok := r.ids[key]
	if !ok {
		id = len(r.list)
		r.ids[key] = id
		r.list = append(r.list, slices.Clone(v))
	}
	return id
}
