package search

// roleOf returns what the specification calls a role of the chat API.
func roleOf(role string) (string, bool) {
	switch role {
	case "user", "human":
		return "user", true
	case "assistant", "model", "gpt":
		return "assistant", true
	case "tool", "function":
		return "tool", true
	case "system", "developer":
		return "system", true
	}
	return "", false
}

// add makes the nodes of the message that was read.
func (c *chatTape) add() error {
	m := &c.msg
	role, ok := roleOf(m.role)
	if !ok {
		return errIrregular
	}
	toSys := role == "system" && !c.talking
	if !toSys {
		c.talking = true
		if c.turns == 0 || role == "user" && !m.hasResult() {
			c.begins()
		}
	}
	if role == "assistant" {
		c.calls++
	}
	if role == "tool" && c.anthropic {
		return errIrregular
	}
	if role == "tool" {
		id, ok := m.answers.Text()
		if !ok || id == "" {
			return errIrregular
		}
		n := node{base: baseBlock, role: role, kind: "result", call: id, content: m.content}
		if name, ok := m.name.Text(); ok && name != "" {
			n.name = m.name
		}
		c.put(n, toSys)
		return nil
	}
	if m.oddCalls || m.name.Form != absent {
		return errIrregular
	}
	return c.addBlocks(role, toSys)
}

// addBlocks makes the nodes of a message that is not the result of a call: of its content, then of
// its calls.
func (c *chatTape) addBlocks(role string, toSys bool) error {
	m := &c.msg
	text := node{base: baseBlock, role: role, kind: "text", content: m.content}
	switch {
	case m.isList:
		for i := range m.parts {
			c.put(c.partNode(&m.parts[i], role), toSys)
		}
		if len(m.parts) == 0 && len(m.calls) == 0 {
			text.content.Form = absent
			c.put(text, toSys)
		}
	case m.content.Form == other:
		c.put(text, toSys)
	case len(m.calls) == 0:
		c.put(text, toSys)
	case m.content.Form.IsString() && m.content.Raw != "":
		c.put(text, toSys)
	}
	for i := range m.calls {
		k := &m.calls[i]
		p := part{kind: "call", content: k.arguments, role: "assistant", call: k.id}
		if k.name != "" {
			p.name.Raw, p.name.Form = k.name, plain
		}
		c.put(c.partNode(&p, role), toSys)
	}
	return nil
}

// partNode makes the node of a part of a message. The first call with an id gives it to its node.
func (c *chatTape) partNode(p *part, role string) node {
	n := node{base: baseBlock, role: role, kind: p.kind, name: p.name, call: p.call, content: p.content}
	if p.role != "" {
		n.role = p.role
	}
	if p.kind == "call" {
		if _, taken := c.ids[p.call]; !taken {
			c.ids[p.call] = struct{}{}
			n.id, n.key = p.call, p.call
		}
	}
	return n
}

// hasResult reports whether the message contains the result of a call, as Anthropic messages do.
func (m *message) hasResult() bool {
	for i := range m.parts {
		if m.parts[i].kind == "result" {
			return true
		}
	}
	return false
}

// begins begins a turn.
func (c *chatTape) begins() {
	if c.turns > 0 {
		c.sealed = append(c.sealed, c.now())
	}
	c.turns++
}

// now returns the cycle of the next snapshot.
func (c *chatTape) now() int32 {
	if c.byTurn {
		return max(c.turns, 1)
	}
	return c.calls + 1
}

// put adds a node to ^sys, or to the turn.
func (c *chatTape) put(n node, toSys bool) {
	if !toSys {
		n.turn = c.turns
	}
	n.from = c.now()
	c.flat = append(c.flat, n)
}

// nextID numbers a node.
func (c *chatTape) nextID() int32 {
	c.count++
	return c.count
}

// end puts the nodes on the tape: the regions, the container of the members beside the messages,
// and the turns. Each turn is a segment with a core that contains the blocks.
func (c *chatTape) end() error {
	if c.turns == 0 {
		return errIrregular
	}
	c.nodes = append(c.nodes, node{base: baseRoot, id: "root", parent: -1}, node{base: baseSys, id: "^sys"})
	if c.around {
		c.nodes = append(c.nodes, node{base: baseCont, isLog: true, parent: 1, number: c.nextID(), name: c.log})
	}
	k := 0
	for ; k < len(c.flat) && c.flat[k].turn == 0; k++ {
		c.block(&c.flat[k], 1)
	}
	seq := int32(len(c.nodes))
	c.head = seq + 1
	c.cycles = c.now() // the last snapshot has the last answer and ends the turn
	c.sealed = append(c.sealed, c.cycles)
	c.nodes = append(c.nodes, node{base: baseSeq, id: "^seq"}, node{base: baseHead, id: "^ah"})
	for turn := int32(1); turn <= c.turns; turn++ {
		at := int32(len(c.nodes))
		c.nodes = append(c.nodes,
			node{base: baseSeg, turn: turn, parent: seq, from: c.sealed[turn-1]},
			node{base: baseCont, turn: turn, parent: at, number: c.nextID(), from: c.flat[k].from})
		for ; k < len(c.flat) && c.flat[k].turn == turn; k++ {
			c.block(&c.flat[k], at+1)
		}
		c.nodes[at].number = c.nextID()
	}
	return nil
}

// block puts a block on the tape.
func (c *chatTape) block(n *node, parent int32) {
	n.parent = parent
	if n.id == "" {
		n.number = c.nextID()
	}
	c.nodes = append(c.nodes, *n)
}
