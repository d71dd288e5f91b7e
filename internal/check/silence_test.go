package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/host"
)

// counting counts how often a file is read.
type counting struct {
	host.Host
	reads int
}

func (c *counting) Find(src string, m *host.Markers) host.File {
	c.reads++
	return c.Host.Find(src, m)
}

// TestSilenceUnformatted silences selectors that are not formatted, and what else is found there.
func TestSilenceUnformatted(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{
			"a.pactsel", ".block\n.seg > .cb\n",
			"# pactkit:ignore style/format -- later\n.block\n# pactkit:ignore style/format, legacy/type-name -- later\n.seg > .cb\n",
		},
		{
			"a.py", "import pactsel\nh.select('^ah .cb  +x')\n",
			"import pactsel\n# pactkit:ignore legacy/type-name, style/format -- later\nh.select('^ah .cb  +x')\n",
		},
	} {
		h := host.For(c.name)
		o := Options{Unformatted: true}
		o.Format.Style = Style("", h)
		result := File(t.Context(), h, c.src, o)
		text, _, left := SilenceAll(t.Context(), h, c.name, c.src, o, result, result.Findings, "later")
		if text != c.want || left != 0 {
			t.Errorf("%s: %d findings left, and the text is\n%s", c.name, left, text)
		}
		if after := File(t.Context(), h, text, o); len(after.Findings) > 0 {
			t.Errorf("%s: findings %v", c.name, after.Findings)
		}
	}
}

// TestSilenceAll silences every finding of files with many, of which some have no comment that
// works, without reading the file again for each line.
func TestSilenceAll(t *testing.T) {
	const lines = 500
	repeat := func(format string) string {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	block := "# pact\nx = ctx.select(\"\"\"\n^ah .cb+a%d\n\"\"\")\n"
	for _, c := range []struct {
		name, src             string
		comments, left, reads int
	}{
		{"a.pactsel", repeat(".cb#a%d\n"), lines, 0, 2},
		{"a.py", "# pact\n" + repeat("ctx.select('.cb#a%d', '.cb')\n"), lines, 0, 2},
		{"a.py", repeat(block), lines, 0, 30},
		{"a.pactsel", repeat(".cb#a%d\n") + ".block # pactkit:ignore style\n" + repeat(".cb#b%d\n"), 2 * lines, 1, 3},
	} {
		h := &counting{Host: host.For(c.name)}
		result := File(t.Context(), h, c.src, Options{})
		text, comments, left := SilenceAll(t.Context(), h, c.name, c.src, Options{}, result, result.Findings, "later")
		if comments != c.comments || left != c.left || h.reads > c.reads {
			t.Errorf("%s: %d comments, %d findings left, %d reads; want %d, %d, at most %d", c.name, comments, left, h.reads, c.comments, c.left, c.reads)
		}
		if after := File(t.Context(), h, text, Options{}); len(after.Findings) != left {
			t.Errorf("%s: %d findings, want %d", c.name, len(after.Findings), left)
		}
		if strings.Count(text, "\n") != strings.Count(c.src, "\n")+comments {
			t.Errorf("%s: the comments are not on lines of their own", c.name)
		}
	}
}
