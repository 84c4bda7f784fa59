package entities

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

func take(t testing.TB, s *Set, h *Home, n int) []Entity {
	t.Helper()
	es := make([]Entity, n)
	if n, err := s.TakeN(h, es); err != nil || n != len(es) {
		t.Fatalf("%d of %d, %v", n, len(es), err)
	}
	return es
}

// The order of indexes: commands are +n for n taken, -i for index i freed, by turns of
// homes a and b.
func TestOrder(t *testing.T) {
	for _, tt := range []struct {
		what string
		fifo bool
		do   func(o *order)
		want []uint32 // results of the last take
	}{
		{"fresh", false, func(o *order) { o.take("a", 3) }, []uint32{1, 2, 3}},
		{"fresh, FIFO", true, func(o *order) { o.take("a", 3) }, []uint32{1, 2, 3}},
		{"a part each", false, func(o *order) { o.take("a", 1).take("b", 2) }, []uint32{64, 65}},
		{"one home goes on in a row", false, func(o *order) { o.take("a", 700) }, upTo(700)},
		{"FIFO in a row", true, func(o *order) { o.take("a", 700) }, upTo(700)},
		{"the last freed first", false, func(o *order) { o.take("a", 9).free(2, 7, 4).take("a", 4) }, []uint32{4, 7, 2, 10}},
		{"the first freed first, after those that were free", true, func(o *order) { o.take("a", 9).free(2, 7, 4).take("a", 57) },
			append(upTo(63)[9:], 2, 7, 4)},
		{"the block of the last freed", false, func(o *order) { o.take("a", 130).free(3, 70, 5, 71, 72).take("a", 6) }, []uint32{72, 71, 70, 5, 3, 131}},
		{"turns of blocks", true, func(o *order) { o.take("a", 511).free(3, 70, 5, 71, 200).take("a", 5) }, []uint32{3, 5, 70, 71, 200}},
		{"a turn is what was free when it began", true, func(o *order) { o.take("a", 511).free(3, 4, 70, 71).take("a", 1).free(3, 9).take("a", 5) }, []uint32{4, 70, 71, 3, 9}},
		{"freed by another, back to its home", false, func(o *order) { o.take("a", 3).take("b", 3).free(2).take("b", 1).take("a", 1) }, []uint32{2}},
		{"a block that is free is nobody's", false, func(o *order) { o.take("a", 100).take("b", 1).free(upTo(64)[:63]...).take("b", 64) },
			append(append([]uint32{}, upTo(191)[128:]...), 63)},
		{"the last block with free indexes stays", false, func(o *order) { o.take("a", 1).free(1).take("b", 1).take("a", 1) }, []uint32{1}},
		{"but not with FIFO", true, func(o *order) { o.take("a", 1).free(1).take("b", 1).take("a", 1) }, []uint32{128}},
		{"the second home's second block is a part, as there are some", false, func(o *order) { o.take("a", 64).take("b", 65) }, append(upTo(191)[127:], 192)},
		{"dropped: the common home's", false, func(o *order) { o.take("a", 3).drop("a").take("", 2).free(2).take("", 1) }, []uint32{2}},
		{"dropped and empty: nobody's", false, func(o *order) { o.take("a", 1).free(1).drop("a").take("b", 1) }, []uint32{1}},
		{"a page before a part, for a home that has one", false, func(o *order) {
			o.take("a", 1023).take("b", 64).free(upTo(1023)...).drop("a").take("b", 1)
		}, []uint32{1023}},
		{"after Clear, upwards", false, func(o *order) { o.take("a", 90).take("b", 2).free(3, 1).clear().take("b", 64) }, upTo(64)},
	} {
		t.Run(tt.what, func(t *testing.T) {
			s := Make(open(t, arena.Options{}), Options{Max: 1 << 16, FIFO: tt.fifo})
			o := &order{t: t, s: &s, homes: map[string]*Home{"": s.Common()}}
			tt.do(o)
			if !slices.Equal(o.last, tt.want) {
				t.Errorf("indexes %v, want %v", o.last, tt.want)
			}
		})
	}
}

func upTo(n uint32) (is []uint32) {
	for i := range n {
		is = append(is, i+1)
	}
	return is
}

type order struct {
	t     *testing.T
	s     *Set
	homes map[string]*Home
	last  []uint32
}

func (o *order) take(home string, n int) *order {
	h := o.homes[home]
	if h == nil {
		h = &Home{}
		o.homes[home] = h
	}
	o.last = nil
	for range n {
		e, err := o.s.Take(h)
		if err != nil {
			o.t.Fatal(err)
		}
		o.last = append(o.last, e.Index())
	}
	return o.check()
}

func (o *order) free(indexes ...uint32) *order {
	for _, i := range indexes {
		o.s.Free(o.s.At(i))
	}
	return o.check()
}

func (o *order) drop(home string) *order { o.s.Drop(o.homes[home]); return o.check() }
func (o *order) clear() *order           { o.s.Clear(); return o.check() }

func (o *order) check() *order {
	if err := o.s.Check(); err != nil {
		o.t.Fatal(err)
	}
	return o
}

// Few entities in several homes touch few pages, and one home's lie in a row.
func TestFewEntities(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 1 << 20})
	var homes [10]Home
	for i := range 64 {
		take(t, &s, &homes[i%10], 1)
	}
	if s.Bound() > 2*pageLen {
		t.Errorf("64 entities in ten homes: indexes up to %d", s.Bound())
	}
}

// Indexes of a home stay together under churn: of 50 homes with 1,000 entities each, 2 %
// die and are born in each of 200 frames.
func TestChurn(t *testing.T) {
	for _, fifo := range []bool{false, true} {
		for _, first := range []string{"one home after the other", "all homes together"} {
			s := Make(open(t, arena.Options{}), Options{Max: 1 << 20, FIFO: fifo})
			const homes, each, dying = 50, 1000, 20
			var hs [homes]Home
			var es [homes][]Entity
			r := rand.New(rand.NewPCG(5, 5))
			step := each
			if first == "all homes together" {
				step = 10
			}
			for range each / step {
				for h := range hs {
					es[h] = append(es[h], take(t, &s, &hs[h], step)...)
				}
			}
			for range 200 {
				for h := range hs { // all die first: free indexes may go anywhere then
					r.Shuffle(each, func(i, j int) { es[h][i], es[h][j] = es[h][j], es[h][i] })
					s.FreeN(es[h][each-dying:])
					es[h] = es[h][:each-dying]
				}
				for _, h := range r.Perm(homes) {
					for range dying {
						e, err := s.Take(&hs[h])
						if err != nil {
							t.Fatal(err)
						}
						es[h] = append(es[h], e)
					}
				}
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			type at struct {
				page uint32
				home int
			}
			in, pages := map[at]bool{}, map[uint32]bool{}
			for h := range es {
				for _, e := range es[h] {
					in[at{e.Index() / pageLen, h}] = true
					pages[e.Index()/pageLen] = true
				}
			}
			per, spread := float64(len(in))/float64(len(pages)), float64(s.Bound())/float64(s.Len())
			t.Logf("FIFO %v, %s: %.2f homes in a page of %d, indexes up to %.2fx of the entities", fifo, first, per, len(pages), spread)
			if per > 1.5 || spread > 1.3 {
				t.Error("indexes do not stay together")
			}
		}
	}
}

// As many entities as Max can be alive, however many homes had them before, and one more
// is refused; free indexes of one home serve another then.
func TestTooMany(t *testing.T) {
	for _, most := range []uint32{1, 5, 63, 64, 511, 512, 513, 600, 3000} {
		for _, fifo := range []bool{false, true} {
			s := Make(open(t, arena.Options{}), Options{Max: most, FIFO: fifo})
			homes := make([]Home, 7)
			r := rand.New(rand.NewPCG(uint64(most), 1))
			var es []Entity
			for round := range 40 {
				for len(es) < int(most) {
					es = append(es, take(t, &s, &homes[r.IntN(len(homes))], 1)...)
				}
				h := &homes[round%len(homes)]
				before := *h
				e, err := s.Take(h)
				if e != 0 || !errors.Is(err, arena.ErrFull) || !errors.Is(err, TooMany{most}) || !strings.Contains(err.Error(), fmt.Sprintf("%d entities", most)) || h.blocks != before.blocks {
					t.Fatalf("at most %d: %v, %v", most, e, err)
				}
				if s.Bound() > most+1 {
					t.Fatalf("at most %d: indexes up to %d", most, s.Bound())
				}
				r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
				n := r.IntN(len(es))
				s.FreeN(es[n:])
				es = es[:n]
				if err := s.Check(); err != nil {
					t.Fatalf("at most %d: %v", most, err)
				}
			}
		}
	}
	s := Make(open(t, arena.Options{}), Options{})
	if _, err := s.Take(s.Common()); !errors.Is(err, TooMany{}) || s.Check() != nil {
		t.Errorf("none at all: %v", err)
	}
}

// Where memory for records is refused, free indexes of any home serve first; then
// the arena's error comes, and nothing has changed.
func TestRefused(t *testing.T) {
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		a := open(t, arena.Options{Backend: backend})
		s := Make(a, Options{Max: 1 << 20})
		if _, err := s.Take(s.Common()); err != nil {
			t.Fatal(err)
		}
		a.SetLimit(a.Stats().Committed + 4<<10)
		var homes [3]Home
		n := 1
		for ; ; n++ {
			if _, err := s.Take(&homes[n%3]); err != nil {
				if e := err.Error(); !errors.Is(err, arena.ErrLimit) || !strings.Contains(e, fmt.Sprintf("a record for entity %d of at most %d:", s.Bound(), 1<<20)) {
					t.Fatal(err)
				}
				break
			}
		}
		if n != s.Len() || n != int(s.room) || s.Check() != nil {
			t.Errorf("%d taken, %d alive of %d indexes, %v", n, s.Len(), s.room, s.Check())
		}
		dst := []Entity{7, 7, 7}
		s.Free(s.At(5))
		if n, err := s.TakeN(&homes[1], dst); n != 1 || dst[0].Index() != 5 || dst[1] != 7 || !errors.Is(err, arena.ErrLimit) {
			t.Errorf("%d taken, %v, %v", n, dst, err)
		}
		a.SetLimit(0)
		take(t, &s, &homes[2], 1000)
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
	a, err := arena.New(arena.Options{SmallPages: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Make(a, Options{Max: 100})
	e := take(t, &s, s.Common(), 1)[0]
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Close(); s.Alive(e) || s.Alive(0) {
		t.Error("something is alive after Close")
	}
	if _, err := s.Take(s.Common()); !errors.Is(err, arena.ErrClosed) {
		t.Errorf("Take after Close: %v", err)
	}
}

// E9: Versions count up from 1, keep their tag when they wrap, and pass over 0;
// so do versions of entities that Clear ends.
func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		tag      uint8
		from, to uint32
	}{
		{0, 1, 2},
		{15, 0xF000001, 0xF000002},
		{0, countMask, 1},
		{3, 3<<24 | countMask, 3<<24 | 1},
		{15, 15<<24 | countMask, 15<<24 | 1},
	} {
		for _, how := range []string{"Free", "FreeN", "Clear"} {
			for _, fifo := range []bool{false, true} {
				s := Make(open(t, arena.Options{}), Options{Max: 63, Tag: tt.tag, FIFO: fifo})
				e := take(t, &s, s.Common(), 1)[0]
				if e.Version() != uint32(tt.tag)<<CountBits|1 || e.Index() != 1 {
					t.Errorf("the first handle is %v", e)
				}
				s.Free(e)
				s.age(tt.from)
				es := take(t, &s, s.Common(), 63)
				was := es[slices.IndexFunc(es, func(e Entity) bool { return e.Index() == 9 })]
				switch how {
				case "Free":
					s.Free(was)
				case "FreeN":
					s.FreeN([]Entity{was})
				default:
					s.Clear()
				}
				if s.Alive(was) || was.Version() != tt.from {
					t.Errorf("%v is alive: %v, want version %x", was, s.Alive(was), tt.from)
				}
				var now Entity
				for now.Index() != 9 {
					now = take(t, &s, s.Common(), 1)[0]
				}
				if now.Version() != tt.to || now == was || s.Alive(was) || !s.Alive(now) {
					t.Errorf("%s: version %x after %x, want %x", how, now.Version(), tt.from, tt.to)
				}
				if err := s.Check(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Clear makes new versions for living entities alone.
func TestClearKeepsVersions(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 100})
	s.Free(take(t, &s, s.Common(), 2)[1])
	s.Clear()
	for _, e := range take(t, &s, s.Common(), 63) {
		if want := map[bool]uint32{true: 2, false: 1}[e.Index() <= 2]; e.Version() != want {
			t.Errorf("%v after Clear", e)
		}
	}
}

// No handle is alive, except of live entities: null, of a free record, with another
// version, beyond the bound.
func TestAlive(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 1 << 16})
	stale := []Entity{0, 1, 64, 1 << VersionShift, 1<<VersionShift | 1, 1<<VersionShift | 70000, freeBit, freeBit | 1, 7, 900, ^Entity(0)}
	for _, e := range stale {
		if s.Alive(e) {
			t.Errorf("%v is alive in an empty set", e)
		}
	}
	e := take(t, &s, s.Common(), 2)[1]
	s.Free(take(t, &s, s.Common(), 1)[0])
	stale[4] = 1<<VersionShift | 3
	for i := range uint32(600) {
		if r := s.records.Load(i); isFree(r) {
			next := Entity(bare(r)) | Entity(i)
			stale = append(stale, Entity(r), next, next-1<<VersionShift)
		}
	}
	for _, e := range stale {
		if s.Alive(e) && (e.Index() > 2 || e.Index() == 0) {
			t.Errorf("%v is alive", e)
		}
	}
	if !s.Alive(e) || e.Index() != 2 || s.Alive(e+1<<VersionShift) {
		t.Errorf("%v is alive: %v", e, s.Alive(e))
	}
}

// E11: A location is an entity's until it is freed, and in no handle. An entity with any location is alive.
func TestLocations(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 100})
	es := take(t, &s, s.Common(), 3)
	e := es[1]
	records := s.Records()
	if len(records) < 102 || records[101] != 0 {
		t.Fatalf("%d records, and behind the last index %#x", len(records), records[101])
	}
	for _, loc := range []uint64{1, 1<<VersionShift - 1, freeBit | 1, 0, freeBit | 1<<linkShift | 7} {
		records[e.Index()] = Word(e, loc)
		if WordIs(records[2], e) != (loc != 0) || WordIs(records[2], e+1<<VersionShift) || WordIs(records[2], 2) || WordLoc(records[2]) != loc {
			t.Errorf("the record %#x", records[2])
		}
		if all := slices.Collect(s.All()); !slices.Equal(all, es) || !s.Alive(e) || s.At(2) != e || s.Check() != nil {
			t.Errorf("location %#x: %v, want %v", loc, all, es)
		}
	}
	s.Free(e)
	for _, e := range []Entity{e, e + 1<<VersionShift, 0, 2} {
		if WordIs(records[e.Index()], e) || s.Alive(e) || s.At(2) != 0 {
			t.Errorf("%v has the record %#x", e, records[e.Index()])
		}
	}
	if e = take(t, &s, s.Common(), 1)[0]; e.Index() != 2 || records[2] != Word(e, 0) {
		t.Errorf("%v has the record %#x of the one before", e, records[2])
	}
	records[2] = Word(e, 9)
	s.Clear()
	if e = take(t, &s, s.Common(), 2)[1]; records[2] != Word(e, 0) {
		t.Errorf("%v has the record %#x of before Clear", e, records[2])
	}
}

// Side is how many entities, from the first on, are of one block, and that block's Kin.
func TestSide(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 3000})
	a, b := Home{Kin: 7}, Home{Kin: 9}
	x, y := take(t, &s, &a, 700), take(t, &s, &b, 40)
	for _, tt := range []struct {
		es   []Entity
		kin  uint32
		want int
	}{{x, 7, 63}, {x[63:], 7, 64}, {x[575:], 7, 125}, {y, 9, 40}, {x[10:20], 7, 10}, {[]Entity{x[5], x[3], y[1], x[1]}, 7, 2}, {[]Entity{y[39], y[39], x[0]}, 9, 2}} {
		if kin, n := s.Side(tt.es); kin != tt.kin || n != tt.want {
			t.Errorf("%v …: %d of kin %d, want %d of %d", tt.es[0], n, kin, tt.want, tt.kin)
		}
	}
}

// The kin of an index is that of the home that its block was taken for, also when another
// takes indexes of it; once all are free, of the next.
func TestKin(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 130})
	a, b := Home{Kin: 7}, Home{Kin: 9}
	kin := func(what string, e Entity, want uint32) {
		t.Helper()
		if got := s.Kin(e.Index()); got != want {
			t.Errorf("%s: the kin of %v is %d, want %d", what, e, got, want)
		}
	}
	es := take(t, &s, &a, 127)
	kin("its own", es[0], 7)
	kin("its own", es[126], 7)
	kin("of the common home", take(t, &s, s.Common(), 1)[0], 0)
	s.FreeN(es[3:5])
	es = take(t, &s, &b, 4) // the same, and two of the common home's block
	kin("stolen from a", es[1], 7)
	kin("stolen from the common home", es[2], 0)
	s.Clear()
	kin("after Clear", take(t, &s, &b, 1)[0], 9)
	s.Drop(&b)
	if a.Kin != 7 || b.Kin != 9 {
		t.Errorf("homes have the kin %d and %d", a.Kin, b.Kin)
	}
}

// A word is its entity's alone, in that version, and never zero.
func TestWord(t *testing.T) {
	e := Entity(7)<<VersionShift | 12
	for _, loc := range []uint64{1, 1 << 22, 1<<VersionShift - 1} {
		w := Word(e, loc)
		if !WordIs(w, e) || !WordIs(w, Entity(7)<<VersionShift) || WordIs(w, e+1<<VersionShift) || WordIs(w, 0) || WordLoc(w) != loc || w == 0 {
			t.Errorf("word %x of location %x", w, loc)
		}
	}
	if WordIs(Word(e, 0), e) || WordIs(Word(e, freeBit), e) {
		t.Error("a record without a location is an entry")
	}
	for tag := range Entity(TagMax + 1) { // whatever version is ever given out
		for _, count := range []Entity{1, 2, countMask / 2, countMask} {
			if e := (tag<<CountBits|count)<<VersionShift | 5; WordIs(0, e) || !WordIs(Word(e, 77), e) {
				t.Errorf("%v is taken for absent, or absent for it", e)
			}
		}
	}
	if WordIs(0, 0) || WordIs(0, e) || WordIs(0, 5) || WordIs(1<<VersionShift|3, 5) {
		t.Error("zero is a word")
	}
}

func TestMakeRefuses(t *testing.T) {
	for _, o := range []Options{{Tag: TagMax + 1}, {Max: 1<<32 - 2}} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.Contains(r, "at most 15 and 4294967293") {
					t.Errorf("%+v: %v", o, r)
				}
			}()
			Make(nil, o)
		}()
	}
}

// Check names the fault: each invariant is broken on purpose.
func TestCheckNames(t *testing.T) {
	for _, tt := range []struct {
		what string
		do   func(s *Set, h *Home)
		want string
	}{
		{"the count", func(s *Set, h *Home) { s.alive++ }, "counted 81 alive"},
		{"the room", func(s *Set, h *Home) { s.room-- }, "counted 80 alive of 510"},
		{"the bound", func(s *Set, h *Home) { s.bound = 70 }, "beyond the bound 70"},
		{"a block", func(s *Set, h *Home) { s.blocks[3].lo++ }, "block 3 has 64 indexes from 129 on, want them from 128 on"},
		{"a page", func(s *Set, h *Home) { s.pages[0].mask = 3 }, "block 5 has"},
		{"a free index in no list", func(s *Set, h *Home) { h.left-- }, "the list of block 2 ends at 126, before 127"},
		{"a live index in a list", func(s *Set, h *Home) { *s.records.Ptr(100) = bare(s.records.Load(100)) }, "goes to index 100"},
		{"a list in another block", func(s *Set, h *Home) { h.head = 200 }, "goes to index 200"},
		{"an index twice", func(s *Set, h *Home) { *s.records.Ptr(127) |= 37 * linkOne }, "before 100"},
		{"a list too long", func(s *Set, h *Home) { *s.records.Ptr(127) |= 37 * linkOne; h.left++ }, "goes to index 100"},
		{"a free flag", func(s *Set, h *Home) { *s.records.Ptr(5) |= freeBit }, "record 5 is free, and in no list"},
		{"version 0", func(s *Set, h *Home) { *s.records.Ptr(5) = 5 }, "record 5 has version 0x0"},
		{"another tag", func(s *Set, h *Home) { *s.records.Ptr(5) += 1 << (VersionShift + CountBits) }, "record 5 has version 0x1000001"},
		{"blocks of a home", func(s *Set, h *Home) { h.blocks++ }, "a home counts 3 blocks, and has 2"},
		{"current block", func(s *Set, h *Home) { s.leave(h); h.current = 5 }, "a home takes indexes of block 5"},
		{"block without a home in use", func(s *Set, h *Home) { s.blocks[1].home = nil; h.blocks-- }, "block 1 has no home"},
		{"a block in no list", func(s *Set, h *Home) { s.unlink(&s.empty[part], 5) }, "-1 blocks more"},
		{"a list that ends too late", func(s *Set, h *Home) { s.empty[part].last = 7 }, "blocks end with 8, want 7"},
		{"a list that is broken", func(s *Set, h *Home) { s.blocks[6].prev = 3 }, "block 6, which comes after 5"},
		{"a full block that waits", func(s *Set, h *Home) { s.pushBack(&h.waiting, 1) }, "waiting block 1"},
		{"an empty block that is kept", func(s *Set, h *Home) {
			for i := range uint32(17) {
				s.Free(s.At(64 + i))
			}
			*s.records.Ptr(3) = freed(s.records.Load(3), 0)
			s.blocks[1].head, s.blocks[1].free = 3, 1
			s.alive--
			s.pushBack(&h.waiting, 1)
		}, "block 2 has free indexes alone"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			s := Make(open(t, arena.Options{}), Options{Max: 1 << 16})
			var h Home
			take(t, &s, &h, 80) // block 1 is full, 64 to 80 of block 2 are in use
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			tt.do(&s, &h)
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check says %v, want %q", err, tt.want)
			}
		})
	}
}

// Next is the result of Take, wherever it is known, and its record.
func TestNext(t *testing.T) {
	for _, fifo := range []bool{false, true} {
		s := Make(open(t, arena.Options{}), Options{Max: 5000, FIFO: fifo})
		var h Home
		var es []Entity
		known := 0
		for i := range 3000 {
			next, record := s.Next(&h)
			e, err := s.Take(&h)
			if err != nil {
				t.Fatal(err)
			}
			if record != nil {
				if known++; e.Index() != next || *record != Word(e, 0) {
					t.Fatalf("%d: took %x, and index %d with record %x was next", i, e, next, *record)
				}
			}
			if es = append(es, e); i%3 == 2 {
				s.Free(es[0])
				es = es[1:]
			}
		}
		if known < 2000 {
			t.Errorf("fifo %v: the next index was known %d times of 3000", fifo, known)
		}
	}
}
