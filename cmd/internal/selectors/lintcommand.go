package selectors

import (
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

const lintLong = `Report mistakes and old forms in selectors.

` + lintFiles + `

Exit codes: 0 nothing at or above --fail-level; 1 findings; 2 the job could not be done.`

const lintExample = `  pactkit lint .                                  findings below this folder
  pactkit lint --only legacy src                  old forms only
  pactkit lint --output-format sarif=out.sarif --output-format text .`

const checkLong = `Report what lint finds, and selectors that are not formatted. Check writes nothing, unless --add-ignores asks for comments.

` + lintFiles + `

Exit codes: 0 nothing at or above --fail-level; 1 findings; 2 the job could not be done.`

const checkExample = `  pactkit check .                        all checks, as before a commit
  pactkit check --explain src/queries.go   what is recognized as a selector, and why
  pactkit check --staged                 only what git has staged
  pactkit check --staged --changed-lines   only lines that changed since the last commit
  pactkit check --add-ignores "before the rename" .
  pactkit check --output-format github .`

const fixLong = `Correct selectors: apply the safe fixes of lint, format, and report the remaining findings.

A safe fix never changes what a selector selects. --unsafe-fixes applies the other fixes too, and changes strings that are
likely to be selectors but not proven to be; look at them with --diff first. Only bytes inside the strings that hold selectors change. - reads standard input and prints the result.

` + lintFiles + `

Exit codes: 0 no findings at or above --fail-level remain; 1 findings remain, or with --diff files would change;
2 the job could not be done.`

const fixExample = `  pactkit fix .                 apply the safe fixes
  pactkit fix --diff .          show what would change
  pactkit fix --only legacy .   replace old forms only`

// Lint returns the verb lint.
func Lint(r *verb.Run) *cobra.Command {
	v := &lintVerb{Run: r}
	cmd := v.command("lint", "Report mistakes in selectors", lintLong, lintExample)
	v.addNarrowing(cmd)
	verb.AddOutputs(cmd, &v.outputs)
	return cmd
}

// Check returns the verb check.
func Check(r *verb.Run) *cobra.Command {
	v := &lintVerb{Run: r, unformatted: true}
	cmd := v.command("check", "Report mistakes in selectors, and those not formatted", checkLong, checkExample)
	v.addNarrowing(cmd)
	cmd.Flags().BoolVar(&v.explain, "explain", false, "check nothing: say of each string that may be a selector what proves it, or what it lacks")
	verb.AddOutputs(cmd, &v.outputs)
	verb.AddSetting(cmd, &v.style, "style", "format.style", "the form of selectors")
	return cmd
}

// Fix returns the verb fix.
func Fix(r *verb.Run) *cobra.Command {
	v := &lintVerb{Run: r, fix: true}
	cmd := v.command("fix", "Correct mistakes in selectors, and format them", fixLong, fixExample)
	flags := cmd.Flags()
	flags.BoolVar(&v.unsafe, "unsafe-fixes", false, "apply fixes that may change what is selected, too")
	flags.BoolVarP(&v.diff, "diff", "d", false, "show what would change as a patch for git apply, and write nothing")
	verb.AddOutputs(cmd, &v.outputs)
	verb.AddSetting(cmd, &v.style, "style", "format.style", "print selectors in canonical form, or in the shortest spelling")
	return cmd
}
