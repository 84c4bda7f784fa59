package ecs

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
