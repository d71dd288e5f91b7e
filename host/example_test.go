package host_test

import (
	"fmt"

	"github.com/pactkit/pactkit/host"
)

func ExampleFor() {
	src := `from pact import Context
ctx.select(".mt > .block")
`
	h := host.For("agent.py")
	f := h.Find(src, nil)
	for _, r := range f.Regions {
		fmt.Println(r.Span.Text(src))
	}
	change, err := f.Replace(0, ".seg > .block")
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := host.Apply(h, src, nil, f, []host.Change{change})
	fmt.Print(out, err)
	// Output:
	// .mt > .block
	// from pact import Context
	// ctx.select(".seg > .block")
	// <nil>
}
