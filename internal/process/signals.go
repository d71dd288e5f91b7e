package process

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// endSignals ask a program to end. A terminal that is closed sends SIGHUP.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// notIgnored returns the signals of a list that the program was not started to ignore.
func notIgnored(list []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(list), signal.Ignored)
}

// SignalContext returns a context that ends at the first signal to end the program: an
// interrupt, SIGTERM or SIGHUP, which a closed terminal sends. An interrupt or SIGHUP that the
// program was started to ignore stays ignored, as nohup and the & of the shell ask for. After stop
// a signal ends the program at once.
func SignalContext() (ctx context.Context, stop func()) {
	list := notIgnored(endSignals)
	if len(list) == 0 { // NotifyContext without signals means all of them
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), list...)
}
