package record

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/pactkit/pactkit/internal/loopback"
)

// Upstream is a provider that a proxy passes requests on to.
type Upstream struct {
	Name string   // in the path of the proxy, such as anthropic
	URL  *url.URL // without user, query and fragment
}

// Proxy passes requests on to providers and gives copies to a log. It listens on 127.0.0.1, and
// answers only requests whose path begins with a random token: other users of the machine do not
// know it.
type Proxy struct {
	log       *Log
	token     string
	upstreams map[string]*url.URL
	listener  net.Listener
	server    *http.Server
	forward   *httputil.ReverseProxy
}

// pieceSize is the size of the buffers through which bodies pass.
const pieceSize = 32 << 10

// pieces keeps such buffers for later answers.
type pieces struct{ pool sync.Pool }

func (p *pieces) Get() []byte {
	if b, ok := p.pool.Get().(*[pieceSize]byte); ok {
		return b[:]
	}
	return make([]byte, pieceSize)
}

func (p *pieces) Put(b []byte) { p.pool.Put((*[pieceSize]byte)(b)) }

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// Listen starts a proxy.
func Listen(l *Log, upstreams []Upstream) (*Proxy, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{log: l, token: strings.ToLower(rand.Text()), upstreams: map[string]*url.URL{}, listener: listener}
	for _, u := range upstreams {
		p.upstreams[u.Name] = u.URL
	}
	silent := log.New(io.Discard, "", 0)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = outward()
	if transport.TLSClientConfig == nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots()}
	}
	transport.DisableCompression = true // what the program did not ask for
	transport.MaxIdleConnsPerHost = 100
	transport.WriteBufferSize, transport.ReadBufferSize = pieceSize, pieceSize
	p.forward = &httputil.ReverseProxy{
		Rewrite: rewrite, Transport: transport, BufferPool: &pieces{}, FlushInterval: -1, ErrorLog: silent, ModifyResponse: answering, ErrorHandler: unreached,
	}
	p.server = &http.Server{Handler: p, ErrorLog: silent, ReadHeaderTimeout: time.Minute, MaxHeaderBytes: 4 << 20, ConnContext: loopback.WithConn}
	go func() { _ = p.server.Serve(new(loopback.Guard).Listener(listener)) }()
	return p, nil
}

// outward returns the proxy that the environment names for an address. Like the libraries of
// programs, and unlike [http.ProxyFromEnvironment], it knows ALL_PROXY.
func outward() func(*http.Request) (*url.URL, error) {
	config := httpproxy.FromEnvironment()
	all := cmp.Or(os.Getenv("ALL_PROXY"), os.Getenv("all_proxy"))
	config.HTTPProxy, config.HTTPSProxy = cmp.Or(config.HTTPProxy, all), cmp.Or(config.HTTPSProxy, all)
	of := config.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return of(r.URL) }
}

// authorities are the variables that name files of certificates that programs trust, besides
// SSL_CERT_FILE and SSL_CERT_DIR, which crypto/x509 knows.
var authorities = []string{"NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}

// roots returns the certificates of the system together with those that the environment names for
// the program, whose place the proxy takes. It returns nil, which stands for those of the system,
// if the environment names none.
func roots() *x509.CertPool {
	var pool *x509.CertPool
	for _, name := range authorities {
		file := os.Getenv(name)
		if file == "" {
			continue
		}
		if pool == nil {
			var err error
			if pool, err = x509.SystemCertPool(); err != nil {
				pool = x509.NewCertPool()
			}
		}
		pool.AppendCertsFromPEM(readSettings(file)) // the program reports a file that cannot be read
	}
	return pool
}

// Base returns the address that stands for that of an upstream.
func (p *Proxy) Base(name string) string {
	return fmt.Sprintf("http://%s/%s/%s%s", p.listener.Addr(), p.token, name, strings.TrimSuffix(p.upstreams[name].EscapedPath(), "/"))
}

// Close stops the proxy. It waits for the answers that are under way until the context ends.
func (p *Proxy) Close(ctx context.Context) {
	if p.server.Shutdown(ctx) != nil {
		p.server.Close()
	}
}

// ServeHTTP passes a request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	name, path, _ := strings.Cut(rest, "/")
	to, ok := p.upstreams[name]
	if subtle.ConstantTimeCompare([]byte(token), []byte(p.token)) != 1 || !ok {
		http.NotFound(w, r)
		return
	}
	loopback.Admit(r.Context())
	x := &exchange{log: p.log, method: r.Method, start: time.Now(), number: -1, context: r.Context()}
	x.url = target(to, name, "/"+path, r.URL.RawQuery)
	x.request.header = r.Header.Clone()
	if n := r.ContentLength; n > 0 && n < 1<<20 { // a program could claim any size
		x.request.data.Grow(int(n))
	}
	p.log.passing()
	if r.Body == nil || r.Body == http.NoBody {
		p.log.guard(x.sent)
	} else {
		x.body = requestBody{r.Body, x}
		r.Body = x.body
	}
	// Otherwise the server closes the body of the request when the answer begins. If the transport
	// still reads it, the answer breaks off.
	_ = http.NewResponseController(w).EnableFullDuplex()
	defer p.log.guard(func() { x.ended(EndClient, nil) }) // unless it has ended
	p.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
}

// target returns where a request goes. Some libraries leave out the version of Anthropic's API,
// which they have in their default address.
func target(to *url.URL, name, path, query string) *url.URL {
	u := &url.URL{Scheme: to.Scheme, User: to.User, Host: to.Host, RawQuery: query}
	if name == anthropicName && to.Path == "" && !strings.HasPrefix(path, "/v1/") && apiOf(path) == "anthropic" {
		path = "/v1" + path
	}
	u.RawPath = path
	if u.Path, _ = url.PathUnescape(path); u.Path == "" {
		u.Path = "/"
	}
	return u
}

func rewrite(r *httputil.ProxyRequest) {
	x := exchangeOf(r.In.Context())
	r.Out.URL, r.Out.Host = x.url, x.url.Host
	if u := x.url.User; u != nil && r.Out.Header.Get("Authorization") == "" {
		password, _ := u.Password()
		r.Out.SetBasicAuth(u.Username(), password)
	}
	for name, values := range r.In.Header { // which ReverseProxy removes
		if strings.HasPrefix(name, "X-Forwarded-") || name == "Forwarded" {
			r.Out.Header[name] = values
		}
	}
}

// answering begins to record an answer.
func answering(r *http.Response) error {
	x := exchangeOf(r.Request.Context())
	x.log.guard(func() {
		x.mu.Lock()
		x.status, x.answer.header = r.StatusCode, r.Header.Clone()
		x.mu.Unlock()
		if r.StatusCode == http.StatusSwitchingProtocols {
			x.log.note("WebSockets were passed on and not recorded")
			x.ended(EndUpgraded, nil)
			return
		}
		r.Body = answerBody{r.Body, x}
	})
	return nil
}

// unreached answers a request whose provider could not be reached.
func unreached(w http.ResponseWriter, r *http.Request, err error) {
	x, how := exchangeOf(r.Context()), EndNoServer
	if r.Context().Err() != nil || errors.Is(err, context.Canceled) {
		how, err = EndClient, nil
	} else {
		text := fmt.Sprintf("pactkit record: cannot reach %s: %v\n", x.url.Host, err)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, text)
		_ = http.NewResponseController(w).Flush() // the body of the request may have no end
	}
	if x.body != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(x.body, mostBody)) // for the recording
	}
	x.log.guard(func() { x.ended(how, err) })
}
