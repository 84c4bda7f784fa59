// Package frames has two lengths of time, in frames, that caches and policies share. A cache or a
// policy that needs another length says why.
//
// All names are for engines, and may change.
package frames

const (
	// Few is how many frames rates are smoothed over. It is also the time between looks at facts that
	// may change in each frame.
	Few = 8
	// Many is for how many frames something unused is kept. It is also the time between looks at
	// facts that seldom change (TestWhereIsForgotten, TestDirectApplies).
	Many = 64
)
