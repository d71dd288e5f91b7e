//go:build js && wasm

package main

import (
	"context"
	"syscall/js"

	"github.com/pactkit/pactkit/cmd/internal/playground"
)

func main() {
	var p playground.Playground
	js.Global().Set("pactkit", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(p.Answer(context.Background(), []byte(args[0].String())))
	}))
	select {}
}
