package parser

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestCompletionAt checks what can be written at the mark |.
func TestCompletionAt(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"|", "Time Step Filter"},
		{"@t0 |", "Step Filter"},
		{"@t0..|", "Endpoint"},
		{"@t-|", "Time Step Filter word=@t-"},
		{".se|", "Time Step Filter word=.se"},
		{".seg|", "Time Step Filter word=.seg"},
		{".seg:|", "Positional Attached Filter Combinator Fallback Union Control word=:"},
		{".seg |", "Step Filter Combinator Fallback Union Control"},
		{".seg > |", "Step Filter"},
		{".seg[|", "Attribute open=["},
		{".seg[tt|", "Attribute open=[ word=tt"},
		{".seg[ttl|", "Attribute open=[ word=ttl"},
		{".seg[ttl |", "Attribute Operator open=[ name=ttl"},
		{".seg[ttl<=|", "Value open=[ name=ttl"},
		{".seg{status='o|", "Value open={ name=status word='o"},
		{".seg{status in ['a', |", "Value open=[ name=status"},
		{".seg[ttl=1, |", "Attribute open=["},
		{".seg @li|", "Step Filter Combinator Fallback Union Control word=@li"},
		{".seg @limit=|", "Value Control name=limit"},
		{".seg @limit=5 |", "Filter Union Control"},
		{".seg @limit='5|", "Value Control name=limit word='5"},
		{".seg{status='mail @limit=|", "Value open={ name=status word='mail @limit="},
		{".seg{status='mail @limit='|", "open={"},
		{".à@limit=|", "Filter Union Control"},
		{".a, |", "Time Step Filter"},
		{".a ?? |", "Step Filter"},
		{"(d1, |", "Step Filter open=("},
		{".a:nth(|", "Argument open=("},
		{"+us|", "Time Step Filter word=+us"},
		{"^s|", "Time Step Filter word=^s"},
		{"#nav.it|", "Time Step Filter word=#nav.it"},
	} {
		offset := strings.IndexByte(c.src, '|')
		src := c.src[:offset] + c.src[offset+1:]
		if got := completionText(CompletionAt(src, offset, Options{}), src); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func completionText(c Completion, src string) string {
	var words []string
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Bool && f.Bool() {
			words = append(words, v.Type().Field(i).Name)
		}
	}
	for _, x := range []struct{ name, text string }{{"open", c.Open}, {"name", c.Name}, {"word", c.Word.Text(src)}} {
		if x.text != "" {
			words = append(words, fmt.Sprintf("%s=%s", x.name, x.text))
		}
	}
	return strings.Join(words, " ")
}

// FuzzCompletionAt completes at every offset of a source: the word is before it, and nothing
// panics.
func FuzzCompletionAt(f *testing.F) {
	f.Add("@t0..@t-5 ^seq .seg:first > .block[ttl<=1]{a in ['x', \"y\"]} +user @limit=5, (d1, 0) ?? #'k'", false)
	f.Add("\xff\xff(d1[a", false)
	f.Add("within(d1, seg) ?? {a='b'} :nth(2) @t-5:-1 *@+ \xff '", true)
	f.Fuzz(func(t *testing.T, src string, old bool) {
		if len(src) > 100 {
			return
		}
		for offset := range len(src) + 1 {
			p := CompletionAt(src, offset, Options{})
			if p.Word.End != offset || p.Word.Start > offset || p.Word.Start < 0 {
				t.Fatalf("the word at %d of %q is %v", offset, src, p.Word)
			}
		}
	})
}
