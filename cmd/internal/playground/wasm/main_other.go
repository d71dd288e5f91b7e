//go:build !js || !wasm

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program is for a browser: make playground builds it with GOOS=js GOARCH=wasm")
	os.Exit(2)
}
