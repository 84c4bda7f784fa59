package public

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/candidate"
)

// startEntities is how many entities the first frame of a process has.
const startEntities = 64

// StartStage begins the name of a stage that Start runs: the name of a storage follows.
const StartStage = "start/"

// firstFrame makes N entities in a store that is new, and runs a frame.
func firstFrame[H any](n int, s Store[H]) (rows int, sum uint64) {
	list := make([]H, n)
	s.Create(list, moving)
	rows = s.Frame([]System{Move})
	return rows, digest(s, list)
}

// Start makes a store in this process, which has just begun, and runs a frame. It prints how long that took, the rows that the
// frame visited, and a digest. It reports whether there is such a storage.
func Start(storage string, out io.Writer) bool {
	for _, c := range Candidates() {
		if c.storage == storage {
			begin := time.Now()
			rows, sum := c.start(startEntities)
			fmt.Fprintln(out, time.Since(begin).Nanoseconds(), rows, sum)
			return true
		}
	}
	return false
}

// startUp is the contest about the first frame of a process, from the making of the store on. Each work is a process of this program.
func startUp() candidate.Contest {
	c := candidate.Contest{Part: "beyond", Name: "start_up", Entities: startEntities, Ops: 1}
	for _, p := range Candidates() {
		if len(p.only) == 0 {
			c.Entries = append(c.Entries, candidate.Entry{Storage: p.storage, Guide: p.guide, Open: func() candidate.Body { return process(p.storage) }})
		}
	}
	return c
}

// process runs Start in a process of its own. A process that can't be started is the end of this program: no row can be had.
func process(storage string) candidate.Body {
	var took time.Duration
	var sum uint64
	return candidate.Body{
		Work: func() (rows int) {
			program, err := os.Executable()
			if err == nil {
				var out []byte
				if out, err = exec.Command(program, "-stage", StartStage+storage, "-entities", fmt.Sprint(startEntities)).Output(); err == nil {
					_, err = fmt.Fscan(bytes.NewReader(out), &took, &rows, &sum)
				}
			}
			if err != nil {
				panic(fmt.Sprintf("a process for %s: %v", storage, err))
			}
			return rows
		},
		Took:   func() time.Duration { return took },
		Digest: func() uint64 { return sum },
	}
}
