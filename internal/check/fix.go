package check

import (
	"context"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
)

// Fixed is the result of correcting a file.
type Fixed struct {
	Text    string
	Applied int    // findings that were corrected
	Left    Result // the findings of File in Text
}

// rounds bounds how often a selector is corrected and formatted. A correction can become possible
// only after formatting, for instance when the formatter has written the implied time.
const rounds = 4

// Fix corrects the selectors of a file: it applies the safe fixes of findings that are not
// silenced, or all fixes if unsafe is set, and formats unless the rule style/format is off. It
// changes strings that are proven to be selectors and, if unsafe is set, those that are likely to
// be. A region with the comment pactkit:fmt-skip stays as it is. A string that cannot hold the
// corrected text gets the corrections that it can hold, and a finding. An error means that the
// result cannot be trusted; the text is then that of the file.
func Fix(ctx context.Context, h host.Host, src string, o Options, unsafe bool) (Fixed, error) {
	o.Memo = nil // a selector file is formatted as a whole
	before := File(ctx, h, src, o)
	f := Fixed{Text: src, Left: before}
	if before.File.Broken() {
		return f, nil
	}
	x := fixer{formatter: newFormatter(src, &before.File, o), unsafe: unsafe}
	var changes []host.Change
	unwritable, overflowing := map[int]error{}, map[int]bool{} // by region; Apply keeps the regions
	for i := range before.File.Regions {
		r := &before.File.Regions[i]
		if r.Kind == host.Holed || r.Grade() != host.Proven && !(unsafe && r.Grade() == host.Likely) || x.skips(r.Span) {
			continue
		}
		fixed, err := x.fix(ctx, i, nil)
		if err != nil {
			return f, err
		}
		c, refused := before.File.Replace(i, fixed.text)
		if refused != nil {
			unwritable[i] = refused
			holds := func(text string) bool { _, err := before.File.Replace(i, text); return err == nil }
			if fixed, err = x.fix(ctx, i, holds); err != nil {
				return f, err
			}
			c, _ = before.File.Replace(i, fixed.text)
		}
		if fixed.overflows && r.Kind == host.Editable {
			overflowing[i] = true
		}
		if fixed.text == r.Text {
			continue
		}
		if len(c.Edits) > 0 {
			if refused != nil {
				unwritable[i] = partly{refused}
			}
			changes = append(changes, c)
			f.Applied += fixed.applied
		}
	}
	if len(changes) > 0 {
		text, err := host.Apply(h, src, o.Markers, before.File, changes)
		if err != nil {
			return Fixed{Text: src, Left: before}, err
		}
		f.Text = text
	}
	if len(changes) > 0 || len(unwritable) > 0 || len(overflowing) > 0 {
		f.Left = file(ctx, h, f.Text, o, unwritable, overflowing)
	}
	return f, nil
}

// fixer corrects the regions of one file.
type fixer struct {
	*formatter
	unsafe bool
}

// fixedRegion is the result of correcting a region.
type fixedRegion struct {
	text      string
	applied   int  // findings that were corrected
	overflows bool // the formatted text of a selector would exceed a limit
}

// fix corrects and formats the text of a region. If holds is not nil, it leaves out what makes a
// text that holds refuses.
func (x *fixer) fix(ctx context.Context, i int, holds func(string) bool) (fixedRegion, error) {
	r := &x.file.Regions[i]
	lo := x.opts.lint(r.Form)
	lo.Level, lo.Holds = x.unsilenced(r.Span), holds
	formats := lo.Level(styleFormat) != lint.Off
	out := fixedRegion{text: r.Text}
	for range rounds {
		text := out.text
		if r.Form != host.Position {
			fixed := fixText(ctx, r.Form, text, lo, x.unsafe)
			text, out.applied = fixed.Text, out.applied+len(fixed.Applied)
		}
		if !formats {
			out.text = text
			break
		}
		formatted := x.format(i, text)
		if holds != nil && !holds(formatted.Text) {
			out.text = text
			break
		}
		out.overflows = len(formatted.Overflow) > 0
		if formatted.Text != text {
			if err := x.verify(i, text, formatted.Text); err != nil {
				return out, err
			}
		}
		if formatted.Text == out.text {
			break
		}
		out.text = formatted.Text
	}
	return out, nil
}

// fixText corrects a text of the given form.
func fixText(ctx context.Context, form host.Form, text string, o lint.Options, unsafe bool) lint.Fixed {
	if form == host.Selectors {
		return lint.Fix(ctx, text, o, unsafe)
	}
	return lint.FixSelector(ctx, text, o, unsafe)
}

// unsilenced returns the level of rules in a region. Rules that a comment silences there are off,
// so what the author wants to keep is not corrected.
func (x *fixer) unsilenced(region ast.Span) func(*lint.Rule) lint.Level {
	silenced := x.silenced(region)
	return func(r *lint.Rule) lint.Level {
		if silenced != nil && silenced(r) {
			return lint.Off
		}
		return x.opts.level(r)
	}
}
