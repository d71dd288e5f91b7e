package parser_test

import (
	"testing"

	"github.com/pactkit/pactkit/parser"
)

// realistic are selectors of the length and mix that people write.
var realistic = []string{
	`^seq .block`,
	`.seg > .cont > .block`,
	`#hero > .item`,
	`(d1,0,-1)`,
	`((d1,0), (d2,0,1))`,
	`@t-1 .summary`,
	`@t-5..@t-1 .block[role='user']`,
	`^ah > .block:core:first`,
	`.block[ttl>=5]+pinned`,
	`d1..d3 .seg > .block`,
	`#system ?? .block:first`,
	`.log.entry(status='important' ttl=5)`,
	`.block{ kind='note', tag in ["p","q"] }`,
	`^sys > *, ^seq .block:last, #notes`,
	`.block[kind='tool'] @limit=10 @order=path`,
	`@history ^seq .block[status!='user']:nth(2) @order=turn:asc,pre @unique`,
	`((d1,0) > .item) {pinned=true} [ttl<=3]`,
	`@c3..@c9 ( .seg .cont > .block[score>0.75] )`,
	`^seq .seg > .block[ttl<=1] +user`,
	`+audit .summary [ ttl>=2 ] @limit=50`,
}

func BenchmarkParseSelector(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range realistic {
			if _, ds := parser.ParseSelector(s, parser.Options{}); len(ds) > 0 && ds[0].Severity == 0 {
				b.Fatal(s, ds)
			}
		}
	}
}
