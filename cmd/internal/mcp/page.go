package mcp

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// maxAnswer is how many bytes the list of an answer may have, about eight thousand tokens: what an
// agent reads takes room in its own context.
const maxAnswer = 32 << 10

// maxIDs is how many ids a list in an element has.
const maxIDs = 50

// The members that the pages of several tools have, as the ends of their schemas.
const (
	warningsSchema = `"warnings":{"type":"array","items":{"type":"string"}},
`
	moreSchema = `"more":{"type":"array","description":"What was left out, and how to ask for it.","items":{"type":"string"}}}}`
)

// page is an answer: an object with members, a list that is truncated if it gets too long, and
// notes about what is missing.
type page struct {
	members bytes.Buffer // with a comma after each
	list    string       // the name of the list; empty for none
	items   bytes.Buffer
	count   int
	more    []string
}

// set sets a member.
func (p *page) set(name string, value any) {
	p.members.Write(canonjson.EncodeLine(name))
	p.members.WriteByte(':')
	p.members.Write(canonjson.EncodeLine(value))
	p.members.WriteByte(',')
}

// add adds an element to the list. It returns false, and adds nothing, if the answer is full; the
// first element always fits.
func (p *page) add(item []byte, limit int) bool {
	if p.count >= limit || p.count > 0 && p.items.Len()+len(item) > maxAnswer {
		return false
	}
	if p.count++; p.count > 1 {
		p.items.WriteByte(',')
	}
	p.items.Write(item)
	return true
}

// note says what is missing.
func (p *page) note(text string) { p.more = append(p.more, text) }

func (p *page) json() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	b.Write(p.members.Bytes())
	if p.list != "" {
		b.Write(canonjson.EncodeLine(p.list))
		b.WriteString(":[")
		b.Write(p.items.Bytes())
		b.WriteString("],")
	}
	if len(p.more) > 0 {
		b.WriteString(`"more":`)
		b.Write(canonjson.EncodeLine(p.more))
		b.WriteByte(',')
	}
	return append(bytes.TrimSuffix(b.Bytes(), []byte(",")), '}')
}

// cut returns the first n characters of a text, and whether that is not all of it.
func cut(text string, n int) (string, bool) {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text, false
	}
	end := 0
	for range n {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return strings.ToValidUTF8(text[:end], "") + "…", true
}
