// Command agent asks a context tree, by way of pactkit.
package main

import (
	"context"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/parser"
)

const place = "(d0, end)"

var policy, _ = pactkit.Parse("#policy", parser.Options{})

// language=pact
const questions = ".block+user[ttl<=1]"

func turns(ctx context.Context, c *pactkit.Tree, name string) error {
	c.Select(ctx, ".mt > .cb:summary{ttl<=1}")
	c.Select(ctx, `.block[kind="text"], .block[kind="text"][ttl=1]`)
	c.Select(ctx, "@t-3..-1 "+".block")
	c.Select(ctx, ".block[name='"+name+"']") // made when the program runs
	c.SelectRange(ctx, "@t0..@t-2\t.note")
	c.Select(ctx, ".block[ttl<null]")
	c.Select(ctx, ".seg >")
	// pactkit:ignore correctness/limit-zero -- the empty page is a case of its own
	c.Select(ctx, ".block @limit=0")
	c.Select(ctx, ".block   +user") // pactkit:fmt-skip
	return nil
}
