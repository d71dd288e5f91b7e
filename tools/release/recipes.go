package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// writeRecipes fills the templates in packaging with the version and the checksums of the archives.
// Package managers install the archives with the files made from them. It writes none unless the
// release has archives for all platforms.
func (r *release) writeRecipes(context.Context) error {
	sums := map[string]string{}
	for _, p := range r.platforms {
		data, err := os.ReadFile(filepath.Join(r.out, r.archiveName(p)))
		if err != nil {
			return err
		}
		sums[p.String()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	for name := range strings.SplitSeq(allPlatforms, ",") {
		if sums[strings.ReplaceAll(name, "/", "_")] == "" {
			fmt.Printf("skipping recipes: they need an archive for %s\n", name)
			return nil
		}
	}
	const extension = ".tmpl"
	templates, err := filepath.Glob(filepath.Join(r.source, "packaging", "*"+extension))
	if err != nil {
		return err
	}
	for _, from := range templates {
		t, err := template.New(filepath.Base(from)).Option("missingkey=error").ParseFiles(from)
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
		if err := r.write(strings.TrimSuffix(filepath.Base(from), extension), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// archVersion returns the version as PKGBUILD allows it: without hyphens.
func archVersion(v version) string {
	return strings.ReplaceAll(v.semver, "-", "_")
}
