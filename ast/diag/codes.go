package diag

import (
	"iter"
	"slices"
)

// Code is the stable identifier of a kind of finding. Codes are never renamed or reused.
type Code string

// The codes of the selector language.
const (
	SelectorInvalid          Code = "E_SELECTOR_INVALID"
	SelectorAmbiguous        Code = "E_SELECTOR_AMBIGUOUS"
	SelectorLegacy           Code = "E_SELECTOR_LEGACY"
	SelectorTooManyFragments Code = "E_SELECTOR_TOO_MANY_FRAGMENTS"
	SelectorLimit            Code = "E_SELECTOR_LIMIT"
	SelectorCardinality      Code = "E_SELECTOR_CARDINALITY"
	TimeRequired             Code = "E_TIME_REQUIRED"
	RangeKindMismatch        Code = "E_SNAPSHOT_RANGE_KIND_MISMATCH"
	RangeWildcard            Code = "E_SNAPSHOT_RANGE_WILDCARD"
	RangeLimit               Code = "E_SNAPSHOT_RANGE_LIMIT"
	SnapshotUnknown          Code = "E_SNAPSHOT_UNKNOWN"
	DepthNegative            Code = "E_DEPTH_NEGATIVE"
	DepthRangeInvalid        Code = "E_DEPTH_RANGE_INVALID"
	DepthNotInt              Code = "E_DEPTH_NOT_INT"
	ControlInvalid           Code = "E_CONTROL_INVALID"
)

// The codes of what keeps a program from checking selectors.
const (
	Config Code = "E_CONFIG"
	Git    Code = "E_GIT"
)

// CodeInfo documents a code.
type CodeInfo struct {
	Code    Code
	Title   string // a noun phrase
	Doc     string // when it is reported and what to do, in full sentences
	Example string // a selector that is reported with the code, or ""
}

var codes = []CodeInfo{
	{SelectorInvalid, "selector that cannot be read", "The text is not a selector: a word is missing, misplaced or not part of the language, a string is not closed, a regular expression does not compile, or the bytes are not UTF-8. The range covers the first unexpected byte.", ".seg > > .block"},
	{SelectorAmbiguous, "selector with more than one reading", "In a union, a chain that contains a depth or a coordinate must be a single position in parentheses, because the comma could also separate coordinates. Two fragments with different times are ambiguous too. The fix adds the parentheses.", "d1, d2"},
	{SelectorLegacy, "form of an older revision", "The form was withdrawn. It is still read as its modern equivalent; it is an error where legacy forms are not accepted (`--no-legacy`). See the table of legacy forms.", ".cb:summary"},
	{SelectorTooManyFragments, "union with too many fragments", "A union may have 100 fragments unless the caller sets another limit.", ""},
	{SelectorLimit, "source over a limit", "The source is larger than 1 MiB, brackets are nested deeper than 64, a selector has more than 10,000 tokens, or a source has more errors than are kept. The formatter reports it for a valid selector whose formatted text would be over a limit, and does not change that selector. Callers can set each limit.", ""},
	{SelectorCardinality, "more than one result for @unique", "The control @unique allows at most one result, and the evaluation found more. A mutation needs exactly one node: the one to change, or the one to insert into.", ""},
	{TimeRequired, "test or control that needs a time", "The attributes age, born_turn, entered, left, cause, rule and saved and the control @mode depend on time, so the selector must have one: write @t0, an older instant, a range, @* or @history at the start.", ".block[age<2]"},
	{RangeKindMismatch, "endpoints of different kinds", "Both ends of a range or a pair must count the same way: from now with @t, or by cycle with @c.", "@t0..@c3 .block"},
	{RangeWildcard, "@* inside a range or pair", "@* already means every snapshot; it cannot be an endpoint. The oldest snapshot is @t-*.", "@t0..@* .block"},
	{RangeLimit, "range over too many snapshots", "The range covers more snapshots than the evaluation allows (maxSnapshots).", ""},
	{SnapshotUnknown, "instant that does not exist", "The history has no snapshot at a single instant, or at one instant of a pair. A range is clipped instead.", ""},
	{DepthNegative, "depth below -1", "Depths begin at -1, the system header; 0 is the active head, and 1 the newest segment.", "d-2"},
	{DepthRangeInvalid, "depth range that runs backwards", "The first depth of a range must not be greater than the second.", "d3..d1"},
	{DepthNotInt, "depth that is not a whole number", "Depths count segments, so they are whole numbers.", "d1.5"},
	{ControlInvalid, "control with a wrong or missing value", "A control has a value it does not take, lacks the one it needs, occurs with two different values, or contradicts another one.", ".block @limit"},
}

var programCodes = []CodeInfo{
	{Config, "configuration that cannot be used", "A configuration file, a file that it names, or a value of `--config` has an unknown key, a value of the wrong type or form, a rule with a mistake, or cannot be read. Nothing is checked with it: the exit code is 2. `pactkit config --help` says how to see what applies to a file.", ""},
	{Git, "changes that git does not tell", "`--since`, `--staged` and `--changed-lines` ask git what changed. There is no git, the folder is not in a repository, or the revision does not exist there.", ""},
}

// ProgramCodes yields the documentation of the codes that are about no selector.
func ProgramCodes() iter.Seq[CodeInfo] { return slices.Values(programCodes) }

// Codes yields the documentation of every code of the language in its order of presentation.
func Codes() iter.Seq[CodeInfo] { return slices.Values(codes) }

// LookupCode returns the documentation of c. The result ok reports whether c is a known code.
func LookupCode(c Code) (info CodeInfo, ok bool) {
	for _, list := range [][]CodeInfo{codes, programCodes} {
		for _, i := range list {
			if i.Code == c {
				return i, true
			}
		}
	}
	return CodeInfo{}, false
}
