// Command mutants breaks pactkit in the ways that mutants.txt lists, one at a time, and runs the
// conformance suite on each:
//
//	go run ./conformance/mutants [WORDS of the names]
//
// It prints the cases that find each mutant, and exits with 1 if one is not found. The sources stay
// as they are: the compiler gets the broken file through -overlay.
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/pactkit/pactkit/conformance"
)

//go:embed mutants.txt
var list []byte

func main() {
	missed, err := run(strings.Join(os.Args[1:], " "))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if missed > 0 {
		fmt.Printf("%d mutants are not found: add cases\n", missed)
		os.Exit(1)
	}
}

// run tries the mutants whose names contain words, and returns how many the suite does not find.
func run(words string) (missed int, err error) {
	suite, err := conformance.Load()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, m := range txtar.Parse(list).Files {
		if !strings.Contains(m.Name, words) {
			continue
		}
		program, err := build(dir, m)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", m.Name, err)
		}
		found, err := try(suite, program)
		if err != nil {
			return missed, fmt.Errorf("%s: %w", m.Name, err)
		}
		if len(found) == 0 {
			missed++
			fmt.Printf("NOT FOUND  %s\n", m.Name)
			continue
		}
		fmt.Printf("%3d cases  %s: %s\n", len(found), m.Name, strings.Join(found[:min(3, len(found))], " "))
	}
	return missed, nil
}

// build builds the adapter of pactkit with a mutant.
func build(dir string, m txtar.File) (program string, err error) {
	source, _, _ := strings.Cut(m.Name, " ")
	source, err = filepath.Abs(source)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	broken, err := apply(string(data), string(m.Data))
	if err != nil {
		return "", err
	}
	copied, overlay := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(copied, []byte(broken), 0o600); err != nil {
		return "", err
	}
	files, err := json.Marshal(map[string]any{"Replace": map[string]string{source: copied}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, files, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "adapter")
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./conformance/adapters/pactkit").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
}

// apply replaces each run of lines with - by the lines with + after it.
func apply(source, changes string) (string, error) {
	var old, fresh []string
	replace := func() error {
		if len(old) == 0 {
			return nil
		}
		from := strings.Join(old, "")
		if n := strings.Count(source, from); n != 1 {
			return fmt.Errorf("these lines are in the file %d times, not once:\n%s", n, from)
		}
		source = strings.Replace(source, from, strings.Join(fresh, ""), 1)
		old, fresh = nil, nil
		return nil
	}
	for line := range strings.Lines(changes) {
		switch line[0] {
		case '-':
			if len(fresh) > 0 {
				if err := replace(); err != nil {
					return "", err
				}
			}
			old = append(old, line[1:])
		case '+':
			fresh = append(fresh, line[1:])
		}
	}
	return source, replace()
}

// try returns the cases that a program fails.
func try(suite *conformance.Suite, program string) ([]string, error) {
	report, err := conformance.RunCommand(suite, func(string) bool { return true }, program)
	if err != nil {
		return nil, err
	}
	var failed []string
	for name, o := range report.Outcomes {
		if o.Status == conformance.Failed {
			failed = append(failed, name)
		}
	}
	slices.Sort(failed)
	return failed, nil
}
