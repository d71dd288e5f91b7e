package main

import (
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// module is a module that is linked into the programs.
type module struct {
	path, version string
	sum           string   // SHA-256 of its files in hexadecimal, as go.sum has it in base64
	licences      []string // SPDX identifiers
}

// build makes the programs for all platforms, and learns the version and the modules from what Go recorded in them.
func (r *release) build(ctx context.Context) error {
	modules := map[string]module{}
	for _, p := range r.platforms {
		if err := r.compile(ctx, p); err != nil {
			return err
		}
		for _, program := range []string{"pactkit", "pact-lsp"} {
			info, err := buildinfo.ReadFile(filepath.Join(r.programs, p.String(), program+p.suffix()))
			if err != nil {
				return err
			}
			if r.version, err = parseVersion(info.Main.Version); err != nil {
				return err
			}
			for _, dep := range info.Deps {
				if dep.Replace != nil {
					return fmt.Errorf("%s is replaced: a release links published modules", dep.Path)
				}
				sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(dep.Sum, "h1:"))
				if err != nil {
					return err
				}
				modules[dep.Path] = module{path: dep.Path, version: dep.Version, sum: hex.EncodeToString(sum)}
			}
		}
	}
	for _, m := range modules {
		r.modules = append(r.modules, m)
	}
	slices.SortFunc(r.modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return nil
}

// phrases are words of licences that no other has.
var phrases = []struct{ id, text string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"BSD-2-Clause", "provided that the following conditions are met"},
	{"BSD-3-Clause", "endorse or promote products derived from this software without specific prior written permission"},
	{"MIT", "The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software"},
}

// compile builds the programs for a platform.
func (r *release) compile(ctx context.Context, p platform) error {
	folder := filepath.Join(r.programs, p.String())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	fmt.Println("build", p)
	// GOFLAGS is empty, so no -mod or -tags of this machine changes the programs.
	env := []string{"CGO_ENABLED=0", "GOFLAGS=", "GOOS=" + p.system, "GOARCH=" + p.machine, "GOAMD64=v1", "GOARM64=v8.0"}
	flags := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", folder + string(filepath.Separator)}
	_, err := commandEnv(ctx, r.source, env, "go", append(flags, "./cmd/pactkit", "./cmd/pact-lsp")...)
	return err
}

// identify returns the licences that a text holds, as SPDX names them.
func identify(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var ids []string
	for _, p := range phrases {
		if strings.Contains(text, p.text) {
			ids = append(ids, p.id)
		}
	}
	if slices.Contains(ids, "BSD-3-Clause") { // which has all words of the other
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "BSD-2-Clause" })
	}
	return ids
}

// suffix ends the names of programs.
func (p platform) suffix() string {
	if p.system == "windows" {
		return ".exe"
	}
	return ""
}

// writeNotices reads the licences of the linked modules and of Go itself, and puts them beside the programs, for all packages to carry.
func (r *release) writeNotices(ctx context.Context) error {
	var b strings.Builder
	b.WriteString("pactkit contains the following software, under the licences that follow each name.\n")
	add := func(name, folder string) ([]string, error) {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, file := range files {
			base := strings.ToUpper(filepath.Base(file))
			licence := strings.HasPrefix(base, "LICEN") || strings.HasPrefix(base, "COPYING")
			if !licence && !strings.HasPrefix(base, "NOTICE") || filepath.Ext(base) == ".GO" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), name, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
			ids = append(ids, identify(string(text))...)
		}
		slices.Sort(ids)
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s: no licence in %s", name, folder)
		}
		return slices.Compact(ids), nil
	}
	root, err := command(ctx, r.source, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	if _, err := add("Go "+runtime.Version(), root); err != nil {
		return err
	}
	list := []string{"list", "-m", "-f", "{{.Dir}}"}
	for _, m := range r.modules {
		list = append(list, m.path)
	}
	folders, err := command(ctx, r.source, "go", list...)
	if err != nil {
		return err
	}
	for i, folder := range strings.Split(folders, "\n") {
		m := &r.modules[i]
		if m.licences, err = add(m.path+" "+m.version, folder); err != nil {
			return err
		}
	}
	r.notices = []byte(b.String())
	var failed error
	for _, p := range r.platforms {
		failed = errors.Join(failed, os.WriteFile(filepath.Join(r.programs, p.String(), "THIRD_PARTY_LICENSES"), r.notices, 0o644))
	}
	return failed
}
