package field

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// tagKey is the key of the tags that this package reads.
const tagKey = "ashlar"

// parseTag reads a field's tag `ashlar:"…"`: the name of a component, or of a field of one.
// A tag from which nothing would be read, although it seems to be meant for this package, is an error.
func parseTag(sf reflect.StructField) (name string, err error) {
	if err := checkKeys(sf.Tag); err != nil {
		return "", err
	}
	words := strings.Split(sf.Tag.Get(tagKey), ",")
	for _, word := range words {
		switch word = strings.TrimSpace(word); {
		case Reserved(word):
			return "", inType(sf, words)
		case name != "" && word != "":
			return "", fmt.Errorf("the tag names two components, %q and %q: one name is allowed", name, word)
		case word != "":
			name = word
		case len(words) > 1:
			return "", fmt.Errorf("the tag has a comma too many: a tag is one name")
		}
	}
	return name, nil
}

// inType refuses such a word, and shows the field with the type that says the same.
func inType(sf reflect.StructField, words []string) error {
	var f form
	var rows bool
	field, name, word := sf.Name, "", ""
	for _, w := range words {
		switch w = strings.TrimSpace(w); w {
		case "write":
			f.write, word = true, w
		case "optional":
			f.optional, word = true, w
		case "rows":
			rows, word = true, w
		default:
			name = w
		}
	}
	of := func(t reflect.Type) string {
		text := t.String()
		return text[strings.LastIndexByte(text[:strings.IndexByte(text+"[", '[')], '.')+1:]
	}
	had := of(sf.Type)
	param := had[strings.IndexByte(had, '[')+1:]
	is := ""
	switch k := sf.Type.Kind(); {
	case strings.HasPrefix(had, "Res[") && f == form{write: true}:
		is = "WriteRes[" + param[strings.LastIndexByte(param, '.')+1:]
	case (strings.HasPrefix(had, "Changed[") || strings.HasPrefix(had, "Added[")) && f == form{} && rows:
		is = had[:strings.IndexByte(had, '[')] + "Rows[" + param[strings.LastIndexByte(param, '.')+1:]
	case (k == reflect.Slice || k == reflect.Pointer) && sf.Type.Name() == "" && f != form{} && !rows:
		f.one = k == reflect.Pointer
		is = f.name() + "[" + of(sf.Type.Elem()) + "]"
	case !isOwn(sf.Type) && f == form{optional: true} && !rows: // of values
		field, is = "_", "Maybe["+had+"]"
	default:
		return fmt.Errorf("the tag says %s, which means nothing here: a tag is a name; remove the word", word)
	}
	if name != "" {
		name = " `" + tagKey + ":" + strconv.Quote(name) + "`"
	}
	return fmt.Errorf("the tag says %s, which the type says now: write %s ecs.%s%s", word, field, is, name)
}

// checkKeys refuses a tag that is not key:"value" pairs, one with a key that is almost ours or the package's name, and
// one that has our key twice: reflect would pass over it in silence.
func checkKeys(of reflect.StructTag) error {
	found := false
	for rest := strings.TrimLeft(string(of), " "); rest != ""; {
		key, value, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || quoted[0] != '"' || strings.ContainsAny(key, ` "`) {
			return fmt.Errorf("the tag %q has the wrong form and is not read: write `ashlar:\"name\"`, without a space after the colon", of)
		}
		switch {
		case key == tagKey && found:
			return fmt.Errorf("the tag has the key %s twice, and the second is not read: keep one", tagKey)
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

// suits returns an error if a tag names something, and a field of its kind has no use for a name.
func suits(name string, k Kind) error {
	instead := ""
	switch k {
	case Entities, Entity:
		instead = "the field gets the entities of the rows, whatever they have; put the tag on a field []T or *T"
	case Rows:
		instead = "ecs.Rows gets the numbers of the rows that match; put the tag on a field []T"
	case Commands:
		instead = "*ecs.Commands takes any change without it; take the tag away"
	case Spawner:
		instead = "fields of the struct that is spawned name components; put the tag on one of them"
	case Local:
		instead = "an ecs.Local is a value of the system's own; take the tag away"
	case Resource:
		instead = "an ecs.Res is the world's one value of its type; take the tag away"
	}
	if name == "" || instead == "" {
		return nil
	}
	return fmt.Errorf("the tag says %q, which means nothing here: %s", name, instead)
}

// Reserved tells words that tags had before v0.3.0. No component has such a name.
func Reserved(name string) bool { return name == "write" || name == "optional" || name == "rows" }
