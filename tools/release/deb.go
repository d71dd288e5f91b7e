package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const description = `query what language models were sent
 pactkit reads the logs of agents (OpenAI, Anthropic, Gemini, Claude Code, Codex,
 Inspect AI, OpenTelemetry) as histories, a snapshot for each model call, and
 answers selectors over them: what a model saw, what was removed since, and why.
 It comes with pactfmt, a formatter, and pact-lsp, a language server.
`

// writeDebs writes a Debian package for each Linux platform, in format 2.0 of deb(5).
func (r *release) writeDebs(context.Context) error {
	shared, err := r.debianFiles()
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
		files := shared[:len(shared):len(shared)]
		for _, f := range programs {
			f.name = "./usr/bin/" + f.name
			files = append(files, f)
		}
		data, err := deb(r.version.debian, p.machine, files, r.time)
		if err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("pactkit_%s_%s.deb", r.version.semver, p.machine), data); err != nil {
			return err
		}
	}
	return nil
}

// debianFiles returns the files that the packages of all architectures share.
func (r *release) debianFiles() ([]file, error) {
	manuals, err := r.manuals()
	if err != nil {
		return nil, err
	}
	var files []file
	add := func(name string, data []byte) { files = append(files, file{name: name, mode: 0o644, data: data}) }
	addCompressed := func(name string, data []byte) error {
		data, err := compressed(data)
		add(name+".gz", data)
		return err
	}
	for _, f := range manuals {
		if err := addCompressed("./usr/share/man/man1/"+f.name, f.data); err != nil {
			return nil, err
		}
	}
	for _, f := range r.completions {
		switch f.name {
		case "pactkit.bash":
			add("./usr/share/bash-completion/completions/pactkit", f.data)
		case "pactkit.fish":
			add("./usr/share/fish/vendor_completions.d/pactkit.fish", f.data)
		case "_pactkit":
			add("./usr/share/zsh/vendor-completions/_pactkit", f.data)
		}
	}
	changes, err := os.ReadFile(filepath.Join(r.source, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	if err := addCompressed("./usr/share/doc/pactkit/CHANGELOG.md", changes); err != nil {
		return nil, err
	}
	log := fmt.Sprintf("pactkit (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n", r.version.debian, maintainer, r.time.Format(time.RFC1123Z))
	if err := addCompressed("./usr/share/doc/pactkit/changelog", []byte(log)); err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	add("./usr/share/doc/pactkit/copyright", []byte("pactkit, https://github.com/pactkit/pactkit\n\n"+string(license)+"\n"+string(r.notices)))
	return files, nil
}

const maintainer = "The pactkit authors <pactkit@users.noreply.github.com>"

// deb returns a Debian package.
func deb(version, machine string, files []file, at time.Time) ([]byte, error) {
	data, err := gzipped(files, at)
	if err != nil {
		return nil, err
	}
	var size int
	var sums strings.Builder
	for _, f := range sorted(files) {
		size += (len(f.data) + 1023) / 1024
		if f.link == "" && !strings.HasSuffix(f.name, "/") {
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), strings.TrimPrefix(f.name, "./"))
		}
	}
	control := fmt.Sprintf("Package: pactkit\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\nSection: devel\nPriority: optional\nHomepage: https://github.com/pactkit/pactkit\nDescription: %s",
		version, machine, maintainer, size, description)
	info, err := gzipped([]file{{name: "./control", mode: 0o644, data: []byte(control)}, {name: "./md5sums", mode: 0o644, data: []byte(sums.String())}}, at)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, member := range []file{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: info}, {name: "data.tar.gz", data: data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", member.name, at.Unix(), 0, 0, "100644", len(member.data))
		b.Write(member.data)
		if len(member.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}
