package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func TestParseVersion(t *testing.T) {
	for recorded, want := range map[string]version{
		"v1.2.3":        {"v1.2.3", "1.2.3", "1.2.3", "1.2.3"},
		"v1.2.3-rc.1":   {"v1.2.3-rc.1", "1.2.3-rc.1", "1.2.3rc1", "1.2.3~rc.1"},
		"v1.2.3-beta.2": {"v1.2.3-beta.2", "1.2.3-beta.2", "1.2.3b2", "1.2.3~beta.2"},
		"v0.0.0-20261123022913-02bb4ddb75de": {
			"v0.0.0-20261123022913-02bb4ddb75de", "0.0.0-20261123022913-02bb4ddb75de", "0.0.0.dev20261123022913", "0.0.0~20261123022913.02bb4ddb75de",
		},
		"v1.2.4-0.20261123022913-02bb4ddb75de": {
			"v1.2.4-0.20261123022913-02bb4ddb75de", "1.2.4-0.20261123022913-02bb4ddb75de", "1.2.4.dev20261123022913", "1.2.4~0.20261123022913.02bb4ddb75de",
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
	r := &release{source: filepath.Join("..", ".."), programs: t.TempDir(), out: t.TempDir(), platforms: platforms, version: version{semver: "1.2.3", debian: "1.2.3"}, time: at}
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

// TestDeb reads a package with dpkg-deb.
func TestDeb(t *testing.T) {
	files := []file{{name: "./usr/bin/pactkit", mode: 0o755, data: []byte("x")}, {name: "./usr/bin/pactfmt", mode: 0o777, link: "pactkit"}}
	data, err := deb("1.2.3~rc.1", "arm64", files, at)
	if err != nil {
		t.Fatal(err)
	}
	again, err := deb("1.2.3~rc.1", "arm64", files, at)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same files give different bytes: %v", err)
	}
	path := filepath.Join(t.TempDir(), "pactkit.deb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"1.2.3~rc.1\n": {"--field", path, "Version"},
		"arm64\n":      {"--field", path, "Architecture"},
	} {
		if got, err := exec.Command("dpkg-deb", args...).CombinedOutput(); err != nil || string(got) != want {
			t.Errorf("dpkg-deb %q: %q, %v", args, got, err)
		}
	}
	got, err := exec.Command("dpkg-deb", "--contents", path).CombinedOutput()
	if err != nil || !bytes.Contains(got, []byte("./usr/bin/pactfmt -> pactkit")) || !bytes.Contains(got, []byte("-rwxr-xr-x root/root         1 ")) {
		t.Errorf("%v\n%s", err, got)
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
		"pactkit.rb":  {"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"},
		"pactkit.nix": {"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"},
		"PKGBUILD":    {"linux_amd64", "linux_arm64"},
	} {
		text, err := os.ReadFile(filepath.Join(r.out, recipe))
		if err != nil {
			t.Fatal(err)
		}
		for _, archive := range archives {
			if sum := sums["pactkit_1.2.3_"+archive+".tar.gz"]; sum == "" || !bytes.Contains(text, []byte(sum)) {
				t.Errorf("%s lacks the checksum of %s, %q", recipe, archive, sum)
			}
		}
	}
	if out, err := exec.Command("bash", "-n", filepath.Join(r.out, "PKGBUILD")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
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
