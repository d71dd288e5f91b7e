// Agentd is a small agent server: any number of its processes keep their conversations in one
// store.
//
//	POST /sessions/ID   takes a message and answers once it and the reply are durable
//	GET  /sessions/ID   shows the conversation
//
// One line of Go stands in for the model.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"

	"github.com/pactkit/pactkit"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8001", "the `address` to listen on")
	address := flag.String("store", "file:sessions", "the `address` of the store")
	flag.Parse()
	s, err := store.Open(context.Background(), *address)
	if err != nil {
		log.Fatal(err)
	}
	a := &agent{store: s, sessions: map[string]*pactkit.Live{}}
	http.HandleFunc("POST /sessions/{id...}", a.post)
	http.HandleFunc("GET /sessions/{id...}", a.get)
	log.Fatal(http.ListenAndServe(*listen, nil))
}

type agent struct {
	store    store.Store
	mu       sync.Mutex
	sessions map[string]*pactkit.Live // those this process has worked on
}

// session returns the tree of a session, attached to the store.
func (a *agent) session(ctx context.Context, id string) (*pactkit.Live, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if live := a.sessions[id]; live != nil {
		return live, nil
	}
	live, err := pactkit.Attach(ctx, a.store, id, engine.Options{})
	if err == nil {
		a.sessions[id] = live
	}
	return live, err
}

// post runs a turn. Update runs it again if another process committed first: the reply is then to
// the newest state.
func (a *agent) post(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	live, err2 := a.session(ctx, r.PathValue("id"))
	if err := errors.Join(err, err2); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var answer string
	_, err = live.Update(ctx, func(t *pactkit.Tree) error {
		turn := t.Timeline().Len()
		reply := fmt.Sprintf("You said %q.", body) // the model
		answer = fmt.Sprintf("turn %d: %s\n", turn, reply)
		_, err := t.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "user", Content: engine.Text(string(body))})
		if err == nil {
			_, err = t.Insert(ctx, "(d0,0, end)", engine.Draft{Role: "assistant", Content: engine.Text(reply)})
		}
		return err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, answer) // a client that has disconnected needs no answer
}

// get brings the tree up to date and prints its messages.
func (a *agent) get(w http.ResponseWriter, r *http.Request) {
	live, err := a.session(r.Context(), r.PathValue("id"))
	if err == nil {
		err = live.Reload(r.Context())
	}
	if err == nil {
		var nodes []engine.Node
		nodes, err = live.Select(r.Context(), "^seq .block")
		for _, n := range nodes {
			role, _ := n.Role()
			text, _ := n.Content().Text()
			fmt.Fprintf(w, "%s: %s\n", role, text)
		}
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
