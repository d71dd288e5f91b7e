// Command gendocs writes the parts of the documentation that are generated from tables in the code.
// `make generate` runs it in the root of the repository.
//
// With -check it writes nothing and fails if a file is stale.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

// page is a generated file, or one with generated lists, by its path from the root.
type page struct {
	path   string
	render func() ([]byte, error)
}

var pages = append([]page{
	{"docs/reference/language.md", language},
	{"docs/reference/rules.md", rulesPage},
}, listPages()...)

func main() {
	check := flag.Bool("check", false, "fail when a file is stale, and write nothing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	for _, p := range pages {
		text, err := p.render()
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if check {
			if old, err := os.ReadFile(p.path); err != nil || !bytes.Equal(old, text) {
				return fmt.Errorf("%s is stale: run `go run ./internal/gendocs`, or `make generate`", p.path)
			}
			continue
		}
		if err := os.WriteFile(p.path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
