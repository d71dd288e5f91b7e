package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// recipes maps the templates in packaging/, for package managers that install the archives, to the
// files made from them.
var recipes = map[string]string{"pactkit.rb.tmpl": "pactkit.rb", "pactkit.nix.tmpl": "pactkit.nix", "PKGBUILD.tmpl": "PKGBUILD"}

// writeRecipes fills the recipes with the version and the checksums of the archives. It writes
// none unless the Linux and macOS archives are all part of the release.
func (r *release) writeRecipes(context.Context) error {
	sums := map[string]string{}
	for _, p := range r.platforms {
		data, err := os.ReadFile(filepath.Join(r.out, r.archiveName(p)))
		if err != nil {
			return err
		}
		sums[p.String()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	for _, p := range []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}} {
		if !slices.Contains(r.platforms, p) {
			fmt.Printf("skipping recipes: they need an archive for %s\n", p)
			return nil
		}
	}
	for from, to := range recipes {
		t, err := template.New(from).Option("missingkey=error").ParseFiles(filepath.Join(r.source, "packaging", from))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		err = t.Execute(&b, map[string]any{
			"Version": r.version.semver, "Sums": sums,
			"URL":  "https://github.com/pactkit/pactkit/releases/download/v" + r.version.semver,
			"Arch": archVersion(r.version),
		})
		if err != nil {
			return err
		}
		if err := r.write(to, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// archVersion returns the version as PKGBUILD allows it: without hyphens.
func archVersion(v version) string {
	return strings.ReplaceAll(v.semver, "-", "_")
}
