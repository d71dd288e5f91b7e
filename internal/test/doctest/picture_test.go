//go:build unix

package doctest

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// picture is the picture of an editor in the README. Its findings and its completion are answers of
// pact-lsp.
const picture = "docs/editor.svg"

// pictured is the file in the picture. It is opened in the workspace editors/sample.
const pictured = `from pactsel import History, Nodes


def expiring(ctx: History) -> Nodes:
    return ctx.select("^seq .block+question[tttl<=1]")


def results(ctx: History) -> Nodes:
    return ctx.select("d1..d3 .mt > .block+question")
`

// TestPicture draws the picture. PACTKIT_UPDATE=1 writes it.
func TestPicture(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "editors", "sample"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "questions.py")
	if err := os.WriteFile(file, []byte(pictured), 0o644); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, filepath.Join(programs(t), "pact-lsp"), dir, nil)
	e.open(file, "python", pictured)
	lines := strings.Split(strings.TrimSuffix(pictured, "\n"), "\n")
	last := len(lines) - 1
	column := strings.Index(lines[last], "+") + len("+")
	got := draw(lines, e.findings(file, 1), last, column, e.complete(at(file, position{last, column})))
	if err := e.shutdown(); err != nil {
		t.Error(err)
	}
	path := filepath.Join(root, picture)
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s shows something else than pact-lsp answers; PACTKIT_UPDATE=1 draws it again", picture)
	}
}

// The measures of the picture, in pixels.
const (
	charWidth, lineHeight = 8.43, 22.0
	left, top             = 60.0, 62.0
	pictureWidth          = 980.0
)

// svg collects the elements of the picture.
type svg struct{ strings.Builder }

func (b *svg) text(x, y float64, class, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" class="%s" xml:space="preserve">%s</text>`+"\n", x, y, class, html.EscapeString(text))
}

func (b *svg) box(x, y, w, h float64, class string) {
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="%s"/>`+"\n", x, y, w, h, class)
}

// wave underlines a part of a text.
func (b *svg) wave(x, y, width float64, class string) {
	fmt.Fprintf(b, `<path d="M%.1f %.1f`, x, y)
	for d := 0.0; d < max(width, charWidth); d += 4 {
		b.WriteString(" q1 -3 2 0 t2 0")
	}
	fmt.Fprintf(b, `" class="%s"/>`+"\n", class)
}

// token finds the next colored token in a line of Python.
var token = regexp.MustCompile(`"[^"]*"|\b(?:from|import|def|return)\b`)

// draw makes the picture: the lines of the file, what was found in them, and a list of proposals at
// a position.
func draw(lines []string, found []diagnosis, line, character int, proposals []proposal) string {
	const most = 4
	proposals = proposals[:min(len(proposals), most)]
	code := top + lineHeight*float64(len(lines))
	problems := code + lineHeight*(float64(len(proposals))+1.6)
	height := problems + lineHeight*(float64(len(found))+1.4)
	var b svg
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img" aria-label="An editor with findings and a completion of pact-lsp">`+"\n", pictureWidth, height)
	b.WriteString("<style>text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d4d4d4}" +
		".n{fill:#6e7681}.k{fill:#c586c0}.s{fill:#ce9178}.h{fill:#9da5b4}.w1{fill:#f48771}.w2{fill:#cca700}.w3{fill:#75beff}.w4{fill:#75beff}" +
		"path{fill:none;stroke-width:1.3}.u1{stroke:#f48771}.u2{stroke:#cca700}.u3{stroke:#75beff}.u4{stroke:#75beff}" +
		".win{fill:#1e1e1e}.bar{fill:#323233}.pop{fill:#252526;stroke:#454545}.sel{fill:#04395e}.cur{fill:#aeafad}</style>\n")
	b.box(0, 0, pictureWidth, height, "win")
	b.box(0, 0, pictureWidth, 36, "bar")
	b.text(20, 23, "h", "questions.py")
	for i, text := range lines {
		y := top + lineHeight*float64(i)
		b.text(24, y, "n", fmt.Sprint(i+1))
		at := 0
		for _, m := range append(token.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
			if m[0] > at {
				b.text(left+charWidth*float64(at), y, "c", text[at:m[0]])
			}
			class := "k"
			if m[1] > m[0] && text[m[0]] == '"' {
				class = "s"
			}
			if m[1] > m[0] {
				b.text(left+charWidth*float64(m[0]), y, class, text[m[0]:m[1]])
			}
			at = m[1]
		}
	}
	for _, d := range found {
		width := charWidth * float64(d.Range.End.Character-d.Range.Start.Character)
		b.wave(left+charWidth*float64(d.Range.Start.Character), top+lineHeight*float64(d.Range.Start.Line)+5, width, fmt.Sprintf("u%d", d.Severity))
	}
	x := left + charWidth*float64(character)
	b.box(x, top+lineHeight*float64(line)-14, 2, 18, "cur")
	b.box(x-charWidth, code-lineHeight+10, 340, lineHeight*float64(len(proposals))+4, "pop")
	for i, p := range proposals {
		y := code - lineHeight + 12 + lineHeight*float64(i)
		if i == 0 {
			b.box(x-charWidth+1, y, 338, lineHeight, "sel")
		}
		b.text(x, y+16, "c", p.Label)
		b.text(x+150, y+16, "h", p.Detail)
	}
	b.box(0, problems-lineHeight, pictureWidth, 1, "bar")
	b.text(20, problems, "h", "PROBLEMS")
	for i, d := range found {
		y := problems + lineHeight*float64(i+1)
		b.text(20, y, fmt.Sprintf("w%d", d.Severity), "●")
		first, _, _ := strings.Cut(d.Message, "\n")
		b.text(40, y, "c", first+"  "+d.Code)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
