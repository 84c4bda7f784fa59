package timeseries

import (
	"bufio"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Server gives many clients a store over HTTP. One goroutine owns the store and carries out the
// handlers' requests one after the other; values that leave it are copies, since slices into chunks
// are good only until the store is changed.
//
//	POST /append   lines of "series time value"     appends rows; all before the first bad line
//	GET  /scan?series=cpu&from=0&to=100             lines of "time value"
//	POST /retain?before=100                         removes older rows of all series
type Server struct {
	store *Store
	asked chan request
	ended chan struct{}
}

// request is work for the owner; done is closed afterwards.
type request struct {
	do   func(*Store)
	done chan struct{}
}

// Serve makes a server for a store, which is the server's until Close. Memory that is
// idle is looked at at every tick.
func Serve(st *Store, tick time.Duration) *Server {
	s := &Server{store: st, asked: make(chan request), ended: make(chan struct{})}
	go s.own(tick)
	return s
}

// Close waits for open requests and ends the server. No handler may be running any more: close
// the HTTP server first. The store is the caller's again.
func (s *Server) Close() {
	close(s.asked)
	<-s.ended
}

// own is the goroutine that owns the store. Between two requests nobody holds an
// address, so Idle's safe point can be there.
func (s *Server) own(tick time.Duration) {
	defer close(s.ended)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case r, more := <-s.asked:
			if !more {
				return
			}
			r.do(s.store)
			close(r.done)
		case now := <-ticker.C:
			if err := s.store.Idle(now); err != nil { // memory is kept, and all works on
				slog.Warn("timeseries: giving memory back", "error", err)
			}
		}
	}
}

// Do has the owner do something with the store, and waits. F must not keep a slice of the
// store.
func (s *Server) Do(f func(*Store)) {
	r := request{f, make(chan struct{})}
	s.asked <- r
	<-r.done
}

// Handler returns the server's requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /append", s.append)
	mux.HandleFunc("GET /scan", s.scan)
	mux.HandleFunc("POST /retain", s.retain)
	return mux
}

// line is a row of one series, as clients write it.
type line struct {
	series string
	at     int64
	value  float64
}

func parse(text string) (l line, err error) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return l, fmt.Errorf("%.80q: write series, time and value", text)
	}
	l.series = fields[0]
	if l.at, err = strconv.ParseInt(fields[1], 10, 64); err == nil {
		l.value, err = strconv.ParseFloat(fields[2], 64)
	}
	return l, err
}

func (s *Server) append(w http.ResponseWriter, r *http.Request) {
	var lines []line
	for in := bufio.NewScanner(r.Body); in.Scan(); {
		l, err := parse(in.Text())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		lines = append(lines, l)
	}
	var err error
	s.Do(func(st *Store) {
		for i := 0; i < len(lines) && err == nil; i++ {
			err = st.Series(lines[i].series).Append(lines[i].at, lines[i].value)
		}
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func (s *Server) scan(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.ParseInt(r.FormValue("from"), 10, 64)
	to, err2 := strconv.ParseInt(r.FormValue("to"), 10, 64)
	if err != nil || err2 != nil {
		http.Error(w, "from and to: write two times", http.StatusBadRequest)
		return
	}
	var times []int64
	var values []float64
	s.Do(func(st *Store) {
		if series := st.Find(r.FormValue("series")); series != nil {
			for ts, vs := range series.Scan(from, to) {
				times, values = append(times, ts...), append(values, vs...)
			}
		}
	})
	var out []byte
	for i, at := range times {
		out = strconv.AppendInt(out, at, 10)
		out = append(out, ' ')
		out = strconv.AppendFloat(out, values[i], 'g', -1, 64)
		out = append(out, '\n')
	}
	w.Write(out) // a client that has gone is no problem of ours
}

func (s *Server) retain(w http.ResponseWriter, r *http.Request) {
	cut, err := strconv.ParseInt(r.FormValue("before"), 10, 64)
	if err != nil {
		http.Error(w, "before: write a time", http.StatusBadRequest)
		return
	}
	s.Do(func(st *Store) { st.Retain(cut) })
}
