package custom

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
)

// TestCanonical: a pattern occurs in the canonical form of a selector as often as in the selector.
func TestCanonical(t *testing.T) {
	patterns := strings.Split(`+old|{tag='old'}|#k|{key='k'}|.block|{nodeType='block'}|^sys|^ah|^seq|d1|d0|d-1|:core|:pre|*:first|*:nth(2)|.seg > .block|.seg .block|`+
		`@history|@t0|@*|@limit|@c3|@t-3..@t-1|@t-1,@t0|{priority=3}|{ttl}|{content~'x'}|(d1,0)|(d0,0)|^root|{ephemeral}|[sticky]|d1..d3|@c3..@c5|@first|@order=path|{a=1.0}|{id='x:1'}`, "|")
	selectors := strings.SplitSeq(`.block+old|#k .block|^sys > .block|^ah .block:core|^seq .seg:core > .block|d1 .block|depth(0) .block|.seg:depth(1) .block|.seg:depth(>=2) .block|`+
		`:depth(-1)|(d-1), (^ah) .block|.block:pre|:core .block|*:first|.block:nth(2)|@c3:@c5 .block|@t-1:@t-3 .block|@t-3..@t-1 .block|@t0,@t-1 .block|.block[priority=3]|.block(ttl=1)|`+
		`.block[ephemeral]|.block[sticky]|(d1,0) .block|(d0,0) > .block|(d1,0) > .block:first|^root > ^seq|.block{a=1.00}|.block @first|.block @order=path @limit=2|x:1|#x:1|{id='x:1'}|`+
		`.block{kind='call', tag='old'}|.block{tag in ['old']}|.mt > .cb|.block(priority=3)|(.seg > .block+old)|.block:first:core|*{ttl=null}|.block{ttl}|{nodeType='seg'} > {nodeType='block'}|`+
		`^seq > .seg|.sys .block|@history d1..d3 .block`, "|")
	for selector := range selectors {
		written, _ := parser.ParseSelector(selector, parser.Options{})
		text := format.Source(selector, format.Options{Form: format.Selector}).Text
		canonical, _ := parser.ParseSelector(text, parser.Options{})
		for _, pattern := range patterns {
			p, err := parsePattern(pattern, false)
			if err != nil {
				t.Fatal(pattern, err)
			}
			if a, b := len(p.matches(written)), len(p.matches(canonical)); a != b {
				t.Errorf("%s occurs in %s %d times, and in %s %d times", pattern, selector, a, text, b)
			}
		}
	}
}
