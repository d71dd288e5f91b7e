package main

import (
	"bytes"
	"context"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// reopen writes the tree in both forms that pactkit has for a history, one after the other, and
// continues with what it reads.
func (s *server) reopen(*request) (object, error) {
	data, err := s.tree.AppendJournal(nil, journal.About{})
	if err != nil {
		return nil, err
	}
	history, _, err := journal.Read("history.jsonl", bytes.NewReader(data), engine.ReadOptions{})
	if err != nil {
		return nil, err
	}
	data = pactkit.FromTimeline(history).AppendJSON(nil)
	if history, err = engine.ReadText("history.json", string(data), engine.ReadOptions{}); err != nil {
		return nil, err
	}
	t := pactkit.FromTimeline(history)
	if s.tree.Engine() != nil {
		if t, err = t.Resume(s.live); err != nil {
			return nil, err
		}
	}
	s.tree = t
	s.showOthers()
	return object{}, nil
}

// fork continues with a fork of the tree.
func (s *server) fork(r *request) (object, error) {
	at := engine.ForkPoint{History: "base", Cycle: r.Cycle}
	if live := s.tree.Engine(); live != nil {
		c, err := live.Fork(at)
		if err != nil {
			return nil, err
		}
		s.tree = pactkit.FromContext(c)
		return object{}, nil
	}
	t, err := s.tree.Timeline().Fork(at)
	if err != nil {
		return nil, err
	}
	s.tree = pactkit.FromTimeline(t)
	return object{}, nil
}

// attach gives the tree a history that its attachments may refer to.
func (s *server) attach(r *request) (object, error) {
	t, err := engine.ReadText(r.Name+".json", string(r.History), r.readOptions())
	if err != nil {
		return nil, err
	}
	if s.others == nil {
		s.others = map[string]*engine.Timeline{}
	}
	s.others[r.Name] = t
	s.showOthers()
	return object{}, nil
}

func (s *server) showOthers() {
	if s.others != nil {
		s.tree.SetSource(func(_ context.Context, history string) (*engine.Timeline, error) { return s.others[history], nil })
	}
}
