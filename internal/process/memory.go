package process

import (
	"context"
	"os"
	"time"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
)

// hold is how long a program that must end waits for the files that it is replacing.
const hold = 50 * time.Millisecond

// LimitMemory gives a program half of the memory of the machine, unless its flags say otherwise.
// Most of what needs more fails as it is read. What does not ends the program with an exit code,
// before the machine has no memory left. Until ctx is done, a goroutine looks after it.
func LimitMemory(ctx context.Context, program string, code int) {
	budget.Set(Memory() / 2)
	go budget.Watch(ctx, func() {
		held := make(chan struct{})
		go func() {
			atomicfile.Hold()
			close(held)
		}()
		select {
		case <-held:
		case <-time.After(hold):
		}
		os.Stderr.WriteString(program + ": " + budget.Refusal() + " [E_MEMORY]\n  hint: --max-memory raises the limit\n")
		os.Exit(code)
	})
}
