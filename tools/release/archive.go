package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// file is a file in an archive, or a symbolic link.
type file struct {
	name string // slash-separated
	mode int64
	data []byte
	link string // the target of a symbolic link, "" for a regular file
}

// shells lists the shells with completions, and the file name of the script in an archive.
var shells = []struct{ name, file string }{
	{"bash", "pactkit.bash"}, {"fish", "pactkit.fish"}, {"powershell", "pactkit.ps1"}, {"zsh", "_pactkit"},
}

// programFiles returns the programs for a platform.
func (r *release) programFiles(p platform) ([]file, error) {
	var files []file
	for _, name := range []string{"pactkit", "pact-lsp"} {
		name += p.suffix()
		data, err := os.ReadFile(filepath.Join(r.programs, p.String(), name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, mode: 0o755, data: data})
	}
	// pactfmt is pactkit under another name. On Windows not every user may create links.
	if p.system == "windows" {
		return append(files, file{name: "pactfmt.exe", mode: 0o755, data: files[0].data}), nil
	}
	return append(files, file{name: "pactfmt", mode: 0o777, link: "pactkit"}), nil
}

// manuals returns the manual pages.
func (r *release) manuals() ([]file, error) {
	paths, err := filepath.Glob(filepath.Join(r.source, "docs", "man", "*.1"))
	if err != nil {
		return nil, err
	}
	var files []file
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: filepath.Base(p), mode: 0o644, data: data})
	}
	return files, nil
}

// writeCompletions generates the completion scripts by running pactkit on this machine.
func (r *release) writeCompletions(ctx context.Context) error {
	here := platform{runtime.GOOS, runtime.GOARCH}
	program := filepath.Join(r.programs, here.String(), "pactkit"+here.suffix())
	if !slices.Contains(r.platforms, here) {
		if err := r.compile(ctx, here); err != nil {
			return err
		}
	}
	for _, shell := range shells {
		script, err := command(ctx, r.source, program, "completion", shell.name)
		if err != nil {
			return err
		}
		r.completions = append(r.completions, file{name: shell.file, mode: 0o644, data: []byte(script + "\n")})
	}
	return nil
}

// writeArchives writes a .tar.gz for each platform, or a .zip for Windows.
func (r *release) writeArchives(context.Context) error {
	manuals, err := r.manuals()
	if err != nil {
		return err
	}
	shared := []file{{name: "THIRD_PARTY_LICENSES", mode: 0o644, data: r.notices}}
	for _, name := range []string{"LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		shared = append(shared, file{name: name, mode: 0o644, data: data})
	}
	for _, f := range r.completions {
		shared = append(shared, file{name: "completions/" + f.name, mode: f.mode, data: f.data})
	}
	for _, p := range r.platforms {
		files, err := r.programFiles(p)
		if err != nil {
			return err
		}
		files = append(files, shared...)
		if p.system != "windows" {
			for _, f := range manuals {
				files = append(files, file{name: "man/" + f.name, mode: f.mode, data: f.data})
			}
		}
		folder := "pactkit-" + r.version.semver + "/"
		for i := range files {
			files[i].name = folder + files[i].name
		}
		pack := gzipped
		if p.system == "windows" {
			pack = zipped
		}
		data, err := pack(files, r.time)
		if err != nil {
			return err
		}
		if err := r.write(r.archiveName(p), data); err != nil {
			return err
		}
	}
	return nil
}

// archiveName returns the name of the archive for a platform.
func (r *release) archiveName(p platform) string {
	extension := "tar.gz"
	if p.system == "windows" {
		extension = "zip"
	}
	return fmt.Sprintf("pactkit_%s_%s.%s", r.version.semver, p, extension)
}

// sorted returns files sorted by name, each after the folders that contain it.
func sorted(files []file) []file {
	all := map[string]file{}
	for _, f := range files {
		all[f.name] = f
		for i, c := range f.name {
			folder := f.name[:i+1]
			if _, ok := all[folder]; c == '/' && !ok {
				all[folder] = file{name: folder, mode: 0o755}
			}
		}
	}
	list := make([]file, 0, len(all))
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return list
}

// tarred returns a tar of files and their folders, all owned by root.
func tarred(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range sorted(files) {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Uname: "root", Gname: "root", Typeflag: tar.TypeReg, Format: tar.FormatGNU}
		switch {
		case f.link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
		case strings.HasSuffix(f.name, "/"):
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// compressed returns data compressed with gzip, without a name or a time.
func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

func gzipped(files []file, at time.Time) ([]byte, error) {
	data, err := tarred(files, at)
	if err != nil {
		return nil, err
	}
	return compressed(data)
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range sorted(files) {
		if strings.HasSuffix(f.name, "/") {
			continue
		}
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(f.mode))
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
