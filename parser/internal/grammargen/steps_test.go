package main

import "testing"

// TestStepper reads query : part EOF ; part : A list B ; list : part*
func TestStepper(t *testing.T) {
	n := &network{
		symbols:   []string{"null", "A", "B"},
		rules:     []string{"query", "part", "list"},
		ruleStart: []int{0, 3, 7},
		states: []state{
			in(0, call(3, 1)), in(0, eof(2)), end(0),
			in(1, atom(tokenA, 4)), in(1, call(7, 5)), in(1, atom(tokenB, 6)), end(1),
			in(2, call(3, 7), epsilon(8)), end(2),
		},
	}
	m, err := buildMachine(n)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.stepper()
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		"AB$":     "(part A (list list) B part) $",
		"AABB$":   "(part A (list (part A (list list) B part) list) B part) $",
		"AABABB$": "(part A (list (part A (list list) B part) (part A (list list) B part) list) B part) $",
		"ABB$":    "(part A (list list) B!",
		"AB":      "(part A (list list) B",
		"AAB$":    "(part A (list (part A (list list) B!",
	} {
		if got := s.outline(n, input); got != want {
			t.Errorf("%s: got %s, want %s", input, got, want)
		}
	}
}

// outline reads tokens A and B, and $ for the end, and writes them with the rules around them; ! is an error.
func (s *stepper) outline(n *network, input string) string {
	var out string
	place, stack := 1, []int{0}
	for _, symbol := range input {
		token := map[rune]int{'A': tokenA, 'B': tokenB, '$': 0}[symbol]
		step := s.steps[place][token]
		if !step.ok {
			return out[1:] + "!"
		}
		for _, turn := range s.runs[step.run] {
			if turn.end {
				out += " " + n.rules[turn.rule] + ")"
			} else {
				out += " (" + n.rules[turn.rule]
			}
		}
		out += " " + string(symbol)
		if step.push != 0 {
			stack = append(stack, step.push)
		}
		if place = step.next; place == 0 {
			place, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
	}
	return out[1:]
}
