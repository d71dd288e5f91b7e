package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
)

// regions returns a whole tree with the given children of ^seq and ^ah.
func regions(seq, head string) string {
	return fmt.Sprintf(`{"root":{"id":"r","nodeType":"^root","children":[{"id":"s","nodeType":"^sys"},`+
		`{"id":"q","nodeType":"^seq","children":[%s]},{"id":"a","nodeType":"^ah","children":[%s]}]}}`, seq, head)
}

const goodSegment = `{"id":"s1","nodeType":"seg","children":[{"id":"c1","nodeType":"cont","children":[{"id":"b1","content":"x"}]}]}`

func TestReadErrors(t *testing.T) {
	var nested strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&nested, `{"id":"%d","children":[`, i)
	}
	deep := nested.String()
	tests := []struct {
		name, in string
		code     engine.Code
		path     string
		line     int
	}{
		{"empty", "", engine.ErrFileSyntax, "$", 1},
		{"truncated", "{\"root\":\n{\"id\":\"r\",\"children\":[", engine.ErrFileSyntax, "$.root.children[0]", 2},
		{"truncated string", `{"root":{"id":"r`, engine.ErrFileSyntax, "$.root.id", 1},
		{"truncated escape", `{"root":{"id":"r\`, engine.ErrFileSyntax, "$.root.id", 1},
		{"behind the end", regions("", "") + "x", engine.ErrFileSyntax, "$", 1},
		{"bad escape", `{"root":{"id":"\x"}}`, engine.ErrFileSyntax, "$.root.id", 1},
		{"control character", "{\"root\":{\"id\":\"a\tb\"}}", engine.ErrFileSyntax, "$.root.id", 1},
		{"duplicate header", "{\"root\":{\"id\":\"r\",\n\"ttl\":1,\"ttl\":1}}", engine.ErrFileSyntax, "$.root.ttl", 2},
		{"duplicate escaped", `{"root":{"id":"r","key":"a","\u006bey":"b"}}`, engine.ErrFileSyntax, "$.root.key", 1},
		{"duplicate custom", `{"root":{"id":"r","x":1,"y":2,"x":1}}`, engine.ErrFileSyntax, "$.root.x", 1},
		{"duplicate in content", `{"root":{"id":"r","content":{"b":1,"a":2,"b":3}}}`, engine.ErrFileSyntax, "$.root.content.b", 1},
		{"duplicate root", `{"root":{"id":"r"},"root":{"id":"r"}}`, engine.ErrFileSyntax, "$.root", 1},
		{"NaN", `{"root":{"id":"r","priority":NaN}}`, engine.ErrFileSyntax, "$.root.priority", 1},
		{"NaN in content", `{"root":{"id":"r","content":[NaN]}}`, engine.ErrFileSyntax, "$.root.content[0]", 1},
		{"leading zero", `{"root":{"id":"r","priority":01}}`, engine.ErrFileSyntax, "$.root", 1},
		{"lone surrogate", `{"root":{"id":"r","content":"\ud800"}}`, engine.ErrFileEncoding, "$.root.content", 1},
		{"surrogate pair broken", `{"root":{"id":"r","content":"\ud800\u0041"}}`, engine.ErrFileEncoding, "$.root.content", 1},
		{"invalid UTF-8", "{\"root\":{\"id\":\"r\",\n\"key\":\"\xff\"}}", engine.ErrFileEncoding, "$.root.key", 2},
		{"invalid UTF-8 outside", "{\"root\":\xff}", engine.ErrFileEncoding, "$.root", 1},
		{"a list", `[]`, engine.ErrFileShape, "$", 1},
		{"no root", `{"cycle":1}`, engine.ErrFileShape, "$", 1},
		{"root is a list", `{"root":[]}`, engine.ErrFileShape, "$.root", 1},
		{"children are an object", `{"root":{"id":"r","children":{}}}`, engine.ErrFileShape, "$.root.children", 1},
		{"a child is a string", `{"root":{"id":"r","children":["x"]}}`, engine.ErrFileShape, "$.root.children[0]", 1},
		{"root and snapshots", `{"root":{"id":"r"},"snapshots":[]}`, engine.ErrFileShape, "$.snapshots", 1},
		{"string offset", `{"root":{"id":"r","offset":"0"}}`, engine.ErrHeaderType, "$.root.offset", 1},
		{"boolean ttl", `{"root":{"id":"r","ttl":true}}`, engine.ErrHeaderType, "$.root.ttl", 1},
		{"number as key", `{"root":{"id":"r","key":1}}`, engine.ErrHeaderType, "$.root.key", 1},
		{"number as tag", `{"root":{"id":"r","tag":1}}`, engine.ErrHeaderType, "$.root.tag", 1},
		{"refs of numbers", `{"root":{"id":"r","refs":[1]}}`, engine.ErrHeaderType, "$.root.refs", 1},
		{"string removable", `{"root":{"id":"r","removable":"yes"}}`, engine.ErrHeaderType, "$.root.removable", 1},
		{"negative cycle", `{"cycle":-1,"root":{"id":"r"}}`, engine.ErrHeaderType, "$.cycle", 1},
		{"fractional cycle", `{"cycle":1.5,"root":{"id":"r"}}`, engine.ErrHeaderType, "$.cycle", 1},
		{"no id", regions("", `{"content":"x"}`), engine.ErrNodeIDMissing, "$.root.children[2].children[0]", 1},
		{"empty id", regions("", `{"id":""}`), engine.ErrNodeIDMissing, "$.root.children[2].children[0]", 1},
		{"duplicate id", regions("", `{"id":"x"},`+"\n"+`{"id":"x"}`), engine.ErrNodeIDDuplicate, "$.root.children[2].children[1]", 2},
		{"the id of the root", regions("", `{"id":"r"}`), engine.ErrNodeIDDuplicate, "$.root", 1},
		{"depth 10,000", `{"root":` + deep + "]}" + strings.Repeat("]}", 9_999) + "}", engine.ErrTreeDepth, "", 1},
		{"content depth 10,000", `{"root":{"id":"r","content":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}}", engine.ErrTreeDepth, "", 1},
		{"cycles fall", `{"snapshots":[{"cycle":2,"root":{"id":"r"}},{"cycle":1,"root":{"id":"r"}}]}`, engine.ErrFileShape, "$.snapshots[1]", 1},
		{"working of another cycle", `{"snapshots":[{"cycle":2,"root":{"id":"r"}}],"working":{"cycle":4,"root":{"id":"r"}}}`, engine.ErrFileShape, "$.working", 1},
		{"cadence without key", `{"cadence":[{"every":1,"first":1,"node":[{"id":"x"}]}],"snapshots":[]}`, engine.ErrFileShape, "$.cadence[0]", 1},
		{"cadence 0", `{"cadence":[{"every":0,"first":1,"key":"k","node":[{"id":"x"}]}],"snapshots":[]}`, engine.ErrFileShape, "$.cadence[0]", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := engine.Read("in.json", strings.NewReader(test.in), engine.ReadOptions{})
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || e.Code != test.code || e.Line != test.line || e.File != "in.json" ||
				test.path != "" && e.Path != test.path {
				t.Errorf("got %v, want %s at line %d, %s", err, test.code, test.line, test.path)
			}
		})
	}
}

// TestBadDrafts parses drafts from which no node can be made.
func TestBadDrafts(t *testing.T) {
	for _, test := range []struct {
		in   string
		code engine.Code
		path string
	}{
		{`{"tag":["a",1]}`, engine.ErrHeaderType, "$.tag"},
		{`{"tag":[null]}`, engine.ErrHeaderType, "$.tag"},
		{`{"nodeType":"cont","children":[{},{"tag":["a",["b"]]}]}`, engine.ErrHeaderType, "$.children[1].tag"},
		{`{"refs":["a",{}]}`, engine.ErrHeaderType, "$.refs"},
		{`{"key":1}`, engine.ErrHeaderType, "$.key"},
		{`{"x":1,"y":2,"x":3}`, engine.ErrFileSyntax, "$.x"},
	} {
		_, err := engine.ParseDraft([]byte(test.in))
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != test.code || e.Path != test.path || e.Line != 1 {
			t.Errorf("%s: %v", test.in, err)
		}
	}
	d, err := engine.ParseDraft([]byte(`{"tag":["a","b"],"children":[{"tag":"c"},{"tag":null}]}`))
	if err != nil || len(d.Tags) != 2 || len(d.Children[0].Tags) != 1 || d.Children[1].Tags != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestInvariants violates each invariant: that is a warning in lenient reading and an error in
// strict reading.
func TestInvariants(t *testing.T) {
	tests := []struct{ name, in, path string }{
		{"root", strings.Replace(regions("", ""), "^root", "block", 1), "$.root"},
		{"regions", `{"root":{"id":"r","children":[{"id":"s","nodeType":"^sys"},{"id":"q","nodeType":"^seq"}]}}`, "$.root"},
		{"regions", `{"root":{"id":"r","children":[{"id":"s","nodeType":"^sys"},{"id":"q","nodeType":"^seq"},` +
			`{"id":"a","nodeType":"^ah"},{"id":"b","nodeType":"^ah"}]}}`, "$.root.children[3]"},
		{"regions", `{"root":{"id":"r","children":[{"id":"s","nodeType":"^sys"},{"id":"q","nodeType":"^seq"},` +
			`{"id":"a","nodeType":"^ah"},{"id":"b"}]}}`, "$.root.children[3]"},
		{"segments", regions(`{"id":"b","nodeType":"block"}`, ""), "$.root.children[1].children[0]"},
		{"segments", regions("", goodSegment), "$.root.children[2].children[0]"},
		{"core", regions(`{"id":"s1","nodeType":"seg","children":[{"id":"b"}]}`, ""), "$.root.children[1].children[0]"},
		{"core", strings.Replace(regions(`{"id":"s1","nodeType":"mt","children":[{"id":"c","nodeType":"mc"},{"id":"d","nodeType":"mc"}]}`, ""),
			"{", `{"spec_version":"PACT/0.1.0",`, 1), "$.root.children[1].children[0]"},
		{"core", regions("", `{"id":"c","nodeType":"mc"},{"id":"d","nodeType":"cont"}`), "$.root.children[2]"},
		{"ttl", regions("", `{"id":"b","ttl":-1}`), "$.root.children[2].children[0]"},
		{"cad", regions("", `{"id":"b","cad":0}`), "$.root.children[2].children[0]"},
		{"removable", `{"root":{"id":"r","removable":true,"children":[{"id":"s","nodeType":"^sys"},{"id":"q","nodeType":"^seq"},{"id":"a","nodeType":"^ah"}]}}`, "$.root"},
		{"container", regions("", `{"id":"b","children":[{"id":"c"}]}`), "$.root.children[2].children[0].children[0]"},
		{"refs", regions("", `{"id":"b","refs":["nowhere"]}`), "$.root.children[2].children[0]"},
		{"order", regions("", `{"id":"b","created_at_ns":2,"creation_index":1},{"id":"c","created_at_ns":2,"creation_index":2}`), "$.root.children[2].children[1]"},
		{"order", regions("", `{"id":"b","created_at_ns":1,"creation_index":1},{"id":"c","created_at_ns":2,"creation_index":1}`), "$.root.children[2].children[1]"},
	}
	for _, test := range tests {
		tl, err := engine.Read("in.json", strings.NewReader(test.in), engine.ReadOptions{})
		if err != nil {
			t.Errorf("%s: lenient: %v", test.name, err)
			continue
		}
		w := tl.Warnings()
		if len(w) != 1 || w[0].Code != engine.ErrInvariant || !strings.HasPrefix(w[0].Msg, test.name+": ") || w[0].Path != test.path {
			t.Errorf("%s: warnings %v, want one of it at %s", test.name, w, test.path)
		}
		if bad := tl.At(0).Validate(); len(bad) != 1 || bad[0].Msg != w[0].Msg {
			t.Errorf("%s: Validate gives %v, want %v", test.name, bad, w)
		}
		_, err = engine.Read("in.json", strings.NewReader(test.in), engine.ReadOptions{Strict: true})
		if !errors.Is(err, engine.ErrInvariant) {
			t.Errorf("%s: strict: %v", test.name, err)
		}
		if _, err := engine.Resume(tl, engine.Options{}); !errors.Is(err, engine.ErrInvariant) {
			t.Errorf("%s: resumed: %v", test.name, err)
		}
	}
	if _, err := engine.Read("ok.json", strings.NewReader(regions(goodSegment, "")), engine.ReadOptions{Strict: true}); err != nil {
		t.Errorf("a good tree is refused: %v", err)
	}
}

// zeros is an endless stream of bytes.
type zeros byte

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(z)
	}
	return len(p), nil
}

func TestCompressedBombs(t *testing.T) {
	size := int64(1 << 30)
	if testing.Short() {
		size = 1 << 26 // still far above the limit
	}
	for _, fill := range []zeros{0, ' '} {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(z, fill, size); err != nil {
			t.Fatal(err)
		}
		z.Close()
		_, err = engine.Read("bomb.json.gz", &packed, engine.ReadOptions{MaxBytes: 1 << 20})
		want := engine.ErrFileSyntax
		if fill == ' ' {
			want = engine.ErrFileLimit
		}
		if !errors.Is(err, want) {
			t.Errorf("%d bytes of 0x%02x: %v, want %s", size, byte(fill), err, want)
		}
	}
	for _, name := range []string{"x.json.gz", "x.json.zst"} {
		_, err := engine.Read(name, strings.NewReader(regions("", "")), engine.ReadOptions{})
		if !errors.Is(err, engine.ErrFileSyntax) {
			t.Errorf("%s that is none: %v", name, err)
		}
	}
}

// TestForms reads a history in every form and compares the bytes.
func TestForms(t *testing.T) {
	first := `{"cycle":3,"root":` + strings.TrimSuffix(strings.TrimPrefix(regions(goodSegment, ""), `{"root":`), "}") + `}`
	second := strings.Replace(first, `"cycle":3`, `"cycle":5`, 1)
	history := `{"snapshots":[` + first + "," + second + `],"spec_version":"PACT/1.0.0"}`
	lines := first + "\n\n" + second + "\r\n"
	dir := t.TempDir()
	put := func(name, text string) string {
		var b bytes.Buffer
		switch filepath.Ext(name) {
		case ".gz":
			z := gzip.NewWriter(&b)
			io.WriteString(z, text)
			z.Close()
		case ".zst":
			z, err := zstd.NewWriter(&b)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(z, text)
			z.Close()
		default:
			b.WriteString(text)
		}
		name = filepath.Join(dir, name)
		writeFile(t, name, b.Bytes())
		return name
	}
	put("folder/b.json", first)
	put("folder/a.json.gz", second)
	put("folder/readme.txt", "not read")
	names := []string{
		put("h.json", history), put("h.json.gz", history), put("h.json.zst", history), put("bom.json", "\uFEFF"+history),
		put("h.jsonl", lines), put("h.jsonl.gz", lines), put("h.jsonl.zst", lines), filepath.Join(dir, "folder"),
	}
	var want []byte
	for _, name := range names {
		tl, err := engine.Load(name, engine.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := tl.AppendJSON(nil)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
		if s, back := tl.OfCycle(3); s == nil || back != 1 || tl.At(1) != s {
			t.Errorf("%s: @c3 is %v, %d back", name, s, back)
		}
		if n, ok := tl.At(0).Find("b1"); !ok || n.Type() != "block" {
			t.Errorf("%s: b1 is not found", name)
		}
	}
	_, err := engine.LoadDir(fstest.MapFS{}, "none", engine.ReadOptions{})
	if !errors.Is(err, engine.ErrFileShape) {
		t.Errorf("an empty folder: %v", err)
	}
	_, err = engine.LoadDir(fstest.MapFS{"a.json": {Data: []byte(first)}, "b.json": {Data: []byte(first)}}, "two", engine.ReadOptions{})
	if !errors.Is(err, engine.ErrFileShape) {
		t.Errorf("one cycle twice: %v", err)
	}
	if _, err := engine.Load(filepath.Join(dir, "none.json"), engine.ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestEditionAfter reads a 0.1 history whose spec_version comes after the snapshots. It still
// determines the spelling of missing types.
func TestEditionAfter(t *testing.T) {
	in := `{"snapshots":[{"root":{"children":[{"nodeType":"^seq","children":[{"id":"x","children":[{"id":"y"}]}]}]}}],"spec_version":"PACT/0.1"}`
	tl, err := engine.Read("h.json", strings.NewReader(in), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := tl.At(0).Find("x")
	y, _ := tl.At(0).Find("y")
	if x.Type() != "mt" || y.Type() != "cb" || tl.Edition() != engine.Edition01 {
		t.Errorf("types %s and %s, edition %s", x.Type(), y.Type(), tl.Edition())
	}
	if root := tl.At(0).Root(); root.ID() != "root" {
		t.Errorf("root is called %q", root.ID())
	}
}

// endless is a file of blanks with a known size.
type endless struct{ read int }

func (e *endless) Len() int { return 1 << 40 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

// A file that is known to be too large is not read at all.
func TestLimitKnownBefore(t *testing.T) {
	e := &endless{}
	if _, err := engine.Read("x.json", e, engine.ReadOptions{}); !errors.Is(err, engine.ErrFileLimit) {
		t.Errorf("got %v", err)
	}
	if e.read > 1<<20 {
		t.Errorf("%d bytes were read", e.read)
	}
}
