//go:build !linux

package process

// Memory returns how many bytes of memory the machine has; 0 if that is unknown, as on this system.
func Memory() int64 { return 0 }
