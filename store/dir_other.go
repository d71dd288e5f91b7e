//go:build !unix && !windows

package store

import (
	"context"
	"errors"
	"os"
)

var readOnlyErrors, fullErrors, pathErrors []error

// openLocked fails: this system cannot lock files.
func openLocked(context.Context, string, int) (*os.File, func(), error) {
	return nil, nil, errors.ErrUnsupported
}

func closeBeforeReplace(*os.File) {}

func syncDir(string) error { return errors.ErrUnsupported }
