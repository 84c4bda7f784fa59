package timeseries

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/memmgr"
)

var load = flag.Duration("load", time.Second, "how long the server is under load")

// client writes and reads series of its own, and keeps them in a plain model.
type client struct {
	n     int
	url   string
	http  *http.Client
	rand  *rand.Rand
	now   int64
	model map[string][]row
	began *atomic.Int64 // a time that all of the client's later scans begin after
}

// series picks one of its series: one has most of the rows, and many chunks.
func (c *client) series() string {
	return fmt.Sprintf("client%d.%d", c.n, max(0, c.rand.IntN(20)-12))
}

func (c *client) post(path string, body io.Reader) error {
	resp, err := c.http.Post(c.url+path, "text/plain", body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, resp.Status, text)
	}
	return err
}

// write appends some rows to each of its series.
func (c *client) write() error {
	var body strings.Builder
	for range 1000 {
		series := c.series()
		c.now += c.rand.Int64N(3)
		r := row{c.now, c.rand.NormFloat64()}
		fmt.Fprintf(&body, "%s %d %v\n", series, r.Time, r.Value)
		c.model[series] = append(c.model[series], r)
	}
	return c.post("/append", strings.NewReader(body.String()))
}

// read compares a scan with the model.
func (c *client) read() error {
	series := c.series()
	oldest := c.began.Load()
	from := oldest + c.rand.Int64N(c.now-oldest+1)
	to := from + c.rand.Int64N(c.now-from+2)
	resp, err := c.http.Get(fmt.Sprintf("%s/scan?series=%s&from=%d&to=%d", c.url, url.QueryEscape(series), from, to))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var want strings.Builder
	for _, r := range between(c.model[series], from, to) {
		fmt.Fprintf(&want, "%d %v\n", r.Time, r.Value)
	}
	if got := string(text); resp.StatusCode != http.StatusOK || got != want.String() {
		return fmt.Errorf("scan of %s from %d to %d: %s, %d bytes, want %d", series, from, to, resp.Status, len(got), want.Len())
	}
	return nil
}

// forget lets rows go that are older than its next request.
func (c *client) forget() {
	const kept = 7_000
	if c.now <= kept {
		return
	}
	c.began.Store(c.now - kept)
	for series, rows := range c.model {
		c.model[series] = between(rows, c.now-kept, c.now+1)
	}
}

// Many clients write and read at once, while old rows go. Each knows the content of its own
// series. Run it for longer by -load 30s.
func TestServerUnderLoad(t *testing.T) {
	for name, o := range map[string]memmgr.Options{"default": {}, "stress": {Stress: true}} {
		t.Run(name, func(t *testing.T) {
			st := open(t, o)
			server := Serve(st, 10*time.Millisecond)
			web := httptest.NewServer(server.Handler())
			const clients = 8
			var began [clients]atomic.Int64 // no client asks for earlier rows
			var requests, cuts atomic.Int64
			end := time.Now().Add(*load / 2)

			var writers, retention sync.WaitGroup
			for n := range clients {
				writers.Go(func() {
					c := &client{n: n, url: web.URL, http: web.Client(), rand: rand.New(rand.NewPCG(7, uint64(n))), model: map[string][]row{}, began: &began[n]}
					for round := 0; round < 12 || time.Now().Before(end); round++ {
						if err := errors.Join(c.write(), c.read(), c.read()); err != nil {
							t.Errorf("client %d: %v", n, err)
							return
						}
						requests.Add(3)
						c.forget()
					}
				})
			}
			done := make(chan struct{})
			retention.Go(func() {
				c := &client{url: web.URL, http: web.Client()}
				for last, more := int64(0), true; more; {
					select {
					case <-done:
						more = false // once more
					case <-time.After(time.Millisecond):
					}
					oldest := began[0].Load() // rows that no client asks for any more
					for i := range began {
						oldest = min(oldest, began[i].Load())
					}
					if oldest > last {
						if err := c.post(fmt.Sprintf("/retain?before=%d", oldest), nil); err != nil {
							t.Error(err)
							return
						}
						last = oldest
						cuts.Add(1)
					}
				}
			})
			writers.Wait()
			close(done)
			retention.Wait()
			web.Close()
			server.Close()

			stats := st.Manager().Stats()
			t.Logf("%d requests, %d cuts; %d rows in %d chunks", requests.Load(), cuts.Load(), stats.Rows, stats.Chunks)
			if cuts.Load() == 0 {
				t.Error("nothing was cut, which proves nothing of retention")
			}
		})
	}
}

func TestServerRefuses(t *testing.T) {
	st := open(t, memmgr.Options{})
	server := Serve(st, time.Hour)
	defer server.Close()
	handler := server.Handler()
	do := func(method, target, body string) (int, string) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	for _, tt := range []struct {
		method, target, body string
		status               int
		says                 string
	}{
		{"POST", "/append", "cpu 1 0.5\nmem 1 7\ncpu 2 0.25\n", 200, ""},
		{"GET", "/scan?series=cpu&from=0&to=9", "", 200, "1 0.5\n2 0.25\n"},
		{"GET", "/scan?series=cpu&from=2&to=2", "", 200, ""},
		{"GET", "/scan?series=disk&from=0&to=9", "", 200, ""},
		{"POST", "/append", "cpu 1 0.5\n", 409, "order of time"},
		{"POST", "/append", "cpu 3\n", 400, "write series, time and value"},
		{"POST", "/append", "cpu now 3\n", 400, "now"},
		{"POST", "/append", "cpu 3 much\n", 400, "much"},
		{"GET", "/scan?series=cpu", "", 400, "two times"},
		{"POST", "/retain?before=soon", "", 400, "write a time"},
		{"POST", "/retain?before=2", "", 200, ""},
		{"GET", "/scan?series=cpu&from=0&to=9", "", 200, "2 0.25\n"},
		{"GET", "/append", "", 405, ""},
	} {
		if status, text := do(tt.method, tt.target, tt.body); status != tt.status || !strings.Contains(text, tt.says) || tt.status == 200 && text != tt.says {
			t.Errorf("%s %s %q: %d %q, want %d %q", tt.method, tt.target, tt.body, status, text, tt.status, tt.says)
		}
	}
}
