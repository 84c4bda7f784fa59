package entities

// Handover is a block that a home of another Kin has taken. No entity of the former Kin is in
// it, so entries by index for that Kin are about no entity there.
type Handover struct {
	Kin   uint32 // the former one, not 0
	Index uint32 // the first of the block
}

// handoversMost bounds how many are noted; there may be more blocks.
const handoversMost = 1 << 12

// handOver notes that a block without a home gets one of a Kin.
func (s *Set) handOver(b *block, kin uint32) {
	if b.kin != 0 && b.kin != kin && len(s.handovers) < handoversMost {
		s.handovers = append(s.handovers, Handover{b.kin, b.lo})
	}
	b.kin = kin
}

// Handovers is how many are noted.
func (s *Set) Handovers() int { return len(s.handovers) }

// TakeHandover returns one that is noted, which no longer is then. There must be one. The block
// may be the former Kin's again.
func (s *Set) TakeHandover() Handover {
	last := len(s.handovers) - 1
	h := s.handovers[last]
	s.handovers = s.handovers[:last]
	return h
}
