package main

import "testing"

// TestRecognizer reads query : part EOF ; part : A list B ; list : part*
func TestRecognizer(t *testing.T) {
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
	r, err := m.recognizer()
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		"AB$": "AB$", "AABB$": "AABB$", "AABABB$": "AABABB$", "ABB$": "AB!", "AB": "AB", "AAB$": "AAB!", "$": "!",
	} {
		if got := r.outline(input); got != want {
			t.Errorf("%s: got %s, want %s", input, got, want)
		}
	}
}

// outline reads tokens A and B, and $ for the end, and writes those it accepts; ! is an error.
func (r *recognizer) outline(input string) string {
	var out string
	position, stack := 1, []int{0}
	for _, symbol := range input {
		token := map[rune]int{'A': tokenA, 'B': tokenB, '$': 0}[symbol]
		t := r.transitions[position][token]
		if !t.ok {
			return out + "!"
		}
		out += string(symbol)
		if t.push != 0 {
			stack = append(stack, t.push)
		}
		if position = t.next; position == 0 {
			position, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
	}
	return out
}
