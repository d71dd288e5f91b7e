package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// phrases lists licenses, each with text by which to identify it.
var phrases = []struct{ id, text string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"BSD-2-Clause", "provided that the following conditions are met"},
	{"BSD-3-Clause", "endorse or promote products derived from this software without specific prior written permission"},
	{"MIT-0", "MIT No Attribution"},
	{"MIT", "The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software"},
}

// identify returns the licenses in a text, as SPDX identifiers.
func identify(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var ids []string
	for _, p := range phrases {
		if strings.Contains(text, p.text) {
			ids = append(ids, p.id)
		}
	}
	if slices.Contains(ids, "BSD-3-Clause") { // which also contains the text for BSD-2-Clause
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "BSD-2-Clause" })
	}
	return ids
}

// page is the folder of the page of pactkit inspect.
var page = filepath.Join("cmd", "internal", "inspect", "page")

// npmPackage is a package in the page of pactkit inspect, which is embedded in the programs.
type npmPackage struct {
	name, version string
	licenses      []string // SPDX identifiers: first that of its manifest, then those of its files
}

// bundled returns the npm packages of the page, from its lock file.
func (r *release) bundled() ([]npmPackage, error) {
	data, err := os.ReadFile(filepath.Join(r.source, page, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, err
	}
	var packages []npmPackage
	for path, p := range lock.Packages {
		if name, ok := strings.CutPrefix(path, "node_modules/"); ok && !p.Dev {
			packages = append(packages, npmPackage{name, p.Version, []string{p.License}})
		}
	}
	slices.SortFunc(packages, func(a, b npmPackage) int { return strings.Compare(a.name, b.name) })
	return packages, nil
}

// writeNotices collects the licenses of Go itself, of the linked modules, of embedded data and of
// the npm packages in the page of pactkit inspect. Every package contains them.
func (r *release) writeNotices(ctx context.Context) error {
	var b strings.Builder
	b.WriteString("pactkit contains the following software, under the licenses that follow each name.\n")
	root, err := command(ctx, r.source, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	if _, err := addNotice(&b, "Go "+runtime.Version(), root); err != nil {
		return err
	}
	if err := r.addModules(ctx, &b); err != nil {
		return err
	}
	for _, data := range []struct{ name, folder string }{
		{"genai-prices", "internal/prices/genai-prices"}, {"gitleaks", "internal/redact/gitleaks"}, {"tiktoken-go", "tokens/vocabularies"},
	} {
		if _, err := addNotice(&b, data.name, filepath.Join(r.source, filepath.FromSlash(data.folder))); err != nil {
			return err
		}
	}
	if r.packages, err = r.bundled(); err != nil {
		return err
	}
	for i := range r.packages {
		p := &r.packages[i]
		folder := filepath.Join(r.root, page, "node_modules", filepath.FromSlash(p.name))
		ids, err := addNotice(&b, p.name+" "+p.version, folder)
		if err != nil {
			return err
		}
		if err := p.add(folder, ids); err != nil {
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

// addModules writes the licenses of the linked modules.
func (r *release) addModules(ctx context.Context, b *strings.Builder) error {
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
		if m.licenses, err = addNotice(b, m.path+" "+m.version, folder); err != nil {
			return err
		}
	}
	return nil
}

// add adds the licenses in the files of an installed package. The package must have the version and
// the license that the lock file names.
func (p *npmPackage) add(folder string, ids []string) error {
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return err
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return err
	}
	if manifest.Version != p.version {
		return fmt.Errorf("%s %s is installed, but the lock file of the page has %s: run npm ci in cmd/internal/inspect/page", p.name, manifest.Version, p.version)
	}
	if !slices.Contains(ids, p.licenses[0]) {
		return fmt.Errorf("%s: its license is %s, but its files have %s", p.name, p.licenses[0], ids)
	}
	p.licenses = append(p.licenses, slices.DeleteFunc(ids, func(id string) bool { return id == p.licenses[0] })...)
	return nil
}

// addNotice writes the licenses in a folder of software, and returns their identifiers.
func addNotice(b *strings.Builder, name, folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, file := range files {
		base := strings.ToUpper(filepath.Base(file))
		license := strings.HasPrefix(base, "LICEN") || strings.HasPrefix(base, "COPYING")
		if !license && !strings.HasPrefix(base, "NOTICE") || filepath.Ext(base) == ".GO" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), name, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		ids = append(ids, identify(string(text))...)
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s: no license in %s", name, folder)
	}
	return slices.Compact(ids), nil
}
