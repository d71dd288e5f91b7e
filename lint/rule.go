package lint

import (
	"context"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
)

// Level is how serious a finding is.
type Level uint8

// The levels, least serious first.
const (
	Off Level = iota
	Info
	Warning
	Error
)

var levelNames = [...]string{"off", "info", "warning", "error"}

func (l Level) String() string { return levelNames[l] }

// ParseLevel reads the name of a level.
func ParseLevel(name string) (Level, bool) {
	for l, n := range levelNames {
		if n == name {
			return Level(l), true
		}
	}
	return Off, false
}

// Severity returns the severity of a diagnostic with the level. Off has none.
func (l Level) Severity() diag.Severity {
	return [...]diag.Severity{Off: diag.Hint, Info: diag.Info, Warning: diag.Warning, Error: diag.Error}[l]
}

// FixKind says whether a rule can correct what it finds.
type FixKind uint8

// The kinds of fix.
const (
	NoFix     FixKind = iota // a person has to decide
	SafeFix                  // never changes what is selected
	UnsafeFix                // may change what is selected
	SomeFix                  // decided for each finding
)

var fixKindNames = [...]string{"none", "safe", "unsafe", "some"}

func (k FixKind) String() string { return fixKindNames[k] }

// Rule is one rule of the linter.
type Rule struct {
	ID    string // category/kebab-name, as in correctness/limit-zero; never changed or reused
	Level Level  // unless the configuration says otherwise; Off for a rule that must be asked for
	Fix   FixKind
	// OnDemand says that only callers that format apply the rule, so a suppression of it is never
	// reported as unused.
	OnDemand bool
	File     string // the configuration file that defines the rule; "" for a rule of the linter

	// At most one of these two is set. The findings of a rule with neither come from the parser, a
	// host or the driver.
	selector func(*pass)                      // checks one selector without errors
	source   func(context.Context, *filePass) // checks all selectors of a source together

	page func() Page
}

// Category is the first part of the ID.
func (r *Rule) Category() string {
	category, _, _ := strings.Cut(r.ID, "/")
	return category
}

// Name is the second part of the ID.
func (r *Rule) Name() string {
	_, name, _ := strings.Cut(r.ID, "/")
	return name
}

// Page returns the documentation of the rule.
func (r *Rule) Page() Page { return r.page() }
