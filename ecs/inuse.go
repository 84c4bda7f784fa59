package ecs

import (
	"cmp"
	"fmt"
)

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
	if y := w.base.Store.Hearing(); y != nil && w.base.Walks.Busy == "" {
		return y.Name
	}
	return w.base.Walks.Busy
}

// mustIdle panics if a query or system iterates: rows would move under it.
func (w *World) mustIdle(what string) {
	if w.under() != "" {
		panic(w.busy(what))
	}
}

// mustPromiseNone panics within a system that promises Parallel, where a call would see or change what other pieces do.
func (w *World) mustPromiseNone(call, remedy string) {
	if w.systems.Promised() {
		panic(fmt.Sprintf("ecs: %s within %s, which several workers may run (ecs.Parallel): %s", call, cmp.Or(w.base.Walks.Busy, w.systems.Running()), remedy))
	}
}

// busy is the panic of a call within an iteration. Some calls can be queued.
func (w *World) busy(what string) string {
	if y := w.base.Store.Hearing(); y != nil {
		return fmt.Sprintf("ecs: %s within observer %q, which is told of a change that is under way: ask for changes by a field of type *ecs.Commands or ecs.Later of its struct, and make other calls when the change is made", what, y.Name)
	}
	remedy := "call it when the loop has ended, or in a system whose struct asks for no rows"
	whichDo := ", where do is the field of type *ecs.Commands of a system's struct"
	if !w.base.Walks.Split {
		whichDo += ", or World.Commands"
	}
	whichDo += ": it is made at the next safe point"
	switch what {
	case "Destroy":
		remedy = "call do.Destroy" + whichDo
	case "SetEnabled", "Spawn":
		remedy = "call Later(do)." + what + ", or do." + what + " of entities as a whole" + whichDo
	case "Add", "Put", "Remove":
		remedy = "call Later(do)." + what + whichDo
	case "Close", "Run":
		remedy = "call it when the loop has ended, or when Run has returned"
	}
	if w.systems.Running() == "" {
		remedy += ". If iter.Pull began it: call the stop function that it returned"
	}
	return fmt.Sprintf("ecs: %s while %s iterates, whose rows would move under it: %s. If another goroutine iterates: a World is used by one goroutine at a time; guard it with a mutex", what, w.under(), remedy)
}

// mustNotRun panics within a system or a condition: its frame could not be ended.
func (w *World) mustNotRun(what string) {
	if name := w.systems.Running(); name != "" {
		panic(fmt.Sprintf("ecs: %s while system %q runs: the frame needs the world until it ends; call it when Run has returned", what, name))
	}
}
