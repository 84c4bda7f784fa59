package counters

import "time"

// ThreadTime returns how long the calling thread has run in user code and in the
// kernel, since it began. It is one system call, and the numbers are whole
// microseconds. Their sum is exact, but most kernels find out how it divides only
// at their clock's ticks, 1 to 10 ms apart: the parts mean something over many
// ticks. The error wraps ErrUnavailable: only linux tells.
func ThreadTime() (user, kernel time.Duration, err error) { return threadTime() }
