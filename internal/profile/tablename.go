package profile

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// TableName is the parsed name of a table. A table is a group that the program did not declare:
// the rows of entities that have the same components. Its name lists these components, so a
// profile's statement about it holds for any program that has them:
//
//	table/pos+vel~poison   rows with pos and vel, of which some have poison
//	table/~poison          rows of which some have poison
//	table/body/pos         rows of group body's components that have pos alone of them
//	thin/poison            rows with poison, each apart from the rest of its entity
//	table/pos+9-more@31c09 the same of many components: a count and a sum of all names
type TableName struct {
	Group    string   // that owns the components; "": no group owns them
	Fixed    []string // that all rows have
	Optional []string // that some rows have
	Thin     bool     // the rows are apart from the other rows of their entities
	Cut      bool     // the table has more components than the name lists
}

const (
	tablePrefix = "table/"
	thinPrefix  = "thin/"
	tableMax    = 200 // bytes of components that are spelled out
)

// Components returns the fixed and the optional ones, in the order of their columns.
func (t TableName) Components() []string { return slices.Concat(t.Fixed, t.Optional) }

// String returns the name, of at most about 200 bytes plus two names. The names of components
// must not contain + ~ @ or /.
func (t TableName) String() string {
	var b strings.Builder
	b.WriteString(tablePrefix)
	switch {
	case t.Thin:
		b.Reset()
		b.WriteString(thinPrefix)
	case t.Group != "":
		b.WriteString(t.Group + "/")
	}
	all, begin := t.Components(), b.Len()
	for i, c := range all {
		sign := "+"
		if i >= len(t.Fixed) {
			sign = "~"
		}
		if i == 0 && sign == "+" {
			sign = ""
		}
		if i > 0 && b.Len()-begin+len(c) > tableMax {
			h := fnv.New64a()
			h.Write([]byte(strings.Join(t.Fixed, "+") + "~" + strings.Join(t.Optional, "~")))
			fmt.Fprintf(&b, "%s%d-more@%x", sign, len(all)-i, h.Sum64())
			break
		}
		b.WriteString(sign + c)
	}
	return b.String()
}

// ParseTable reads a name that String wrote. It returns false for names of other groups.
func ParseTable(name string) (t TableName, ok bool) {
	rest, ok := strings.CutPrefix(name, tablePrefix)
	if !ok {
		c, thin := strings.CutPrefix(name, thinPrefix)
		return TableName{Fixed: []string{c}, Thin: true}, thin && c != "" && !strings.ContainsAny(c, "+~@/")
	}
	if group, components, found := strings.Cut(rest, "/"); found {
		if t.Group, rest = group, components; group == "" {
			return t, false
		}
	}
	list := &t.Fixed
	if after, only := strings.CutPrefix(rest, "~"); only {
		list, rest = &t.Optional, after
	}
	for {
		n := strings.IndexAny(rest, "+~")
		c := rest
		if n >= 0 {
			c = rest[:n]
		}
		switch {
		case c == "" || strings.Contains(c, "/"):
			return t, false
		case strings.Contains(c, "@"): // stands for the rest
			t.Cut = true
			return t, n < 0 && len(t.Components()) > 0
		}
		*list = append(*list, c)
		if n < 0 {
			return t, true
		}
		if rest[n] == '~' {
			list = &t.Optional
		} else if list == &t.Optional {
			return t, false // fixed ones come first
		}
		rest = rest[n+1:]
	}
}
