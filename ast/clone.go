package ast

import "slices"

// Clone returns a deep copy of the query.
func (q *Query) Clone() *Query {
	c := *q
	if q.Time != nil {
		c.Time = new(*q.Time)
	}
	c.Union = cloneList(q.Union, (*Fragment).clone)
	if q.Tail != nil {
		c.Tail = &Tail{slices.Clone(q.Tail.Controls), q.Tail.Optional, q.Tail.Doubtful, slices.Clone(q.Tail.Legacy)}
	}
	return &c
}

func (f *Fragment) clone() Fragment {
	return Fragment{Extent: f.Extent, Chains: cloneList(f.Chains, (*Chain).clone)}
}

func (c *Chain) clone() Chain {
	return Chain{Extent: c.Extent, Steps: cloneList(c.Steps, (*Step).clone)}
}

func (s *Step) clone() Step {
	c := *s
	switch a := s.Anchor.(type) {
	case *Any:
		c.Anchor = new(*a)
	case *Region:
		c.Anchor = new(*a)
	case *Depth:
		c.Anchor = new(*a)
	case *Type:
		c.Anchor = new(*a)
	case *Key:
		c.Anchor = new(*a)
	case *Zone:
		c.Anchor = new(*a)
	case *Coordinates:
		c.Anchor = &Coordinates{Extent: a.Extent, List: cloneList(a.List, func(n *Coordinate) Coordinate {
			return Coordinate{Extent: n.Extent, From: n.From, To: n.To, Offsets: slices.Clone(n.Offsets)}
		})}
	case *Group:
		c.Anchor = &Group{Extent: a.Extent, Chain: new(a.Chain.clone())}
	case *Bad:
		c.Anchor = new(*a)
	}
	c.Qualifiers = cloneList(s.Qualifiers, cloneQualifier)
	return c
}

func cloneQualifier(q *Qualifier) Qualifier {
	switch q := (*q).(type) {
	case *Filter:
		return &Filter{Extent: q.Extent, Form: q.Form, Props: cloneList(q.Props, func(n *Prop) Prop {
			c := *n
			c.Values = slices.Clone(n.Values)
			return c
		})}
	case *Tag:
		return new(*q)
	case *Key:
		return new(*q)
	case *Zone:
		return new(*q)
	case *Positional:
		return new(*q)
	}
	return *q
}

func cloneList[N any](list []N, clone func(*N) N) []N {
	if list == nil {
		return nil
	}
	out := make([]N, len(list))
	for i := range list {
		out[i] = clone(&list[i])
	}
	return out
}
