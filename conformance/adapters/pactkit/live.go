package main

import (
	"context"
	"errors"
	"time"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
)

// newLive makes an empty tree. Its clock counts the nodes, so every run gives the same bytes.
func (s *server) newLive(r *request) (object, error) {
	var seconds int64
	o := engine.Options{Edition: r.edition(), System: r.System, Clock: func() time.Time {
		seconds++
		return time.Unix(seconds, 0)
	}}
	if r.Policy != nil {
		o.Policy = r.Policy.engine()
	}
	t, err := pactkit.New(o)
	s.use(t)
	s.live = o
	return object{}, err
}

func (s *server) insert(r *request) (object, error) {
	draft, err := engine.ParseDraft(r.Node)
	if err != nil {
		return nil, err
	}
	if r.Position != "" {
		n, err := s.tree.Insert(context.Background(), r.Position, draft)
		return idOf(n), err
	}
	pos, err := r.enginePosition()
	if err != nil {
		return nil, err
	}
	n, err := s.tree.Engine().Insert(pos, draft)
	return idOf(n), err
}

// enginePosition is a parent, or a depth, with an offset.
func (r *request) enginePosition() (engine.Position, error) {
	switch {
	case r.Under != "":
		return engine.Under(r.Under, r.Offset), nil
	case r.Depth != nil:
		return engine.AtDepth(*r.Depth, r.Offset), nil
	}
	return engine.Position{}, errors.New("the request has no place for the node")
}

func (s *server) replace(r *request) (object, error) {
	draft, err := engine.ParseDraft(r.Node)
	if err != nil {
		return nil, err
	}
	n, err := s.tree.Replace(context.Background(), r.Target, draft)
	return idOf(n), err
}

func (s *server) move(r *request) (object, error) {
	if r.Position != "" {
		n, err := s.tree.Move(context.Background(), r.Target, r.Position)
		return idOf(n), err
	}
	pos, err := r.enginePosition()
	if err != nil {
		return nil, err
	}
	nodes, err := s.tree.Select(context.Background(), r.Target)
	if err != nil {
		return nil, err
	}
	if len(nodes) != 1 {
		return nil, errors.New("the target is not one node")
	}
	n, err := s.tree.Engine().Move(engine.ByID(nodes[0].ID()), pos)
	return idOf(n), err
}

func (s *server) remove(r *request) (object, error) {
	n, err := s.tree.Delete(context.Background(), r.Target)
	return idOf(n), err
}

func (s *server) commit(*request) (object, error) {
	snapshot, err := s.tree.Commit()
	if err != nil {
		return nil, err
	}
	return object{"cycle": snapshot.Cycle()}, nil
}

func (s *server) stop(r *request) (object, error) {
	return object{}, s.tree.Engine().StopCadence(r.Key)
}

// idOf is the answer of a change: the id of the node that it made or changed, if there is one.
func idOf(n engine.Node) object {
	if n.IsZero() {
		return object{}
	}
	return object{"id": n.ID()}
}
