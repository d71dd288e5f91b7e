package format

import (
	"testing"

	"github.com/pactkit/pactkit/parser"
)

func BenchmarkQuery(b *testing.B) {
	for _, src := range []string{
		".block",
		"^seq .seg > .block[ttl<=1] +user",
		"@t-5:@t0 +b +a { tag=\"c\" } @limit=5",
		"@t0..@t-5 (^seq *[nodeType='seg'] > *[nodeType='block']) +user { key='k', status in ['a', 'b'] } [ ttl<=1 ] @limit=5",
	} {
		q, _ := parser.ParseSelector(src, parser.Options{})
		for _, style := range []Style{Canonical, Compact} {
			b.Run(style.String()+"/"+src, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Node(q, Options{Style: style})
				}
			})
		}
	}
}
