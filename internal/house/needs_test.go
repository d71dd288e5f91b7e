//go:build unix

package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNeeds: make check says in one message everything that a machine lacks, with the purpose of
// each, before it runs anything else.
func TestNeeds(t *testing.T) {
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(makefile), "\ncheck: needs ##") {
		t.Error("check of the Makefile does not begin with needs")
	}
	goSays := func(version string) string { return "if [ $2 = CC ]; then echo cc -g; else echo " + version + "; fi" }
	complete := map[string]string{"go": goSays("go1.26.3"), "node": "echo v20.1.0", "java": `echo 'openjdk version "17.0.1" 2025' >&2`}
	for name := range strings.FieldsSeq("cc gofmt npm git gzip diff sha256sum cat grep head sed wc") {
		complete[name] = "exit 1"
	}
	for _, c := range []struct {
		what    string
		changed map[string]string // programs that are other ones, or missing
		want    []string          // what is lacking, by the beginnings of the lines
	}{
		{"nothing is lacking", nil, nil},
		{"newer versions", map[string]string{"go": goSays("go2.0"), "node": "echo v100.0.0", "java": `echo 'java version "21" 2025' >&2`}, nil},
		{"what is being developed", map[string]string{"go": goSays("devel go1.27-3e1a"), "java": `echo 'openjdk version "25-ea" 2025' >&2`}, nil},
		{"no gcc, Node or Java", map[string]string{"cc": "", "node": "", "npm": "", "java": ""}, []string{"cc: the C compiler", "node 20: runs", "npm: comes with Node", "java 17: runs ANTLR"}},
		{"older versions", map[string]string{"go": goSays("go1.25.9"), "node": "echo v18.20.1", "java": `echo 'java version "1.8.0_402"' >&2`},
			[]string{"go 1.26: builds everything; BIN/go is 1.25.9", "node 20: runs", "java 17: runs ANTLR, which reads the grammar; BIN/java is 1.8.0_402"}},
		{"programs that fail", map[string]string{"go": "echo go: no cache >&2; exit 1", "java": "echo no runtime >&2; exit 1"},
			[]string{"go 1.26: builds everything; the version of BIN/go is unknown: : no cache", "java 17: runs ANTLR, which reads the grammar; the version of BIN/java is unknown: no runtime"}},
		{"tools", map[string]string{"git": "", "gzip": "", "diff": "", "sed": ""}, []string{"git: lists", "gzip: compresses", "diff: compares", "sed: runs"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			bin := t.TempDir()
			for name, body := range complete {
				if changed, ok := c.changed[name]; ok {
					body = changed
				}
				if body == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			checkNeeds(t, bin, c.want)
		})
	}
	t.Run("an empty PATH", func(t *testing.T) {
		checkNeeds(t, t.TempDir(), strings.Split("go 1.26,gcc,gofmt,node 20,npm,java 17,git,gzip,diff,sha256sum,cat,grep,head,sed,wc", ","))
	})
}

// checkNeeds runs tools/needs with a PATH, and compares what is lacking.
func checkNeeds(t *testing.T, path string, want []string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", filepath.Join("..", "..", "tools", "needs"))
	cmd.Env = []string{"PATH=" + path}
	out, err := cmd.CombinedOutput()
	var lacking []string
	for l := range strings.Lines(string(out)) {
		if lack, ok := strings.CutPrefix(l, "  "); ok {
			lacking = append(lacking, lack)
		}
	}
	if (err == nil) != (want == nil) || len(lacking) != len(want) {
		t.Fatalf("%v, %d lines, want %d:\n%s", err, len(lacking), len(want), out)
	}
	for i, w := range want {
		if !strings.HasPrefix(lacking[i], strings.ReplaceAll(w, "BIN", path)) {
			t.Errorf("%q, want %q", lacking[i], w)
		}
	}
}
