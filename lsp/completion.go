package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser"
)

// triggers are the characters after which a client asks for completion.
var triggers = []string{"@", "^", ".", "#", "+", ":", "[", "{", "(", ">", "=", "'", "\"", ",", " "}

// item is a completion item. It replaces the type of glsp, whose label details and data glsp cannot
// unmarshal.
type item struct {
	Label         string             `json:"label"`
	LabelDetails  *labelDetails      `json:"labelDetails,omitempty"`
	Kind          int                `json:"kind"`
	Detail        string             `json:"detail,omitempty"`
	Documentation *markup            `json:"documentation,omitempty"`
	Sort          string             `json:"sortText"`
	Filter        string             `json:"filterText"`
	Format        int                `json:"insertTextFormat,omitempty"`
	Edit          *protocol.TextEdit `json:"textEdit,omitempty"`
	Text          string             `json:"textEditText,omitempty"` // with the range of the list
	Data          *itemData          `json:"data,omitempty"`
}

type labelDetails struct {
	Description string `json:"description"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// itemData has what is needed to resolve an item.
type itemData struct {
	Term string `json:"term,omitempty"` // id of the term to document
	URI  string `json:"uri,omitempty"`  // of the document; the nodes that Text selects are counted in its fixtures
	Text string `json:"text,omitempty"`
}

// The kinds of completion item in the protocol that the server uses.
const (
	kindFunction = 3
	kindField    = 5
	kindClass    = 7
	kindValue    = 12
	kindKeyword  = 14
	kindSnippet  = 15
	kindFolder   = 19
	kindConstant = 21
	kindOperator = 24

	snippetFormat = 2
)

type completionList struct {
	Incomplete bool          `json:"isIncomplete"`
	Defaults   *itemDefaults `json:"itemDefaults,omitempty"`
	Items      []item        `json:"items"`
}

// itemDefaults apply to the items of a list that have no edit of their own.
type itemDefaults struct {
	Range protocol.Range `json:"editRange"`
}

// completion answers textDocument/completion. It offers what the grammar allows at the position, in
// the words of the language and of the trees that are known.
func (s *server) completion(ctx context.Context, v *view, p *positionParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err == nil {
		if list, ok := s.completeKeys(ctx, v, d, d.offset(p.Position)); ok {
			return list, nil
		}
	}
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	at := d.offset(p.Position)
	c, ok := s.completer(ctx, v, d, a, at)
	if !ok {
		return nil, nil
	}
	c.offer(ctx)
	slices.SortStableFunc(c.items, func(x, y item) int { return cmp.Or(cmp.Compare(x.Sort, y.Sort), cmp.Compare(x.Label, y.Label)) })
	list := completionList{Incomplete: c.cut, Items: c.items}
	if s.client.defaultRange {
		list.share()
	}
	return list, nil
}

// share moves the range of the first item to the list, for all items with the same range.
func (l *completionList) share() {
	if len(l.Items) == 0 {
		return
	}
	l.Defaults = &itemDefaults{l.Items[0].Edit.Range}
	for i := range l.Items {
		if it := &l.Items[i]; it.Edit.Range == l.Defaults.Range {
			it.Text, it.Edit = it.Edit.NewText, nil
		}
	}
}

// resolveCompletion answers completionItem/resolve. It adds details that most items never show: the
// documentation of a term, and how many nodes of the fixtures have a word.
func (s *server) resolveCompletion(ctx context.Context, v *view, p *map[string]json.RawMessage) (any, error) {
	it := *p
	var data itemData
	if json.Unmarshal(it["data"], &data) != nil {
		return it, nil // an item of another server
	}
	var err error
	if t := terms()[data.Term]; t != nil {
		it["documentation"], err = json.Marshal(s.client.documentation(documentationOf(t)))
	}
	if d, missing := s.document(v, data.URI); missing == nil && data.Text != "" && d.host != nil {
		a := d.analyze(ctx, v.snapshot)
		q, ds := parser.ParseSelector(data.Text, parser.Options{Edition: a.options.Format.Edition})
		if a.facts != nil && !diag.HasErrors(ds) {
			if m, ok := a.facts.Match(ctx, q, data.Text); ok && m.Fixtures > 0 {
				it["detail"], err = json.Marshal(plural(m.Nodes, "node"))
			}
		}
	}
	return it, err
}

// terms maps ids to the words of the language.
var terms = sync.OnceValue(func() map[string]*vocab.Term {
	table := map[string]*vocab.Term{}
	for k := vocab.Region; k <= vocab.Instant; k++ {
		for t := range vocab.All(k) {
			table[t.ID] = t
		}
	}
	return table
})

func documentationOf(t *vocab.Term) string {
	if t.Doc == "" {
		return t.Summary
	}
	return t.Summary + "\n\n" + t.Doc
}

// documentation returns a text in a form that the client can show beside a completion.
func (c *client) documentation(text string) *markup {
	if c.markdownDocs {
		return &markup{"markdown", text}
	}
	return &markup{"plaintext", text}
}
