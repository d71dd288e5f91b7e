//go:build unix && postgres

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

func TestRacingPostgres(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		for _, n := range []int{2, 8} {
			runRace(t, fmt.Sprintf("PostgreSQL, %d processes", n), newSchema(t, server), n)
		}
	})
}

func TestKilledWritersPostgres(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		killWriters(t, "PostgreSQL", newSchema(t, server))
	})
}

// TestKilledServer repeatedly kills the main process of the server while two writers append. The
// writers continue.
func TestKilledServer(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		r := newRace(t, newSchema(t, server))
		list := []*writer{r.start(), r.start()}
		r.wait("won", 10)
		for i := range kills {
			time.Sleep(time.Duration(60+7*(i%9)) * time.Millisecond)
			if err := server.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := server.Launch(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r.wait("won", 50)
		for _, w := range list {
			if err := w.stop(); err != nil {
				t.Error(err)
			}
		}
		r.verdict(fmt.Sprintf("PostgreSQL, server killed %d times", kills))
	})
}

// TestStandby reads from a synchronous standby, kills the server in the middle of traffic, and
// promotes the standby. The writers know both addresses.
func TestStandby(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		standby, err := server.Standby(t.Context(), "standby")
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := standby.Stop(); err != nil {
				t.Error(err)
			}
		}()
		both := fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write", server.Port, standby.Port)
		r := newRace(t, both)
		var list []*writer
		for range 4 {
			list = append(list, r.start())
		}
		r.wait("won", 500)
		readStandby(t, standby)
		if err := server.Crash(); err != nil {
			t.Fatal(err)
		}
		if err := standby.Promote(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.wait("won", 200)
		for _, w := range list {
			if err := w.stop(); err != nil {
				t.Error(err)
			}
		}
		r.verdict("PostgreSQL, synchronous standby promoted")
	})
}

// readStandby checks that a standby can be read, and rejects appends as read-only.
func readStandby(t *testing.T, standby *pgserver.Server) {
	t.Helper()
	s := open(t, standby.URL())
	defer s.Close()
	frames, err := collect(s.Read(t.Context(), racedID, 0, math.MaxInt64))
	if err != nil || len(frames) < 2 {
		t.Fatalf("%d frames from the standby, %v", len(frames), err)
	}
	head := frames[len(frames)-1].Version()
	_, err = s.Append(t.Context(), racedID, head, delta(head, "x"))
	wantCode(t, ErrReadOnly, err)
	wantCode(t, ErrReadOnly, s.Delete(t.Context(), racedID))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, err := range s.Watch(ctx, racedID, head) {
		if err != nil {
			t.Errorf("watching the standby: %v", err)
		}
		break
	}
}

// cutter is a proxy that breaks connections. After a number of bytes it drops the answers of the
// server.
type cutter struct {
	l      net.Listener
	target string
	after  atomic.Int64 // bytes of the client that are still passed on; negative: no limit
	cuts   atomic.Int64

	// kill is how many messages of the client are passed on before it is killed, if positive.
	// messages counts them.
	kill, messages atomic.Int64
}

func newCutter(t *testing.T, target string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{l: l, target: target}
	c.after.Store(-1)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	return c
}

// of returns an address of a server as one of the proxy.
func (c *cutter) of(server *pgserver.Server, address string) string {
	return strings.Replace(address, fmt.Sprint(":", server.Port), fmt.Sprint(":", c.l.Addr().(*net.TCPAddr).Port), 1)
}

func (c *cutter) serve(client net.Conn) {
	server, err := net.Dial("tcp", c.target)
	if err != nil {
		client.Close()
		return
	}
	cut := make(chan struct{})
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := client.Read(buf)
			if sent := c.messages.Add(1); c.kill.Load() > 0 && sent > c.kill.Load() {
				client.Close()
				server.Close()
				return
			}
			left := c.after.Load()
			if n > 0 {
				if left >= 0 && int64(n) > left {
					close(cut) // the answer to the following bytes is lost
					c.after.Store(-1)
					c.cuts.Add(1)
					_, _ = server.Write(buf[:n])
					client.Close()
					time.Sleep(5 * time.Millisecond) // give the server time to process it
					server.Close()
					return
				}
				if left >= 0 {
					c.after.Add(-int64(n))
				}
				if _, err := server.Write(buf[:n]); err != nil {
					return
				}
			}
			if err != nil {
				server.Close()
				return
			}
		}
	}()
	buf := make([]byte, 1<<16)
	for {
		n, err := server.Read(buf)
		select {
		case <-cut:
			return
		default:
		}
		if n > 0 {
			_, _ = client.Write(buf[:n])
		}
		if err != nil {
			client.Close()
			return
		}
	}
}

// TestCutConnections loses the answers to appends whose statement arrived. No append is duplicated,
// and each one succeeds unless another writer was first.
func TestCutConnections(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		c := newCutter(t, fmt.Sprintf("127.0.0.1:%d", server.Port))
		address := newSchema(t, server)
		s := open(t, c.of(server, address))
		defer s.Close()
		other := open(t, address)
		defer other.Close()
		all := firstAppend("cut")
		head, err := s.Append(t.Context(), "a", Version{}, all...)
		if err != nil {
			t.Fatal(err)
		}
		overtaken, lost := 0, 0
		for i := range 300 {
			c.after.Store(int64(7 * i % 100))
			f := delta(head, "the same")
			if i%3 == 0 { // another writer appends the very same frame at the same time: one of the two has to lose
				overtaken++
				done := make(chan error, 1)
				go func() {
					_, err := other.Append(t.Context(), "a", head, f)
					done <- err
				}()
				_, mine := s.Append(t.Context(), "a", head, f)
				theirs := <-done
				if (mine == nil) == (theirs == nil) || mine != nil && !errors.Is(mine, ErrConflict) || theirs != nil && !errors.Is(theirs, ErrConflict) {
					t.Fatalf("of two equal appends, one had %v and the other %v", mine, theirs)
				}
				if mine != nil {
					lost++
				}
			} else if _, err := s.Append(t.Context(), "a", head, f); err != nil {
				t.Fatal(err)
			}
			all, head = append(all, f), f.Version()
		}
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
		fmt.Printf("PostgreSQL, %d answers cut off in 300 appends: every append is there once; %d raced with an equal one, %d of them lost\n", c.cuts.Load(), overtaken, lost)
	})
}

// TestSerializable runs the suite on a server that rolls back conflicting transactions.
func TestSerializable(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		testStore(t, func(t *testing.T) Store {
			return open(t, newSchema(t, server)+"&default_transaction_isolation=serializable")
		})
	})
}

// TestUnavailable calls servers that are not reachable. The error tells whether an append was not
// sent or may have arrived.
func TestUnavailable(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		s := open(t, newSchema(t, server))
		defer s.Close()
		all := grow(t, s, "a", 1)
		head := all[2].Version()
		if err := server.Halt(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := s.Append(ctx, "a", head, delta(head, "x"))
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrUnknown) {
			t.Errorf("appended with %v", err)
		}
		pg := s.(*pgStore)
		pg.patience = 300 * time.Millisecond
		_, err = s.Head(t.Context(), "a")
		wantCode(t, ErrUnavailable, err)
		pg.patience = time.Minute // everybody waits while the server restarts
		waited := make(chan error, 1)
		go func() {
			_, err := s.Head(t.Context(), "a")
			waited <- err
		}()
		_, err = Open(t.Context(), server.URL())
		wantCode(t, ErrUnavailable, err)
		if err := server.Launch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; err != nil {
			t.Errorf("a reader that waited has %v", err)
		}
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	})
}

// TestSchemas opens schemas whose tables are missing, created in advance, newer, or those of
// another program.
func TestSchemas(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		query := func(sql string) {
			t.Helper()
			if _, err := server.Query(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Open(t.Context(), server.URL()+"&search_path=nowhere")
		wantCode(t, ErrSchema, err)
		_, err = Open(t.Context(), strings.Replace(server.URL(), "/postgres?", "/nowhere?", 1))
		wantCode(t, ErrAddress, err)

		// Many connections create the tables concurrently. A race shows in one of a few schemas.
		var address string
		for range 20 {
			address = newSchema(t, server)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					s, err := Open(t.Context(), address)
					if err != nil {
						t.Error(err)
						return
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}

		schema := address[strings.LastIndexByte(address, '=')+1:]
		query("update " + schema + ".pactkit_schema set version = 99")
		_, err = Open(t.Context(), address)
		wantCode(t, ErrSchema, err)

		address = newSchema(t, server)
		schema = address[strings.LastIndexByte(address, '=')+1:]
		query("create table " + schema + ".pactkit_head (n int)")
		_, err = Open(t.Context(), address)
		wantCode(t, ErrSchema, err)

		// A partitioned table that an administrator made.
		address = newSchema(t, server)
		schema = address[strings.LastIndexByte(address, '=')+1:]
		query(strings.NewReplacer("create table if not exists pactkit_frame", "create table "+schema+".pactkit_frame", "create table if not exists pactkit_head", "create table "+schema+".pactkit_head").
			Replace(migrations[0]) + " partition by hash (history)")
		for i := range 4 {
			query(fmt.Sprintf("create table %[1]s.frames%[2]d partition of %[1]s.pactkit_frame for values with (modulus 4, remainder %[2]d)", schema, i))
		}
		testStore(t, func(t *testing.T) Store {
			query("do $$ begin if to_regclass('" + schema + ".pactkit_schema') is not null then truncate " + schema + ".pactkit_frame, " + schema + ".pactkit_head; end if; end $$")
			return open(t, address)
		})
	})
}

// TestRights uses roles that may not log in, write, or create tables.
func TestRights(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		address := newSchema(t, server)
		schema := address[strings.LastIndexByte(address, '=')+1:]
		if _, err := server.Query(t.Context(), "create role reader login; create role locked nologin; grant usage on schema "+schema+" to reader"); err != nil {
			t.Fatal(err)
		}
		as := func(role string) string { return strings.Replace(address, "postgres@", role+":secret@", 1) }
		_, err := Open(t.Context(), as("locked"))
		wantCode(t, ErrPermission, err)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is shown: %v", err)
		}
		_, err = Open(t.Context(), as("reader"))
		wantCode(t, ErrPermission, err)
		s := open(t, address)
		defer s.Close()
		all := grow(t, s, "a", 1)
		if _, err := server.Query(t.Context(), "grant select on all tables in schema "+schema+" to reader"); err != nil {
			t.Fatal(err)
		}
		r := open(t, as("reader"))
		defer r.Close()
		wantFrames(t, all, r.Read(t.Context(), "a", 0, math.MaxInt64))
		head := all[2].Version()
		_, err = r.Append(t.Context(), "a", head, delta(head, "x"))
		wantCode(t, ErrPermission, err)
		_, err = Open(t.Context(), address+"&synchronous_commit=off")
		wantCode(t, ErrServer, err)
		ro := open(t, address+"&default_transaction_read_only=on")
		defer ro.Close()
		_, err = ro.Append(t.Context(), "a", head, delta(head, "x"))
		wantCode(t, ErrReadOnly, err)
	})
}

// TestOldServer connects to a server that reports an old version.
func TestOldServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		b := pgproto3.NewBackend(c, c)
		if _, err := b.ReceiveStartupMessage(); err != nil {
			return
		}
		b.Send(&pgproto3.AuthenticationOk{})
		b.Send(&pgproto3.ParameterStatus{Name: "server_version", Value: "9.6.24"})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() == nil {
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	_, err = Open(t.Context(), fmt.Sprintf("postgres://x@%s/x?sslmode=disable", l.Addr()))
	wantCode(t, ErrServer, err)
}

// TestDamagedTables reads a history of which rows were deleted.
func TestDamagedTables(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		address := newSchema(t, server)
		schema := address[strings.LastIndexByte(address, '=')+1:]
		s := open(t, address)
		defer s.Close()
		all := grow(t, s, "a", 4)
		if _, err := server.Query(t.Context(), "delete from "+schema+".pactkit_frame where seq = 4"); err != nil {
			t.Fatal(err)
		}
		frames, err := collect(s.Read(t.Context(), "a", 0, math.MaxInt64))
		wantCode(t, ErrChanged, err)
		if len(frames) > 3 {
			t.Errorf("%d frames are there, the last %v of %v", len(frames), frames[len(frames)-1], all)
		}
	})
}
