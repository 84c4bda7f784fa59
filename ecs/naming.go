package ecs

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// nameMax bounds the names of components, groups and systems.
const nameMax = 255

// checkName is the mistake in the name of a component, group, system or world, if there is one.
func checkName(name string) error {
	if name == "" {
		return errors.New("the name is empty: choose another one")
	}
	if len(name) > nameMax {
		return fmt.Errorf("the name has %d characters: at most %d are allowed", len(name), nameMax)
	}
	bad := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	}
	if i := strings.IndexFunc(name, bad); i >= 0 {
		_, size := utf8.DecodeRuneInString(name[i:])
		return fmt.Errorf("the name has %q in it: use a to z, A to Z, 0 to 9 and . _ -", name[i:i+size])
	}
	return nil
}
