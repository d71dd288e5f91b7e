package histories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/otlp"
	"github.com/pactkit/pactkit/internal/process"
	"github.com/pactkit/pactkit/internal/record"
	"github.com/pactkit/pactkit/internal/sessions"
)

const recordLong = `Run a command and record what it really sends to the providers of models, and what comes back.

A proxy on 127.0.0.1 stands between the program and its providers. The program finds it by the variables in which libraries
look for the address of a provider (ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL, ...; Codex and opencode get it
by their settings). Requests go on to the address that the program had there, or else to that of the provider. Bytes pass
unchanged and at once, streams too. If something cannot be recorded, the program goes on, and the end says what is missing. The
proxy ends with the command: record a program that goes on in the background with --no-launch.

The streams, signals and the exit code are those of the command. A recording is a folder for you alone, below
~/.local/state/pactkit/recordings. It is a log like any other: 'pactkit log FOLDER' reads it, also while it grows. Keys and
other credentials of the transport are never written; the texts of messages are. When a recording begins, old ones are
removed as record.max-age and record.max-size of the configuration say.

` + open.Redacts + ` Streams are kept only in one piece then. A text that is written stays as it is if a later one
shows that it has a secret.

Not recorded: programs that have clients of their own and ignore these variables; requests that are signed (SigV4 of Bedrock);
WebSockets, which are passed on; of bodies that are not JSON, more than type and size. TLS is not intercepted. For such cases,
--mode native makes Claude Code and Codex write down their requests themselves; what they leave out is said at the end.

--otlp receives spans and log records over OTLP/HTTP (protobuf and JSON) instead, on this machine only, from a command or,
without one, until a signal comes: for agents that are instrumented. With -o and the folder of a recording before, it goes on
there. Headers are not kept, and credentials in attributes are replaced.

Exit codes: that of the command; 127 or 126 if it cannot be run; 2 if the recording cannot begin.`

const recordExample = `  pactkit record -- claude -p "fix the test"             then: pactkit log FOLDER
  pactkit record -o run1 -- python agent.py              the folder of the recording
  pactkit record --upstream openai=http://127.0.0.1:8000/v1 -- python agent.py
  pactkit record --print-env                             for programs that are started elsewhere
  pactkit record --otlp -o run1                          what programs export to http://127.0.0.1:4318
  pactkit record --list                                  the recordings there are`

// The modes of record.
const (
	modeProxy  = "proxy"
	modeNative = "native"
)

// recordVerb is a run of record.
type recordVerb struct {
	*verb.Run
	out       string
	mode      verb.EnumFlag
	upstreams []string
	otlp      string
	printEnv  bool
	noLaunch  bool
	list      bool
	json      bool
	config    open.SelectorFlags
	redact    open.RedactFlag
}

// Record returns the verb record.
func Record(r *verb.Run) *cobra.Command {
	v := &recordVerb{Run: r}
	cmd := &cobra.Command{
		Use:     "record [-o DIR] -- COMMAND...",
		Short:   "Run a command and record what it sends to models",
		Long:    recordLong,
		Example: recordExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case v.list && len(args) > 0:
				return errors.New("--list takes no command")
			case v.json && !v.list:
				return errors.New("--json belongs to --list")
			case v.noLaunch && len(args) > 0:
				return errors.New("--no-launch takes no command")
			case v.otlp != "" && (v.list || v.printEnv || len(v.upstreams) > 0 || v.mode.Value != ""):
				return errors.New("--otlp receives what a program exports itself, and cannot be combined with --mode, --upstream, --print-env and --list")
			case v.redact.On && (v.list || v.otlp != "" || v.mode.Value == modeNative):
				return errors.New("--redact replaces secrets in what passes through the proxy, and cannot be combined with --mode native, --otlp and --list")
			case len(args) == 0 && !v.list && !v.noLaunch && !v.printEnv && v.otlp == "":
				return errors.New("name the command to record, after --; --print-env and --no-launch record programs that are started elsewhere")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.list {
				return v.printList()
			}
			if v.otlp != "" {
				return v.runOTLP(args)
			}
			return v.run(args)
		},
	}
	cmd.Flags().SetInterspersed(false) // the flags after the command are its own
	cmd.Flags().StringVarP(&v.out, "output", "o", "", "the folder `DIR` of the recording (default a new one)")
	verb.AddEnum(cmd, &v.mode, "mode", []string{modeProxy, modeNative}, "how to record: by a proxy, or by what Claude Code and Codex write themselves (default proxy)")
	cmd.Flags().StringArrayVar(&v.upstreams, "upstream", nil, "pass the requests to a provider on to `NAME=URL`; repeatable")
	cmd.Flags().StringVar(&v.otlp, "otlp", "", "record the spans and log records that programs export over OTLP/HTTP to `ADDR`")
	cmd.Flags().Lookup("otlp").NoOptDefVal = otlp.DefaultAddress
	cmd.Flags().BoolVar(&v.printEnv, "print-env", false, "print the variables that lead a program to the proxy; without a command, record until a signal comes")
	cmd.Flags().BoolVar(&v.noLaunch, "no-launch", false, "run no command: record until a signal comes")
	cmd.Flags().BoolVar(&v.list, "list", false, "list the recordings, the newest first")
	cmd.Flags().BoolVar(&v.json, "json", false, "print the list as JSON (docs/schemas/recordings.json)")
	v.config.Files.AddConfig(cmd)
	v.redact.Add(cmd)
	return cmd
}

// root returns the folder of all recordings.
func (v *recordVerb) root() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil && os.Getenv("XDG_STATE_HOME") == "" {
		return "", err
	}
	return record.Root(home, os.Getenv), nil
}

// run records a command. Without a command, it records until a signal comes.
func (v *recordVerb) run(args []string) error {
	home, _ := os.UserHomeDir() // without a home folder there are no settings of programs
	routes, err := record.RoutesOf(record.Place{Getenv: os.Getenv, Home: home, Folder: v.Folder}, args, v.upstreams)
	if err != nil {
		return err
	}
	if ok, err := v.redact.Start(v.Run, &open.LogFlags{}, &v.config.Files); !ok {
		return err
	}
	folder, err := v.folder(args)
	if err != nil || folder == "" {
		return err
	}
	log, err := record.Create(folder, v.header(v.modeName(), args))
	if err != nil {
		v.Fail("%s: the recording cannot begin: %s", verb.Visible(v.Name(folder)), record.Failure(err))
		return nil
	}
	var environment []string
	var proxy *record.Proxy
	command := args
	if v.modeName() == modeNative {
		environment, err = record.Native(folder)
	} else if proxy, err = record.Listen(log, routes.Upstreams); err == nil {
		environment = routes.Environment(proxy, os.Getenv)
		var more []string
		command, more = routes.Command(proxy, args)
		environment = append(environment, more...)
	}
	if err != nil {
		log.Close(nil)
		v.Fail("the recording cannot begin: %s", atomicfile.Reason(err))
		return nil
	}
	if !v.Quiet {
		fmt.Fprintf(v.Err, "%s: recording to %s\n", v.Program, verb.Visible(v.Name(folder)))
	}
	child := process.NewChild()
	if v.printEnv || v.noLaunch {
		for _, e := range environment {
			name, value, _ := strings.Cut(e, "=")
			fmt.Fprintf(v.Out, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
		}
		if err := v.Out.Flush(); err != nil {
			v.Fail("cannot write the variables: %s", atomicfile.Reason(err))
		}
	}
	exit := v.await(child, command, environment)
	if proxy != nil {
		ctx, cancel := context.WithTimeout(context.Background(), ending)
		proxy.Close(ctx)
		cancel()
	}
	v.summary(log, log.Close(exit))
	v.redact.Report(v.Run)
	if exit != nil {
		v.Code = *exit
	}
	return nil
}

// await runs a command and returns its exit code. Without a command, it waits for a signal and
// returns nil.
func (v *recordVerb) await(child *process.Child, command, variables []string) *int {
	defer child.Release()
	if len(command) == 0 {
		child.Wait()
		return nil
	}
	code, err := child.Run(command, variables, v.Folder)
	if err != nil {
		v.Fail("%s: %s", verb.Visible(command[0]), verb.Sanitize(err.Error()))
	}
	return &code
}

// ending is how long unfinished answers may take after the command has ended.
const ending = 3 * time.Second

func (v *recordVerb) modeName() string {
	if v.mode.Value == modeNative {
		return modeNative
	}
	return modeProxy
}

// folder returns the path of the new recording. Unless -o names it, old recordings are removed. It
// returns "" after it has reported an error in the configuration.
func (v *recordVerb) folder(args []string) (string, error) {
	if v.out != "" {
		return v.Abs(v.out), nil
	}
	root, err := v.root()
	if err != nil {
		return "", err
	}
	cfg, err := v.config.Configuration(v.Run)
	if err != nil || cfg == nil {
		return "", err
	}
	age, size := cfg.RecordLimits()
	removed, err := record.Retain(root, time.Now(), age, size)
	if len(removed) > 0 {
		v.Note("%s removed, as record.max-age and record.max-size say", verb.Count(len(removed), "old recording"))
	}
	if err != nil {
		v.Warn("old recordings cannot be removed: %s", atomicfile.Reason(err))
	}
	return record.NewFolder(root, time.Now(), record.Agent(args), rand.Text()), nil
}

// summary prints what was recorded and what is missing.
func (v *recordVerb) summary(log *record.Log, e record.End) {
	name := verb.Visible(v.Name(log.Folder()))
	switch {
	case v.Quiet && e.Lost == 0:
		return
	case v.modeName() == modeNative:
		for _, gap := range record.NativeGaps(log.Folder()) {
			v.Note("%s", gap)
		}
	case e.Calls == 0 && e.Lost == 0:
		fmt.Fprintf(v.Err, "%s: %s: %s\n", v.Program, sessions.NoCallRecorded, open.NothingSent)
	case e.Calls > 0:
		fmt.Fprintf(v.Err, "%s: recorded %s; '%s log %s' shows them\n", v.Program, verb.Count(e.Calls, "call"), v.Program, name)
	}
	if e.Lost > 0 {
		v.Warn("%s missing in %s, wholly or in part", verb.Count(e.Lost, "call"), name)
	}
	for _, n := range e.Notes {
		v.Warn("%s: %s", name, verb.Sanitize(n))
	}
}

// printList prints the recordings.
func (v *recordVerb) printList() error {
	root, err := v.root()
	if err != nil {
		return err
	}
	list, err := record.List(root)
	if err != nil {
		return err
	}
	if v.json {
		v.PrintJSON(append([]record.Recording{}, list...))
		return nil
	}
	var rows [][]string
	for _, r := range list {
		state := ""
		switch {
		case r.Active:
			state = "growing"
		case r.End == nil:
			state = "cut off"
		case r.End.Lost > 0:
			state = fmt.Sprintf("%d missing", r.End.Lost)
		}
		rows = append(rows, []string{
			r.Header.Start.Local().Format(time.DateTime), fmt.Sprint(r.Calls), fmt.Sprintf("%.1f MB", float64(r.Bytes)/1e6), state,
			verb.Visible(strings.Join(r.Header.Command, " ")), verb.Visible(r.Path),
		})
	}
	columns := []verb.Column{{Name: "time", Kept: true}, {Name: "calls", Right: true, Kept: true}, {Name: "size", Right: true, Kept: true}, {Name: "state"}, {Name: "command"}, {Name: "folder"}}
	for _, line := range verb.ColumnLines(v.Reporter(v.Out, "", "", v.Paints), columns, rows, 0) {
		fmt.Fprintln(v.Out, line)
	}
	return nil
}

// branchOf returns the name of the Git branch that is checked out in a folder. Outside of a
// repository it returns "".
func branchOf(folder string) string {
	cmd := exec.Command("git", "branch", "--show-current")
	cmd.Dir = filepath.Clean(folder)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
