package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// digests returns the SHA-256 of each file of the release in hexadecimal, and the sorted file
// names.
func (r *release) digests() (names []string, sums map[string]string, err error) {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, nil, err
	}
	sums = map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return nil, nil, err
		}
		names = append(names, e.Name())
		sums[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return names, sums, nil
}

// writeProvenance writes an in-toto statement of SLSA provenance, which says from what and with
// which tools the files were built. It is not signed.
func (r *release) writeProvenance(ctx context.Context) error {
	type digest map[string]string
	type resource struct {
		Name   string `json:"name,omitempty"`
		URI    string `json:"uri,omitempty"`
		Digest digest `json:"digest"`
	}
	names, sums, err := r.digests()
	if err != nil {
		return err
	}
	var subjects []resource
	for _, name := range names {
		subjects = append(subjects, resource{Name: name, Digest: digest{"sha256": sums[name]}})
	}
	tools := map[string]string{"go": runtime.Version()}
	for _, tool := range [][]string{{"node", "--version"}, {"npm", "--version"}, {"python3", "--version"}} {
		if tools[tool[0]], err = command(ctx, r.source, tool[0], tool[1:]...); err != nil {
			return err
		}
	}
	const repository = "https://github.com/pactkit/pactkit"
	var platforms []string
	for _, p := range r.platforms {
		platforms = append(platforms, p.system+"/"+p.machine)
	}
	statement := map[string]any{
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       subjects,
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":            repository + "/tree/main/tools/release",
				"externalParameters":   map[string]any{"revision": r.revision, "version": r.version.golang, "platforms": platforms},
				"internalParameters":   map[string]any{"tools": tools},
				"resolvedDependencies": []resource{{URI: "git+" + repository + "@" + r.revision, Digest: digest{"gitCommit": r.revision}}},
			},
			"runDetails": map[string]any{"builder": map[string]string{"id": repository + "/tree/main/tools/release"}},
		},
	}
	data, err := json.MarshalIndent(statement, "", "  ")
	if err != nil {
		return err
	}
	return r.write("pactkit_"+r.version.semver+".intoto.json", append(data, '\n'))
}

// writeSums writes the checksums of all files written so far, in the format of sha256sum --check.
func (r *release) writeSums(context.Context) error {
	names, sums, err := r.digests()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return r.write("SHA256SUMS", []byte(b.String()))
}
