package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tagKey is the key of the tags that this package reads.
const tagKey = "ashlar"

// tag is what a field's `ashlar:"…"` says: a component's name, and options.
type tag struct {
	name                  string
	write, optional, rows bool
}

// parseTag reads "name", "write", "optional", "rows" in any order, separated by commas, each once. A
// tag from which nothing would be read, although it seems to be meant for this package, is an error.
func parseTag(of reflect.StructTag) (t tag, err error) {
	if err := checkKeys(of); err != nil {
		return t, err
	}
	if strings.TrimSpace(of.Get(tagKey)) == "" {
		return t, nil
	}
	words := strings.Split(of.Get(tagKey), ",")
	for i, word := range words {
		word = strings.TrimSpace(word)
		if words[i] = word; word == "" || slices.Contains(words[:i], word) {
			return t, misspelt(words, word)
		}
		switch {
		case word == "write":
			t.write = true
		case word == "optional":
			t.optional = true
		case word == "rows":
			t.rows = true
		case t.name != "":
			return t, fmt.Errorf("the tag names two components, %q and %q: at most one name, and the words write, optional and rows", t.name, word)
		default:
			t.name = word
		}
	}
	return t, nil
}

// misspelt is the error of a tag in which a word stands twice, or that has a comma too many.
func misspelt(words []string, word string) error {
	var once []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" && !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	problem, remedy := fmt.Sprintf("the tag says %s twice", word), fmt.Sprintf("write `ashlar:%q`", strings.Join(once, ","))
	if word == "" {
		problem = "the tag has no word before or behind a comma"
	}
	if len(once) == 0 {
		remedy = "leave the tag out"
	}
	return fmt.Errorf("%s: %s", problem, remedy)
}

// checkKeys refuses a tag that is not key:"value" pairs, one whose key is almost ours or the package's name, and
// one that has our key twice: reflect would pass over it in silence.
func checkKeys(of reflect.StructTag) error {
	found := false
	for rest := strings.TrimLeft(string(of), " "); rest != ""; {
		key, value, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || quoted[0] != '"' || strings.ContainsAny(key, ` "`) {
			return fmt.Errorf("the tag %q has the wrong form and is not read: write `ashlar:\"write\"`, without a space after the colon", of)
		}
		switch {
		case key == tagKey && found:
			return fmt.Errorf("the tag has the key %s twice, and the second is not read: write `ashlar:\"write,optional\"`", tagKey)
		case key == tagKey:
			found = true
		case key == "ecs", edits(strings.ToLower(key), tagKey) <= 2:
			return fmt.Errorf("the tag's key is %q, which is not read: %s is meant, as in `ashlar:%s`", key, tagKey, quoted)
		}
		rest = strings.TrimLeft(value[len(quoted):], " ")
	}
	return nil
}

// edits is how many letters have to be put in, left out or changed to make a of b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// suits returns an error if the tag says something that a field of its kind has no use for.
func (t tag) suits(k kind) error {
	var names, writes bool // the kind has a use for a name, and for the word write
	var instead string
	if t.rows && k != kindChanged && k != kindAdded {
		return fmt.Errorf("the tag says rows, which means nothing here: a field ecs.Changed or ecs.Added can ask for single rows; remove the word")
	}
	switch k {
	case kindSlice, kindPointer:
		return nil
	case kindEntities, kindEntity:
		instead = "the field gets the entities of the rows, whatever they have; put the tag on a field []T or *T"
	case kindRows:
		instead = "ecs.Rows gets the numbers of the rows that match; put the tag on a field []T"
	case kindPresence:
		names = true
		instead = "ecs.Has tells which rows have a component; put the word on the field []T of its values"
	case kindWith:
		names = true
		instead = "ecs.With gives no values; for values use a field []T or *T in its place, with this tag"
	case kindWithout:
		names = true
		instead = "ecs.Without excludes what has the component, so there is nothing to write or to leave out; remove the word"
	case kindAny:
		names = true
		instead = "ecs.Or gives no values; for values add a field []T or *T with the word optional"
	case kindPresent, kindDisabled:
		names = true
		instead = "ecs.Present and ecs.Disabled give no values; put the word on a field []T or *T beside it"
	case kindChanged, kindAdded:
		names = true
		instead = "it says which rows there are and gives no values; for values put a field []T or *T beside it"
	case kindPool:
		names = true
		instead = "an *ecs.Pool reads and writes any entity's value without it; remove the word"
	case kindLater:
		names = true
		instead = "an ecs.Later takes any change of its component without it; remove the word"
	case kindCommands:
		instead = "*ecs.Commands takes any change without it; take the tag away"
	case kindResource:
		writes = true
		instead = "an ecs.Res is the world's one value of its type; its tag may say write, and nothing else"
	}
	switch {
	case t.write && !writes:
		return fmt.Errorf("the tag says write, which means nothing here: %s", instead)
	case t.optional:
		return fmt.Errorf("the tag says optional, which means nothing here: %s", instead)
	case t.name != "" && !names:
		return fmt.Errorf("the tag says %q, which means nothing here: %s", t.name, instead)
	}
	return nil
}

// suitsValue is suits for a field of a struct of values.
func (t tag) suitsValue(k kind) error {
	switch {
	case t.rows:
		return fmt.Errorf("the tag says rows, which means nothing here: the fields are values to spawn from; a field ecs.Changed or ecs.Added of a query says rows")
	case t.write:
		return fmt.Errorf("the tag says write, which means nothing here: the fields are values to spawn from; a field []T of a system's struct says write")
	case t.optional && k != kindSlice:
		return fmt.Errorf("the tag says optional, which means nothing here: ecs.With and ecs.Without say what members have elsewhere, and lack; remove the word")
	}
	return nil
}
