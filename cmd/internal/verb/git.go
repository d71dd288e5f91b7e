package verb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// changedFiles asks git for the files that are staged or, when a revision is given, that changed
// since it, below the named paths or anywhere in the repository. The paths it returns are absolute.
// Deleted files are left out.
func (c *Collector) changedFiles(ctx context.Context, since string, names []string) ([]string, error) {
	paths := make([]string, len(names))
	for i, n := range names {
		paths[i] = c.Abs(n)
	}
	top, err := c.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := strings.TrimSuffix(top, "\n")
	if len(paths) == 0 {
		paths = []string{root}
	}
	list := []string{"diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--diff-filter=AMT"}
	var out string
	if since == "" {
		out, err = c.git(ctx, append(append(list, "--cached", "--"), paths...)...)
	} else {
		out, err = c.git(ctx, append(append(list, "--merge-base", "--end-of-options", since, "--"), paths...)...)
		if err == nil {
			var more string
			more, err = c.untracked(ctx, paths)
			out += more
		}
	}
	if err != nil {
		return nil, err
	}
	var found []string
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" {
			found = append(found, c.unresolved(filepath.Join(root, filepath.FromSlash(name))))
		}
	}
	return found, nil
}

// untracked returns the names of untracked files below paths, each ended by a NUL byte.
func (r *Run) untracked(ctx context.Context, paths []string) (string, error) {
	return r.git(ctx, append([]string{"ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--"}, paths...)...)
}

// LineChanges holds the changed lines by the absolute path of the file.
type LineChanges map[string][]lineRange

// lineRange is a range of lines, which are numbered from 0.
type lineRange struct{ start, end int }

// ReadLineChanges asks git for the lines of the working tree that changed since the branch left a
// revision or, without one, since the last commit. All lines of an untracked file changed; those of
// a renamed file are compared with the old file.
func (r *Run) ReadLineChanges(ctx context.Context, since string) (LineChanges, error) {
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := strings.TrimSuffix(top, "\n")
	args := []string{"diff", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--no-relative",
		"--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"}
	if since == "" {
		head, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
		if err != nil { // without a commit, compare with the empty tree
			if head, err = r.git(ctx, "hash-object", "-t", "tree", "--stdin"); err != nil {
				return nil, err
			}
		}
		args = append(args, strings.TrimSpace(head))
	} else {
		args = append(args, "--merge-base", "--end-of-options", since)
	}
	patch, err := r.git(ctx, append(args, "--", root)...)
	if err != nil {
		return nil, err
	}
	untracked, err := r.untracked(ctx, []string{root})
	if err != nil {
		return nil, err
	}
	changed := LineChanges{}
	path := func(name string) string { return r.unresolved(filepath.Join(root, filepath.FromSlash(name))) }
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			changed[path(name)] = []lineRange{{0, math.MaxInt}}
		}
	}
	file, left := "", 0
	for line := range strings.SplitSeq(patch, "\n") {
		switch {
		case left > 0: // a line of a hunk, which may look like a header
			left--
		case strings.HasPrefix(line, "+++ "):
			file = path(patchedName(line[len("+++ "):]))
		case strings.HasPrefix(line, "@@ "):
			if m := hunkHeader.FindStringSubmatch(line); m != nil {
				start, added := hunkRange(m[2], m[3])
				_, removed := hunkRange("0", m[1])
				left = added + removed
				changed[file] = append(changed[file], lineRange{start - 1, start - 1 + added})
			}
		}
	}
	return changed, nil
}

var hunkHeader = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// hunkRange reads the first line and the number of lines of a hunk. The number may be missing.
func hunkRange(start, count string) (first, n int) {
	first, _ = strconv.Atoi(start)
	n = 1
	if count != "" {
		n, _ = strconv.Atoi(count)
	}
	return first, n
}

// patchedName returns the name in a header of a patch. Git quotes it if it has unusual characters,
// and then writes a tab if it has a blank.
func patchedName(name string) string {
	name = strings.TrimSuffix(name, "\t")
	if text, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		name = text
	}
	return strings.TrimPrefix(name, "b/")
}

// Has reports whether any of the lines from start to end, which are numbered from 0, changed.
func (c LineChanges) Has(path string, start, end int) bool {
	return slices.ContainsFunc(c[path], func(r lineRange) bool { return start < r.end && r.start <= end })
}

// unresolved undoes git's resolution of symbolic links in the name of the working folder.
func (r *Run) unresolved(path string) string {
	if real, err := atomicfile.Resolve(r.Folder); err == nil && real != r.Folder {
		if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(r.Folder, rel)
		}
	}
	return path
}

// git runs the git executable and returns what it prints. Paths among its arguments are taken
// literally, not as patterns.
func (r *Run) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-c", "core.quotePath=true"}, args...)...)
	cmd.Dir = r.Folder
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		message, _, _ := bytes.Cut(bytes.TrimSpace(exit.Stderr), []byte("\n"))
		return "", fmt.Errorf("git %s: %s", args[0], Sanitize(string(message)))
	}
	if err != nil {
		return "", fmt.Errorf("cannot run git: %w", err)
	}
	return string(out), nil
}
