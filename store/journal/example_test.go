package journal_test

import (
	"fmt"

	"github.com/pactkit/pactkit/store/journal"
)

func ExampleChain() {
	first := journal.Frame{Kind: journal.Header, End: true, Body: `{"format":"pactkit-journal","version":1}`}
	first.Digest = journal.Chain(journal.Digest{}, first.Body)
	fmt.Print(string(first.AppendLine(nil)))
	// Output:
	// {"format":"pactkit-journal","version":1,"digest":"268c05402fa59117cf294c0d07bce5944f3e56840652afe437d49b51f4cddc44"}
}
