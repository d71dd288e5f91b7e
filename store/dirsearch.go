package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/canonjson"
)

// search returns the files in the folder of a journal that have one of the texts, which are JSON,
// and those that may have one and cannot be searched.
func (s *dirStore) search(ctx context.Context, id string, texts []string) (found, unsearched []string) {
	p, err := s.begin(ctx, id, false)
	if err != nil {
		return nil, []string{s.dir}
	}
	defer p.close()
	target, err := p.files.Target(p.name)
	folder := filepath.Dir(target)
	var entries []fs.DirEntry
	if err == nil {
		entries, err = p.files.List(folder)
	}
	if err != nil {
		return nil, []string{s.dir}
	}
	stem := strings.TrimSuffix(filepath.Base(target), fileSuffix)
	isCopy := func(e fs.DirEntry) bool { return strings.Contains(e.Name(), stem) }
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // what may be a copy first
		return cmp.Compare(rank(!isCopy(a)), rank(!isCopy(b)))
	})
	list := patterns(texts)
	left := mostSearched / int64(max(len(list), 1))
	shown := func(name string) string {
		if s.file != "" {
			return filepath.Join(folder, name)
		}
		return filepath.Join(s.dir, folder, name)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || len(list) == 0 {
			continue
		}
		if isPacked(e.Name()) {
			if isCopy(e) {
				unsearched = append(unsearched, shown(e.Name()))
			}
			continue
		}
		has, err := searchFile(ctx, p.files, filepath.Join(folder, e.Name()), list, &left)
		switch {
		case ctx.Err() != nil:
			return found, append(unsearched, shown("."))
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			unsearched = append(unsearched, shown(e.Name()))
		case has:
			found = append(found, shown(e.Name()))
		}
	}
	return found, unsearched
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// isPacked reports whether a file is compressed, by its name.
func isPacked(name string) bool {
	switch filepath.Ext(strings.ToLower(name)) {
	case ".gz", ".zst", ".zip", ".xz", ".bz2", ".br", ".lz4", ".tgz", ".7z":
		return true
	}
	return false
}

const (
	mostSearched = 16 << 30 // bytes of a folder, divided by the number of texts
	shortText    = 16       // a text that is shorter is searched as the whole content of a node
	longText     = 1 << 10  // of a text that is longer, the beginning is searched
)

// patterns returns the bytes to search for texts, as they are in journals and in exports.
func patterns(texts []string) [][]byte {
	var list [][]byte
	for _, text := range texts {
		for _, form := range slices.Compact([]string{text, canonjson.UnescapeWide(text)}) {
			inner := form
			if form[0] == '"' {
				inner = form[1 : len(form)-1]
			}
			if len(inner) < shortText {
				inner = `"content":` + form
			}
			list = append(list, []byte(inner[:min(len(inner), longText)]))
		}
	}
	return list
}

var errTooMuch = errors.New("the folder is too large to be searched")

// searchFile reports whether a file has one of the texts. It takes the size of the file from left.
func searchFile(ctx context.Context, files atomicfile.FS, name string, texts [][]byte, left *int64) (bool, error) {
	f, err := files.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf := make([]byte, 1<<16)
	n := 0 // bytes kept from before: a text may be in both parts
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		read, err := io.ReadFull(f, buf[n:])
		if *left -= int64(read); *left < 0 {
			return false, errTooMuch
		}
		part := buf[:n+read]
		if slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(part, text) }) {
			return true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		n = copy(buf, part[max(len(part)-longText, 0):])
	}
}
