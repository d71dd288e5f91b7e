package verb

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// PatchName returns the name of a file in a patch, as git apply reads it: from the root of the
// repository, or from the working folder if there is no repository. Other names are absolute
// without their root, as in git's own patches.
func (r *Run) PatchName(path string) string {
	base := r.Folder
	for dir := r.Folder; ; dir = filepath.Dir(dir) {
		if _, err := atomicfile.Lstat(filepath.Join(dir, ".git")); err == nil {
			base = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return strings.TrimPrefix(filepath.ToSlash(path), "/")
}

// UnifiedDiff returns the change of a file in the format that git apply reads.
func UnifiedDiff(name, before, after string) string {
	if before == after {
		return ""
	}
	a, b := quoteName("a/"+name), quoteName("b/"+name)
	return fmt.Sprintf("diff --git %s %s\n--- %s\n+++ %s\n%s", a, b, endName(a), endName(b), Hunks(before, after))
}

// Hunks returns how the lines of two texts differ: the lines of a unified diff without its header.
// It pairs lines that each text has once, which people read more easily than the shortest list of
// edits that the formatter and the server send.
func Hunks(before, after string) string {
	hunks := diff.Diff("a", []byte(before), "b", []byte(after))
	for range 3 { // the library's own header: "diff a b", "--- a", "+++ b"
		_, hunks, _ = bytes.Cut(hunks, []byte("\n"))
	}
	return string(hunks)
}

// ChangedLines is the number of lines that a diff removes or, if they are more, adds.
func ChangedLines(patch string) int {
	removed, added := 0, 0
	_, hunks, _ := strings.Cut(patch, "\n@@")
	for line := range strings.SplitSeq(hunks, "\n") {
		switch {
		case strings.HasPrefix(line, "-"):
			removed++
		case strings.HasPrefix(line, "+"):
			added++
		}
	}
	return max(removed, added)
}

// quoteName writes a name as git does in a patch: plain, or as a C string.
func quoteName(name string) string {
	plain := func(c byte) bool { return c >= 0x20 && c != 0x7f && c != '"' && c != '\\' }
	if strings.IndexFunc(name, func(r rune) bool { return r < 0x80 && !plain(byte(r)) }) < 0 {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		if c := name[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// endName ends a name that holds a blank with a tab. Otherwise the text after the blank would be
// read as a date.
func endName(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}
