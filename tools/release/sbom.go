package main

import (
	"bytes"
	"context"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes an SBOM in the format of CycloneDX: the Go modules linked into the programs, and
// the npm packages in the page of pactkit inspect.
func (r *release) writeSBOM(context.Context) error {
	root := cdx.Component{
		BOMRef: "pkg:golang/github.com/pactkit/pactkit@" + r.version.golang, Type: cdx.ComponentTypeApplication, Name: "pactkit", Version: r.version.semver,
		Licenses: licenses("Apache-2.0"), PackageURL: "pkg:golang/github.com/pactkit/pactkit@" + r.version.golang,
	}
	var parts []cdx.Component
	for _, m := range r.modules {
		url := "pkg:golang/" + m.path + "@" + m.version
		parts = append(parts, cdx.Component{
			BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.path, Version: m.version, PackageURL: url,
			Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: m.sum}}, Licenses: licenses(m.licenses...),
		})
	}
	for _, p := range r.packages {
		url := "pkg:npm/" + strings.Replace(p.name, "@", "%40", 1) + "@" + p.version
		parts = append(parts, cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: p.name, Version: p.version, PackageURL: url, Licenses: licenses(p.licenses...)})
	}
	refs := make([]string, len(parts))
	for i := range parts {
		refs[i] = parts[i].BOMRef
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &root}
	bom.Components = &parts
	bom.Dependencies = &[]cdx.Dependency{{Ref: root.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return r.write("pactkit_"+r.version.semver+".cdx.json", b.Bytes())
}

func licenses(ids ...string) *cdx.Licenses {
	var list cdx.Licenses
	for _, id := range ids {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &list
}
