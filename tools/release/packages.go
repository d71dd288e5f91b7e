package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // registers the format
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

const description = `query what language models were sent
pactkit reads the logs of agents (OpenAI, Anthropic, Gemini, Claude Code, Codex,
Inspect AI, OpenTelemetry) as histories, a snapshot for each model call, and
answers selectors over them: what a model saw, what was removed since, and why.
It comes with pactfmt, a formatter, and pact-lsp, a language server.`

const maintainer = "The pactkit authors <pactkit@users.noreply.github.com>"

// formats lists the package formats of Linux distributions, and the folder where the distributions
// keep completions of zsh.
var formats = []struct{ name, zsh string }{
	{"deb", "/usr/share/zsh/vendor-completions"}, {"rpm", "/usr/share/zsh/site-functions"}, {"apk", "/usr/share/zsh/site-functions"},
}

// writePackages writes packages for the distributions of Linux.
func (r *release) writePackages(context.Context) error {
	shared, err := r.packageFiles()
	if err != nil {
		return err
	}
	for _, p := range r.platforms {
		if p.system != "linux" {
			continue
		}
		programs, err := r.programFiles(p)
		if err != nil {
			return err
		}
		list := shared[:len(shared):len(shared)]
		for _, f := range programs {
			f.name = "/usr/bin/" + f.name
			list = append(list, f)
		}
		for _, format := range formats {
			content := list[:len(list):len(list)]
			for _, f := range r.completions {
				if f.name == "_pactkit" {
					f.name = path.Join(format.zsh, f.name)
					content = append(content, f)
				}
			}
			data, err := r.pack(format.name, p.machine, content)
			if err != nil {
				return fmt.Errorf("%s for %s: %w", format.name, p, err)
			}
			if err := r.write(fmt.Sprintf("pactkit_%s_%s.%s", r.version.semver, p.machine, format.name), data); err != nil {
				return err
			}
		}
	}
	return nil
}

// packageFiles returns the files that the packages of all formats and architectures share.
func (r *release) packageFiles() ([]file, error) {
	manuals, err := r.manuals()
	if err != nil {
		return nil, err
	}
	var list []file
	for _, f := range manuals {
		if f.data, err = compressed(f.data); err != nil {
			return nil, err
		}
		f.name = "/usr/share/man/man1/" + f.name + ".gz"
		list = append(list, f)
	}
	for _, f := range r.completions {
		switch f.name {
		case "pactkit.bash":
			f.name = "/usr/share/bash-completion/completions/pactkit"
		case "pactkit.fish":
			f.name = "/usr/share/fish/vendor_completions.d/pactkit.fish"
		default:
			continue
		}
		list = append(list, f)
	}
	changes, err := os.ReadFile(filepath.Join(r.source, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	if changes, err = compressed(changes); err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	copyright := "pactkit, https://github.com/pactkit/pactkit\n\n" + string(license) + "\n" + string(r.notices)
	return append(list,
		file{name: "/usr/share/doc/pactkit/CHANGELOG.md.gz", mode: 0o644, data: changes},
		file{name: "/usr/share/doc/pactkit/copyright", mode: 0o644, data: []byte(copyright)}), nil
}

// pack returns a package. nFPM reads its content from files.
func (r *release) pack(format, machine string, list []file) ([]byte, error) {
	folder, err := os.MkdirTemp("", "pactkit-package-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var content files.Contents
	for i, f := range list {
		c := &files.Content{Destination: f.name, FileInfo: &files.ContentFileInfo{Mode: os.FileMode(f.mode), MTime: r.time, Owner: "root", Group: "root"}}
		if f.link != "" {
			c.Source, c.Type = f.link, files.TypeSymlink
		} else {
			c.Source = filepath.Join(folder, fmt.Sprint(i))
			if err := os.WriteFile(c.Source, f.data, 0o600); err != nil {
				return nil, err
			}
		}
		content = append(content, c)
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "pactkit", Arch: machine, Platform: "linux", Version: r.version.number, VersionSchema: "none", Prerelease: r.version.suffix,
		Section: "devel", Priority: "optional", Maintainer: maintainer, Description: description, Homepage: "https://github.com/pactkit/pactkit",
		License: "Apache-2.0", MTime: r.time, DisableGlobbing: true, Overridables: nfpm.Overridables{Contents: content, RPM: nfpm.RPM{BuildHost: "pactkit"}},
	})
	if format == "apk" {
		info.Prerelease = r.version.alpine
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return nil, err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = packager.Package(info, &b)
	return b.Bytes(), err
}
