package store

import (
	"syscall"

	"golang.org/x/sys/windows"
)

var (
	readOnlyErrors = []error{windows.ERROR_WRITE_PROTECT}
	fullErrors     = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL}
	pathErrors     = []error{windows.ERROR_DIRECTORY, windows.ERROR_INVALID_NAME, syscall.ENOTDIR}
)
