package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// usageError is an error in how the command was called: exit status 2.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// undecided is an error of a command that compares: exit status 2, since 1 says that files differ.
type undecided struct{ error }

func (u undecided) Unwrap() error { return u.error }

// different is the error of `ashlar profile diff` if files differ. It sets exit status 1 and prints
// nothing, like diff.
type different struct{}

func (different) Error() string { return "the files differ" }

// hangup is SIGHUP, which package syscall does not name on js.
const hangup = syscall.Signal(1)

// interruption is a signal that asks the command to end.
type interruption struct{ os.Signal }

func (i interruption) Error() string {
	switch i.Signal {
	case syscall.SIGTERM:
		return "interrupted by SIGTERM"
	case hangup:
		return "interrupted by SIGHUP"
	}
	return "interrupted"
}

// status returns the exit status that shells expect: 128 plus the signal's number, 130 for Ctrl-C.
func (i interruption) status() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 128
}

// interruptionOf returns why a context ended. A context without a cause counts as interrupted too.
func interruptionOf(ctx context.Context) interruption {
	if i, ok := errors.AsType[interruption](context.Cause(ctx)); ok {
		return i
	}
	return interruption{os.Interrupt}
}
