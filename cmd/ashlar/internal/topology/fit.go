package topology

import "math/bits"

// resize gives a cache another size, if that makes sense.
func (c *Cache) resize(bytes int, s Source) {
	if bytes <= 0 || bytes > bytesMax || bytes%c.Line != 0 {
		return
	}
	c.Bytes, c.Source = bytes, s
	c.fit()
}

// fit makes up ways and sets that agree with size and line.
func (c *Cache) fit() {
	c.setWays(guessWays(c.Bytes/c.Line, defaultWays(c.Level)), SourceDefault)
}

// setWays divides the lines, of which there must be a multiple of ways.
func (c *Cache) setWays(ways int, s Source) {
	c.Ways, c.Sets, c.WaysSource = ways, c.Bytes/c.Line/ways, s
}

// defaultWays are those of Default.
func defaultWays(level int) int {
	if level >= 3 {
		return 16
	}
	return 8
}

// guessWays returns the fewest ways, want or more, that leave a power of two of
// sets, as caches have: 48 KiB with lines of 64 B have 12 ways, not 8. Small
// caches have fewer ways than want.
func guessWays(lines, want int) int {
	ways := lines >> bits.TrailingZeros(uint(lines))
	for ways < want && lines%(2*ways) == 0 {
		ways *= 2
	}
	return ways
}
