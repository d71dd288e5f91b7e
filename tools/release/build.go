package main

import (
	"context"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// module is a module that is linked into the programs.
type module struct {
	path, version string
	sum           string   // SHA-256 of its files in hexadecimal; go.sum stores it in base64
	licenses      []string // SPDX identifiers
}

// build compiles the programs for all platforms. It takes the version and the modules from the
// build information in them.
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
					return fmt.Errorf("%s is replaced: a release must link published modules", dep.Path)
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

// compile builds the programs for a platform.
func (r *release) compile(ctx context.Context, p platform) error {
	folder := filepath.Join(r.programs, p.String())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	fmt.Println("build", p)
	// GOFLAGS is empty, so the -mod and -tags of this machine do not affect the programs.
	env := []string{"CGO_ENABLED=0", "GOFLAGS=", "GOOS=" + p.system, "GOARCH=" + p.machine, "GOAMD64=v1", "GOARM64=v8.0"}
	flags := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", folder + string(filepath.Separator)}
	_, err := commandEnv(ctx, r.source, env, "go", append(flags, "./cmd/pactkit", "./cmd/pact-lsp")...)
	return err
}

// suffix returns the file name extension of programs.
func (p platform) suffix() string {
	if p.system == "windows" {
		return ".exe"
	}
	return ""
}
