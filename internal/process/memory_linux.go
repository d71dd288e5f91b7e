package process

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/pactkit/pactkit/internal/atomicfile"
)

// Memory returns how many bytes of memory the machine or the container has; 0 if that is unknown.
func Memory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	size := int64(info.Totalram) * int64(info.Unit)
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := atomicfile.Read(name, 1<<20)
		if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && n > 0 {
			size = min(size, n)
		}
	}
	return size
}
