package arena

import (
	"runtime"
	"testing"
	"time"
)

// TestProcessorLimit: the smallest quota of the groups that the process is in counts, in either version.
func TestProcessorLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  int
	}{
		"nothing":        {nil, 0},
		"no quota":       {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, 0},
		"one and a half": {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "150000 100000\n"}, 2},
		"the group around": {map[string]string{
			"proc/self/cgroup":          "0::/a/b\n",
			"sys/fs/cgroup/a/cpu.max":   "100000 100000\n",
			"sys/fs/cgroup/a/b/cpu.max": "800000 100000\n",
		}, 1},
		"the first version": {map[string]string{
			"proc/self/cgroup":                     "4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "300000\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
		}, 3},
		"nonsense": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "7 0\n"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ProcessorLimit(machineOf(tt.files)); got != tt.want {
				t.Errorf("%d processors, want %d", got, tt.want)
			}
		})
	}
}

// TestProcessorTime: work counts, and time spent asleep does not.
func TestProcessorTime(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system has no such clock: Linux and darwin test it")
	}
	sum, began := uint64(0), time.Now()
	before := ProcessorTime()
	for ProcessorTime() < before+10*time.Millisecond {
		if sum++; time.Since(began) > time.Minute {
			t.Fatal("a minute of work did not count")
		}
	}
	busy := ProcessorTime()
	time.Sleep(50 * time.Millisecond)
	if idle := ProcessorTime() - busy; idle > 25*time.Millisecond {
		t.Errorf("50 ms asleep count as %v of work", idle)
	}
}
