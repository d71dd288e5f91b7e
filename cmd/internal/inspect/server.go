package inspect

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"github.com/pactkit/pactkit/internal/loopback"
	"github.com/pactkit/pactkit/lsp"
)

// Options configures a [Handler].
type Options struct {
	// Token is the bearer token that every request must carry. In the address that is opened it
	// comes after the #, a part that browsers do not send.
	Token string
	// Tests is the file of the suite that "save as test" appends to; "" turns saving off.
	Tests   string
	Version string // of the program
}

// policy is the content security policy of the page: its own files, its own server, and images that
// are in the data.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler answers the requests of the page. It accepts only requests whose Host is this machine and
// that come from the page itself or from no page, so neither a page of another origin nor a host
// name that resolves to this machine reaches the data.
func Handler(src *Source, o Options) http.Handler {
	h := &handler{source: src, options: o}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.file("index.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /app.js", h.file("app.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /editor.js", h.file("editor.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /app.css", h.file("app.css", "text/css; charset=utf-8"))
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /api/sessions": h.sessions,
		"GET /api/steps":    h.steps,
		"GET /api/nodes":    h.nodes,
		"GET /api/figures":  h.figures,
		"GET /api/shares":   h.shares,
		"GET /api/select":   h.selected,
		"GET /api/calls":    h.calls,
		"GET /api/thread":   h.thread,
		"GET /api/compare":  h.compare,
		"POST /api/test":    h.saveTest,
	} {
		mux.Handle(pattern, h.authorized(answer))
	}
	mux.HandleFunc("GET /lsp", h.languageServer)
	return h.local(mux)
}

type handler struct {
	source  *Source
	options Options
	saving  sync.Mutex // of the suite
}

// local refuses requests from elsewhere, and sets the headers of every response.
func (h *handler) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback.IsHost(r.Host) || !sameOrigin(r) {
			http.Error(w, "the inspector answers its own page on this machine only", http.StatusForbidden)
			return
		}
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// sameOrigin reports whether a request comes from the page itself, or from a program that is not a
// browser.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return false
		}
	}
	return true
}

func (h *handler) knows(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(h.options.Token)) == 1
}

// authorized answers requests with the token. An error that is not the client's fault is reported
// as it is.
func (h *handler) authorized(answer func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || !h.knows(token) {
			http.Error(w, "open the address that pactkit inspect prints", http.StatusUnauthorized)
			return
		}
		loopback.Admit(r.Context())
		if err := answer(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	})
}

func (h *handler) file(name, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		http.ServeFileFS(w, r, page, "dist/"+name)
	}
}

// languageServer serves pact-lsp. A browser cannot send a header with a WebSocket, so the token
// comes in initialize.
func (h *handler) languageServer(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: sameOrigin, Subprotocols: []string{"pactkit"}}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	lsp.ServeStream(r.Context(), lsp.NewWebSocket(conn), lsp.Options{
		Version: h.options.Version, Token: h.options.Token, Admit: func() bool { loopback.Admit(r.Context()); return true },
	})
}
