package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/eval"
)

// TestProfile shows how selectors are evaluated on a tree of 40 segments. Two of them have a note.
func TestProfile(t *testing.T) {
	var b strings.Builder
	b.WriteString("^seq\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  s%d seg\n    c%d cont\n      b%d block tag=user\n", i, i, i)
		if i%20 == 7 {
			fmt.Fprintf(&b, "      n%d note key=k%d\n", i, i)
		}
	}
	b.WriteString("^ah\n  h block\n")
	tl := readOutline(t, b.String())
	for _, c := range []struct{ selector, want string }{
		{".note", "2: ^seq posting-list .note (2), 0 of 40; ^ah scan, 0 of 1; .note 2/2 -"},
		{".seg .note", "2: ^seq listed .note (2), 2 of 40; ^ah scan, 0 of 1; .seg 2/8; .note 2/8"},
		{".note ^ah", "0: ^ah scan, 0 of 1; .note 0/0 -; ^ah 0/0 -"},
		{"(d1..3) > .cont", "3: ^seq scan, 3 of 40; (d1..3) 3/10; .cont 3/10"},
		{"#k7", "1: lookup #k7 (1), 0 of 0; #k7 1/1"},
		{".seg #k7", "1: ^seq lookup #k7 (1), 1 of 40; ^ah lookup #k7 (1), 0 of 1; .seg 1/4; #k7 1/4"},
		{"#'n27'", "0: lookup #n27 (0), 0 of 0; #'n27' 0/0"},
		{".note, .block ?? .seg", "2: ^seq posting-list .note (2), 0 of 40; ^ah scan, 0 of 1; .note 2/2 -" +
			" | 43: ^seq scan, 40 of 40; ^ah scan, 1 of 1; .block 43/123 | skipped; .seg 0/0 -"},
	} {
		p, err := compile(t, c.selector).Profile(t.Context(), tl)
		if err != nil {
			t.Fatal(c.selector, err)
		}
		if got := profileText(p, c.selector); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.selector, got, c.want)
		}
		nodes, err := compile(t, c.selector).Nodes(t.Context(), tl.At(0))
		if err != nil || len(nodes) != p.Found {
			t.Errorf("%s finds %d nodes, the profile has %d, %v", c.selector, len(nodes), p.Found, err)
		}
	}
	if _, err := compile(t, "@t-9 .note").Profile(t.Context(), tl); err == nil {
		t.Error("no error for a snapshot that does not exist")
	}
}

// profileText prints a profile without its times: what a chain found, its searches with the chunks
// they searched, and its steps with found/candidates.
func profileText(p *eval.Profile, selector string) string {
	var chains []string
	for _, c := range p.Chains {
		var parts []string
		for _, s := range c.Searches {
			text := strings.TrimSpace(fmt.Sprintf("%s %s %s", s.Region, s.Strategy, s.Word))
			if s.Word != "" {
				text += fmt.Sprintf(" (%d)", s.Listed)
			}
			parts = append(parts, fmt.Sprintf("%s, %d of %d", text, s.Searched, s.Chunks))
		}
		for _, s := range c.Steps {
			text := fmt.Sprintf("%s %d/%d", s.Span.Text(selector), s.Found, s.Candidates)
			if !s.Searched {
				text += " -"
			}
			parts = append(parts, text)
		}
		head := fmt.Sprint(c.Found, ": ")
		if c.Skipped {
			head = "skipped; "
		}
		chains = append(chains, head+strings.Join(parts, "; "))
	}
	return strings.Join(chains, " | ")
}
