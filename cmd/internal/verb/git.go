package verb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast/diag"
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
	root, err := c.repository(ctx)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		paths = []string{root}
	}
	list := []string{"diff", "--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--diff-filter=AMT"}
	var out string
	if since == "" {
		out, err = c.git(ctx, append(append(list, "--cached", "--"), paths...)...)
	} else {
		out, err = c.since(ctx, since, append(append(list, "--merge-base", "--end-of-options", since, "--"), paths...)...)
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
	root, err := r.repository(ctx)
	if err != nil {
		return nil, err
	}
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
	patch, err := r.since(ctx, since, append(args, "--", root)...)
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

// gitError says why git does not tell what changed.
type gitError struct{ message, hint string }

func (e *gitError) Error() string { return e.message }

// FailGit reports that git does not tell what changed.
func (r *Run) FailGit(err error) {
	r.Fail("%v [%s]", err, diag.Git)
	if e, ok := errors.AsType[*gitError](err); ok && e.hint != "" {
		r.Hint("%s", e.hint)
	}
}

// repository returns the top folder of the repository that the working folder is in.
func (r *Run) repository(ctx context.Context) (string, error) {
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil && strings.Contains(err.Error(), "not a git repository") {
		err = &gitError{"the folder is not in a git repository", "name the files to check, or go to a folder of the repository"}
	}
	return strings.TrimSuffix(top, "\n"), err
}

// since runs a command of git that compares with a revision, which may be empty. If it fails for a
// revision that does not exist, the error says that.
func (r *Run) since(ctx context.Context, revision string, args ...string) (string, error) {
	out, err := r.git(ctx, args...)
	if err == nil || revision == "" {
		return out, err
	}
	exists := func(name string) bool {
		_, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
		return err == nil
	}
	switch {
	case !exists("HEAD"):
		return "", &gitError{"the repository has no commit yet", "--staged compares without one"}
	case !exists(revision):
		return "", &gitError{fmt.Sprintf("there is no commit %q", revision), "'git fetch' gets those of other repositories, and a shallow clone has few"}
	}
	return "", err
}

// git runs the git executable and returns what it prints. Paths among its arguments are taken
// literally, not as patterns.
func (r *Run) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-c", "core.quotePath=true"}, args...)...)
	cmd.Dir = r.Folder
	cmd.Env = append(os.Environ(), "LC_ALL=C") // repository looks for the words of an error
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		message, _, _ := bytes.Cut(bytes.TrimSpace(exit.Stderr), []byte("\n"))
		text := strings.TrimPrefix(Sanitize(string(message)), "fatal: ")
		return "", &gitError{"git cannot tell what changed: " + text, ""}
	}
	if err != nil {
		return "", &gitError{fmt.Sprintf("cannot run git: %v", err), "name the files to check instead of --since, --staged and --changed-lines"}
	}
	return string(out), nil
}
