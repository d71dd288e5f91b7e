// Package fileuri converts between paths and file URIs.
package fileuri

import (
	"net/url"
	"path/filepath"
	"strings"
)

// Path returns the path of a file URI, or "" for any other URI.
func Path(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///C:/x, whose drive letter clients write in either case
		path = strings.ToUpper(path[1:2]) + path[2:]
	} else if u.Host != "" && u.Host != "localhost" { // file://server/share
		path = "//" + u.Host + path
	}
	if path == "" {
		return ""
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// Of returns the URI of a path.
func Of(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
