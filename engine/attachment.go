package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// attachmentType is the user type of the containers that are attachments, attachmentMember the
// member with what they refer to. AttachedID is the member of an attached node with the id that it
// has in its own history.
const (
	attachmentType   = "attached"
	attachmentMember = "pactkit:attached"
	AttachedID       = "attached_id"
)

// Attachment refers to a subtree of another history (E91). It is an empty container, and
// [Attacher] shows the subtree below it.
type Attachment struct {
	History string // the name of the other history
	Node    string // the id of the top node of the subtree there
	Cycle   int64  // of the snapshot of the other history that is shown
	Made    int64  // the instant of the node, which no node of another history of the same name has; 0 for any
	Live    bool   // [Context.Refresh] brings Cycle up to date
}

// Attach returns the attachment that refers to a node of a history.
func (n Node) Attach(history string, live bool) Attachment {
	return Attachment{History: history, Node: n.ID(), Cycle: n.Snapshot().Cycle(), Made: n.rec().NS, Live: live}
}

// Draft returns the node that is the attachment, which may be completed with an id or a key.
func (a Attachment) Draft(e Edition) Draft {
	return Draft{
		Type:    baseName(tree.BaseCont, e) + ":" + attachmentType,
		Members: map[string]Value{attachmentMember: a.value()},
	}
}

func (a Attachment) value() Value {
	var list members
	list.number("created_at_ns", a.Made)
	list.number("cycle", a.Cycle)
	list.text("history", a.History)
	list.flag("live", a.Live)
	list.text("node", a.Node)
	return Value{list.String()}
}

// Attachment returns what an attachment refers to. For any other node, it returns false.
func (n Node) Attachment() (Attachment, bool) {
	if n.Base() != BaseCont || n.UserType() != attachmentType {
		return Attachment{}, false
	}
	text, ok := n.rec().MemberValue(attachmentMember)
	if !ok {
		return Attachment{}, false
	}
	var a struct {
		Cycle         int64
		Made          int64 `json:"created_at_ns"`
		History, Node string
		Live          bool
	}
	if json.Unmarshal([]byte(text), &a) != nil || a.History == "" || a.Node == "" {
		return Attachment{}, false
	}
	return Attachment{a.History, a.Node, a.Cycle, a.Made, a.Live}, true
}

// attachments returns the attachments in a chunk.
func (s *Snapshot) attachments(r tree.Region, at int, c *tree.Chunk) (list []Node) {
	for i := range c.Len() {
		n := s.node(r, at, c, i)
		if _, ok := n.Attachment(); ok {
			list = append(list, n)
		}
	}
	return list
}

var attachmentFilter = tree.Filter{}.Type(attachmentType)

// Refresh brings the live attachments that are not sealed up to date: each shows the newest
// snapshot of its history. The cost depends on the size of ^sys and of the head. Errors are those
// of the source.
func (c *Context) Refresh(ctx context.Context, source Source) error {
	s := c.Working()
	for _, region := range [...]tree.Region{tree.RegionSys, tree.RegionHead} {
		for at, chunk := range s.tree().Chunks(region, 0, s.tree().NumChunks(region), attachmentFilter) {
			for _, n := range s.attachments(region, at, chunk) {
				a, _ := n.Attachment()
				if !a.Live {
					continue
				}
				t, err := source(ctx, a.History)
				if err != nil {
					return err
				}
				if t == nil {
					continue
				}
				if _, newest, ok := t.Cycles(); ok && newest != a.Cycle {
					a.Cycle = newest
					if err := c.setAttachment(n.ID(), a); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// setAttachment changes what an attachment that is not sealed refers to.
func (c *Context) setAttachment(id string, a Attachment) error {
	_, err := c.changeNode(ByID(id), func(tx *tx, n Node) (string, error) {
		if n.region() == tree.RegionSeq {
			return "", fail(ErrSealed, "%q is sealed", id)
		}
		r := n.rec().Copy()
		for i, m := range r.Extra().Members {
			if m.Name == attachmentMember {
				r.Own().Members[i].Value = a.value().text
			}
		}
		tx.setRecord(n, r)
		return id, nil
	})
	return err
}

// graft returns the nodes that an attachment shows: the subtree of from as a rendering of its
// history shows it, with ids of their own, and without lifetimes. It is empty if from is redacted.
func (n Node) graft(from Node) tree.Forest {
	g := grafter{at: n, marked: map[string][]Node{}, seen: map[string]bool{}}
	s := from.Snapshot()
	for region := range tree.NumRegions {
		for at, c := range s.tree().Chunks(region, 0, s.tree().NumChunks(region), tree.Filter{}.Type("redaction")) {
			for i, r := range c.Recs() {
				if target, ok := r.Marks(); ok {
					g.marked[target] = append(g.marked[target], s.node(region, at, c, i))
				}
			}
		}
	}
	for up, ok := from.Parent(); ok; up, ok = up.Parent() {
		if len(g.marked[up.ID()]) > 0 {
			return tree.Forest{}
		}
	}
	g.add(from, 0)
	for _, id := range slices.Clone(g.order) {
		for _, m := range g.marked[id] {
			if !g.seen[m.ID()] {
				g.add(m, 0)
			}
		}
	}
	return g.forest
}

// grafter copies a subtree of another history.
type grafter struct {
	at     Node
	marked map[string][]Node // the markers of redacted nodes
	forest tree.Forest
	order  []string
	seen   map[string]bool
	tops   int64
}

// add adds the subtree of a node. Segments and regions have no place below an attachment, so their
// children take it.
func (g *grafter) add(n Node, level int32) {
	if n.Base() == BaseSeg || n.Base() == BaseRegion {
		for k := range n.Children() {
			g.add(k, level)
		}
		return
	}
	r := n.rec().Copy()
	if level == 0 { // they may come from several containers
		r.Reset(tree.HeaderOffset)
		r.Offset = g.tops
		g.tops++
	}
	r.Reset(tree.HeaderTTL)
	r.Have |= tree.RequiredHeaders
	own := tree.Member{Name: AttachedID, Value: Text(r.ID).text}
	g.seen[r.ID], g.order = true, append(g.order, r.ID)
	e := r.Own()
	i, _ := slices.BinarySearchFunc(e.Members, AttachedID, func(m tree.Member, name string) int { return strings.Compare(m.Name, name) })
	e.Members = slices.Insert(e.Members, i, own)
	if len(e.Refs) > 0 {
		refs := make([]string, len(e.Refs))
		for i, ref := range e.Refs {
			refs[i] = g.id(ref)
		}
		setRefs(r, refs)
	}
	if e.Provenance != "" {
		e.Provenance = g.provenance(e.Provenance)
	}
	r.ID = g.id(r.ID)
	r.Freeze()
	g.forest.Add(r, level)
	for k := range n.Children() {
		g.add(k, level+1)
	}
}

// id returns the id of an attached node, which no other node of the history has.
func (g *grafter) id(own string) string { return g.at.ID() + "/" + own }

// messages is the room that an attachment has for the numbers of its messages.
const messages = 1 << 24

// provenance changes the number of a message, so the nodes of one message are not shown together
// with those of a message of another log. Attachments can be a nanosecond apart.
func (g *grafter) provenance(text string) string {
	list, ok := membersOf(text)
	if !ok {
		return text
	}
	var next members
	for _, m := range list {
		if n, whole := canonjson.Int(m.Value); m.Name == "message" && whole {
			next.number(m.Name, n+(1+g.at.rec().NS%(1<<38))*messages)
			continue
		}
		next.add(m.Name, m.Value)
	}
	return next.String()
}
