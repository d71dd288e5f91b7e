package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

const referenceDir = "../testdata/engine/reference"

// referenceScript is the Python of the specification in a loop: each line of input is a tree, and
// each line of output is its hash and bytes.
func referenceScript(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(referenceDir, "08-reference.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, part := range strings.Split(string(doc), "```") {
		if code, ok := strings.CutPrefix(part, "python\n"); ok && i%2 == 1 {
			b.WriteString(code)
			b.WriteString("\n")
		}
	}
	b.WriteString(`
import sys
for line in sys.stdin.buffer:
    tree = json.loads(line)
    node = {k: v for k, v in tree.items() if k != 'content_hash'}  # E6
    print(calculate_content_hash(node), serialize_snapshot(tree).decode('ascii'))
`)
	return b.String()
}

func runReference(t *testing.T, input []byte) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "python3", "-c", referenceScript(t))
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the reference failed: %v\n%s", err, stderr.Bytes())
	}
	return out
}

// ours returns the answers of this package in the form of the reference.
func ours(t *testing.T, input []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for line := range bytes.Lines(input) {
		doc := fmt.Appendf(nil, `{"root":%s}`, bytes.TrimSpace(line))
		tl, err := engine.Read("tree.json", bytes.NewReader(doc), engine.ReadOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		s := tl.At(0)
		fmt.Fprintf(&out, "%s %s\n", ContentHash(s.Root()), s.AppendReference(nil))

		first := s.AppendJSON(nil)
		again, err := engine.Read("again.json", bytes.NewReader(first), engine.ReadOptions{})
		if err != nil {
			t.Fatalf("reading an export: %v\n%s", err, first)
		}
		if second := again.At(0).AppendJSON(nil); !bytes.Equal(first, second) {
			t.Fatalf("an export does not survive a round trip:\n%s\n%s", first, second)
		}
	}
	return out.Bytes()
}

// contentHash returns the computed hash, even if one is stored.
func ContentHash(n engine.Node) string { return n.ComputedHash() }

// TestReference compares hashes and bytes with the specification's Python code: always with
// committed answers and, if python3 is installed, for thousands of generated trees.
func TestReference(t *testing.T) {
	input, err := os.ReadFile(filepath.Join(referenceDir, "trees.jsonl"))
	if err != nil && os.Getenv("PACTKIT_UPDATE") != "1" {
		t.Fatal(err)
	}
	answers := filepath.Join(referenceDir, "answers.txt")
	if os.Getenv("PACTKIT_UPDATE") == "1" {
		input = generateTrees(rand.New(rand.NewPCG(1, 2)), 150)
		writeFile(t, filepath.Join(referenceDir, "trees.jsonl"), input)
		writeFile(t, answers, runReference(t, input))
	}
	want, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, input, ours(t, input), want)

	if _, err := exec.LookPath("python3"); err != nil {
		t.Log("no python3: only the committed answers were compared")
		return
	}
	input = append(input, generateTrees(rand.New(rand.NewPCG(3, 4)), 4000)...)
	compareLines(t, input, ours(t, input), runReference(t, input))
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func compareLines(t *testing.T, input, got, want []byte) {
	t.Helper()
	in := bytes.Split(input, []byte("\n"))
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			t.Fatalf("tree %d\n%s\ngot  %s\nwant %s", i, in[i], g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d answers, want %d", len(g), len(w))
	}
}

// treeGen writes random trees as JSON text, with numbers and escapes that no encoder would write.
type treeGen struct {
	*rand.Rand
	b   strings.Builder
	ids int
}

func generateTrees(r *rand.Rand, n int) []byte {
	g := &treeGen{Rand: r}
	for range n {
		g.ids = 0
		g.node(0)
		g.b.WriteByte('\n')
	}
	return []byte(g.b.String())
}

func (g *treeGen) node(level int) {
	g.b.WriteString(`{"id":`)
	g.ids++
	g.raw(fmt.Sprintf("%s%d", g.word(), g.ids))
	member := func(p float64, name string, write func()) {
		if g.Float64() < p {
			g.b.WriteString([]string{",", " , "}[g.IntN(2)])
			g.raw(name)
			g.b.WriteString(":")
			write()
		}
	}
	number := func() { g.b.WriteString(g.number()) }
	small := func() {
		fmt.Fprint(&g.b, []string{"-2", "-1.5", "0", "-0", "0.0", "1", "1.0", "10e-1", "2"}[g.IntN(9)])
	}
	text := func() { g.str() }
	kinds := []string{"block", "cb", "cb:summary", "seg", "mc", "^sys", "^seq", "custom:note"}
	member(0.8, "nodeType", func() { g.raw(kinds[g.IntN(len(kinds))]) })
	member(0.7, "offset", small)
	member(0.5, "ttl", func() { fmt.Fprint(&g.b, []string{"null", "0", "3", "1e1", "-1", "99999999999999999999"}[g.IntN(6)]) })
	member(0.5, "priority", number)
	member(0.5, "cycle", func() { fmt.Fprint(&g.b, g.IntN(100)) })
	member(0.6, "created_at_ns", func() { fmt.Fprint(&g.b, g.IntN(4)) })
	member(0.3, "created_at_iso", text)
	member(0.5, "creation_index", small)
	member(0.7, "content", func() { g.value(0) })
	member(0.4, "kind", func() { g.nullOr(text) })
	member(0.4, "role", func() { g.nullOr(text) })
	member(0.1, "content_hash", text)
	member(0.3, "content_"+g.word(), func() { g.value(0) })
	member(0.3, "data_"+g.word(), func() { g.value(0) })
	member(0.3, "x"+g.word(), func() { g.value(0) })
	if level < 4 {
		member(0.7, "children", func() {
			g.b.WriteByte('[')
			for i := range g.IntN(5) {
				if i > 0 {
					g.b.WriteString(",\n"[:1])
				}
				g.node(level + 1)
			}
			g.b.WriteByte(']')
		})
	}
	g.b.WriteByte('}')
}

func (g *treeGen) nullOr(f func()) {
	if g.IntN(8) == 0 {
		g.b.WriteString("null")
		return
	}
	f()
}

// raw writes s as an ordinary encoder does.
func (g *treeGen) raw(s string) {
	data, _ := json.Marshal(s)
	g.b.Write(data)
}

var oddRunes = []rune("aZ0 \"\\/<>&'\b\f\n\r\t\x00\x01\x1f\x7f\u0080éß€ж中\u2028\u2029\ufeff\uffff\U00010000😀\U0010ffff")

func (g *treeGen) word() string {
	var b strings.Builder
	for range g.IntN(4) {
		b.WriteRune(oddRunes[g.IntN(len(oddRunes))])
	}
	return b.String()
}

// str writes a string with a mix of raw and escaped characters.
func (g *treeGen) str() {
	g.b.WriteByte('"')
	for range g.IntN(8) {
		r := oddRunes[g.IntN(len(oddRunes))]
		if g.IntN(40) == 0 {
			r = rune(g.IntN(0xd800))
		}
		switch {
		case g.IntN(3) == 0 && r < 0x10000:
			fmt.Fprintf(&g.b, []string{`\u%04x`, `\u%04X`}[g.IntN(2)], r)
		case r == '/' && g.IntN(2) == 0:
			g.b.WriteString(`\/`)
		case r == '"' || r == '\\':
			g.b.WriteByte('\\')
			g.b.WriteRune(r)
		case r < 0x20:
			fmt.Fprintf(&g.b, `\u%04x`, r)
		case r >= 0x10000 && g.IntN(2) == 0:
			fmt.Fprintf(&g.b, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			g.b.WriteRune(r)
		}
	}
	g.b.WriteByte('"')
}

func (g *treeGen) number() string {
	fixed := []string{
		"0", "-0", "-0.0", "0.0", "1", "-1", "1.0", "1.50", "1e5", "1E+5", "1e-4", "9.9999e-5", "1e-7", "1e15", "1e16",
		"1e21", "123456789012345678", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "123456789012345678901234567890", "0.1", "2.5e-324", "5e-324", "1.7976931348623157e308",
		"1e400", "-1e400", "0.30000000000000004", "100.0", "1e22", "12345678.9", "4.35", "1e-400", "0e0", "-0e5",
	}
	switch g.IntN(4) {
	case 0:
		return fmt.Sprint(g.Int64() - g.Int64())
	case 1:
		f := g.NormFloat64() * []float64{1, 1e-9, 1e9, 1e17, 1e300}[g.IntN(5)]
		return strings.Replace(fmt.Sprintf([]string{"%.17g", "%g", "%.3e"}[g.IntN(3)], f), "+", []string{"", "+"}[g.IntN(2)], 1)
	}
	return fixed[g.IntN(len(fixed))]
}

func (g *treeGen) value(depth int) {
	switch k := g.IntN(8); {
	case k < 3:
		g.str()
	case k < 5:
		g.b.WriteString(g.number())
	case k == 5:
		g.b.WriteString([]string{"null", "true", "false"}[g.IntN(3)])
	case depth > 3:
		g.b.WriteString("{ }")
	case k == 6:
		g.b.WriteByte('[')
		for i := range g.IntN(4) {
			if i > 0 {
				g.b.WriteByte(',')
			}
			g.value(depth + 1)
		}
		g.b.WriteString(" ]")
	default:
		g.b.WriteString("{ ")
		for i := range g.IntN(4) {
			if i > 0 {
				g.b.WriteString(", ")
			}
			g.raw(fmt.Sprintf("%s%d", g.word(), i))
			g.b.WriteString(" : ")
			g.value(depth + 1)
		}
		g.b.WriteByte('}')
	}
}
