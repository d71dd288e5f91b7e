package verb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
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
	list := []string{"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=AMT"}
	var out string
	if since == "" {
		out, err = c.git(ctx, append(append(list, "--cached", "--"), paths...)...)
	} else {
		out, err = c.git(ctx, append(append(list, "--merge-base", "--end-of-options", since, "--"), paths...)...)
		if err == nil {
			var untracked string
			untracked, err = c.git(ctx, append([]string{"ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--"}, paths...)...)
			out += untracked
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
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs"}, args...)...)
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
