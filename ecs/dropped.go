package ecs

import (
	"encoding/json"
	"fmt"
)

// DroppedCommand is a command that was not carried out. It is as good as any value: it refers to nothing.
type DroppedCommand struct {
	// System is the system that asked for the command; "" if none did.
	System string
	// Frame is the number of the frame under way, from 1 on.
	Frame uint64
	// Entity is which it was for.
	Entity Entity
	// The command in words, such as `add "hp"`.
	What string
	// Err says why it was dropped.
	Err error
}

func (d DroppedCommand) String() string {
	by := "a command"
	if d.System != "" {
		by = fmt.Sprintf("a command of system %q", d.System)
	}
	return fmt.Sprintf("%s in frame %d, %s of %v: %v", by, d.Frame, d.What, d.Entity, d.Err)
}

// MarshalJSON has the error as text.
func (d DroppedCommand) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		System string `json:"system,omitempty"`
		Frame  uint64 `json:"frame"`
		Entity Entity `json:"entity"`
		What   string `json:"what"`
		Why    string `json:"why"`
	}{d.System, d.Frame, d.Entity, d.What, fmt.Sprint(d.Err)})
}
