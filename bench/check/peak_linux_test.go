package check

import (
	"os"
	"syscall"
)

// peakMemory is the most memory that a process held, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
