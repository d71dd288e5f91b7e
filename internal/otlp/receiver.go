package otlp

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/loopback"
)

// DefaultAddress is the address that OTLP exporters send to by default.
const DefaultAddress = "127.0.0.1:4318"

const (
	// mostBody limits the size of a request, both before and after it is decompressed. The limit is
	// smaller if there is little memory.
	mostBody = 64 << 20
	// copies is how much more memory than other texts a request takes: its spans in JSON take eight
	// times its size.
	copies = 4
	// mostAtOnce limits the requests in memory. Other requests wait, at most for patience.
	mostAtOnce = 2
	patience   = 5 * time.Second
	bodyTime   = 20 * time.Second // for which a body may take a slot
	// retryAfter is the number of seconds after which a client should try again.
	retryAfter = 1
)

// Receiver receives OTLP over HTTP. It is safe for concurrent use.
type Receiver struct {
	slots  chan struct{}
	server *http.Server
	ended  chan error

	mu       sync.Mutex // guards the fields below
	file     *File
	scrubber scrubber
	counts   Counts
}

// Counts counts what a receiver received.
type Counts struct {
	Requests int    // requests whose spans or log records were written
	Rejected int    // spans and log records with invalid ids
	Refused  int    // requests that were answered with an error
	Refusal  string // the last of these errors
	Problem  string // why the last failed write failed
}

// Listen starts to receive at an address, HOST:PORT of this machine, and writes to a file. It
// returns the address that it listens on. The caller closes the receiver, and then the file.
func Listen(address string, file *File) (*Receiver, net.Addr, error) {
	if err := CheckAddress(address); err != nil {
		return nil, nil, err
	}
	socket, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, err
	}
	r := NewReceiver(file)
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 2 * time.Minute, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: loopback.WithConn}
	r.ended = make(chan error, 1)
	go func() { r.ended <- r.server.Serve(new(loopback.Guard).Listener(socket)) }()
	return r, socket.Addr(), nil
}

// NewReceiver returns a receiver that writes to a file. It is an HTTP handler without a server, and
// is not closed.
func NewReceiver(file *File) *Receiver {
	return &Receiver{slots: make(chan struct{}, budget.Workers(mostAtOnce)), file: file}
}

// CheckAddress returns an error if an address is not HOST:PORT of this machine.
func CheckAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address: write HOST:PORT, such as %s", address, DefaultAddress)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is not a port", port)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not an address of this machine alone: spans have what models are sent, so only 127.0.0.1, ::1 and localhost are served", address)
	}
	return nil
}

// Close stops the receiver that [Listen] started, and returns what it received. It waits for
// unfinished requests until the context ends.
func (r *Receiver) Close(ctx context.Context) Counts {
	if err := r.server.Shutdown(ctx); err != nil {
		_ = r.server.Close()
	}
	<-r.ended
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// ServeHTTP answers a request as the specification of OTLP/HTTP says. The answer has the content
// type of the request. The status 503 asks the client to try again.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	kind, _, _ := mime.ParseMediaType(q.Header.Get("Content-Type"))
	isJSON := kind == "application/json"
	status, err := r.receive(w, q, kind, isJSON)
	if err == nil {
		return
	}
	r.mu.Lock()
	r.counts.Refused++
	r.counts.Refusal = err.Error()
	r.mu.Unlock()
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	r.reply(w, status, failure(err.Error(), isJSON), isJSON)
}

func (r *Receiver) reply(w http.ResponseWriter, status int, body []byte, isJSON bool) {
	w.Header().Set("Content-Type", "application/x-protobuf")
	if isJSON {
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// receive answers a request, or returns an error and its status.
func (r *Receiver) receive(w http.ResponseWriter, q *http.Request, kind string, isJSON bool) (int, error) {
	s, known := signals[q.URL.Path]
	switch {
	// A web page can reach this machine under another host name. Browsers send these headers with
	// it.
	case !loopback.IsHost(q.Host) || q.Header.Get("Origin") != "" || q.Header.Get("Sec-Fetch-Site") != "":
		return http.StatusForbidden, errors.New("only programs on this machine may send")
	case !known && q.URL.Path != "/v1/metrics":
		return http.StatusNotFound, errors.New("the paths are /v1/traces, /v1/logs and /v1/metrics")
	case q.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		return http.StatusMethodNotAllowed, errors.New("only POST is received")
	case !isJSON && kind != "application/x-protobuf":
		return http.StatusUnsupportedMediaType, errors.New("the content type must be application/x-protobuf or application/json")
	}
	loopback.Admit(q.Context())
	wait, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-wait.Done():
		return http.StatusServiceUnavailable, errors.New("too many requests at once")
	}
	body, status, err := read(w, q)
	if err != nil {
		return status, err
	}
	if !known { // metrics
		r.reply(w, http.StatusOK, s.answer(0, isJSON), isJSON)
		return 0, nil
	}
	got, err := s.read(body, isJSON, r.attributes)
	if err != nil {
		return http.StatusBadRequest, fmt.Errorf("not a request of OTLP: %w", err)
	}
	if err := r.write(got); err != nil {
		return http.StatusServiceUnavailable, errors.New("it cannot be written now: " + atomicfile.Reason(err))
	}
	r.reply(w, http.StatusOK, s.answer(got.rejected, isJSON), isJSON)
	return 0, nil
}

// attributes replaces credentials in a list of attributes.
func (r *Receiver) attributes(list []*common.KeyValue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scrubber.attributes(list)
}

// write writes and counts a request.
func (r *Receiver) write(got received) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(got.line) > 0 {
		if err := r.file.append(got.line); err != nil {
			r.counts.Problem = atomicfile.Reason(err)
			return err
		}
		r.counts.Requests++
	}
	r.counts.Rejected += got.rejected
	return nil
}

// read reads and decompresses the body of a request. An error comes with the status for the client.
func read(w http.ResponseWriter, q *http.Request) (body []byte, status int, err error) {
	most := budget.Buffer(copies*mostBody) / copies
	tooLarge := fmt.Errorf("larger than %d MB", most>>20)
	if q.ContentLength > most {
		return nil, http.StatusRequestEntityTooLarge, tooLarge
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // not of a recorder in a test
	var in io.Reader = http.MaxBytesReader(w, q.Body, most)
	switch strings.ToLower(q.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, http.StatusBadRequest, fmt.Errorf("not gzip: %w", err)
		}
		in = z
	default:
		return nil, http.StatusUnsupportedMediaType, errors.New("the content encoding must be gzip or none")
	}
	body, err = io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case errors.As(err, new(*http.MaxBytesError)) || int64(len(body)) > most:
		return nil, http.StatusRequestEntityTooLarge, tooLarge
	case err != nil:
		return nil, http.StatusBadRequest, fmt.Errorf("the body breaks off: %w", err)
	}
	return body, 0, nil
}
