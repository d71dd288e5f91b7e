package lint_test

import (
	"context"
	"fmt"

	"github.com/pactkit/pactkit/lint"
)

func ExampleCheckSelector() {
	for _, f := range lint.CheckSelector(context.Background(), ".mt > .block[ttl=1] @limit=0", lint.Options{}).Findings {
		fmt.Printf("%v %s: %s\n", f.Severity, f.Rule.ID, f.Message)
	}
	// Output:
	// warning legacy/type-name: `.mt` is a form of an older revision
	// warning correctness/limit-zero: `@limit=0` selects nothing
}

func ExampleFix() {
	fixed := lint.Fix(context.Background(), "# the questions\n.mt > .cb+user\n", lint.Options{}, false)
	fmt.Print(fixed.Text)
	// Output:
	// # the questions
	// .seg > .block+user
}

func ExampleNamed() {
	for _, r := range lint.Named("correctness/limit-zero") {
		fmt.Println(r.ID, r.Level)
	}
	fmt.Println(len(lint.Named("correctness")) < len(lint.Named("all")))
	// Output:
	// correctness/limit-zero warning
	// true
}
