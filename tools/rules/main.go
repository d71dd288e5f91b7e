// Command rules fetches the rules of package internal/redact from the release of gitleaks that it
// names. With -check it compares them with the file in the repository instead.
//
//	cd tools && go run ./rules [-check]
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// release is the module with the rules. The go command downloads and verifies it. It is not
// imported, because its scanner links a command line, archives and loggers.
const release = "github.com/zricethezav/gitleaks/v8@v8.30.1"

func main() {
	check := flag.Bool("check", false, "only report whether the rules are those of the release")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	out, err := exec.Command("go", "mod", "download", "-json", release).Output()
	if err != nil {
		return fmt.Errorf("go mod download %s: %w", release, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	rules, err := os.ReadFile(filepath.Join(module.Dir, "config", "gitleaks.toml"))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(module.Dir, "LICENSE"))
	if err != nil {
		return err
	}
	text := bytes.Join([][]byte{[]byte("# " + release + ", config/gitleaks.toml. Written by tools/rules; do not edit.\n"), rules}, nil)
	for name, want := range map[string][]byte{"gitleaks.toml": text, "LICENSE": license} {
		file := filepath.Join("..", "internal", "redact", "gitleaks", name)
		if !check {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				return err
			}
			continue
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("%s differs from that of %s: run go run ./rules in tools", file, release)
		}
	}
	return nil
}
