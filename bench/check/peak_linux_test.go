package check

import (
	"os"
	"syscall"
)

// peakMemory returns the peak memory of a process, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
