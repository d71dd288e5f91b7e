package conformance_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/pactkit/pactkit/conformance"
)

// An implementation that knows nothing supports nothing.
func Example() {
	suite, err := conformance.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	connect := func() (*conformance.Peer, error) {
		return conformance.Connect(io.Discard, strings.NewReader(`{"implementation":"nothing","editions":["1.0"]}`))
	}
	report, err := suite.Run(connect, func(name string) bool { return name == "02-depths/fraction" })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Outcomes["02-depths/fraction"].Status)
	// Output: unsupported
}
