package files

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// site is a server of files, good and bad. cancel is called when /hang is asked for.
func site(t *testing.T, cancel func()) string {
	t.Helper()
	handlers := http.NewServeMux()
	handlers.HandleFunc("/map", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ashlar map 1\n")) })
	handlers.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/map", http.StatusFound) })
	handlers.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("<!DOCTYPE html>\n<p>here it is")) })
	handlers.HandleFunc("/locked", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) })
	handlers.HandleFunc("/nothing", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	handlers.HandleFunc("/declared", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "16777217")
		w.Write([]byte("ashlar map 1\n"))
	})
	handlers.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for piece := make([]byte, 1<<20); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	handlers.HandleFunc("/cut", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("ashlar map 1\n"))
	})
	handlers.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("ashlar map 1\n"))
		http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	})
	handlers.HandleFunc("/silent", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(handlers)
	t.Cleanup(server.Close)
	return server.URL
}

func TestAddress(t *testing.T) {
	base := site(t, func() {})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, tt := range []struct {
		name string
		want string // the text read, or in the error
	}{
		{base + "/map", base + "/map: ashlar map 1\n"},
		{"HTTP" + strings.TrimPrefix(base, "http") + "/moved", base + "/moved: ashlar map 1\n"},
		{base + "/none", base + "/none: the server answers 404 Not Found: check the address"},
		{base + "/locked", "the server answers 403 Forbidden"},
		{base + "/nothing", "the server answers 204 No Content"},
		{base + "/page", base + "/page is a web page, not a map: name the address of the file itself, which sites that show files call raw"},
		{base + "/declared", base + "/declared has more than 16 MiB, which is the limit: name another file"},
		{base + "/endless", base + "/endless has more than 16 MiB"},
		{base + "/cut", "unexpected EOF: check the address, and that its server runs"},
		{gone.URL + "/map", gone.URL + "/map: dial tcp"},
		{strings.Replace(base, "http://", "http://me:secret@", 1) + "/none", "me:xxxxx@"},
		{"http://", "http:// is not a valid address: write http://HOST/PATH or https://HOST/PATH"},
		{"http://a b/", "http://a b/ is not a valid address"},
	} {
		var s Set
		got, err := Read(t.Context(), &s, tt.name, Map, text)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) || strings.Contains(got, "secret") || (err == nil) != strings.HasSuffix(tt.want, "ashlar map 1\n") {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

// A server that takes too long is given up, whether it says nothing or something.
func TestAddressTooSlow(t *testing.T) {
	if got := new(Set).client().Timeout; got != 30*time.Second {
		t.Errorf("as a rule it is given up after %v", got)
	}
	base := site(t, func() {})
	for _, path := range []string{"/silent", "/hang"} {
		s := Set{Client: &http.Client{Timeout: 50 * time.Millisecond}}
		_, err := s.Open(t.Context(), base+path, Map)
		if want := base + path + ": not all of it has come within 50ms: try again, or fetch it to a file and name that"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAddressInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base := site(t, cancel)
	var s Set
	if _, err := s.Open(ctx, base+"/hang", Map); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if _, err := s.Open(ctx, base+"/map", Map); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

func TestIsAddress(t *testing.T) {
	for name, want := range map[string]bool{"http://x": true, "HTTPS://x": true, "http:/x": false, "http": false, "x/http://y": false, "ftp://x": false, "-": false} {
		if IsAddress(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
}
