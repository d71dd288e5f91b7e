package main

import (
	"context"
	"os"
	"path/filepath"
)

// wheelPlatforms and npmPlatforms map platforms to their names in python/tools/wheels.py and
// npm/tools/pack.mjs.
var (
	wheelPlatforms = map[string]string{
		"linux_amd64": "linux-x86_64", "linux_arm64": "linux-aarch64", "darwin_amd64": "macos-x86_64",
		"darwin_arm64": "macos-arm64", "windows_amd64": "windows-x86_64", "windows_arm64": "windows-arm64",
	}
	npmPlatforms = map[string]string{
		"linux_amd64": "linux-x64", "linux_arm64": "linux-arm64", "darwin_amd64": "darwin-x64",
		"darwin_arm64": "darwin-arm64", "windows_amd64": "win32-x64", "windows_arm64": "win32-arm64",
	}
)

// writeWheels writes a wheel of the Python package for each platform, and one without programs for
// all others.
func (r *release) writeWheels(ctx context.Context) error {
	args := []string{"tools/wheels.py", "--programs", r.programs, "--version", r.version.python, "--platform", "any"}
	for _, p := range r.platforms {
		args = append(args, "--platform", wheelPlatforms[p.String()])
	}
	_, err := command(ctx, filepath.Join(r.source, "python"), "python3", append(args, r.out)...)
	return err
}

// writeNPM writes the npm packages.
func (r *release) writeNPM(ctx context.Context) error {
	// The clone lacks the modules that npm installed. npm/package-lock.json pins them.
	if err := os.Symlink(filepath.Join(r.root, "npm", "node_modules"), filepath.Join(r.source, "npm", "node_modules")); err != nil {
		return err
	}
	args := []string{"npm/tools/pack.mjs", "--programs", r.programs, "--version", r.version.semver}
	for _, p := range r.platforms {
		args = append(args, "--platform", npmPlatforms[p.String()])
	}
	_, err := command(ctx, r.source, "node", append(args, r.out)...)
	return err
}
