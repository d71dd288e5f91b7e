package a

import "github.com/pactkit/pactkit"

func f() {
	c.Select(ctx, "^sys .proven")
	c.Select(ctx, `^seq .raw{a="x"}`)
	c.Select(ctx, ".only-the-import-proves-it")
	c.Select(ctx, ".cut[kind=\"x\"] ^ah")
	c.SelectRange(ctx, "@t-1..@t0 .range")
	ctx.Delete(ctx, ".gone{x='y'}")
	tree.Delete(ctx, "^sys .not-a-context")
	pactkit.MustCompile(".typed")
	use(/* pact */ ".after-a-comment")
	// language=pact
	const below = ".below-a-comment"
	other.Choose("^sys .other")
}
