package lint

import (
	"embed"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Page documents a rule.
type Page struct {
	Summary string   // one sentence
	Text    string   // the complete page in Markdown, from its heading on
	Bad     []string // sources in which the rule finds something
	Good    []string // sources in which it finds nothing: the corrected bad ones, if there are as many
	Context string   // a fixture or configuration the examples need, "" for most
}

//go:embed *.md
var pages embed.FS

// written returns the page from the file beside the rule.
func written(id string) func() Page {
	return sync.OnceValue(func() Page {
		_, name, _ := strings.Cut(id, "/")
		text, err := pages.ReadFile(strings.ReplaceAll(name, "-", "_") + ".md")
		if err != nil {
			return Page{} // a test reads the page of every rule
		}
		return parsePage(string(text))
	})
}

// parsePage extracts the examples from a page: code blocks below the headings Bad and Good, one
// example each.
func parsePage(text string) Page {
	p := Page{Text: text}
	var heading, fence string
	var block []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case fence != "" && line == "```":
			example := strings.Join(block, "\n") + "\n"
			switch heading {
			case "Bad":
				p.Bad = append(p.Bad, example)
			case "Good":
				p.Good = append(p.Good, example)
			}
			fence, block = "", nil
		case fence != "":
			block = append(block, line)
		case strings.HasPrefix(line, "```"):
			fence = line
		case strings.HasPrefix(line, "## "):
			heading = line[len("## "):]
		case p.Summary == "" && line != "" && line[0] != '#':
			p.Summary = line
		}
	}
	return p
}

// legacyPage documents a legacy form from its row in the table of forms.
func legacyPage(info ast.LegacyInfo) func() Page {
	return func() Page {
		p := Page{Summary: info.Summary}
		var b strings.Builder
		b.WriteString("# legacy/" + info.Name + "\n\n" + info.Summary + "\n")
		if info.Edition {
			b.WriteString("\nThe form is current in edition 0.1 and legacy in edition 1.0.\n")
		}
		for _, c := range info.Changes {
			p.Bad, p.Good = append(p.Bad, c.Old+"\n"), append(p.Good, c.New+"\n")
		}
		b.WriteString("\n## Bad\n")
		for _, s := range p.Bad {
			b.WriteString("\n```pactsel\n" + s + "```\n")
		}
		b.WriteString("\n## Good\n")
		for _, s := range p.Good {
			b.WriteString("\n```pactsel\n" + s + "```\n")
		}
		b.WriteString("\n## Fix safety\n\n")
		if info.Safe {
			b.WriteString("Safe: the new form selects the same nodes, in data of either edition.\n")
		} else {
			b.WriteString("Unsafe: the new form selects the same nodes only in data that was migrated too.\n")
		}
		p.Text = b.String()
		return p
	}
}

// codePage documents a rule of the parser from the table of codes.
func codePage(id string, info diag.CodeInfo) func() Page {
	return func() Page {
		p := Page{Summary: strings.ToUpper(info.Title[:1]) + info.Title[1:] + "."}
		p.Text = "# " + id + "\n\n" + p.Summary + "\n\n" + info.Doc + "\n\nIts code is `" + string(info.Code) + "`.\n"
		if info.Example != "" {
			p.Bad = []string{info.Example + "\n"}
			p.Text += "\n## Bad\n\n```pactsel\n" + info.Example + "\n```\n"
		}
		return p
	}
}
