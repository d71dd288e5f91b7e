// Package explain describes selectors in plain English.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// Query describes a selector without errors, in lines of text: first the snapshots it looks at,
// then what it finds, step by step, then the result. Equal trees give equal lines.
func Query(q *ast.Query) []string {
	lines := []string{timeSentence(q.Time)}
	switch alternatives := q.Union; {
	case len(alternatives) == 1:
		lines = append(lines, "Finds")
		lines = append(lines, fragmentLines(&alternatives[0], "  ")...)
	default:
		lines = append(lines, "Finds, part by part and each node once,")
		for i := range alternatives {
			lines = append(lines, fmt.Sprintf("  part %d:", i+1))
			lines = append(lines, fragmentLines(&alternatives[i], "    ")...)
		}
	}
	lines = append(lines, resultSentence(q))
	for i := range q.Controls() {
		if line := controlSentence(q, &q.Controls()[i]); line != "" {
			lines = append(lines, line)
		}
	}
	if q.Optional() {
		lines = append(lines, "A mutation of it does nothing when nothing is found.")
	}
	return lines
}

func fragmentLines(f *ast.Fragment, indent string) []string {
	var lines []string
	for i := range f.Chains {
		if i > 0 {
			lines = append(lines, indent+"or, when that finds nothing:")
		}
		for n, s := range stepPhrases(flatten(&f.Chains[i])) {
			lines = append(lines, fmt.Sprintf("%s%d. %s", indent, n+1, s))
		}
	}
	return lines
}

// flatten replaces each group by its steps. The first of these steps gets the combinator of the
// group, the last one its qualifiers.
func flatten(c *ast.Chain) []ast.Step {
	var steps []ast.Step
	for _, s := range c.Steps {
		g, ok := s.Anchor.(*ast.Group)
		if !ok {
			steps = append(steps, s)
			continue
		}
		first := len(steps)
		steps = append(steps, flatten(g.Chain)...)
		steps[first].Combinator = s.Combinator
		last := &steps[len(steps)-1]
		last.Qualifiers = slices.Concat(last.Qualifiers, s.Qualifiers)
	}
	return steps
}

func stepPhrases(steps []ast.Step) []string {
	phrases := make([]string, len(steps))
	for i, s := range steps {
		noun := anchorPhrase(s.Anchor)
		var b strings.Builder
		switch s.Combinator {
		case ast.First:
			b.WriteString(noun)
			if isAnywhere(s.Anchor) {
				b.WriteString(", anywhere in the tree")
			}
		case ast.Child:
			b.WriteString("among their children: " + noun)
		case ast.Descendant:
			if _, zone := steps[i-1].Anchor.(*ast.Zone); zone {
				b.WriteString("these themselves or, at any level below them: " + noun)
			} else {
				b.WriteString("at any level below them: " + noun)
			}
		}
		for n, q := range s.Qualifiers {
			phrase := qualifierPhrase(q)
			// A test after a positional pseudo applies to the nodes that the pseudo left.
			if _, again := q.(*ast.Positional); !again && n > 0 {
				if _, ok := s.Qualifiers[n-1].(*ast.Positional); ok {
					phrase = "; of these those " + strings.TrimPrefix(phrase, ", ")
				}
			}
			b.WriteString(phrase)
		}
		phrases[i] = b.String()
	}
	return phrases
}

// isAnywhere reports whether an anchor describes nodes by what they are, not by where they are.
func isAnywhere(a ast.Anchor) bool {
	switch a.(type) {
	case *ast.Any, *ast.Type, *ast.Key, *ast.Zone:
		return true
	}
	return false
}

// resultSentence describes the result that is made from the nodes that are found.
func resultSentence(q *ast.Query) string {
	if !looksAtSeveral(q.Time) {
		return "Returns their ids" + orderPhrase(q) + "."
	}
	mode := control(q, "mode")
	switch {
	case q.Time.Kind == ast.TimeEvery, mode == "union":
		return "Returns the ids found in any of them, each once, in the order in which they are first seen."
	case mode == "latest":
		return "Returns the ids found in any of them, each with the newest snapshot that has it."
	case mode == "reduce":
		return "Reports what was added, removed and changed between the oldest and the newest of them."
	case q.Time.Kind == ast.TimePair:
		return "Reports what was added, removed and changed between the two."
	}
	return "Reports what was added, removed and changed from each of them to the next newer one."
}

func looksAtSeveral(t *ast.Time) bool { return t != nil && t.Kind != ast.TimeAt }

// control returns the value of a control, or "".
func control(q *ast.Query, name string) string {
	for _, c := range q.Controls() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

func orderPhrase(q *ast.Query) string {
	if order := control(q, "order"); order != "" && order != "pre" {
		return ", " + orders[order]
	}
	const byDocument = "in document order (a node before its children, siblings by offset and age)"
	const byKey = "the deepest first and of one depth the newest"
	chains, keyed := 0, 0
	for _, f := range q.Union {
		for i := range f.Chains {
			chains++
			steps := flatten(&f.Chains[i])
			if requiresKey(&steps[len(steps)-1]) {
				keyed++
			}
		}
	}
	parts := ""
	if len(q.Union) > 1 {
		parts = " part by part"
	}
	switch keyed {
	case 0:
		return parts + " " + byDocument
	case chains:
		return parts + ", as they have a key in common, " + byKey
	}
	return parts + " " + byDocument + ", or where they have a key in common, " + byKey
}

// requiresKey reports whether all nodes that a step finds have the same key.
func requiresKey(s *ast.Step) bool {
	if k, ok := s.Anchor.(*ast.Key); ok && !k.ID {
		return true
	}
	return slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool {
		switch q := q.(type) {
		case *ast.Key:
			return !q.ID
		case *ast.Filter:
			return slices.ContainsFunc(q.Props, func(p ast.Prop) bool {
				return p.Name == "key" && p.Op == ast.OpEq && p.Values[0].Kind != ast.Null
			})
		}
		return false
	})
}
