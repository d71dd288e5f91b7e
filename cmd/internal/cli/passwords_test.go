package cli

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// TestPasswords: wherever a user gives an address, to any verb and any flag, no part of a password
// in it is printed.
func TestPasswords(t *testing.T) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PG") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("PGPASSWORD", "geheim")
	t.Setenv("HOME", t.TempDir())
	folder := t.TempDir()
	log, missing := filepath.Join(folder, "log.json"), "missing.json"
	if err := os.WriteFile(log, []byte(`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries { // files that verbs have written under such names
			if e.Name() != filepath.Base(log) {
				if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		var out, report bytes.Buffer
		r := &verb.Run{Program: verb.Pactkit, Args: args, Folder: folder, In: strings.NewReader(""), Out: bufio.NewWriter(&out), Err: &report}
		began := time.Now()
		execute(t.Context(), r)
		if all := out.String() + report.String(); strings.Contains(all, "geheim") {
			t.Errorf("%q prints a part of the password:\n%s", args, all)
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("%q took %s", args, d)
		}
	}
	addresses := []string{
		"postgres://u:geheim@127.0.0.1:1/d#x", "postgres://u:geheim@127.0.0.1:1/d", "postgres://u:ge/geheim@127.0.0.1:1/d#x",
		"postgres://u:1?geheim@127.0.0.1:1/d#x", "postgres://u:1#geheim@127.0.0.1:1/d", "postgres://u:a@geheim@127.0.0.1:1/d#x", "postgres://u:%zzgeheim@h#x",
		"postgres://127.0.0.1:1/d?sslpassword=geheim#x", "postgres://u@127.0.0.1:1/d?sslmode=geheim#x", "postgres:u:geheim@h",
		"host=127.0.0.1 port=1 user=u password=geheim dbname=d#x", "password = 'ge geheim'", "mysql://u:geheim@h/d", "POSTGRES://u:geheim@h/d",
	}
	if testing.Short() {
		addresses = addresses[:1]
	}
	for i, address := range addresses {
		run(address)
		run("eval", ".block", "--config", `fixtures="`+address+`"`)
		run("config", "--config", `fixtures="`+address+`"`)
		run("lint", "--config", `fixtures="`+address+`"`, missing)
		run("eval", ".block", log, address)
		for _, cmd := range Command(verb.Pactkit).Commands() {
			name := cmd.Name()
			if name == "mcp" || name == "worker" || name == "record" || !cmd.Runnable() && !cmd.HasSubCommands() {
				continue
			}
			run(name, address)
			run(name, address, address)
			run(name, missing, address)
			run(name, address, "@t0", "@t-1")
			for _, sub := range append(cmd.Commands(), cmd) {
				flag := 0
				sub.LocalFlags().VisitAll(func(f *pflag.Flag) {
					if flag++; f.Value.Type() == "bool" || flag%3 != i%3 { // a third of the addresses for each flag: there are 800 flags
						return
					}
					args := append(strings.Fields(sub.CommandPath())[1:], "--"+f.Name+"="+address)
					run(args...)
					run(append(args, missing)...)
					run(append(args, missing, ".block")...)
				})
			}
		}
	}
	run("record", "--upstream=openai=postgres://u:geheim@127.0.0.1:1/d", "--", "true")
	for _, cmd := range []string{"mcp", "worker"} {
		run(cmd, "postgres://u:ge/geheim@127.0.0.1:1/d#x")
	}
}
