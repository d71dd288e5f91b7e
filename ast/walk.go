package ast

import "iter"

// All yields n and every node below it, parents first, in source order.
func All(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) { walk(n, yield) }
}

// walk visits n and the nodes below it until visit returns false. It reports whether all were
// visited.
func walk(n Node, visit func(Node) bool) bool {
	if !visit(n) {
		return false
	}
	switch n := n.(type) {
	case *File:
		return walkEach(n.Selectors, visit) && walkEach(n.After, visit)
	case *Selector:
		return walkEach(n.Before, visit) && (n.Query == nil || walk(n.Query, visit)) && walkEach(n.Inside, visit) &&
			(n.Suffix == nil || walk(n.Suffix, visit))
	case *Query:
		return (n.Time == nil || walk(n.Time, visit)) && walkList(n.Union, visit) && walkList(n.Controls(), visit)
	case *Position:
		return walk(n.Container, visit)
	case *Time:
		return walk(&n.From, visit) && (n.Kind != TimeRange && n.Kind != TimePair || walk(&n.To, visit))
	case *Fragment:
		return walkList(n.Chains, visit)
	case *Chain:
		return walkList(n.Steps, visit)
	case *Step:
		return walk(n.Anchor, visit) && walkEach(n.Qualifiers, visit)
	case *Coordinates:
		return walkList(n.List, visit)
	case *Group:
		return walk(n.Chain, visit)
	case *Filter:
		return walkList(n.Props, visit)
	case *Prop:
		return walkList(n.Values, visit)
	}
	return true // a leaf
}

func walkEach[N Node](list []N, visit func(Node) bool) bool {
	for _, n := range list {
		if !walk(n, visit) {
			return false
		}
	}
	return true
}

// walkList visits the nodes of a list that holds them by value.
func walkList[N any, P interface {
	*N
	Node
}](list []N, visit func(Node) bool) bool {
	for i := range list {
		if !walk(P(&list[i]), visit) {
			return false
		}
	}
	return true
}
