// Package edition names the revisions of the PACT specification. Packages ast and engine, which do
// not import each other, both export its type under their own name.
package edition

import "strings"

// Edition is a revision of the PACT specification, 1.0 by default.
//
// It decides what an unquoted #name in a selector stands for and which forms are legacy (decisions
// D1 and D6), how new nodes are spelled (seg, cont, block or mt, mc, cb), and whether a live
// timeline begins with the working state.
type Edition uint8

const (
	V10 Edition = iota
	V01
	count
)

// String returns "1.0" or "0.1".
func (e Edition) String() string {
	if e == V01 {
		return "0.1"
	}
	return "1.0"
}

// SpecVersion returns the spec_version that the edition writes: "PACT/1.0.0" or "PACT/0.1.0".
func (e Edition) SpecVersion() string { return "PACT/" + e.String() + ".0" }

// Parse reads "1.0" or "0.1".
func Parse(name string) (e Edition, ok bool) {
	for e := range count {
		if name == e.String() {
			return e, true
		}
	}
	return V10, false
}

// OfType returns the edition in which the base of a type is spelled: 0.1 for mt, mc and cb, 1.0 for
// seg, cont and block, alone or before a colon. It reports false for any other type.
func OfType(nodeType string) (e Edition, ok bool) {
	base, _, _ := strings.Cut(nodeType, ":")
	switch base {
	case "mt", "mc", "cb":
		return V01, true
	case "seg", "cont", "block":
		return V10, true
	}
	return V10, false
}

// OfSpec returns the edition that a spec_version names: "PACT/1.0" and its corrections, such as
// "PACT/1.0.2", with or without "PACT/". It reports false for an unknown one, which is read as 1.0.
func OfSpec(version string) (e Edition, ok bool) {
	release := strings.TrimPrefix(version, "PACT/")
	for e := range count {
		if rest, ok := strings.CutPrefix(release, e.String()); ok && (rest == "" || rest[0] == '.') {
			return e, true
		}
	}
	return V10, false
}
