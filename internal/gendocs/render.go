package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/format"
)

//go:embed language.md.tmpl
var languageText string

// forms are the selectors of the table of canonical and compact forms.
var forms = []string{
	".cb:summary",
	"^seq .seg > .block[ttl<=1] +user",
	`@t-5:@t0 +b +a { tag="c" } @limit=5`,
	"#'hero banner'",
	".block(status=important ttl=5)",
	"@history .block @limit=5 @order=post",
	"((d1) > .item:first){x=1}, ^sys",
	".a ?? .b:pre[ephemeral]",
}

var kinds = map[string]vocab.Kind{
	"region": vocab.Region, "type": vocab.Type, "zone": vocab.Zone, "pseudo": vocab.Pseudo, "flag": vocab.Flag,
	"operator": vocab.Operator, "control": vocab.Control, "instant": vocab.Instant,
}

var sigils = map[vocab.Kind]string{
	vocab.Region: "^", vocab.Type: ".", vocab.Zone: ":", vocab.Pseudo: ":", vocab.Control: "@",
}

// language renders docs/reference/language.md.
func language() ([]byte, error) {
	t, err := template.New("language").Funcs(template.FuncMap{
		"terms":      termTable,
		"attributes": attributeTable,
		"forms":      formTable,
		"passes":     passList,
		"legacy":     legacyTable,
		"codes":      codeTable,
	}).Parse(languageText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, nil)
	return b.Bytes(), err
}

// table is a Markdown table under construction.
type table struct{ strings.Builder }

func newTable(head ...string) *table {
	t := new(table)
	t.row(head...)
	t.row(slices.Repeat([]string{"---"}, len(head))...)
	return t
}

func (t *table) row(cells ...string) {
	for _, c := range cells {
		t.WriteString("| " + c + " ")
	}
	t.WriteString("|\n")
}

// code makes a cell of program text.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func codes(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, "<br>")
}

// prose makes a cell of text, in which everything is escaped except code between backquotes.
func prose(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("*", `\*`, "<", "&lt;", "|", `\|`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// termTable documents the words of one kind.
func termTable(kind string) (string, error) {
	k, ok := kinds[kind]
	if !ok {
		return "", fmt.Errorf("no kind %q", kind)
	}
	t := newTable("word", "meaning", "examples")
	for w := range vocab.All(k) {
		t.row(code(spelling(w)), prose(about(w)), codes(w.Examples))
	}
	return t.String(), nil
}

// spelling is how a word is written in a selector.
func spelling(w *vocab.Term) string {
	s := sigils[w.Kind] + w.Name
	switch {
	case w.Kind == vocab.Pseudo && len(w.Params) > 0:
		s += "(" + strings.Join(w.Params, ",") + ")"
	case w.Kind != vocab.Control:
	case w.ValueType == vocab.EnumType:
		s += "=…"
	case w.ValueType == vocab.IntType:
		s += "=N"
	}
	return s
}

// about is the documentation of a word as one paragraph.
func about(w *vocab.Term) string {
	s := w.Summary
	if w.Doc != "" {
		s += " " + w.Doc
	}
	if w.Since == "1.0" && w.Kind != vocab.Control && w.Kind != vocab.Flag {
		s += " Since 1.0."
	}
	return s
}

var valueTypes = map[vocab.ValueType]string{
	vocab.AnyType: "custom", vocab.IntType: "number", vocab.NumberType: "number", vocab.StringType: "string",
	vocab.TagsType: "strings", vocab.BoolType: "boolean",
}

// attributeTable documents the attributes of one group, in canonical order.
func attributeTable(brackets string) string {
	group := map[string]vocab.Group{"[…]": vocab.Behavior, "{…}": vocab.Attributes}[brackets]
	t := newTable("in "+code(brackets), "type", "meaning", "examples")
	for w := range vocab.All(vocab.Attribute) {
		if w.Group == group {
			t.row(code(w.Name), valueTypes[w.ValueType], prose(about(w)), codes(w.Examples))
		}
	}
	return t.String()
}

// formTable formats the example selectors in both styles.
func formTable() (string, error) {
	t := newTable("written", "canonical", "compact")
	for _, src := range forms {
		row := []string{code(src)}
		for _, style := range []format.Style{format.Canonical, format.Compact} {
			r := format.Source(src, format.Options{Style: style, Form: format.Selector})
			if diag.HasErrors(r.Diagnostics) {
				return "", fmt.Errorf("%q: %s", src, r.Diagnostics[0].Message)
			}
			row = append(row, code(r.Text))
		}
		t.row(row...)
	}
	return t.String(), nil
}

// passList lists the passes and the styles that run them.
func passList() string {
	compact := map[string]bool{}
	for p := range format.Passes(format.Compact) {
		compact[p.Name] = true
	}
	canonical := map[string]bool{}
	t := newTable("pass", "styles", "does")
	for p := range format.Passes(format.Canonical) {
		canonical[p.Name] = true
		styles := "canonical"
		if compact[p.Name] {
			styles = "both"
		}
		t.row(code(p.Name), styles, prose(p.Doc))
	}
	for p := range format.Passes(format.Compact) {
		if !canonical[p.Name] {
			t.row(code(p.Name), "compact", prose(p.Doc))
		}
	}
	return t.String()
}

// legacyTable documents the legacy forms.
func legacyTable() string {
	t := newTable("form", "legacy", "modern", "fix", "what it is")
	for i := range ast.LegacyForms() {
		var before, after []string
		for _, c := range i.Changes {
			before = append(before, c.Old)
			after = append(after, c.New)
		}
		name, fix := code(i.Name), "safe"
		if i.Edition {
			name += " *"
		}
		if !i.Safe {
			fix = "unsafe"
		}
		t.row(name, codes(before), codes(after), fix, prose(i.Summary))
	}
	return t.String()
}

// codeTable documents the codes of errors.
func codeTable() string {
	t := newTable("code", "what it is", "example")
	for _, list := range []func(func(diag.CodeInfo) bool){diag.Codes(), diag.ProgramCodes()} {
		for c := range list {
			t.row(code(string(c.Code)), prose(strings.ToUpper(c.Title[:1])+c.Title[1:]+". "+c.Doc), code(c.Example))
		}
	}
	return t.String()
}
