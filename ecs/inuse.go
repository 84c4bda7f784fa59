package ecs

import "fmt"

// call is a call that changes the structure of a world. A world is used by one goroutine at a time: each call notes
// that it is under way, and one that meets another panics. That costs a look and two stores, so
// it is no proof: calls that only nearly meet are not noticed.
type call uint8

const (
	_ call = iota // none
	callAdd
	callRemove
	callPut
	callSpawn
	callDestroy
	callSetEnabled
	callExchange
	callAll // of all that match a query
	callClear
	callDissolve
	callReset
	callPurge
	callRun
	callSet // of a value that observers are told of
	callSafePoint
	callCommand // of World.Commands, or of a system that runs alone
)

func (c call) String() string {
	return [...]string{
		"no call", "Add", "Remove", "Put", "Spawn", "Destroy", "SetEnabled", "Exchange", "a change of all that match", "Clear", "Dissolve", "Reset", "Purge", "the end of Run",
		"Set", "a safe point", "a command",
	}[c]
}

// enter begins a call. It panics if something iterates, or if another goroutine is in a call.
func (w *World) enter(c call) {
	if w.doing != 0 || w.base.Walks.Busy != "" {
		w.mustEnter(c)
	}
	w.doing = c
}

// mustEnter panics.
func (w *World) mustEnter(c call) {
	w.mustIdle(c.String())
	panic(fmt.Sprintf("ecs: %v and %v at once: two goroutines use one world, or a function that was passed changes it; guard the world with a mutex, or ask for the change by Commands", w.doing, c))
}

// exit ends a call. It is deferred where code of the program may panic within.
func (w *World) exit() { w.doing = 0 }

// enterCommand begins to note a command, and returns the call that is under way. Functions that a call calls may ask for
// commands: something iterates then. The caller ends it by setting World.doing.
func (w *World) enterCommand() (was call) {
	if was = w.doing; was != 0 {
		w.mustEnterCommand()
	}
	w.doing = callCommand
	return was
}

// mustEnterCommand panics if nothing iterates. It is a call so that enterCommand is none.
//
//go:noinline
func (w *World) mustEnterCommand() {
	if w.under() == "" {
		w.mustEnter(callCommand)
	}
}

// under is the name of the iteration or observer under way, within which nothing may change; "": there is none.
func (w *World) under() string {
	if y := w.base.S.Hearing(); y != nil && w.base.Walks.Busy == "" {
		return y.Name
	}
	return w.base.Walks.Busy
}
