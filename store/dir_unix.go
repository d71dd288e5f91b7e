//go:build unix

package store

import "syscall"

var (
	readOnlyErrors = []error{syscall.EROFS}
	fullErrors     = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}
	pathErrors     = []error{syscall.ENOTDIR, syscall.EISDIR, syscall.ENAMETOOLONG, syscall.ELOOP}
)
