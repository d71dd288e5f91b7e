package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writeExtensions writes the extension of VS Code for each platform, with the programs in it.
func (r *release) writeExtensions(ctx context.Context) error {
	folder := filepath.Join(r.source, "editors", "vscode")
	// The clone lacks the modules that npm installed. package-lock.json pins them.
	if err := os.Symlink(filepath.Join(r.root, "editors", "vscode", "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		return err
	}
	if _, err := command(ctx, folder, "npm", "run", "--silent", "build"); err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "LICENSE.txt"), license, 0o644), os.WriteFile(filepath.Join(folder, "THIRD_PARTY_LICENSES.txt"), r.notices, 0o644)); err != nil {
		return err
	}
	for _, p := range r.platforms {
		if err := r.writeExtension(ctx, folder, p); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) writeExtension(ctx context.Context, folder string, p platform) error {
	programs := filepath.Join(folder, "bin")
	if err := errors.Join(os.RemoveAll(programs), os.Mkdir(programs, 0o755)); err != nil {
		return err
	}
	files, err := r.programFiles(p)
	if err != nil {
		return err
	}
	for _, f := range files[:2] { // the extension does not need pactfmt
		if err := os.WriteFile(filepath.Join(programs, f.name), f.data, 0o755); err != nil {
			return err
		}
	}
	target := npmPlatforms[p.String()] // vsce has the same names
	args := []string{
		"node_modules/.bin/vsce", "package", r.version.number, "--no-dependencies", "--no-git-tag-version", "--no-update-package-json",
		"--target", target, "--out", filepath.Join(r.out, fmt.Sprintf("pactkit-vscode-%s-%s.vsix", r.version.semver, target)),
	}
	if r.version.suffix != "" {
		args = append(args, "--pre-release")
	}
	_, err = commandEnv(ctx, folder, []string{fmt.Sprint("SOURCE_DATE_EPOCH=", r.time.Unix())}, "node", args...)
	return err
}
