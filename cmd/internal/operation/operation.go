// Package operation parses operations on a live context. It runs those that a script of pactkit
// commit may have; the worker accepts them, too.
package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
	"github.com/pactkit/pactkit/internal/names"
)

// Form lists the members of an operation in addition to the one with its name.
type Form struct{ Needs, May []string }

// Forms holds the forms of operations by their names.
type Forms map[string]Form

// Script returns the forms of the operations of a script.
func Script() Forms { return maps.Clone(script) }

var script = Forms{
	"insert": {Needs: []string{"node"}}, "replace": {Needs: []string{"node"}}, "move": {Needs: []string{"to"}}, "delete": {},
	"attach": {Needs: []string{"history", "of"}, May: []string{"at", "node"}}, "refresh": {},
	"commit": {}, "step": {}, "stop": {}, "hold": {}, "release": {},
}

// maxCommits bounds the commits or steps of one operation.
const maxCommits = 1_000_000

// Operation is a parsed operation. [Parse] sets Text, To, Node and Times only for operations of a
// script.
type Operation struct {
	Name    string
	Members map[string]json.RawMessage

	Text  string // the selector, position, key or id
	To    string
	Node  engine.Draft
	Of    pactkit.Subtree // of attach
	Times int             // how often to commit or step
}

// Parse parses an operation that has one of the forms.
func Parse(text []byte, forms Forms) (*Operation, error) {
	if _, err := engine.JSON(text); err != nil { // also finds duplicate members
		return nil, err
	}
	op := &Operation{}
	if err := json.Unmarshal(text, &op.Members); err != nil || op.Members == nil {
		return nil, errors.New("an operation must be an object")
	}
	if err := op.find(forms); err != nil {
		return nil, err
	}
	if _, ok := script[op.Name]; !ok {
		return op, nil
	}
	return op, op.read()
}

// find sets the name of the operation, and checks the names of its members.
func (op *Operation) find(forms Forms) error {
	given := slices.Sorted(maps.Keys(op.Members))
	for _, name := range given {
		if _, ok := forms[name]; !ok || op.Name != "" && isMember(forms[op.Name], name) {
			continue
		}
		if op.Name != "" {
			return fmt.Errorf("both %q and %q in one operation", op.Name, name)
		}
		op.Name = name
	}
	if op.Name == "" {
		known := slices.Sorted(maps.Keys(forms))
		for _, name := range given {
			if near := names.Nearest(name, slices.Values(known)); near != "" {
				return fmt.Errorf("there is no operation %q; did you mean %q?", name, near)
			}
		}
		return fmt.Errorf("no operation; the operations are %s", strings.Join(known, ", "))
	}
	form := forms[op.Name]
	for _, name := range given {
		if name != op.Name && !isMember(form, name) {
			return fmt.Errorf("%q has no member %q", op.Name, name)
		}
	}
	for _, name := range form.Needs {
		if op.Members[name] == nil {
			return fmt.Errorf("%q needs a member %q", op.Name, name)
		}
	}
	return nil
}

func isMember(f Form, name string) bool {
	return slices.Contains(f.Needs, name) || slices.Contains(f.May, name)
}

// read sets the fields of an operation of a script.
func (op *Operation) read() error {
	if op.Name == "commit" || op.Name == "step" {
		switch value := string(op.Members[op.Name]); value {
		case "true":
			op.Times = 1
		default:
			if err := json.Unmarshal([]byte(value), &op.Times); err != nil || op.Times < 1 || op.Times > maxCommits {
				return fmt.Errorf("%s must be true, or a number up to %d", op.Name, maxCommits)
			}
		}
		return nil
	}
	if op.Name == "refresh" {
		if string(op.Members[op.Name]) != "true" {
			return errors.New("refresh must be true")
		}
		return nil
	}
	for name, into := range map[string]*string{op.Name: &op.Text, "to": &op.To, "history": &op.Of.History, "of": &op.Of.Of, "at": &op.Of.At} {
		if err := op.readString(name, into); err != nil {
			return err
		}
	}
	if node := op.Members["node"]; node != nil {
		var err error
		op.Node, err = engine.ParseDraft(node)
		return err
	}
	return nil
}

// readString reads an optional member that is a string.
func (op *Operation) readString(name string, into *string) error {
	value := op.Members[name]
	if value == nil {
		return nil
	}
	if value[0] != '"' || json.Unmarshal(value, into) != nil {
		return fmt.Errorf("%s must be a string", name)
	}
	return nil
}

// Read reads each member with its reader in o. It skips null. Errors are those of package members
// after the name of the member.
func (op *Operation) Read(o members.Object) error {
	for _, name := range slices.Sorted(maps.Keys(op.Members)) {
		if string(op.Members[name]) == "null" {
			continue
		}
		s := canonjson.NewScanner(string(op.Members[name]), canonjson.DefaultDepth)
		if err := o[name](s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Tree is a tree with the functions that end its cycles. They may store the snapshots.
type Tree struct {
	*pactkit.Tree
	Commit, Step func() (*engine.Snapshot, error)
}

// In returns a tree that keeps its snapshots in memory.
func In(t *pactkit.Tree) Tree { return Tree{t, t.Commit, t.Step} }

// Run runs an operation of a script. It returns the node that the operation made or changed, if
// any, and the snapshot of the last commit or step.
func (op *Operation) Run(ctx context.Context, t Tree) (n engine.Node, s *engine.Snapshot, err error) {
	if err := ctx.Err(); err != nil {
		return n, nil, err
	}
	switch op.Name {
	case "insert":
		n, err = t.Insert(ctx, op.Text, op.Node)
	case "replace":
		n, err = t.Replace(ctx, op.Text, op.Node)
	case "move":
		n, err = t.Move(ctx, op.Text, op.To)
	case "delete":
		n, err = t.Delete(ctx, op.Text)
	case "attach":
		n, err = t.AttachSubtree(ctx, op.Text, op.Of, op.Node)
	case "refresh":
		err = t.Refresh(ctx)
	case "stop":
		err = t.Engine().StopCadence(op.Text)
	case "hold":
		err = t.Engine().Hold(op.Text)
	case "release":
		err = t.Engine().Release(op.Text)
	case "commit":
		s, err = repeat(ctx, op.Times, t.Commit)
	case "step":
		s, err = repeat(ctx, op.Times, t.Step)
	}
	return n, s, err
}

// repeat ends a number of cycles, and returns the last snapshot. It stops at the first error.
func repeat(ctx context.Context, times int, end func() (*engine.Snapshot, error)) (s *engine.Snapshot, err error) {
	for range times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s, err = end(); err != nil {
			return nil, err
		}
	}
	return s, nil
}
