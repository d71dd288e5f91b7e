package main

import "fmt"

// scanner is the lexer's automaton for sources of many tokens: it takes one step for each
// character, also where a token ends and the next one begins. State 0 is dead, state 1 is the
// start.
//
// Where only the next character shows that a token ended one character before, as in "d1..d2" after
// "d1.", the scanner continues as if it had read the last character again. Where more characters
// would have to be read again, it has no next state.
type scanner struct {
	next   [][]int // class, state → state
	out    [][]int // class, state → what ends before the character, or 0
	accept []int   // state → token that can end there, or notAccepting
}

// The flags of a token that ends before a character.
const (
	outToken = 1 << 7 // there is one
	outBack  = 1 << 6 // it ends one character earlier
)

// reading is the meaning of a state of the scanner: a state of the lexer; and, where no token can
// end, the token that ends before the last character if no longer one comes, and the state that
// character alone leads to.
type reading struct {
	state, token, rest int
}

// scanner compiles the lexer once more. At the end of the input the next state is the start if the
// column out has the token that ends there.
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
