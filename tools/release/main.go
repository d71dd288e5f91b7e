// Command release writes the files of a release: archives, packages of Linux distributions, images,
// wheels, npm packages, extensions of VS Code, recipes for package managers, an SBOM, a provenance
// statement, checksums.
//
//	cd tools && go run ./release [-platforms linux/amd64,...] OUT
//
// It clones the commit that is checked out, builds the clone, and takes the version from the tag.
// The same commit and tools give the same bytes. It needs git, Python 3.11, and Node with the
// node_modules of npm, editors/vscode and cmd/internal/inspect/page, which make release installs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// allPlatforms lists the platforms of a release, by their Go names.
const allPlatforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	platforms := flag.String("platforms", allPlatforms, "comma-separated `list` of platforms to build for")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Split(*platforms, ","), flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is the input of the functions that write artifacts.
type release struct {
	root        string // the working tree
	source      string // a clean clone of the commit
	programs    string // has a folder of programs for each platform, such as linux_amd64
	out         string
	platforms   []platform
	version     version
	revision    string
	time        time.Time    // of the commit, and the modification time of all files
	modules     []module     // linked into the programs
	packages    []npmPackage // in the page of pactkit inspect
	notices     []byte       // the licenses of modules and packages
	completions []file       // in the order of shells
}

// platform is an operating system and an architecture.
type platform struct{ system, machine string }

func (p platform) String() string { return p.system + "_" + p.machine }

func run(ctx context.Context, platforms []string, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
		return fmt.Errorf("%s is not an empty folder: %w", out, err)
	}
	temp, err := os.MkdirTemp("", "pactkit-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	r := &release{source: filepath.Join(temp, "source"), programs: filepath.Join(temp, "programs"), out: out}
	for _, name := range platforms {
		system, machine, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("%q is not a platform such as linux/amd64", name)
		}
		r.platforms = append(r.platforms, platform{system, machine})
	}
	for _, step := range []func(context.Context) error{
		r.clone, r.checkGrammars, r.build, r.writeNotices, r.writeCompletions, r.writeArchives, r.writePackages, r.writeImages, r.writeWheels, r.writeNPM, r.writeExtensions, r.writeSBOM, r.writeRecipes,
		r.writeProvenance, r.writeSums,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("%s: pactkit %s of %s\n", r.out, r.version.semver, r.revision)
	return nil
}

// clone clones the commit that is checked out, with its tags, to a separate folder, so uncommitted
// changes are not released.
func (r *release) clone(ctx context.Context) error {
	var err error
	if r.root, err = command(ctx, ".", "git", "rev-parse", "--show-toplevel"); err != nil {
		return err
	}
	if r.revision, err = command(ctx, r.root, "git", "rev-parse", "HEAD"); err != nil {
		return err
	}
	if _, err := command(ctx, r.root, "git", "clone", "-q", "--shared", "--no-checkout", r.root, r.source); err != nil {
		return err
	}
	if _, err := command(ctx, r.source, "git", "-c", "advice.detachedHead=false", "checkout", "-q", r.revision); err != nil {
		return err
	}
	seconds, err := command(ctx, r.source, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	r.time = time.Unix(n, 0).UTC()
	return err
}

// grammars lists the files that name the commit from which an editor builds the tree-sitter
// grammar.
var grammars = []string{"editors/zed/extension.toml", "editors/helix/languages.toml"}

// checkGrammars fails if the grammar in one of these commits differs from that of the release.
func (r *release) checkGrammars(ctx context.Context) error {
	for _, name := range grammars {
		data, err := os.ReadFile(filepath.Join(r.source, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		m := regexp.MustCompile(`rev = "([0-9a-f]{40})"`).FindSubmatch(data)
		if m == nil {
			return fmt.Errorf("%s names no commit: write rev = \"<40 digits>\" with the last one that changed editors/tree-sitter-pactsel/pactsel", name)
		}
		if _, err := command(ctx, r.source, "git", "diff", "--exit-code", "--stat", string(m[1]), r.revision, "--", "editors/tree-sitter-pactsel/pactsel"); err != nil {
			return fmt.Errorf("%s: the grammar in its commit differs from that of this release: %w", name, err)
		}
	}
	return nil
}

// command runs a program in a folder, and returns its output without trailing newlines.
func command(ctx context.Context, folder, name string, args ...string) (string, error) {
	return commandEnv(ctx, folder, nil, name, args...)
}

// commandEnv is command with additional environment variables.
func commandEnv(ctx context.Context, folder string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// write writes a file of the release.
func (r *release) write(name string, data []byte) error {
	fmt.Printf("%s  %.1f MB\n", name, float64(len(data))/1e6)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}
