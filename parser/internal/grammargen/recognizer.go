package main

import (
	"errors"
	"slices"
)

// recognizer is the machine that only reports whether a source holds an error: it makes one transition for each token. A
// position stands for the states of all rules that have begun since the innermost open bracket, so only brackets need a
// stack. Position 0 is unused, position 1 the start.
//
// A rule that ends after a token is ended before the next one. Only the start rule has no next one.
type recognizer struct {
	transitions [][]transition // position, token → transition
}

// transition is what to do with a token.
type transition struct {
	ok   bool
	next int // the next position, or 0: take it from the stack
	push int // the position to put on the stack, or 0
}

// maxPositions bounds the positions; a rule that uses itself outside of brackets would take any number.
const maxPositions = 1 << 10

// bracketed tells which rules are brackets: they begin with a token of their own, and one token alone ends them.
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

// recognizer compiles the machine once more. It refuses a grammar in which more than brackets needs a stack.
func (m *machine) recognizer() (*recognizer, error) {
	bracketed := m.bracketed()
	var positions registry[[]int] // the state of each rule, the innermost last
	positions.add(nil)
	positions.add([]int{m.start[0]})
	var rows [][]transition
	for id := 0; id < len(positions.list); id++ {
		if id == maxPositions {
			return nil, errors.New("a rule uses itself outside of brackets")
		}
		row := make([]transition, len(m.states[0].actions))
		for token := range row {
			began, stack := m.shift(positions.list[id], token)
			if stack == nil {
				continue
			}
			t := transition{ok: true}
			inner := len(stack) - 1
			rule := m.states[stack[inner]].rule
			switch ended := stack[inner] == rule; {
			case ended && inner == 0: // the bracket, or the source
			case !ended && bracketed[rule] && began == rule:
				t.next = positions.add(slices.Clone(stack[inner:]))
				t.push = positions.add(append(stack[:inner], rule)) // the bracket has ended
			default:
				t.next = positions.add(stack)
			}
			row[token] = t
		}
		rows = append(rows, row)
	}
	outputs := make([]int, len(rows))
	outputs[0] = 1 // not like any other
	class, count := minimize(outputs, func(position int, class []int) []int {
		var row []int
		for _, t := range rows[position] {
			if t.ok {
				row = append(row, class[t.next], class[t.push])
			} else {
				row = append(row, -1, -1)
			}
		}
		return row
	})
	out := &recognizer{}
	for _, position := range representatives(class, count) {
		row := rows[position]
		for token := range row {
			row[token].next, row[token].push = class[row[token].next], class[row[token].push]
		}
		out.transitions = append(out.transitions, row)
	}
	return out, nil
}

// shift reads a token in the states of a stack. It returns the states after the token, or none if the token is an error,
// and the rule that the token begins, or -1.
func (m *machine) shift(stack []int, token int) (began int, after []int) {
	stack, began = slices.Clone(stack), -1
	for len(stack) > 0 {
		inner := len(stack) - 1
		s := &m.states[stack[inner]]
		switch a := s.actions[token]; a.op {
		case opShift:
			stack[inner] = a.next
			return began, stack
		case opCall:
			began = a.rule
			stack[inner] = a.next
			stack = append(stack, m.start[a.rule])
		case opReturn:
			began = -1
			stack = stack[:inner]
		default:
			return -1, nil
		}
	}
	return -1, nil
}
