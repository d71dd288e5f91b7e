package selectors

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/config"
)

// markedHost is a host whose selectors are between angle quotes.
type markedHost struct {
	regions func(src string) []host.Region
}

func (markedHost) Name() string { return "marked" }

func (markedHost) Extensions() []string { return nil }

func (markedHost) Embeds() bool { return true }

func (h markedHost) Find(src string, _ *host.Markers) host.File {
	return host.File{Regions: h.regions(src)}
}

func marked(src string) []host.Region {
	var regions []host.Region
	for at := 0; ; {
		start := strings.Index(src[at:], "«")
		if start < 0 {
			return regions
		}
		start += at + len("«")
		end := start + strings.Index(src[start:], "»")
		regions = append(regions, host.NewRegion(src, ast.Span{Start: start, End: end}, host.Selector))
		at = end
	}
}

func formatWith(t *testing.T, h host.Host, src string) outcome {
	t.Helper()
	v := &fmtVerb{Run: &verb.Run{}, style: verb.EnumFlag{Value: "canonical"}}
	cfg, problems := config.NewResolver(config.Options{Folder: t.TempDir(), Isolated: true}).For("/x")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	o := outcome{Target: verb.Target{Host: h, Config: cfg}}
	v.formatText(&o, src)
	return o
}

// Selectors inside another file are formatted in place, and errors have positions in that file.
func TestFormatRegions(t *testing.T) {
	src := "x = «.block» # .seg\ny = «.a > > .b»; z = «.seg»\n"
	o := formatWith(t, markedHost{marked}, src)
	want := "x = «@t0 (*[nodeType='block'])» # .seg\ny = «.a > > .b»; z = «@t0 (*[nodeType='seg'])»\n"
	if diff := cmp.Diff(want, o.after); diff != "" || o.err != nil {
		t.Errorf("got %q, %v", o.after, o.err)
	}
	if len(o.found) != 1 || !strings.HasPrefix(src[o.found[0].Span.Start:], "> .b") {
		t.Errorf("got %v", o.found)
	}
}

// A host with a bug loses no text.
func TestFormatRefuses(t *testing.T) {
	for name, regions := range map[string]func(string) []host.Region{
		"overlap": func(src string) []host.Region {
			r := host.NewRegion(src, ast.Span{Start: 0, End: 6}, host.Selector)
			return []host.Region{r, r}
		},
		"panic": func(string) []host.Region { panic("defect") },
		"range": func(src string) []host.Region {
			return []host.Region{host.NewRegion(src+" ", ast.Span{Start: 0, End: len(src) + 1}, host.Selector)}
		},
		"other": func(src string) []host.Region {
			return []host.Region{host.NewRegion(src, ast.Span{Start: 0, End: min(len(src), 20)}, host.Selector)}
		},
	} {
		if o := formatWith(t, markedHost{regions}, ".block"); o.err == nil || o.after != ".block" {
			t.Errorf("%s: got %q, %v", name, o.after, o.err)
		}
	}
}
