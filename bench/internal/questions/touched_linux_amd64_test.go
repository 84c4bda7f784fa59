package questions

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/bench/internal/counters"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"golang.org/x/arch/x86/x86asm"
)

// The memory that a call touches is counted by stepping through the call. The test starts itself as a process of its own, which makes the calls
// between breakpoints, and the parent decodes each instruction on the way. The stack and the code are not counted: they are hot.

// steppedBy is set in the environment of the process that makes the calls.
const steppedBy = "ASHLAR_TOUCHED"

// Of each operation so many calls are stepped through, and all but the first ones are counted.
const (
	touchedBefore = 24
	touchedCalls  = 24
)

// storages are the ways of storing, in the order of the table.
var storages = []struct {
	name string
	how  ecs.Storage
}{{"fixed", ecs.Stable}, {"optional", ecs.Volatile}, {"thin", ecs.Thin}}

// operations are in the order in which they are made. Each has its breakpoints around the call alone.
var operations = []struct {
	name string
	call func(*ecs.Pool[value], ecs.Entity)
}{
	{"Add", func(p *ecs.Pool[value], e ecs.Entity) {
		runtime.Breakpoint()
		err := p.Add(e, value{1, 2})
		runtime.Breakpoint()
		twin.Check(err)
	}},
	{"Has", func(p *ecs.Pool[value], e ecs.Entity) {
		runtime.Breakpoint()
		has := p.Has(e)
		runtime.Breakpoint()
		if !has {
			panic("an entity lacks what it was given")
		}
	}},
	{"Get", func(p *ecs.Pool[value], e ecs.Entity) {
		runtime.Breakpoint()
		x := p.Get(e).X
		runtime.Breakpoint()
		if x != 1 {
			panic("an entity has another value")
		}
	}},
	{"Remove", func(p *ecs.Pool[value], e ecs.Entity) {
		runtime.Breakpoint()
		err := p.Remove(e)
		runtime.Breakpoint()
		twin.Check(err)
	}},
}

// The stepped process is this one if the environment says so. Its calls are made on the thread that the parent traces, which is the
// one of init.
func init() {
	if os.Getenv(steppedBy) == "" {
		return
	}
	runtime.LockOSThread()
	for _, way := range storages {
		w := newWorld()
		ecs.Register[[2]float64](w, "place")
		p := ecs.Register[value](w, "value", way.how)
		es := make([]ecs.Entity, 1<<18)
		twin.Check(ecs.SpawnerOf[struct{ At [2]float64 }](w).SpawnN(es, []struct{ At [2]float64 }{{}}))
		random := rand.New(rand.NewPCG(1, 2))
		shuffle := func(es []ecs.Entity) {
			random.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		}
		shuffle(es)
		having, lacking := es[:len(es)/4], es[len(es)/2:]
		for _, e := range having {
			twin.Check(p.Add(e, value{1, 2}))
		}
		for range 300 { // rows move to the tables that they belong in
			twin.Check(w.Run(context.Background()))
		}
		shuffle(having)
		for _, op := range operations {
			from := &having
			if op.name == "Add" {
				from = &lacking
			}
			for range touchedBefore + touchedCalls {
				runtime.Gosched() // the scheduler would come into a call soon, for steps are slow
				op.call(p, (*from)[0])
				*from = (*from)[1:]
			}
		}
		w.Close()
	}
	os.Exit(0)
}

// touched is counts of a call: loads are instructions that read memory, lines the cache lines, and cold the ones that no
// call before has touched.
type touched struct{ loads, lines, cold int }

// instruction is one with a word on its function.
type instruction struct {
	x86asm.Inst
	yields bool // the scheduler takes the thread away: the runtime asks for that every 10 ms
}

// process is a stepped process.
type process struct {
	pid  int
	regs syscall.PtraceRegs
	code map[uint64]instruction // by address
}

func (p *process) wait() (more bool, err error) {
	var s syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(p.pid, &s, 0, nil); err != nil {
			return false, err
		}
		switch {
		case s.Exited() && s.ExitStatus() == 0:
			return false, nil
		case !s.Stopped():
			return false, fmt.Errorf("the stepped process ended with %v", s)
		case s.StopSignal() == syscall.SIGTRAP:
			return true, syscall.PtraceGetRegs(p.pid, &p.regs)
		}
		if err := syscall.PtraceCont(p.pid, int(s.StopSignal())); err != nil {
			return false, err
		}
	}
}

// resume runs to the next breakpoint.
func (p *process) resume() (more bool, err error) {
	if err := syscall.PtraceCont(p.pid, 0); err != nil {
		return false, err
	}
	return p.wait()
}

// call steps through to the next breakpoint. It returns the loads, or -1 of a call that the scheduler came into, and adds to
// lines the touched ones.
func (p *process) call(lines map[uint64]bool) (loads int, err error) {
	var g [16]byte // the goroutine, which a register points to, begins with the ends of its stack
	if _, err := syscall.PtracePeekData(p.pid, uintptr(p.regs.R14), g[:]); err != nil {
		return 0, err
	}
	low, high := binary.LittleEndian.Uint64(g[:]), binary.LittleEndian.Uint64(g[8:])
	yielded := false
	for {
		in, err := p.instruction()
		if err == nil && yielded && in.Op == x86asm.INT {
			return -1, nil
		}
		if err != nil || in.Op == x86asm.INT {
			return loads, err
		}
		yielded = yielded || in.yields
		reads, at := p.memory(in.Inst)
		for _, a := range at {
			if a < low || a >= high {
				for line := a / chunk.Line; line <= (a+uint64(max(in.MemBytes, 1))-1)/chunk.Line; line++ {
					lines[line] = true
				}
				if reads {
					loads++
				}
			}
		}
		if err := syscall.PtraceSingleStep(p.pid); err != nil {
			return 0, err
		}
		if more, err := p.wait(); !more {
			return 0, fmt.Errorf("the process ended within a call: %v", err)
		}
	}
}

// instruction is the one that comes next.
func (p *process) instruction() (instruction, error) {
	if in, known := p.code[p.regs.Rip]; known {
		return in, nil
	}
	var text [15]byte
	if _, err := syscall.PtracePeekText(p.pid, uintptr(p.regs.Rip), text[:]); err != nil {
		return instruction{}, err
	}
	decoded, err := x86asm.Decode(text[:], 64)
	if err != nil {
		return instruction{}, fmt.Errorf("% x: %w", text, err)
	}
	in := instruction{Inst: decoded}
	if f := runtime.FuncForPC(uintptr(p.regs.Rip)); f != nil {
		in.yields = strings.HasPrefix(f.Name(), "runtime.morestack")
	}
	p.code[p.regs.Rip] = in
	return in, nil
}

// memory is the addresses that an instruction touches, and whether it reads there.
func (p *process) memory(in x86asm.Inst) (reads bool, at []uint64) {
	switch name := in.Op.String(); {
	case in.Op == x86asm.LEA || in.Op == x86asm.NOP:
		return false, nil
	case !strings.HasPrefix(name, "MOV") && !strings.HasPrefix(name, "SET") && !strings.HasPrefix(name, "STOS"):
		reads = true
	}
	for i, arg := range in.Args {
		if m, is := arg.(x86asm.Mem); is {
			a := uint64(m.Disp) + p.register(m.Base) + uint64(m.Scale)*p.register(m.Index)
			if m.Base == x86asm.RIP {
				a += uint64(in.Len)
			}
			if m.Segment == x86asm.FS {
				a += p.regs.Fs_base
			}
			reads = reads || i > 0
			at = append(at, a)
		}
	}
	return reads, at
}

func (p *process) register(r x86asm.Reg) uint64 {
	g := &p.regs
	switch r {
	case x86asm.RIP:
		return g.Rip
	case 0:
		return 0
	}
	if r < x86asm.RAX || r > x86asm.R15 {
		panic(r.String() + " in an address")
	}
	return [...]uint64{g.Rax, g.Rcx, g.Rdx, g.Rbx, g.Rsp, g.Rbp, g.Rsi, g.Rdi, g.R8, g.R9, g.R10, g.R11, g.R12, g.R13, g.R14, g.R15}[r-x86asm.RAX]
}

// stepped counts the calls, in the order in which the process makes them. The kernel takes orders from one thread alone.
func stepped() (found []touched, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), steppedBy+"=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	p := &process{pid: cmd.Process.Pid, code: map[uint64]instruction{}}
	if _, err := p.wait(); err != nil {
		return nil, err
	}
	for range len(storages) * len(operations) {
		seen, loads, lines, cold := map[uint64]bool{}, []int(nil), []int(nil), []int(nil)
		for i := range touchedBefore + touchedCalls {
			if more, err := p.resume(); err != nil || !more {
				return nil, fmt.Errorf("no call came: %v", err)
			}
			these, before := map[uint64]bool{}, len(seen)
			n, err := p.call(these)
			if err != nil {
				return nil, err
			}
			p.regs.Rip++ // behind the breakpoint
			if err := syscall.PtraceSetRegs(p.pid, &p.regs); err != nil {
				return nil, err
			}
			maps.Copy(seen, these)
			if i >= touchedBefore && n >= 0 {
				loads, lines, cold = append(loads, n), append(lines, len(these)), append(cold, len(seen)-before)
			}
		}
		if len(loads) < touchedCalls/4 {
			return nil, fmt.Errorf("the scheduler came into all but %d of %d calls", len(loads), touchedCalls)
		}
		found = append(found, touched{median(loads), median(lines), median(cold)})
	}
	return found, nil
}

func median(list []int) int {
	slices.Sort(list)
	return list[len(list)/2]
}

// countedIn is the page with the counts.
const countedIn = "../../../docs/design/store.md"

// Has, Get, Add and Remove touch as many cache lines as the page says, and load as often.
func TestCallsTouchWhatThePageSays(t *testing.T) {
	if race.Enabled || arena.Checked || testing.CoverMode() != "" {
		t.Skip("this build checks or counts within the calls: a plain one is stepped through")
	}
	var found []touched
	var err error
	done := make(chan bool)
	counters.Pinned(0, func() { // two processes that take turns do so faster on one processor
		defer close(done)
		found, err = stepped()
	})
	<-done
	if slices.ContainsFunc([]error{syscall.EPERM, syscall.ENOSYS, syscall.EIO, syscall.EINVAL}, func(no error) bool { return errors.Is(err, no) }) {
		t.Skipf("no process can be traced here, so nothing is counted; linux on amd64 counts: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(countedIn)
	if err != nil {
		t.Fatal(err)
	}
	near := func(n, said, percent int) bool { return max(n-said, said-n) <= said*percent/100 }
	for i, op := range operations {
		row := regexp.MustCompile("(?m)^\\| `" + op.name + "` \\| (\\d+), (\\d+), (\\d+) \\| (\\d+), (\\d+), (\\d+) \\| (\\d+), (\\d+), (\\d+) \\|$").FindSubmatch(page)
		if row == nil {
			t.Errorf("%s has no row of counts for %s", countedIn, op.name)
			continue
		}
		for j, storage := range storages {
			var said touched
			fmt.Sscan(string(bytes.Join(row[1+3*j:][:3], []byte(" "))), &said.loads, &said.lines, &said.cold)
			n := found[j*len(operations)+i]
			if !near(n.cold, said.cold, 25) || !near(n.lines, said.lines, 5) || !near(n.loads, said.loads, 10) {
				t.Errorf("%s, %s: %d loads, %d lines, %d cold, and the page says %d, %d, %d", op.name, storage.name, n.loads, n.lines, n.cold, said.loads, said.lines, said.cold)
			}
		}
	}
}
