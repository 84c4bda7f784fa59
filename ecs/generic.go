package ecs

import "reflect"

// of says of which type argument a generic type is: reflection finds it there. The field takes no room, and has no method
// that the compiler would write for each argument. It also keeps pools of different types from being converted into
// each other.
type of[T any] [0]*T

// apart keeps values of a type from being compared. The compiler would write the comparison for each type argument.
type apart [0]func()

// typeOf is the type that a pointer points to. (reflect.TypeFor is a function of its own for each type.)
func typeOf(p any) reflect.Type { return reflect.TypeOf(p).Elem() }
