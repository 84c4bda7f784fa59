package main

import (
	"fmt"
	"net/url"
	"strconv"
	"syscall/js"

	"github.com/ashlar-go/ashlar/ecs"
)

// page has the parts of the document that the program uses. Each frame changes the image, the counts and the timer.
type page struct {
	sky                   *sky
	canvas, context       js.Value
	image, pixels         js.Value // pixels is the image's data: one buffer for all frames
	text, memory, timer   js.Value
	frames, reportAt      int
	begun, spent, longest float64 // of the frames since begun: milliseconds
	counted               int     // frames since begun
}

func main() {
	if err := start(); err != nil {
		js.Global().Get("document").Call("getElementById", "figures").Set("textContent", err.Error())
		return
	}
	select {} // the browser calls frame
}

// start reads the parameters of the address, and asks the browser for the first frame.
func start() error {
	asked, err := url.ParseQuery(js.Global().Get("location").Get("search").String()[len("?"):])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(asked.Get("entities"))
	if err != nil || n < 0 {
		return fmt.Errorf("the address has to end with ?entities=N, such as ?entities=100000")
	}
	s, err := newSky(n, 1, ecs.Options{})
	if err != nil {
		return err
	}
	document := js.Global().Get("document")
	p := &page{sky: s, canvas: document.Call("getElementById", "sky"), text: document.Call("getElementById", "figures")}
	p.canvas.Set("width", width)
	p.canvas.Set("height", height)
	p.context = p.canvas.Call("getContext", "2d")
	p.image = p.context.Call("createImageData", width, height)
	p.pixels = p.image.Get("data")
	p.memory, p.timer = js.Global().Get("wasmMemory"), js.Global().Get("performance")
	p.text.Set("textContent", fmt.Sprintf("%d entities", n))
	p.reportAt, _ = strconv.Atoi(asked.Get("report")) // absent: 0, which is never

	p.canvas.Call("addEventListener", "pointermove", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.screen.Pointer = Position{float32(args[0].Get("offsetX").Float()), float32(args[0].Get("offsetY").Float())}
		return nil
	}))
	var frame js.Func
	frame = js.FuncOf(func(js.Value, []js.Value) any {
		if err := p.frame(); err != nil {
			p.text.Set("textContent", err.Error())
			return nil
		}
		js.Global().Call("requestAnimationFrame", frame)
		return nil
	})
	js.Global().Call("requestAnimationFrame", frame)
	return nil
}

func (p *page) now() float64 { return p.timer.Call("now").Float() }

// frame runs the world, and shows its picture: pixels cross to JavaScript in one copy.
func (p *page) frame() error {
	from := p.now()
	if err := p.sky.frame(); err != nil {
		return err
	}
	js.CopyBytesToJS(p.pixels, p.sky.screen.Pixels)
	p.context.Call("putImageData", p.image, 0, 0)
	to := p.now()

	if p.frames++; p.frames == 1 { // the first makes the plans of all systems
		p.begun = to
		return nil
	}
	p.counted++
	p.spent += to - from
	p.longest = max(p.longest, to-from)
	figures := fmt.Sprintf("%d entities, %.0f frames/s, a frame takes %.1f ms (longest %.1f ms), %d MiB",
		p.sky.world.Len(), 1000*float64(p.counted)/(to-p.begun), p.spent/float64(p.counted), p.longest, p.memory.Get("buffer").Get("byteLength").Int()>>20)
	if p.frames == p.reportAt {
		p.report(figures)
	}
	if p.counted%60 == 0 && p.reportAt == 0 {
		p.text.Set("textContent", figures)
		p.begun, p.spent, p.longest, p.counted = to, 0, 0, 0
	}
	return nil
}

// report sends the figures, and the picture, to the server.
func (p *page) report(figures string) {
	p.text.Set("textContent", figures)
	body := figures + "\n" + p.canvas.Call("toDataURL").String()
	js.Global().Call("fetch", "report", map[string]any{"method": "POST", "body": body})
}
