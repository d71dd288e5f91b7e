// Schemacheck compares each JSON value on standard input with a schema, for the tests of the
// command line. It is a separate program because the library takes longer to initialize than
// pactkit takes to run, and the tests run pactkit hundreds of times.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schemacheck SCHEMA")
		os.Exit(2)
	}
	if err := check(os.Args[1], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(path string, values io.Reader) error {
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		return err
	}
	n := 0
	for dec := json.NewDecoder(values); ; n++ {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF) && n == 0:
			return errors.New("no JSON here")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return err
		}
		if err := schema.Validate(value); err != nil {
			return fmt.Errorf("%s\n%w", raw, err)
		}
	}
}
