package field

import (
	"reflect"
	"slices"
)

// way is a field by which calls of a system reach a component.
type way struct {
	*Field
	of int // number of the query; 0: the system's struct
}

// waysOf are the ways of a struct.
func waysOf(fields []Field) (ways []way) {
	of := 0
	list := func(fields []Field) {
		for i := range fields {
			if f := &fields[i]; f.Values() || f.Kind == Pool {
				ways = append(ways, way{f, of})
			}
		}
	}
	list(fields)
	for i := range fields {
		of++
		list(fields[i].Within)
	}
	return ways
}

// meets tells whether two ways may reach one value in a call, and one of them writes it. With OnlyIn, columns are of
// other components of the same type. Two columns of one struct don't meet: see source.Clash.
func (x way) meets(y way) bool {
	return (x.Write || y.Write) && x.Type == y.Type && (x.of > 0 || y.of > 0 || x.Values() != y.Values())
}

// copied tells whether the way passes copies, however values lie.
func (x way) copied() bool {
	return x.Kind == Slice && (x.Strided || x.Part.Path != "" || x.Woven.Size > 0)
}

// News tells whether a query of the struct asks for changes of a component that the struct writes. Beside other systems all
// that it writes is of one tick, and a second walk of the query would not know changes behind the first.
func News(fields []Field) bool {
	all := Flat(fields)
	for i := range fields {
		for _, asks := range fields[i].Within {
			if asks.Kind.Changes() && slices.ContainsFunc(all, func(f Field) bool { return f.Write && f.Comp != nil && f.Type == asks.Type }) {
				return true
			}
		}
	}
	return false
}

// Met are the types of components that calls reach in several ways, if one of them writes, and the ones among them that some
// way passes copies of.
func Met(fields []Field) (types, copied []reflect.Type) {
	ways := waysOf(fields)
	for _, x := range ways {
		if slices.ContainsFunc(ways, x.meets) {
			types = append(types, x.Type)
		}
	}
	for _, x := range ways {
		if x.copied() && slices.Contains(types, x.Type) {
			copied = append(copied, x.Type)
		}
	}
	return types, copied
}
