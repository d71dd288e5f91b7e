package process

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// SignalContext returns a context that ends at the first signal to end the program: an
// interrupt, SIGTERM or SIGHUP, which a closed terminal sends. An interrupt or SIGHUP that the
// program was started to ignore stays ignored, as nohup and the & of the shell ask for. After stop
// a signal ends the program at once.
func SignalContext() (ctx context.Context, stop func()) {
	var list []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	if len(list) == 0 { // NotifyContext without signals means all of them
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), list...)
}
