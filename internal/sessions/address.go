package sessions

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/store"
)

// Rooted returns an argument whose file or folder, if that is relative, is below a folder. Slashes separate the names in it,
// as in configurations and suites. The address of a server stays as it is.
func Rooted(arg, folder string) string {
	place, id := cutID(arg) // the id is not a path
	if !store.IsAddress(arg) {
		return rooted(place, folder) + id
	}
	dir, ok := strings.CutPrefix(place, "file:")
	if !ok || dir == "" || strings.HasPrefix(dir, "//") {
		return arg
	}
	return "file:" + rooted(dir, folder) + id
}

// cutID cuts an argument before the # of an id.
func cutID(arg string) (place, id string) {
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

// FileOf returns the file or folder on disk that an argument is read from: that of FILE#NAME, and of a history in a folder.
// It is empty for the address of a server, and for one that cannot be read as an address.
func FileOf(arg string) string {
	place, id, err := store.SplitAddress(arg)
	if !store.IsAddress(arg) {
		if err != nil || place == arg || isThere(arg) {
			place = arg
		}
		if file, ok := strings.CutSuffix(place, together); ok && !isThere(place) {
			return file
		}
		return place
	}
	dir, isFolder := strings.CutPrefix(place, "file:")
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
	_, err := os.Stat(path)
	return err == nil
}
