// Package report shows profiles and maps to people. It writes tables ([Profile], [Changes],
// [Views]), files for pprof ([PprofAccess], [PprofMemory]) and pictures of where chunks are
// ([MapText], [MapSVG]). A report is a function of recorded data; this package measures nothing. It
// is the only package that knows pprof.
//
// A map is drawn as a row for each region and a cell for each block:
//
//	range  number  blocks 0 to 31
//	normal region    0  ABB:--~.........................   4 in use,  71 % full
//	                    │  ││ ││
//	                    │  ││ │└ free, and no page of it was touched
//	                    │  ││ └ in quarantine until the next safe point
//	                    │  │└ free, its pages are there still
//	                    │  └ shared by chunks of few rows
//	                    └ a chunk: a letter for its group, or a digit for its heat
//	normal region    1 [CCCCCCCCCCCCCCCCCCCCCCCCCCCC....] 28 in use,  98 % full, striped
//
// A large map is folded, see [MapOptions]: rows that look the same become one, and a row is several
// regions.
//
// In a striped region each column of all chunks is one run of memory. The SVG picture adds colours,
// how full each chunk is, and names and figures under the pointer.
package report
