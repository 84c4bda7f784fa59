package ecs_test

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// Changes that a row asks for.
const (
	askAdd = iota
	askPut
	askSet
	askRemove
	askOn
	askOff
	askDestroy
	askSpawn
	askWholeOn
	askWholeOff
	askExchange // k is the number of the exchange
)

type motleyAsk struct {
	kind, k   int
	e         ecs.Entity
	v         motleyPair
	motleyKit int
}

// motleyEnv is all that a row reaches beyond its values: a call of a system, or the model.
type motleyEnv interface {
	target(acc uint64) ecs.Entity
	look(j int, e ecs.Entity) (motleyPair, bool)
	prior(j int, e ecs.Entity) (motleyPair, bool)
	row(j int) motleyPair // by Prior.Rows
	draw(e ecs.Entity) uint64
	res() uint64
	news() uint64
	hear() uint64
	far() uint64
	add(acc uint64)
	emit(e ecs.Entity, acc uint64)
	mut(j int, e ecs.Entity, acc uint64)
	farWrite(acc uint64)
	ask(j int, a motleyAsk)
	do(end bool, a motleyAsk)
}

// think is the number of a row.
func (s *motleySpec) think(in []motleyPair, has []bool, e ecs.Entity, env motleyEnv) uint64 {
	acc := s.salt
	for j, c := range s.cols {
		acc = mixed(mixed(acc, in[j].V), in[j].W)
		if has[j] && (c.has || s.pointers) {
			acc++
		}
	}
	if s.ents {
		acc = mixed(acc, uint64(e))
	}
	for j := range s.looks {
		if v, has := env.look(j, env.target(acc)); has {
			acc = mixed(acc+3, v.V+v.W)
		}
	}
	for j := range s.priors {
		v := env.row(j)
		if acc = mixed(acc, v.V-v.W); acc%3 == 0 {
			if v, has := env.prior(j, env.target(acc)); has {
				acc = mixed(acc+5, v.V+v.W)
			}
		}
	}
	if s.rand {
		acc = mixed(acc, env.draw(e))
	}
	if s.res {
		acc = mixed(acc, env.res())
	}
	if s.in {
		acc = mixed(acc, env.news())
	}
	if len(s.hears) > 0 && acc%13 == 0 {
		acc = mixed(acc, env.hear())
	}
	if s.far >= 0 && fars[s.far].writes < 0 && acc%61 == 0 {
		acc = mixed(acc, env.far())
	}
	return acc
}

// out is the value that a row writes to a column.
func (s *motleySpec) value(j int, in motleyPair, acc uint64) motleyPair {
	return motleyPair{mixed(in.V+acc, uint64(j)), mixed(in.W^acc, uint64(j+9))}
}

// act does the rest of a row.
func (s *motleySpec) act(acc uint64, e ecs.Entity, env motleyEnv) {
	if s.sum {
		env.add(acc)
	}
	if s.out && acc%5 == 0 {
		env.emit(e, acc)
	}
	for j := range s.reaches {
		if acc%2 == 0 {
			env.mut(j, env.target(acc>>3), acc)
		}
	}
	if s.far >= 0 && fars[s.far].writes >= 0 && acc%61 == 1 {
		env.farWrite(acc)
	}
	for j, k := range s.asks {
		if n := acc >> 9 % 24; n <= 2*askOff+1 {
			env.ask(j, motleyAsk{kind: int(n / 2), k: k, e: e, v: motleyPair{acc, acc >> 5}})
		}
	}
	if s.do {
		s.order(false, acc>>17, e, env)
	}
	if s.end {
		s.order(true, acc>>23, e, env)
	}
}

func (s *motleySpec) order(end bool, n uint64, e ecs.Entity, env motleyEnv) {
	a := motleyAsk{k: int(n >> 6 % parts), e: e, v: motleyPair{n, n >> 3}, motleyKit: int(n >> 11 % uint64(len(kits)))}
	switch n % 64 {
	case 0:
		a.kind = askDestroy
	case 1, 2:
		a.kind = askSpawn
	case 3:
		a.kind = askWholeOff
	case 4:
		a.kind = askWholeOn
	case 5, 6, 7:
		a.kind = askRemove
	case 8:
		a.kind = askAdd
	case 9, 10, 11:
		a.kind = askPut
	case 12, 13:
		a.kind = askSet
	case 14:
		a.kind = askOff
	case 15:
		a.kind = askOn
	default:
		return
	}
	env.do(end, a)
	if n%64 == 9 { // several of one entity
		a.kind = askRemove
		env.do(end, a)
		a.kind, a.v.V = askAdd, a.v.V+1
		env.do(end, a)
	}
}
