//go:build !unix && !windows

package store

var readOnlyErrors, fullErrors, pathErrors []error
