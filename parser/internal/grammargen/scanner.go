package main

import "fmt"

// scanner is the automaton of the lexer for sources of many tokens: it makes one transition for
// each character, even where one token ends and the next begins. State 0 is dead, state 1 is the
// start.
//
// In "d1..d2", only the second dot shows that the token "d1" has ended before the first. There the
// scanner continues as if it had read the first dot again. Where it would have to read more than
// one character again, it has no next state.
type scanner struct {
	next   [][]int // class, state → state
	out    [][]int // class, state → what ends before the character, or 0
	accept []int   // state → the token that can end there, or notAccepting
}

// The flags of a token that ends before a character.
const (
	outToken = 1 << 7 // there is one
	outBack  = 1 << 6 // it ends one character earlier
)

// reading is what a state of the scanner means: a state of the lexer and, if no token can end
// there, the token that ends before the last character if no longer token follows, and the state of
// the lexer after that character alone.
type reading struct {
	state, token, rest int
}

// scanner compiles the automaton of the lexer to that of a scanner. In the column for the end of
// the input, the next state is the start if a token or skipped text can end there.
func (d *dfa) scanner() (*scanner, error) {
	const start = 1
	end := d.classes - 1
	s := &scanner{next: make([][]int, d.classes), out: make([][]int, d.classes)}
	var readings registry[reading]
	readings.add(reading{})
	readings.add(reading{state: start})
	// step returns the state after a character that is read in a state of the lexer.
	step := func(from, class int) int {
		r := reading{state: d.next[from][class]}
		if d.accept[r.state] == notAccepting && d.accept[from] != notAccepting {
			r.token, r.rest = d.accept[from], d.next[start][class]
		}
		return readings.add(r)
	}
	for id := 0; id < len(readings.list); id++ {
		r := readings.list[id]
		ends := d.accept[r.state]
		s.accept = append(s.accept, ends)
		if ends == skipping {
			return nil, fmt.Errorf("a token that is skipped must end with EOF")
		}
		for class := range end {
			next, out := 0, 0
			switch {
			case r.state == 0:
			case d.next[r.state][class] != 0:
				next = step(r.state, class)
			case r.state == start:
				return nil, fmt.Errorf("no token begins with a character of class %d", class)
			case ends != notAccepting:
				next, out = step(start, class), ends|outToken
			case d.next[r.rest][class] != 0:
				next, out = step(r.rest, class), r.token|outToken|outBack
			}
			s.next[class], s.out[class] = append(s.next[class], next), append(s.out[class], out)
		}
		if atEnd := d.accept[d.next[r.state][end]]; atEnd != notAccepting {
			ends = atEnd
		}
		next, out := 0, 0
		if ends != notAccepting {
			next = start
			if ends != skipping {
				out = ends | outToken
			}
		}
		s.next[end], s.out[end] = append(s.next[end], next), append(s.out[end], out)
	}
	return s, nil
}
