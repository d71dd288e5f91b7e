package histories

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/otlp"
	"github.com/pactkit/pactkit/internal/process"
	"github.com/pactkit/pactkit/internal/record"
)

// modeOTLP is the mode of a recording with --otlp.
const modeOTLP = "otlp"

// checkOTLP checks the address of --otlp. It refuses a command that is an address: after a space,
// the address is not the value of the flag.
func (v *recordVerb) checkOTLP(args []string) error {
	if len(args) > 0 && otlp.CheckAddress(args[0]) == nil {
		return fmt.Errorf("write --otlp=%s: what follows a space is the command", verb.Visible(args[0]))
	}
	return otlp.CheckAddress(v.otlp)
}

// runOTLP records what arrives over OTLP while a command runs. Without a command, it records until
// a signal comes.
func (v *recordVerb) runOTLP(args []string) error {
	if err := v.checkOTLP(args); err != nil {
		return err
	}
	folder, err := v.folder(args)
	if err != nil || folder == "" {
		return err
	}
	name := verb.Visible(v.Name(folder))
	log, err := record.Create(folder, v.header(modeOTLP, args))
	if err != nil && !errors.Is(err, fs.ErrExist) { // an existing recording is continued
		v.Fail("%s: the recording cannot begin: %s", name, record.Failure(err))
		return nil
	}
	end := func(exit *int) {
		if log != nil {
			log.Close(exit)
		}
	}
	file, err := otlp.Open(folder)
	if err != nil {
		end(nil)
		v.Fail("%s: the recording cannot begin: %s", name, atomicfile.Reason(err))
		return nil
	}
	defer file.Close()
	receiver, address, err := otlp.Listen(v.otlp, file)
	if err != nil {
		end(nil)
		v.Fail("nothing can be received at %s: %s", v.otlp, atomicfile.Reason(err))
		v.Hint("--otlp=127.0.0.1:0 takes any free port; programs find it by OTEL_EXPORTER_OTLP_ENDPOINT")
		return nil
	}
	if !v.Quiet {
		fmt.Fprintf(v.Err, "%s: receiving OTLP at http://%s, recording to %s\n", v.Program, address, name)
	}
	exit := v.await(process.NewChild(), args, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + address.String(), "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"})
	if exit != nil {
		v.Code = max(v.Code, *exit)
	}
	ctx, cancel := context.WithTimeout(context.Background(), ending)
	defer cancel()
	v.summaryOTLP(name, receiver.Close(ctx))
	end(exit)
	return nil
}

// header returns the header of a recording.
func (v *recordVerb) header(mode string, args []string) record.Header {
	return record.Header{
		Program: string(verb.Pactkit) + " " + verb.BuildVersion(), Mode: mode, Command: args, Folder: v.Folder,
		Branch: branchOf(v.Folder), Start: time.Now().UTC().Round(time.Millisecond), Redactor: v.redact.Using,
	}
}

// summaryOTLP prints what was received and what is missing.
func (v *recordVerb) summaryOTLP(name string, c otlp.Counts) {
	if c.Rejected > 0 {
		v.Warn("%s of exports left out: spans and log records have ids of 16 and 8 bytes", verb.Count(c.Rejected, "element"))
	}
	if c.Refused > 0 {
		v.Warn("%s refused, the last one: %s", verb.Count(c.Refused, "request"), verb.Sanitize(c.Refusal))
	}
	if c.Problem != "" {
		v.Warn("%s: some could not be written (%s); exporters were asked to send it again", name, verb.Sanitize(c.Problem))
	}
	if !v.Quiet {
		fmt.Fprintf(v.Err, "%s: received %s; '%s log %s' shows the calls\n", v.Program, verb.Count(c.Requests, "export"), v.Program, name)
	}
}
