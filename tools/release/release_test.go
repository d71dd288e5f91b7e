package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	rpmutils "github.com/sassoftware/go-rpmutils"
	"go.yaml.in/yaml/v3"
)

func TestParseVersion(t *testing.T) {
	for recorded, want := range map[string]version{
		"v1.2.3":        {"v1.2.3", "1.2.3", "1.2.3", "1.2.3", "", ""},
		"v1.2.3-rc.1":   {"v1.2.3-rc.1", "1.2.3-rc.1", "1.2.3rc1", "1.2.3", "rc.1", "rc1"},
		"v1.2.3-beta.2": {"v1.2.3-beta.2", "1.2.3-beta.2", "1.2.3b2", "1.2.3", "beta.2", "beta2"},
		"v0.0.0-20261123022913-02bb4ddb75de": {
			"v0.0.0-20261123022913-02bb4ddb75de", "0.0.0-20261123022913-02bb4ddb75de", "0.0.0.dev20261123022913", "0.0.0", "20261123022913.02bb4ddb75de", "pre20261123022913",
		},
		"v1.2.4-0.20261123022913-02bb4ddb75de": {
			"v1.2.4-0.20261123022913-02bb4ddb75de", "1.2.4-0.20261123022913-02bb4ddb75de", "1.2.4.dev20261123022913", "1.2.4", "0.20261123022913.02bb4ddb75de", "pre20261123022913",
		},
	} {
		if got, err := parseVersion(recorded); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", recorded, got, err)
		}
	}
	for _, recorded := range []string{"", "(devel)", "v1.2", "1.2.3", "v1.2.3+dirty", "v1.2.3-nightly", "v1.2.3-rc.1+dirty"} {
		if got, err := parseVersion(recorded); err == nil {
			t.Errorf("%q is read as %+v", recorded, got)
		}
	}
}

func TestIdentify(t *testing.T) {
	own, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		string(own): {"Apache-2.0"},
		"The above copyright notice and this\n  permission notice shall be included in all copies or substantial portions of the Software.":                    {"MIT"},
		"provided that the following conditions are met: … endorse or promote products derived from\nthis software without specific prior written permission.": {"BSD-3-Clause"},
		"All rights reserved.": nil,
	} {
		if got := identify(text); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v for %.40q", got, want, text)
		}
	}
}

var at = time.Unix(1795400219, 0).UTC()

// programFolder returns a release whose programs are text files, for tests.
func programFolder(t *testing.T, platforms ...platform) *release {
	t.Helper()
	r := &release{source: filepath.Join("..", ".."), programs: t.TempDir(), out: t.TempDir(), platforms: platforms, version: version{semver: "1.2.3", number: "1.2.3"}, time: at}
	for _, p := range platforms {
		folder := filepath.Join(r.programs, p.String())
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"pactkit", "pact-lsp"} {
			if err := os.WriteFile(filepath.Join(folder, name+p.suffix()), []byte(name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

func isInstalled(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// TestPackages reads packages, that of Debian with its own tool if the system has it.
func TestPackages(t *testing.T) {
	build := func() *release {
		r := programFolder(t, platform{"linux", "arm64"})
		r.version = version{semver: "1.2.3-rc.1", number: "1.2.3", suffix: "rc.1", alpine: "rc1"}
		r.completions = []file{{name: "_pactkit", mode: 0o644, data: []byte("x")}}
		if err := r.writePackages(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := build()
	names, sums, err := r.digests()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pactkit_1.2.3-rc.1_arm64.apk", "pactkit_1.2.3-rc.1_arm64.deb", "pactkit_1.2.3-rc.1_arm64.rpm"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if _, again, err := build().digests(); err != nil || !maps.Equal(sums, again) {
		t.Errorf("the same files give different bytes: %v", err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Errorf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	contains := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	if deb := filepath.Join(r.out, want[1]); isInstalled("dpkg-deb") {
		contains(run("dpkg-deb", "--info", deb), "Version: 1.2.3~rc.1\n", "Architecture: arm64\n", "Description: query what language models were sent\n", "pactkit reads")
		contains(run("dpkg-deb", "--contents", deb), "./usr/bin/pactfmt -> pactkit", "-rwxr-xr-x root/root ", "./usr/share/zsh/vendor-completions/_pactkit", "./usr/share/man/man1/pactkit-log.1.gz")
	}
	apk := filepath.Join(r.out, want[0])
	contains(run("tar", "-xOzf", apk, "--ignore-zeros", ".PKGINFO"), "pkgver = 1.2.3_rc1\n", "arch = aarch64\n", "license = Apache-2.0\n")
	contains(run("tar", "-tzf", apk, "--ignore-zeros"), "usr/bin/pactfmt\n", "usr/share/zsh/site-functions/_pactkit\n")
	data, err := os.ReadFile(filepath.Join(r.out, want[2]))
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := rpmutils.ReadRpm(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	nevra, err := pkg.Header.GetNEVRA()
	if err != nil || nevra.String() != "pactkit-0:1.2.3~rc.1-1.aarch64.rpm" {
		t.Errorf("%v, %v", nevra, err)
	}
}

// TestImage reads an image back and checks its digests.
func TestImage(t *testing.T) {
	r := programFolder(t, platform{"linux", "arm64"})
	if err := r.writeImages(t.Context()); err != nil {
		t.Fatal(err)
	}
	img, err := tarball.ImageFromPath(filepath.Join(r.out, "pactkit_1.2.3_linux_arm64.docker.tar"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(img); err != nil {
		t.Error(err)
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != "arm64" || !config.Created.Equal(at) || !slices.Equal(config.Config.Entrypoint, []string{"/usr/bin/pactkit"}) {
		t.Errorf("%+v", *config)
	}
}

// TestArchives lists archives with tar and unzip.
func TestArchives(t *testing.T) {
	r := programFolder(t, platform{"darwin", "arm64"}, platform{"windows", "amd64"})
	r.completions = []file{{name: "_pactkit", mode: 0o644, data: []byte("x")}}
	if err := r.writeArchives(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("tar", "-tzf", filepath.Join(r.out, "pactkit_1.2.3_darwin_arm64.tar.gz")).CombinedOutput()
	for _, want := range []string{"pactkit-1.2.3/\n", "pactkit-1.2.3/pactkit\n", "pactkit-1.2.3/pactfmt\n", "pactkit-1.2.3/pact-lsp\n", "pactkit-1.2.3/man/pactkit-log.1\n", "pactkit-1.2.3/completions/_pactkit\n", "pactkit-1.2.3/THIRD_PARTY_LICENSES\n"} {
		if err != nil || !bytes.Contains(got, []byte(want)) {
			t.Errorf("no %q, %v in\n%s", want, err, got)
		}
	}
	got, err = exec.Command("python3", "-m", "zipfile", "--list", filepath.Join(r.out, "pactkit_1.2.3_windows_amd64.zip")).CombinedOutput()
	for _, want := range []string{"pactkit-1.2.3/pactkit.exe", "pactkit-1.2.3/pactfmt.exe", "pactkit-1.2.3/pact-lsp.exe"} {
		if err != nil || !bytes.Contains(got, []byte(want)) {
			t.Errorf("no %q, %v in\n%s", want, err, got)
		}
	}
}

// TestRecipes fills the recipes, and compares their checksums with the archives.
func TestRecipes(t *testing.T) {
	var all []platform
	for name := range strings.SplitSeq(allPlatforms, ",") {
		system, machine, _ := strings.Cut(name, "/")
		all = append(all, platform{system, machine})
	}
	r := programFolder(t, all...)
	if err := r.writeArchives(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.writeRecipes(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, sums, err := r.digests()
	if err != nil {
		t.Fatal(err)
	}
	for recipe, archives := range map[string][]string{
		"pactkit.rb":                     {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"},
		"pactkit.cask.rb":                {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz"},
		"pactkit.nix":                    {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"},
		"PKGBUILD":                       {"linux_amd64.tar.gz", "linux_arm64.tar.gz"},
		"pactkit.scoop.json":             {"windows_amd64.zip", "windows_arm64.zip"},
		"pactkit.pactkit.installer.yaml": {"windows_amd64.zip", "windows_arm64.zip"},
	} {
		text, err := os.ReadFile(filepath.Join(r.out, recipe))
		if err != nil {
			t.Fatal(err)
		}
		for _, archive := range archives {
			if sum := sums["pactkit_1.2.3_"+archive]; sum == "" || !bytes.Contains(text, []byte(sum)) {
				t.Errorf("%s lacks the checksum of %s, %q", recipe, archive, sum)
			}
		}
	}
	var scoop any
	if text, err := os.ReadFile(filepath.Join(r.out, "pactkit.scoop.json")); err != nil || json.Unmarshal(text, &scoop) != nil {
		t.Errorf("pactkit.scoop.json is not JSON: %v\n%s", err, text)
	}
	for _, name := range []string{"pactkit.aqua.yaml", "pactkit.pactkit.yaml", "pactkit.pactkit.installer.yaml", "pactkit.pactkit.locale.en-US.yaml"} {
		var v any
		if text, err := os.ReadFile(filepath.Join(r.out, name)); err != nil || yaml.Unmarshal(text, &v) != nil {
			t.Errorf("%s is not YAML: %v\n%s", name, err, text)
		}
	}
	if out, err := exec.Command("bash", "-n", filepath.Join(r.out, "PKGBUILD")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFetch installs the programs of a release into an empty folder, as the action does.
func TestFetch(t *testing.T) {
	r := programFolder(t, platform{runtime.GOOS, runtime.GOARCH})
	releases := t.TempDir()
	r.out = filepath.Join(releases, "v1.2.3")
	if err := os.Mkdir(r.out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.writeArchives(t.Context()), r.writeSums(t.Context())); err != nil {
		t.Fatal(err)
	}
	fetch := func(version string, wantCode int) string {
		t.Helper()
		folder := filepath.Join(t.TempDir(), "bin")
		cmd := exec.Command(filepath.Join("..", "..", "packaging", "fetch"), version, folder)
		cmd.Env = append(os.Environ(), "PACTKIT_RELEASES=file://"+releases)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != wantCode {
			t.Errorf("%s: exit code %d, want %d\n%s", version, code, wantCode, out)
		}
		return folder
	}
	for _, version := range []string{"v1.2.3", "1.2.3"} {
		folder := fetch(version, 0)
		for name, want := range map[string]string{"pactkit": "pactkit", "pactfmt": "pactkit", "pact-lsp": "pact-lsp"} {
			if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	const noRelease = 3
	for _, version := range []string{"v1.2.4", "main", "", "v1.2.3/../v1.2.3"} {
		fetch(version, noRelease)
	}
	archive := filepath.Join(r.out, r.archiveName(r.platforms[0]))
	if err := os.WriteFile(archive, []byte("another archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(fetch("v1.2.3", 1), "pactkit")); err == nil {
		t.Error("an archive with a wrong checksum was installed")
	}
}

// TestNotices finds a license for each module that the programs link, and the packages of the page.
func TestNotices(t *testing.T) {
	r := &release{source: filepath.Join("..", "..")}
	paths, err := command(t.Context(), r.source, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Compact(slices.Sorted(strings.SplitSeq(paths, "\n"))) {
		if path != "" {
			r.modules = append(r.modules, module{path: path})
		}
	}
	if err := r.addModules(t.Context(), &strings.Builder{}); err != nil {
		t.Error(err)
	}
	if list, err := r.bundled(); err != nil || len(list) == 0 {
		t.Errorf("%d packages, %v", len(list), err)
	}
}

// TestGrammars checks that the commits from which editors build the grammar contain the same
// grammar as this commit.
func TestGrammars(t *testing.T) {
	root := filepath.Join("..", "..")
	r := &release{source: root, revision: "HEAD"}
	if err := r.checkGrammars(t.Context()); err != nil {
		t.Error(err)
	}
}
