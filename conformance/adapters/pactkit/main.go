// Command pactkit answers the requests of the conformance suite with the public packages of this
// module. It reads one request a line and writes one answer a line, until its input ends.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// serve answers requests until in ends.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	s := &server{}
	for lines.Scan() {
		if err := to.Encode(s.answer(lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}
