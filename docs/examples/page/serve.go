//go:build !js

package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

//go:embed index.html
var index []byte

func main() {
	addr := flag.String("addr", "localhost:8080", "serve the page at `HOST:PORT`")
	measure := flag.Bool("measure", false, "open the page in a headless browser, and print its figures")
	entities := flag.Int("entities", 100_000, "how many entities -measure asks for")
	frames := flag.Int("frames", 300, "how many frames -measure waits for")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *addr, *measure, *entities, *frames); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves the page until the context ends, or measures it.
func run(ctx context.Context, out io.Writer, addr string, measures bool, entities, frames int) error {
	dir, err := os.MkdirTemp("", "page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(ctx, dir); err != nil {
		return err
	}
	if measures {
		browser, err := findBrowser()
		if err != nil {
			return err
		}
		r, err := measure(ctx, browser, dir, entities, frames)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, r.figures)
		return err
	}
	server := &http.Server{Addr: addr, Handler: handler(dir, nil)}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Fprintf(out, "open http://%s/\n", addr)
	return server.ListenAndServe()
}

// build makes the page's program, and puts the script that starts it beside it.
func build(ctx context.Context, dir string) error {
	program := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "page.wasm"), "github.com/ashlar-go/ashlar/docs/examples/page")
	program.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := program.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for js/wasm: %w\n%s", err, text)
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	starter, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), starter, 0o600)
}

// report has the figures that the page sends if its address asks for them.
type report struct {
	figures string
	picture string // of the canvas, as a data URL
}

// handler serves the page. Its figures go to reports, unless that is nil.
func handler(dir string, reports chan<- report) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(index)
	})
	mux.Handle("GET /", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("POST /report", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
		if err != nil || reports == nil {
			http.Error(w, "nothing reads reports", http.StatusBadRequest)
			return
		}
		figures, picture, _ := strings.Cut(string(text), "\n")
		select {
		case reports <- report{figures, picture}:
		default: // one is enough
		}
	})
	return mux
}

// findBrowser is the browser that ASHLAR_BROWSER names, or a Chromium on the path.
func findBrowser() (string, error) {
	if name := os.Getenv("ASHLAR_BROWSER"); name != "" {
		return exec.LookPath(name)
	}
	for _, name := range []string{"chromium", "chromium-browser", "chrome-headless-shell", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is on the path: install one (on Debian `apt-get install chromium`), or name it in ASHLAR_BROWSER")
}

// measure opens the page in a browser without a window, and waits for its report.
func measure(ctx context.Context, browser, dir string, entities, frames int) (report, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return report{}, err
	}
	reports := make(chan report, 1)
	server := &http.Server{Handler: handler(dir, reports)}
	go server.Serve(listener)
	defer server.Close()

	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	var said bytes.Buffer
	page := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update",
		"--user-data-dir="+filepath.Join(dir, "browser"), "--window-size=1000,640",
		fmt.Sprintf("http://%s/?entities=%d&report=%d", listener.Addr(), entities, frames))
	page.Stdout, page.Stderr = &said, &said
	page.Cancel = func() error { return page.Process.Signal(os.Interrupt) }
	page.WaitDelay = 5 * time.Second
	if err := page.Start(); err != nil {
		return report{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- page.Wait() }()
	select {
	case r := <-reports:
		cancel()
		<-ended
		return r, nil
	case err := <-ended:
		return report{}, fmt.Errorf("%s ended before the page reported: %w\n%s", browser, err, said.String())
	}
}
