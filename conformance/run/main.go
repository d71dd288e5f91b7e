// Command run drives an implementation through the conformance suite:
//
//	go run ./conformance/run [-case GLOB] [-json] [-v] -- COMMAND [ARGUMENT...]
//
// It starts the command, exchanges lines with it as README.md of the suite describes, and prints
// how many cases of each group passed. The exit code is 1 if a case failed, and 2 if the command
// cannot be run.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/pactkit/pactkit/conformance"
)

func main() {
	failed, err := run(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) (failed bool, err error) {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	cases := flags.String("case", "*/*", "run the cases whose names, such as 02-depths/range, match the pattern")
	asJSON := flags.Bool("json", false, "print the outcome of every case as JSON, as the folder results keeps it")
	verbose := flags.Bool("v", false, "print why cases failed, and what is not supported")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if _, err := path.Match(*cases, ""); err != nil || flags.NArg() == 0 {
		return false, fmt.Errorf("usage: run [-case GLOB] [-json] [-v] -- COMMAND [ARGUMENT...]")
	}
	suite, err := conformance.Load()
	if err != nil {
		return false, err
	}
	report, err := conformance.RunCommand(suite, func(name string) bool {
		ok, _ := path.Match(*cases, name)
		return ok
	}, flags.Arg(0), flags.Args()[1:]...)
	if err != nil {
		return false, err
	}
	if *asJSON {
		_, err = out.Write(report.JSON())
	} else {
		_, err = io.WriteString(out, suite.Summary(report, *verbose))
	}
	return report.Count("", conformance.Failed) > 0, err
}
