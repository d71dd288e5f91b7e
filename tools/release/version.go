package main

import (
	"fmt"
	"regexp"
	"strings"
)

// version is a version in the formats of several registries. The version of a commit without a tag
// is a pseudo-version of Go.
type version struct {
	golang string // v1.2.3-rc.1
	semver string // 1.2.3-rc.1
	python string // 1.2.3rc1, PEP 440
	number string // 1.2.3
	suffix string // rc.1, after a ~ in Debian and Fedora, where it sorts before 1.2.3
	alpine string // rc1, after a _ in Alpine
}

var (
	versionForm = regexp.MustCompile(`^v(\d+\.\d+\.\d+)(?:-([0-9A-Za-z.-]+))?$`)
	preRelease  = regexp.MustCompile(`^(a|alpha|b|beta|rc)\.?(\d+)$`)
	// pseudo matches the part after the hyphen in the pseudo-versions of commits after v1.2.3,
	// after v1.2.3-rc.1 and without a tag before them: v1.2.4-0.TIME-HASH, v1.2.3-rc.1.0.TIME-HASH
	// and v0.0.0-TIME-HASH.
	pseudo = regexp.MustCompile(`^(?:.*\.)?(\d{14})-[0-9a-f]{12}$`)
)

// parseVersion parses the version that Go recorded in a program.
func parseVersion(recorded string) (version, error) {
	m := versionForm.FindStringSubmatch(recorded)
	if m == nil {
		return version{}, fmt.Errorf("%q cannot be released: the tag must have the form v1.2.3 or v1.2.3-rc.1", recorded)
	}
	v := version{golang: recorded, semver: recorded[1:], python: m[1], number: m[1]}
	if m[2] == "" {
		return v, nil
	}
	v.suffix = strings.ReplaceAll(m[2], "-", ".")
	if p := pseudo.FindStringSubmatch(m[2]); p != nil {
		v.python += ".dev" + p[1]
		v.alpine = "pre" + p[1]
	} else if p := preRelease.FindStringSubmatch(m[2]); p != nil {
		v.python += map[string]string{"a": "a", "alpha": "a", "b": "b", "beta": "b", "rc": "rc"}[p[1]] + p[2]
		v.alpine = map[string]string{"a": "alpha", "alpha": "alpha", "b": "beta", "beta": "beta", "rc": "rc"}[p[1]] + p[2]
	} else {
		return version{}, fmt.Errorf("%q is not a valid version of a Python package: write -alpha.1, -beta.1 or -rc.1", recorded)
	}
	return v, nil
}
