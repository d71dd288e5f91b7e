package ast

import "iter"

// All yields n and every node below it, parents first, in source order.
func All(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		stopped := false
		Walk(n, func(n Node) bool {
			stopped = stopped || !yield(n)
			return !stopped
		})
	}
}

// Walk visits n and the nodes below it, parents first, in source order. The nodes below one for which
// visit returns false are skipped.
func Walk(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	switch n := n.(type) {
	case *File:
		walkEach(n.Selectors, visit)
		walkEach(n.After, visit)
	case *Selector:
		walkEach(n.Before, visit)
		if n.Query != nil {
			Walk(n.Query, visit)
		}
		walkEach(n.Inside, visit)
		if n.Suffix != nil {
			Walk(n.Suffix, visit)
		}
	case *Query:
		if n.Time != nil {
			Walk(n.Time, visit)
		}
		walkList(n.Union, visit)
		walkList(n.Controls(), visit)
	case *Position:
		Walk(n.Container, visit)
	case *Time:
		Walk(&n.From, visit)
		if n.Kind == TimeRange || n.Kind == TimePair {
			Walk(&n.To, visit)
		}
	case *Fragment:
		walkList(n.Chains, visit)
	case *Chain:
		walkList(n.Steps, visit)
	case *Step:
		Walk(n.Anchor, visit)
		walkEach(n.Qualifiers, visit)
	case *Coordinates:
		walkList(n.List, visit)
	case *Group:
		Walk(n.Chain, visit)
	case *Filter:
		walkList(n.Props, visit)
	case *Prop:
		walkList(n.Values, visit)
	case *Comment, *Instant, *Control, *Any, *Region, *Depth, *Type, *Key, *Zone, *Coordinate, *Bad, *Tag, *Positional, *Value:
		// leaves
	}
}

func walkEach[N Node](list []N, visit func(Node) bool) {
	for _, n := range list {
		Walk(n, visit)
	}
}

// walkList visits nodes that are held by value, where they are.
func walkList[N any, P interface {
	*N
	Node
}](list []N, visit func(Node) bool) {
	for i := range list {
		Walk(P(&list[i]), visit)
	}
}
