//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

const (
	openNoWait        = 0
	canRenameOpenFile = false
)

func lock(*os.File) error { return nil }

func sweepFile(string) error { return nil }

func keepOwner(*os.File, fs.FileInfo) {}

func syncFolder(string) error { return nil }
