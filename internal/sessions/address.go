package sessions

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
)

// Rooted returns an argument with its file or folder, if that is relative, joined to a folder. The
// argument has slashes, as in configurations and suites. The address of a server stays as it is.
func Rooted(arg, folder string) string {
	base, id := cutID(arg) // the id is not a path
	if !store.IsAddress(arg) {
		return rooted(base, folder) + id
	}
	dir, ok := strings.CutPrefix(base, "file:")
	if !ok || dir == "" || strings.HasPrefix(dir, "//") {
		return arg
	}
	return "file:" + rooted(dir, folder) + id
}

// cutID cuts an argument before the # of an id.
func cutID(arg string) (base, id string) {
	if i := strings.LastIndexByte(arg, '#'); i >= 0 {
		return arg[:i], arg[i:]
	}
	return arg, ""
}

func rooted(path, folder string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// FileOf returns the file or folder on disk that an argument is read from: that of FILE#NAME, and
// of a history in a folder. It is empty for the address of a server, and for one that cannot be
// read as an address.
func FileOf(arg string) string {
	base, id, err := store.SplitAddress(arg)
	if !store.IsAddress(arg) {
		if err != nil || base == arg || isThere(arg) {
			base = arg
		}
		if file, ok := strings.CutSuffix(base, together); ok && !isThere(base) {
			return file
		}
		return base
	}
	dir, isFolder := strings.CutPrefix(base, "file:")
	if err != nil || !isFolder {
		return ""
	}
	if strings.HasPrefix(dir, "//") {
		u, err := url.Parse(dir)
		if err != nil || u.Host != "" && u.Host != "localhost" {
			return ""
		}
		dir = u.Path
	}
	if id == "" {
		return dir
	}
	return filepath.Join(dir, store.FileName(id))
}

func isThere(path string) bool {
	_, err := atomicfile.Stat(path)
	return err == nil
}
